"""Workflow commands that GitHub Actions turns into annotations.

Source: actions/toolkit `command.ts`: %, line ends and, in properties, colons and commas are written as %XX.
"""

from kexplain.lint.findings import Finding, LintReport, Severity
from kexplain.render.findings.places import has_lines, path_from_here, place
from kexplain.render.harmless import printable
from kexplain.render.view import View

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: LintReport, view: View) -> str:
    """A workflow command for each finding, as an error, a warning or a notice."""
    return "".join(f"{_command(finding)}\n" for finding in report.findings)


def _command(finding: Finding) -> str:
    properties = {"file": path_from_here(finding)}
    if has_lines(finding):
        properties |= {"line": str(finding.line), "col": str(finding.column)}
    properties["title"] = f"kexplain {finding.rule}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"{finding.message}\n{finding.object}" if finding.object else finding.message
    if not has_lines(finding):
        message += f"\n{place(finding)}"
    return f"::{_COMMANDS[finding.severity]} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return "%0A".join(printable(line).replace("%", "%25") for line in text.split("\n"))


def _property(text: str) -> str:
    return printable(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
