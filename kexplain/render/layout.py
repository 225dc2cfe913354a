"""Pieces that reports on a console are laid out with."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.render.blocks import Block, Group, Indented, Item, Text


def text(content: str, style: str = "") -> Text:
    """Text from anywhere: never an escape sequence."""
    return Text(content, style=style)


def indented(content: Block, by: int = 2) -> Block:
    """The content some columns to the right."""
    return Indented(content, by)


def stacked(lines: Sequence[str]) -> Block:
    """Lines of text from anywhere, one below the other; what does not fit goes on further in."""
    return Group(*(Item(Text(), text(line)) for line in lines))
