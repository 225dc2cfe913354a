"""What fills a console: blocks, which become lines once it is known how wide it is.

Of rich only the widths of unusual characters are used: importing the whole of it takes longer than all else that a
report on a few nodes needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Protocol

from kexplain.patterns import regex
from kexplain.render.harmless import printable
from kexplain.tables import table

#: So many columns a reader takes in without turning the head.
READ_AT_ONCE = 100
#: A word with the blanks around it.
_WORD = regex(r"\s*\S+\s*")
_TRAILING = regex(r"\s+$")
#: Characters of reports that are as wide as a letter, whatever the terminal.
_NARROW = str.maketrans(dict.fromkeys("✓✗‖–—→…−×·“”", "x"))
_CODES = table("terminal-codes", dict[str, str])


class Block(Protocol):
    """Something that takes up lines."""

    def lines(self, width: int) -> Iterator[Text]:
        """Its lines where there are so many columns."""


class Text:
    """Characters in styles, such as `bold red`; a style of the whole holds for what is appended, too.

    It comes from anywhere: control characters are spelled out, so that it is always one line.
    """

    __slots__ = ("_runs", "_style")

    def __init__(self, content: str = "", style: str = "") -> None:
        self._style = style
        self._runs = [(printable(content), "")] if content else []

    @classmethod
    def assemble(cls, *parts: str | Text) -> Text:
        """The parts one behind the other."""
        made = cls()
        for part in parts:
            made.append_text(part if isinstance(part, Text) else cls(part))
        return made

    @property
    def runs(self) -> list[tuple[str, str]]:
        """What stands in one style, and the style."""
        return [(content, f"{self._style} {style}".strip()) for content, style in self._runs]

    @property
    def plain(self) -> str:
        """Without styles."""
        return "".join(content for content, _ in self._runs)

    @property
    def cell_len(self) -> int:
        """How many columns it takes."""
        return cell_len(self.plain)

    def __len__(self) -> int:
        return len(self.plain)

    def __getitem__(self, part: slice) -> Text:
        start, stop, _ = part.indices(len(self))
        cut = Text(style=self._style)
        at = 0
        for content, style in self._runs:
            cut.append(content[max(start - at, 0) : max(stop - at, 0)], style)
            at += len(content)
        return cut

    def append(self, content: str, style: str = "") -> Text:
        if content:
            self._runs.append((printable(content), style))
        return self

    def append_text(self, other: Text) -> Text:
        self._runs += other.runs
        return self

    def divide(self, places: Iterable[int]) -> list[Text]:
        bounds = [0, *places, len(self)]
        return [self[start:stop] for start, stop in pairwise(bounds)]

    def lines(self, width: int, *, is_whole: bool = True) -> Iterator[Text]:
        """Broken between words; a longer word stays whole, so that it can be copied, or else its rest is cut off."""
        yield from (_cut(line, width, is_whole=is_whole) for line in self.divide(_breaks(self.plain, width)))

    def ansi(self) -> str:
        """With the escape sequences of a terminal."""
        return "".join(_escaped(content, style) for content, style in self.runs)


def _cut(line: Text, width: int, *, is_whole: bool) -> Text:
    """The line without the blanks at its end that are too much; what is longer still ends in an ellipsis."""
    excess = len(line) - width
    if excess > 0 and (blanks := _TRAILING.search(line.plain)):
        line = line[: len(line) - min(len(blanks[0]), excess)]
    if is_whole or line.cell_len <= width:
        return line
    room = accumulate(cell_len(letter) for letter in line.plain)
    return line[: sum(1 for taken in room if taken < width)].append("…")


def _breaks(text: str, width: int) -> Iterator[int]:
    """Where lines of that width begin, but for the first."""
    taken = 0
    for found in _WORD.finditer(text):
        start, word = found.start(), found[0]
        length = cell_len(word.rstrip())
        if length <= width - taken:
            taken += cell_len(word)
        else:
            if start:
                yield start
            taken = cell_len(word)


def _escaped(content: str, style: str) -> str:
    codes = [_CODES[word] for word in dict.fromkeys(style.split())]
    # Of several colours the last one counts.
    colours = [code for code in codes if len(code) > 1]
    shown = [*sorted(code for code in codes if len(code) == 1), *colours[-1:]]
    return f"\x1b[{';'.join(shown)}m{content}\x1b[0m" if shown else content


def cell_len(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii() or text.translate(_NARROW).isascii():
        return len(text)
    from rich.cells import cell_len as measured  # noqa: PLC0415 (few reports have such characters)

    return measured(text)


class Group:
    """Blocks one below the other."""

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks

    def lines(self, width: int) -> Iterator[Text]:
        for block in self.blocks:
            yield from block.lines(width)


class Indented:
    """A block some columns to the right."""

    def __init__(self, content: Block, by: int = 2) -> None:
        self._content, self._by = content, by

    def lines(self, width: int) -> Iterator[Text]:
        """Those of the block; one that is longer than the console is wide stays whole."""
        yield from (Text.assemble(" " * self._by, line) for line in self._content.lines(max(width - self._by, 1)))


class AtMost:
    """A block that is never wider than so many columns, however wide the console."""

    def __init__(self, content: Block, columns: int) -> None:
        self._content, self._columns = content, columns

    def lines(self, width: int) -> Iterator[Text]:
        return self._content.lines(min(width, self._columns))


class Beside:
    """A block, and behind its first line an aside; asides of so many columns stand below each other at the right."""

    def __init__(self, content: Block, aside: Text, columns: int) -> None:
        self._content, self._aside, self._columns = content, aside, columns

    def lines(self, width: int) -> Iterator[Text]:
        """Those of the block, the aside no further to the right than a reader looks."""
        room = min(width, READ_AT_ONCE) - self._columns - 2
        taken = width if room < 1 or not self._columns else width - self._columns - 2
        for place, line in enumerate(self._content.lines(max(taken, 1))):
            if place or not len(self._aside):
                yield line
            else:
                yield Text.assemble(line, " " * max(room - line.cell_len, 0) + "  ", self._aside)


class Headline:
    """A text, and behind it an aside where that takes no line of its own."""

    def __init__(self, content: Text, aside: Text) -> None:
        self._content, self._aside = content, aside

    def lines(self, width: int) -> Iterator[Text]:
        """Those of the text, the last with the aside if there is room."""
        *most, last = self._content.lines(width)
        yield from most
        yield Text.assemble(last, self._aside) if last.cell_len + self._aside.cell_len <= width else last


class Command:
    """A line for a shell: never wrapped, so that it can be copied."""

    def __init__(self, line: str) -> None:
        self._line = line

    def lines(self, width: int) -> Iterator[Text]:
        yield Text(self._line)


class Item:
    """A text after a mark; what does not fit on the line goes on below, further in."""

    hanging = 2

    def __init__(self, mark: Text, content: Text) -> None:
        self._mark, self._content = mark, content

    def lines(self, width: int) -> Iterator[Text]:
        """The first with the mark."""
        by = max(self._mark.cell_len, self.hanging)
        for place, line in enumerate(self._content.lines(max(width - by, 1))):
            yield from Text.assemble(" " * by if place else self._mark, line).lines(width)


def stacked(lines: Sequence[str]) -> Block:
    """Lines one below the other; what does not fit goes on further in."""
    return Group(*(Item(Text(), Text(line)) for line in lines))
