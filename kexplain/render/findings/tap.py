"""Findings in the Test Anything Protocol, version 14: a test a finding, or one that passes where there are none."""

import json

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.render.findings.places import place, summary
from kexplain.render.harmless import in_strings, printable
from kexplain.render.view import View


def render(report: LintReport, view: View) -> str:
    """Findings fail, but for those that do not fail the run, which are to do; a finding's facts follow as YAML."""
    fail_on = Severity(view.fail_on)
    numbered = enumerate(report.findings, 1)
    tests = [_test(number, each, fails=each.severity.reaches(fail_on)) for number, each in numbered]
    passed = [] if tests else [f"ok 1 - {_escaped(summary(report))}\n"]
    return "".join(["TAP version 14\n", f"1..{len(tests) or 1}\n", *tests, *passed])


def _test(number: int, finding: Finding, *, fails: bool) -> str:
    directive = "" if fails else f" # TODO {finding.severity}"
    facts = {
        "message": finding.message,
        "severity": finding.severity.value,
        "rule": finding.rule,
        "object": finding.object,
        "field": finding.field,
        "at": {"file": finding.source, "line": finding.line, "column": finding.column},
    }
    # JSON is YAML, and quotes everything that a manifest may hold.
    body = "".join(f"  {name}: {in_strings(json.dumps(value))}\n" for name, value in facts.items())
    head = f"not ok {number} - {_escaped(f'{finding.rule} {place(finding)}')}{directive}"
    return f"{head}\n  ---\n{body}  ...\n"


def _escaped(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace("#", "\\#")
