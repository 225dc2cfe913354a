"""Findings as SARIF 2.1.0, which code hosts show beside the lines."""

from typing import Any

import msgspec

from kexplain.lint.findings import Finding, Ignored, LintReport, Severity
from kexplain.lint.registry import RULES
from kexplain.lint.rule import Rule
from kexplain.render.findings.places import about, has_lines, place, uri
from kexplain.render.harmless import in_strings
from kexplain.render.view import View

_SCHEMA = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json"
_PAGES = "https://OWNER.github.io/kexplain/rules"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
#: The name says how the hash is made: another way to make it takes another number.
_FINGERPRINT = "kexplain/v1"


def render(report: LintReport, view: View) -> str:
    """One run; the rules that found something are described with their pages, what is ignored is suppressed."""
    found = {each.rule for each in (*report.findings, *(each.finding for each in report.ignored))}
    rules = [rule for rule in RULES if rule.id in found]
    index_by_rule = {rule.id: index for index, rule in enumerate(rules)}
    results = [_result(finding, index_by_rule) for finding in report.findings]
    results += [_suppressed(each, index_by_rule) for each in report.ignored]
    about = {"name": "kexplain", "version": report.version, "semanticVersion": report.version}
    driver = {**about, "rules": [_rule(rule) for rule in rules]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return in_strings(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    page = rule.page
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "help": {"text": page, "markdown": page},
        "helpUri": f"{_PAGES}/{rule.id}/",
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["kubernetes", "scheduling"]},
    }


def _result(finding: Finding, index_by_rule: dict[str, int]) -> dict[str, Any]:
    message = finding.message if has_lines(finding) else f"{finding.message} ({place(finding)})"
    location: dict[str, Any] = {"artifactLocation": {"uri": uri(finding)}}
    # A rendered text has lines of its own; code hosts need one all the same.
    location["region"] = _region(finding) if has_lines(finding) else {"startLine": 1}
    place_of: dict[str, Any] = {"physicalLocation": location}
    if finding.object:
        place_of["logicalLocations"] = [{"fullyQualifiedName": about(finding), "kind": "object"}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index_by_rule[finding.rule],
        "level": _LEVELS[finding.severity],
        # Viewers make links of what looks like one.
        "message": {"text": message.replace("](", "] (")},
        "locations": [place_of],
        "partialFingerprints": {_FINGERPRINT: finding.fingerprint},
    }


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    return region | ({"endColumn": finding.column + finding.length} if finding.length else {})


def _suppressed(ignored: Ignored, index_by_rule: dict[str, int]) -> dict[str, Any]:
    kind = "external" if ignored.by.startswith(".") else "inSource"
    suppressed = {"kind": kind, "justification": ignored.reason}
    return {**_result(ignored.finding, index_by_rule), "suppressions": [suppressed]}
