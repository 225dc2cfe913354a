"""Findings as Markdown, for a comment on a merge request."""

from __future__ import annotations

import re

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.render.findings.places import about, place, summary
from kexplain.render.view import View, printable

_MARKS = {Severity.ERROR: "🔴 error", Severity.WARNING: "🟡 warning", Severity.INFO: "🔵 info"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#@&])")
#: Comments longer than this are refused by code hosts.
_ROWS = 200


def render(report: LintReport, view: View) -> str:  # noqa: ARG001
    """A heading with the counts, and a table; what is cut off is counted."""
    lines = ["### kexplain lint", "", summary(report), ""]
    if report.findings:
        lines += ["| | Where | What | Rule |", "|---|---|---|---|", *map(_row, report.findings[:_ROWS]), ""]
    if len(report.findings) > _ROWS:
        lines += [f"… and {len(report.findings) - _ROWS} more", ""]
    if report.ignored:
        lines += ["<details><summary>Ignored</summary>", ""]
        lines += [
            f"- {_code(place(each.finding))} {_code(each.finding.rule)}: {_text(each.reason)}"
            for each in report.ignored[:_ROWS]
        ]
        lines += ["", "</details>", ""]
    return "\n".join(lines)


def _row(finding: Finding) -> str:
    what = _text(finding.message)
    if finding.object:
        what += f"<br>{_code(about(finding))}"
    cells = (_MARKS[finding.severity], _code(place(finding)), what, _code(finding.rule))
    return f"| {' | '.join(cells)} |"


def _text(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", printable(text))


def _code(text: str) -> str:
    # Within a table a bar ends the cell even in code, and a backtick ends the code.
    shown = printable(text).replace("|", "\\|").replace("`", "'")
    return f"`{shown}`"
