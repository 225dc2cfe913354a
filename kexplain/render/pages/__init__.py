"""What there is to see of a report, whatever the format: pages of a headline and parts, which every format draws.

A module here says what is on the pages of a kind of report; formats know pages and no reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from importlib import import_module
from itertools import filterfalse
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explanation.records import NotEvaluated
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.render.view import View
from kexplain.tables import table

WordsT = TypeVar("WordsT")

#: By kind of report, the module that says what is on its pages.
_MODULES = table("pages", dict[str, str])
#: From this width on there is room for node names beside causes.
NAMED = 120
#: What of a part there is something to see in.
_CONTENTS = ("rows", "lines", "quote", "notes", "note", "entries", "quotes")
#: What is longer is no name.
_SENTENCE = 60


class State(StrEnum):
    """Whether the answer is what one hopes for; a page that only sums up has none."""

    GOOD = "fits"
    BAD = "fails"
    WAITING = "waits"
    #: Left to others.
    PASSED_OVER = "passed-over"
    NONE = ""

    @classmethod
    def of(cls, is_good: bool) -> State:
        return cls.GOOD if is_good else cls.BAD


class Style(StrEnum):
    """How text looks, whatever the format makes of it."""

    PLAIN = ""
    DIM = "dim"
    BOLD = "bold"
    WARNING = "warning"
    #: What others have said, to the letter.
    QUOTE = "quote"
    #: A line for a shell, which is never wrapped.
    COMMAND = "command"
    #: What would help.
    REMEDY = "remedy"
    #: Good news.
    GOOD = "good"


class Column(Struct, frozen=True):
    """A column of a table; numbers stand to the right.

    On a console that is narrower than `from_width` it is left out, and `short` stands over it where there is one, or
    before a cell that is stacked.
    """

    head: str
    style: Style = Style.PLAIN
    is_number: bool = False
    short: str = ""
    from_width: int = 0


class Sheet(Struct, frozen=True):
    """A table under a title, with what others say and lines before it, and notes below.

    A column without anything in it is left out. `more` rows are left out. Where a console is too narrow for all
    columns, the others stand in further tables, each behind the first `keys` columns; 0 keeps the table whole. One that
    is narrower than `stacked_below` gets the cells of a row below each other.
    """

    title: str
    columns: tuple[Column, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    lines: Sequence[str] = ()
    quote: str = ""
    notes: Sequence[str] = ()
    more: int = 0
    keys: int = 0
    stacked_below: int = 0
    #: Whether all rows are shown, however many they are.
    is_whole: bool = False
    #: By row, the page that says more.
    anchors: Sequence[str] = ()

    @property
    def is_wordy(self) -> bool:
        """Whether rows are stacked on a narrow page: some cell is a sentence."""
        return bool(self.stacked_below) or any(len(cell) > _SENTENCE for row in self.rows for cell in row)


class Prose(Struct, frozen=True):
    """Lines under a title, or without one right below what is before them; `is_apart` leaves an empty line there."""

    lines: Sequence[str]
    title: str = ""
    style: Style = Style.PLAIN
    is_apart: bool = False
    more: int = 0


def resting_on(taken_for_granted: Sequence[str]) -> list[Prose]:
    """What the verdict rests on, right below it; nothing if the input says all there is to say."""
    return [Prose(taken_for_granted, style=Style.WARNING)] if taken_for_granted else []


def too_optimistic(unknown: Iterable[NotEvaluated]) -> list[str]:
    """A line on what could not be looked at, if there is anything."""
    plugins = ", ".join(f"{each.plugin} ({each.what})" for each in unknown)
    return [f"not evaluated, so the verdict may be too optimistic: {plugins}"] if plugins else []


def decided_by(kubernetes_version: str, scheduler_name: str) -> str:
    """The release, and the scheduler where it is not the one that everybody has."""
    own = "" if scheduler_name == DEFAULT_SCHEDULER_NAME else f", {scheduler_name}"
    return f"kubernetes {kubernetes_version}{own}"


class Entry(Struct, frozen=True):
    """What somebody can do: what comes of it, what follows in a less prominent place, and how it is done."""

    text: str
    effect: str = ""
    aside: str = ""
    commands: Sequence[str] = ()


class Listing(Struct, frozen=True):
    """Numbered entries under a title, and what is said of those that are left out."""

    title: str
    entries: Sequence[Entry]
    note: str = ""


class Quote(Struct, frozen=True):
    """A text that others use, on how many nodes and who says it, what it means, and what to check."""

    text: str
    count: str = ""
    aside: str = ""
    lines: Sequence[str] = ()
    check: str = ""


class Glossary(Struct, frozen=True):
    """What texts mean, under a title."""

    title: str
    quotes: Sequence[Quote]


class Cell(Struct, frozen=True):
    """A node in a map: its colour, what it may be grouped by, and its raw and normalized scores.

    What `is_aside` is not what the pod is about.
    """

    color: str
    places: Mapping[str, str]
    scores: Sequence[str] = ()
    is_aside: bool = False


class NodeMap(Struct, frozen=True):
    """A map of nodes with a cell each, by what became of them: `legend` has how many and in which colour.

    `groupings` is what the map can be grouped by, at first by the first of them, unless the cells stand `in_order`;
    `note` is what else there is to see.
    """

    cells: Sequence[Cell]
    legend: Mapping[str, tuple[int, str]]
    groupings: Sequence[str]
    in_order: bool = False
    note: str = ""


class NodeTable(Struct, frozen=True):
    """The table that belongs to a map, with the same nodes in the same order; `points` are its columns with scores."""

    sheet: Sheet
    map: NodeMap
    points: Sequence[Column]


class Segment(Struct, frozen=True):
    """A part of a bar: where it starts and how wide it is, in percent of the longest one."""

    name: str
    amount: int
    start: float
    width: float
    color: str


def in_a_row(parts: Iterable[tuple[str, int, str]], whole: int) -> list[Segment]:
    """Segments one behind the other, of names, amounts and colours; what is below 0 takes no room."""
    segments, start = [], 0.0
    for name, amount, color in parts:
        width = max(amount, 0) * 100 / whole if whole else 0.0
        segments.append(Segment(name, amount, round(start, 2), round(width, 2), color))
        start += width
    return segments


class Bar(Struct, frozen=True):
    """A row with a bar, and the cells before it and behind it."""

    before: tuple[str, ...]
    segments: Sequence[Segment]
    after: tuple[str, ...] = ()


class Bars(Struct, frozen=True):
    """Bars one below the other under the heads of all columns; `legend` has the colours of their segments by name."""

    title: str
    heads: tuple[str, ...]
    bars: Sequence[Bar]
    legend: Mapping[str, str]


class Curve(Struct, frozen=True):
    """A line through points in a field of 1000 by 200, as SVG has them, and where it ends."""

    name: str
    points: str
    color: str
    last: str


class Plot(Struct, frozen=True):
    """Curves over time under a title; `highest` and `ends` are what stands at the top, and on the right."""

    title: str
    highest: str
    starts: str
    ends: str
    curves: Sequence[Curve]


class Folded(Struct, frozen=True):
    """Lines for those who open them."""

    title: str
    lines: Sequence[str]
    style: Style = Style.PLAIN


#: What is folded or drawn is only for formats that can do so; they ask for it.
Part = Sheet | Prose | Listing | Glossary | Folded | NodeMap | NodeTable | Bars | Plot


class Page(Struct, frozen=True):
    """A headline with parts below; without a headline the parts go on where the page before ends.

    Others may refer to it by its `anchor`.
    """

    headline: str
    state: State = State.NONE
    aside: str = ""
    parts: Sequence[Part] = ()
    anchor: str = ""

    @property
    def is_index(self) -> bool:
        """Whether it leads to other pages, as the template of HTML asks."""
        return any(isinstance(part, Sheet) and part.anchors for part in self.parts)


class Document(Struct, frozen=True):
    """The pages of a report under a title."""

    title: str
    pages: Sequence[Page]
    aside: str


class Rows(Struct, frozen=True):
    """The report as rows of a spreadsheet."""

    heads: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


def document_of(report: Output, view: View) -> Document:
    """The pages of a report, without parts that have nothing but a title: whoever makes one need not look."""
    made: Document | Page = module_of(report).page(report, view)
    document = Document(made.headline, (made,), made.aside) if isinstance(made, Page) else made
    pages = [replace(page, parts=[*filterfalse(_is_empty, page.parts)]) for page in document.pages]
    return replace(document, pages=pages)


def _is_empty(part: Part) -> bool:
    if not isinstance(part, Sheet | Prose | Listing | Glossary | Folded) or (isinstance(part, Prose) and part.more):
        return False
    return not any(any(getattr(part, name, ())) for name in _CONTENTS)


def module_of(report: Any) -> Any:
    """The module that says what is on the pages of a report."""
    return import_module(f"{__name__}.{_MODULES[report.kind]}")


def columns(*heads: str) -> tuple[Column, ...]:
    """Columns of plain text with these heads."""
    return tuple(map(Column, heads))


def numbers(*heads: str) -> tuple[Column, ...]:
    """Columns of numbers with these heads."""
    return tuple(Column(head, is_number=True) for head in heads)


def number_text(number: int | None, without: str = "") -> str:
    """The number, or what stands in its place."""
    return without if number is None else str(number)


def filled(sheet: Sheet, top: int = 0, width: int | None = None) -> tuple[list[Column], list[list[str]]]:
    """The columns that have anything in them and room on a console of that width, and the first rows; 0 are all."""
    rows = sheet.rows if sheet.is_whole else sheet.rows[: top or None]
    wide = (place for place, each in enumerate(sheet.columns) if width is None or width >= each.from_width)
    shown = [place for place in wide if any(row[place] for row in rows)]
    return [sheet.columns[place] for place in shown], [[row[place] for place in shown] for row in rows]


def as_title(title: str) -> str:
    """A title in capitals as in a text; names in it stay as they are."""
    first, *others = (word.lower() if word.isupper() else word for word in title.split(" "))
    return " ".join([first.capitalize() if title.startswith(first.upper()) else first, *others])


def as_head(head: str) -> str:
    """The head of a column in capitals, as in a text; other ones, such as names of plugins, stay as they are."""
    return head.capitalize() if head.isupper() else head


def worded(section: str, of: type[WordsT]) -> WordsT:
    """The words of a section of `page-words.json`, by what they are for."""
    return msgspec.convert(table("page-words", dict[str, Any])[section], of)
