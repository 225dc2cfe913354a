"""Findings as Markdown, for a comment on a pull request or the summary of a job."""

from collections.abc import Iterator
from itertools import groupby

from kexplain.lint.findings import Finding, Ignored, LintReport, Severity
from kexplain.render.findings.places import file_name, has_lines, place, summary, uri
from kexplain.render.harmless import in_markdown, in_markdown_code
from kexplain.render.view import View

_MARKS = {Severity.ERROR: "🔴", Severity.WARNING: "🟡", Severity.INFO: "🔵"}
#: Comments longer than this are refused by code hosts.
_ITEMS = 200


def render(report: LintReport, view: View) -> str:
    """A heading, a table of counts by file and severity, and the findings with links; what is cut off is counted."""
    lines = ["### kexplain lint", "", summary(report), "", *_counts(report)]
    lines += [_item(each, view) for each in report.findings[:_ITEMS]]
    lines += [""] if report.findings else []
    if len(report.findings) > _ITEMS:
        lines += [f"… and {len(report.findings) - _ITEMS} more", ""]
    if report.ignored:
        lines += ["<details><summary>Ignored</summary>", ""]
        lines += map(_ignored, report.ignored[:_ITEMS])
        lines += ["", "</details>", ""]
    return "\n".join(lines)


def _counts(report: LintReport) -> Iterator[str]:
    """A row a file; nothing without findings."""
    if not report.findings:
        return
    severities = [*reversed(Severity)]
    yield f"| File | {' | '.join(f'{_MARKS[each]} {each}' for each in severities)} |"
    yield f"|---|{'--:|' * len(severities)}"
    for source, found in groupby(report.findings[:_ITEMS], key=file_name):
        listed = [finding.severity for finding in found]
        counts = [str(listed.count(each) or "") for each in severities]
        yield f"| {in_markdown_code(source)} | {' | '.join(counts)} |"
    yield ""


def _ignored(ignored: Ignored) -> str:
    where = in_markdown_code(place(ignored.finding))
    return f"- {where} {in_markdown_code(ignored.finding.rule)}: {in_markdown(ignored.reason)}"


def _item(finding: Finding, view: View) -> str:
    where = in_markdown_code(f"{file_name(finding)}:{finding.line}" if has_lines(finding) else place(finding))
    if not finding.source.startswith("<") or finding.rendered_from:
        address = f"{view.link_base}{'/' if view.link_base else ''}{uri(finding)}"
        where = f"[{where}]({address}{f'#L{finding.line}' if has_lines(finding) else ''})"
    what = f"<br>{in_markdown_code(finding.object)}" if finding.object else ""
    said, rule = in_markdown(finding.message), in_markdown_code(finding.rule)
    return f"- {_MARKS[finding.severity]} {where} {said} ({rule}){what}"
