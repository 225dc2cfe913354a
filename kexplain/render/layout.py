"""Pieces that reports on a console are laid out with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from kexplain.parameters import parameter
from kexplain.render.fitting_table import FittingTable
from kexplain.render.view import View, printable

_HANGING = 2


def text(content: str, style: str = "") -> Text:
    """Text from anywhere: never markup, never an escape sequence."""
    return Text(printable(content), style=style)


class Indented:
    """A content some columns to the right; lines that are longer than the console is wide stay whole."""

    def __init__(self, content: RenderableType, by: int) -> None:
        self._content, self._by = content, by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        inner = options.update(width=max(options.max_width - self._by, 1))
        for line in Segment.split_lines(console.render(self._content, inner)):
            yield Segment(" " * self._by)
            yield from line
            yield Segment.line()


class Command:
    """A line for a shell: never wrapped, so that it can be copied."""

    def __init__(self, line: str) -> None:
        self._line = printable(line)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        yield Segment(self._line)
        yield Segment.line()


class Item:
    """A text after a mark; what does not fit on the line goes on below, further in."""

    def __init__(self, mark: Text, content: Text) -> None:
        self._mark, self._content = mark, content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich asks for."""
        by = max(self._mark.cell_len, _HANGING)
        for place, line in enumerate(self._content.wrap(console, max(options.max_width - by, 1))):
            yield Text.assemble(" " * by if place else self._mark, line)


def indented(content: RenderableType, by: int = 2) -> RenderableType:
    """The content some columns to the right."""
    return Indented(content, by)


def section(title: str, body: RenderableType) -> Iterator[RenderableType]:
    """A body under a title, set off by an empty line."""
    yield Text()
    yield indented(Text(title, style="bold cyan"))
    yield indented(body)


def stacked(lines: Sequence[str]) -> RenderableType:
    """Lines of text from anywhere, one below the other; what does not fit goes on further in."""
    return Group(*(Item(Text(), text(line)) for line in lines))


def new_table(*heads: str, right: Collection[int] = ()) -> FittingTable:
    """A table without rules. Those of its columns that hold numbers are given as `right`."""
    return FittingTable(heads, right)


def cut_off(rows: int, view: View) -> Iterator[RenderableType]:
    """How many rows are not shown, if any."""
    if view.top and rows > view.top:
        yield indented(Text(f"… and {rows - view.top} more ({parameter('top', '0')} shows all)", style="dim"))
