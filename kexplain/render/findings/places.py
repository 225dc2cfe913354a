"""Where a finding stands, in words and as a URI."""

import os
from pathlib import PurePath
from urllib.parse import quote

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.words import plural


def place(finding: Finding) -> str:
    """`file:line:column`, as editors and terminals take it."""
    return f"{finding.source}:{finding.line}:{finding.column}"


def about(finding: Finding) -> str:
    """The field, behind its object; empty for findings about a file."""
    return f"{finding.object} {finding.field}".strip()


def file_name(finding: Finding) -> str:
    """The file that whoever fixes it opens: the one that was read, or the template of what came through a pipe."""
    return finding.source if has_lines(finding) else finding.rendered_from or finding.source


def path_from_here(finding: Finding) -> str:
    """The same as code hosts take it: without dots, and relative to where it is run if it is below that."""
    name = os.path.normpath(file_name(finding))
    below = os.path.relpath(name) if PurePath(name).is_absolute() else name
    return PurePath(name if below.startswith("..") else below).as_posix()


def has_lines(finding: Finding) -> bool:
    """Whether its line is one of that file: those of what came through a pipe are not."""
    return not finding.source.startswith("<")


def uri(finding: Finding) -> str:
    """The same as a relative URI."""
    name = file_name(finding)
    return quote(name.strip("<>") if name.startswith("<") else path_from_here(finding))


def summary(report: LintReport) -> str:
    """How many findings of which severity, and what was looked at."""
    counts = [(report.count(severity), severity) for severity in reversed(Severity)]
    found = [_counted(count, severity) for count, severity in counts if count] or ["nothing found"]
    aside = []
    if report.ignored:
        aside.append(f"{len(report.ignored)} ignored")
    if report.known:
        aside.append(f"{report.known} in the baseline")
    read = {"file": report.files, "object": report.objects, "workload": report.workloads}
    looked = ", ".join(plural(count, what) for what, count in read.items())
    placed = "" if report.placed is None else f", {plural(report.placed, 'replica')} tried"
    return f"{', '.join([*found, *aside])} ({looked}{placed})"


def _counted(count: int, severity: Severity) -> str:
    return f"{count} {severity}" if severity is Severity.INFO else plural(count, severity.value)
