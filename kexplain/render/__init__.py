"""A module a format. Each has `render(report, view)`, which returns text or a rich renderable.

A renderer takes a finished report: it decides no facts and never looks at the terminal.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast, get_args

from kexplain.render.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from kexplain.explain.records import Report

__all__ = ["FORMATS", "Format", "View", "render"]

Format = Literal["text", "wide", "name", "json", "yaml", "markdown", "csv", "event"]
FORMATS: tuple[Format, ...] = get_args(Format)


def render(output_format: str, report: Report, view: View) -> str | RenderableType:
    """The report in a format; the format's module, and what it needs, is imported only now."""
    module = import_module(f"kexplain.render.{output_format}")
    renderer = cast("Callable[[Report, View], str | RenderableType]", module.render)
    return renderer(report, view)
