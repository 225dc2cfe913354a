"""Reports that are a headline and some tables: each says what is on its page, and every format draws all of them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kexplain.words import some

if TYPE_CHECKING:
    from kexplain.explain.output import Output
    from kexplain.explain.records import Cause
    from kexplain.render.view import View

#: By kind of report, the module that says what is on its page.
_MODULES = {
    "CapacityReport": "capacity",
    "Difference": "difference",
    "DrainReport": "drain",
    "WhatIfReport": "what_if",
    "StatusReport": "status",
}


class Sheet(Struct, frozen=True):
    """A table under a title, with lines of text before it."""

    title: str
    heads: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    lines: Sequence[str] = ()


class Page(Struct, frozen=True):
    """What there is to see: `is_good` is whether the answer is what one hopes for."""

    is_good: bool
    headline: str
    aside: str
    lines: Sequence[str] = ()
    warnings: Sequence[str] = ()
    sheets: Sequence[Sheet] = ()


class Rows(Struct, frozen=True):
    """The report as rows of a spreadsheet."""

    heads: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


def page_of(report: Output, view: View) -> Page:
    """The page of a report."""
    page: Page = _module(report).page(report, view)
    return page


def rows_of(report: Output) -> Rows:
    """The rows of a report."""
    rows: Rows = _module(report).rows(report)
    return rows


def _module(report: Any) -> Any:
    return import_module(f"{__name__}.{_MODULES[report.kind]}")


def as_title(title: str) -> str:
    """A title in capitals as in a text; names in it stay as they are."""
    first, *others = (word.lower() if word.isupper() else word for word in title.split(" "))
    return " ".join([first.capitalize() if title.startswith(first.upper()) else first, *others])


def causes_sheet(title: str, causes: Sequence[Cause], message: str = "") -> Sheet:
    """Why nodes turn a pod down, with the text of the event above."""
    rows = [(str(cause.count), cause.plugin, cause.text, some(cause.nodes, 3)) for cause in causes]
    return Sheet(title, ("NODES", "STOPPED BY", "BECAUSE", "WHICH"), rows, [message] if message else [])
