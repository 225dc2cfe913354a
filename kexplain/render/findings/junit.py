"""Findings as JUnit XML: a test suite a file, a test case a finding."""

from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree as ET

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.render.findings.places import about, place
from kexplain.render.harmless import printable
from kexplain.render.view import View

_NAME = "kexplain lint"


def render(report: LintReport, view: View) -> str:
    """What fails the run is a failure; other findings pass, and stand in the output of their test case."""
    fail_on = Severity(view.fail_on)
    suites = ET.Element("testsuites", name=_NAME)
    for source, found in groupby(report.findings, key=lambda finding: finding.source):
        findings = list(found)
        suite = _suite(suites, source, len(findings), _failures(findings, fail_on))
        for finding in findings:
            _case(suite, finding, fails=finding.severity.reaches(fail_on))
    if not report.findings:
        # A report without any test counts as broken in many places.
        ET.SubElement(_suite(suites, _NAME, 1, 0), "testcase", classname=_NAME, name="no findings", time="0")
    suites.set("tests", str(max(len(report.findings), 1)))
    suites.set("failures", str(_failures(report.findings, fail_on)))
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _suite(suites: ET.Element, name: str, tests: int, failures: int) -> ET.Element:
    counts = {"tests": str(tests), "failures": str(failures), "errors": "0", "skipped": "0", "time": "0"}
    return ET.SubElement(suites, "testsuite", {"name": printable(name), **counts})


def _failures(findings: Iterable[Finding], fail_on: Severity) -> int:
    return sum(1 for each in findings if each.severity.reaches(fail_on))


def _case(suite: ET.Element, finding: Finding, *, fails: bool) -> None:
    name = f"{finding.rule} {about(finding)}".strip()
    names = {"classname": printable(finding.source), "name": printable(name), "time": "0"}
    case = ET.SubElement(suite, "testcase", {**names, "file": printable(finding.source), "line": str(finding.line)})
    said = f"{printable(place(finding))}: {finding.severity}: {printable(finding.message)}"
    if fails:
        failure = {"message": printable(finding.message), "type": finding.severity.value}
        ET.SubElement(case, "failure", failure).text = said
    else:
        ET.SubElement(case, "system-out").text = said
