"""Tables that fit the console: no word is broken where there is any other way."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from kexplain.patterns import regex

_GAP = 2
#: A column of text is to be so wide, or at least so, before names beside it are broken.
_READABLE = (24, 16)
#: So long the parts of broken names are to be, if there is room.
_LONGEST = (16, 12, 8)
_WORD = regex(r"\S+")
#: After these, names may be broken.
_SEPARATORS = regex(r"[-./:,=]")
_PIECE = regex(r"[^-./:,=\s]+[-./:,=]?")


class FittingTable:
    """Rows under heads, without rules."""

    def __init__(self, heads: Sequence[str], right: Collection[int] = ()) -> None:
        self._heads = heads
        self._right = right
        self._rows: list[tuple[RenderableType, ...]] = []

    def add_row(self, *cells: RenderableType) -> None:
        """A row with a cell for each head."""
        self._rows.append(cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        columns = [[Text(head), *(row[place] for row in self._rows)] for place, head in enumerate(self._heads)]
        room = options.max_width - _GAP * (len(columns) - 1)
        ranges = [_range(console, options, cells) for cells in columns]
        table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False, padding=(0, _GAP, 0, 0))
        widths = _widths(ranges, room)
        for place, (head, width) in enumerate(zip(self._heads, widths, strict=True)):
            table.add_column(head, width=width, justify="right" if place in self._right else "left")
        for row in self._rows:
            table.add_row(*(_folded(cell, width) for cell, width in zip(row, widths, strict=True)))
        yield table


class _Range(Struct, frozen=True):
    """How wide a column may be: its longest part of a name, its longest word, its longest line."""

    piece: int
    word: int
    line: int

    def at_least(self, readable: int) -> int:
        """So that no word is broken, and text is readable."""
        return max(self.word, min(self.line, readable))


def _range(console: Console, options: ConsoleOptions, cells: Sequence[RenderableType]) -> _Range:
    unlimited = options.update(width=100_000)
    found = [Measurement.get(console, unlimited, cell) for cell in cells]
    texts = " ".join(cell.plain for cell in cells if isinstance(cell, Text))
    piece = max(map(len, _PIECE.findall(texts)), default=0)
    return _Range(piece, max(each.minimum for each in found), max(each.maximum for each in found))


def _widths(ranges: Sequence[_Range], room: int) -> list[int]:
    """Each column as wide as it takes, or else the room shared fairly; names are broken if there is no other way."""
    choices = (
        *([each.at_least(readable) for each in ranges] for readable in _READABLE),
        *([max(each.piece, min(each.word, longest)) for each in ranges] for longest in _LONGEST),
    )
    floors = next((each for each in choices if sum(each) <= room), [1] * len(ranges))
    for level in range(room, 0, -1):
        widths = [max(floor, min(each.line, level)) for floor, each in zip(floors, ranges, strict=True)]
        if sum(widths) <= room:
            return widths
    return floors


def _folded(cell: RenderableType, width: int) -> RenderableType:
    """The cell with line breaks in words that are wider, after what separates parts of names."""
    if isinstance(cell, Group):
        return Group(*(_folded(each, width) for each in cell.renderables))
    if not isinstance(cell, Text) or cell.no_wrap:
        return cell
    breaks = [place for word in _WORD.finditer(cell.plain) for place in _breaks(word, width)]
    return Text("\n").join(cell.divide(breaks)) if breaks else cell


def _breaks(word: re.Match[str], width: int) -> Iterator[int]:
    start, end = word.span()
    while end - start > width:
        ends = [each.end() for each in _SEPARATORS.finditer(word.string, start, start + width)]
        start = ends[-1] if ends else start + width
        yield start
