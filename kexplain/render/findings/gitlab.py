"""Code Quality reports of GitLab, which shows them beside the lines of a merge request.

Source: GitLab's documentation of the Code Quality report format, a part of the Code Climate specification.
"""

import msgspec

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.render.findings.places import has_lines, path_from_here
from kexplain.render.harmless import in_strings
from kexplain.render.view import View

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: LintReport, view: View) -> str:
    """An issue for each finding; its fingerprint stays the same while it moves within its file."""
    issues = msgspec.json.encode([_issue(each) for each in report.findings])
    return in_strings(msgspec.json.format(issues, indent=2).decode()) + "\n"


def _issue(finding: Finding) -> dict[str, object]:
    return {
        "description": f"{finding.message} ({finding.object})" if finding.object else finding.message,
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": path_from_here(finding), "lines": {"begin": finding.line if has_lines(finding) else 1}},
    }
