"""Tables that fit the console: no word is broken where there is any other way."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from kexplain.patterns import regex
from kexplain.render.blocks import Block, Group, Text, cell_len

_GAP = 2
_UNLIMITED = 100_000
#: A column of text is to be so wide, or at least so, before names beside it are broken.
_READABLE = (24, 16)
#: So long the parts of broken names are to be, if there is room.
_LONGEST = (16, 12, 8)
_WORD = regex(r"\S+")
#: After these, names may be broken.
_SEPARATORS = regex(r"[-./:,=]")
_PIECE = regex(r"[^-./:,=\s]+[-./:,=]?")


#: What a cell may hold; a string is never broken.
Cell = str | Block


class FittingTable:
    """Rows under heads, without rules."""

    def __init__(self, heads: Sequence[str], right: Collection[int] = ()) -> None:
        self._heads = heads
        self._right = right
        self._rows: list[tuple[Cell, ...]] = []

    def add_row(self, *cells: Cell) -> None:
        """A row with a cell for each head."""
        self._rows.append(cells)

    def lines(self, width: int) -> Iterator[Text]:
        """The heads side by side, their last lines on one, and the rows."""
        columns = [[Text(head), *(row[place] for row in self._rows)] for place, head in enumerate(self._heads)]
        widths = _widths([_range(cells) for cells in columns], width - _GAP * (len(columns) - 1))
        heads = [list(_cell_lines(head, room)) for head, room in zip(self._heads, widths, strict=True)]
        for parts in reversed([*zip_longest(*map(reversed, heads), fillvalue=Text())]):
            yield self._line(parts, widths, "bold")
        for row in self._rows:
            cells = (_cell_lines(cell, room) for cell, room in zip(row, widths, strict=True))
            yield from (self._line(parts, widths) for parts in zip_longest(*cells, fillvalue=Text()))

    def _line(self, parts: Sequence[Text], widths: Sequence[int], style: str = "") -> Text:
        line = Text(style=style)
        for place, (part, width) in enumerate(zip(parts, widths, strict=True)):
            if place in self._right:
                shown = part[: len(part.plain.rstrip())]
                line.append(" " * (width - shown.cell_len)).append_text(shown)
            else:
                line.append_text(part).append(" " * (width - part.cell_len))
            if place < len(widths) - 1:
                line.append(" " * _GAP)
        return line


class _Range(Struct, frozen=True):
    """How wide a column may be: its longest part of a name, its longest word, its longest line."""

    piece: int
    word: int
    line: int

    def at_least(self, readable: int) -> int:
        """So that no word is broken, and text is readable."""
        return max(self.word, min(self.line, readable))


def _range(cells: Sequence[Cell]) -> _Range:
    texts = " ".join(cell.plain for cell in cells if isinstance(cell, Text))
    piece = max(map(len, _PIECE.findall(texts)), default=0)
    found = [_measured(cell) for cell in cells]
    return _Range(piece, max(word for word, _ in found), max(line for _, line in found))


def _measured(cell: Cell) -> tuple[int, int]:
    """The longest word and the longest line."""
    match cell:
        case str():
            return max(map(cell_len, cell.split()), default=0), cell_len(cell)
        case Text():
            return _measured(cell.plain)
        case Group():
            found = [_measured(each) for each in cell.blocks]
            return max(word for word, _ in found), max(line for _, line in found)
        case _:
            # What wraps by itself takes what there is.
            return 0, _UNLIMITED


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


def _cell_lines(cell: Cell, width: int) -> Iterator[Text]:
    """With line breaks in words that are wider, after what separates parts of names."""
    match cell:
        case str():
            yield from Text(cell).lines(width, is_whole=False)
        case Text():
            breaks = [place for word in _WORD.finditer(cell.plain) for place in _breaks(word, width)]
            for part in cell.divide(breaks):
                yield from part.lines(width, is_whole=False)
        case Group():
            for each in cell.blocks:
                yield from _cell_lines(each, width)
        case _:
            yield from cell.lines(width)


def _breaks(word: re.Match[str], width: int) -> Iterator[int]:
    start, end = word.span()
    while end - start > width:
        ends = [each.end() for each in _SEPARATORS.finditer(word.string, start, start + width)]
        start = ends[-1] if ends else start + width
        yield start
