"""Pieces that reports on a console are laid out with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kexplain.parameters import parameter
from kexplain.render.view import View, printable


def text(content: str, style: str = "") -> Text:
    """Text from anywhere: never markup, never an escape sequence."""
    return Text(printable(content), style=style)


def indented(content: RenderableType, by: int = 2) -> RenderableType:
    """The content some columns to the right."""
    return Padding(content, (0, 0, 0, by), expand=False)


def section(title: str, body: RenderableType) -> Iterator[RenderableType]:
    """A body under a title, set off by an empty line."""
    yield Text()
    yield indented(Text(title, style="bold cyan"))
    yield indented(body)


def stacked(lines: Sequence[str]) -> RenderableType:
    """Lines of text from anywhere, one below the other."""
    return Group(*(text(line) for line in lines))


def new_table(*columns: str) -> Table:
    """A table without rules, whose cells fold where they do not fit."""
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def cut_off(rows: int, view: View) -> Iterator[RenderableType]:
    """How many rows are not shown, if any."""
    if view.top and rows > view.top:
        yield indented(Text(f"… and {rows - view.top} more ({parameter('top', '0')} shows all)", style="dim"))
