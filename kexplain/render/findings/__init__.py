"""What `kexplain lint` found, a module a format; each has `render(report, view)`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from kexplain.render import json, yaml
from kexplain.render.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from kexplain.lint.findings import LintReport

__all__ = ["FORMATS", "render"]

FORMATS = ("text", "json", "yaml", "sarif", "junit", "tap", "github", "markdown")


def render(output_format: str, report: LintReport, view: View) -> str | RenderableType:
    """The report in a format; the format's module, and what it needs, is imported only now."""
    if output_format == "json":
        return json.document(report)
    if output_format == "yaml":
        return yaml.document(report)
    module = import_module(f"kexplain.render.findings.{output_format}")
    renderer = cast("Callable[[LintReport, View], str | RenderableType]", module.render)
    return renderer(report, view)
