"""Pieces that reports on a console are laid out with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from kexplain.render.blocks import Block, Group, Indented, Item, Text
from kexplain.render.fitting_table import FittingTable


def text(content: str, style: str = "") -> Text:
    """Text from anywhere: never an escape sequence."""
    return Text(content, style=style)


def indented(content: Block, by: int = 2) -> Block:
    """The content some columns to the right."""
    return Indented(content, by)


def section(title: str, body: Block) -> Iterator[Block]:
    """A body under a title, set off by an empty line."""
    yield Text()
    yield indented(Text(title, style="bold cyan"))
    yield indented(body)


def stacked(lines: Sequence[str]) -> Block:
    """Lines of text from anywhere, one below the other; what does not fit goes on further in."""
    return Group(*(Item(Text(), text(line)) for line in lines))


def new_table(*heads: str, right: Collection[int] = ()) -> FittingTable:
    """A table without rules. Those of its columns that hold numbers are given as `right`."""
    return FittingTable(heads, right)
