"""Findings for people, by file."""

from collections.abc import Iterator

from kexplain.lint.findings import Finding, Ignored, LintReport, Severity
from kexplain.render.blocks import Block, Group, Indented, Text
from kexplain.render.findings.frame import frame
from kexplain.render.findings.places import place, summary
from kexplain.render.view import View

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_INDENT = 2


def render(report: LintReport, view: View) -> Block:
    """A paragraph a finding, its place first; with -v also what is ignored, and why."""
    blocks = [block for each in report.findings for block in (*_finding(each, view), Text())]
    if view.verbose:
        blocks += [block for each in report.ignored for block in (*_ignored(each), Text())]
    return Group(*blocks, Text(summary(report), "bold green" if not report.findings else "bold"))


def _finding(finding: Finding, view: View) -> Iterator[Block]:
    head = Text(f"{place(finding)}: ")
    head.append(finding.severity.value, style=_STYLES[finding.severity])
    head.append(f" {finding.rule}", style="dim")
    yield head
    yield Indented(Text(finding.message))
    for line in frame(finding, view.width and view.width - _INDENT, _STYLES[finding.severity]):
        yield Indented(line)
    if finding.object:
        yield Indented(Text(finding.object, "dim"))
    if finding.rendered_from:
        yield Indented(Text(f"rendered from {finding.rendered_from}", "dim"))


def _ignored(ignored: Ignored) -> Iterator[Block]:
    yield Text(f"{place(ignored.finding)}: ignored {ignored.finding.rule}", "dim")
    yield Indented(Text(f"{ignored.reason} ({ignored.by})", "dim"))
