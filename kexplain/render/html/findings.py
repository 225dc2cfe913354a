"""What lint has found, for a browser: file by file, with the lines around each finding."""

from collections.abc import Iterator
from itertools import groupby

from kexplain.lint.findings import Finding, LintReport
from kexplain.render.findings import places
from kexplain.render.html.document import document
from kexplain.render.view import View


def render(report: LintReport, view: View) -> str:
    """The counts, then the findings by file; what is ignored comes last."""
    files = [(name, list(found)) for name, found in groupby(report.findings, key=lambda finding: finding.source)]
    return document(
        "findings.html",
        report,
        f"kubernetes {report.kubernetes_version}",
        files=files,
        headline=places.summary(report),
        places=places,
        marked_lines=marked_lines,
    )


def marked_lines(finding: Finding) -> Iterator[tuple[int, str, str, str]]:
    """The lines around the finding by number, each as what is before the place, what is meant, and what follows."""
    excerpt = finding.excerpt
    if excerpt is None:
        return
    for number, line in enumerate(excerpt.lines, excerpt.first_line):
        start = finding.column - excerpt.first_column if number == finding.line else len(line)
        end = start + max(finding.length, 1)
        yield number, line[:start], line[start:end], line[end:]
