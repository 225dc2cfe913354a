"""Pages for people at a console."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.parameters import parameter
from kexplain.patterns import regex
from kexplain.render.blocks import (
    AtMost,
    Beside,
    Block,
    Command,
    Group,
    Headline,
    Indented,
    Item,
    Text,
    cell_len,
    stacked,
)
from kexplain.render.fitting_table import FittingTable
from kexplain.render.harmless import printable
from kexplain.render.pages import Column, Glossary, Listing, Page, Part, Prose, Sheet, State, Style, document_of, filled
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View

MARKS = {
    State.GOOD: ("✓", "bold green"), State.BAD: ("✗", "bold red"), State.WAITING: ("‖", "bold yellow"),
    State.PASSED_OVER: ("–", "bold yellow"),
}  # fmt: skip
#: From this width on heads are written out.
ROOMY = 160
UNLIMITED = 100_000
#: What to check, where it is a command and nothing else.
_COMMAND = regex(r"kubectl (?:(?![,;] ).)+")
#: Between columns, and before the first one.
_GAP = _MARGIN = 2


def render(report: Output, view: View) -> Block:
    """The pages one after the other."""
    blocks: list[Block] = []
    for page in document_of(report, view).pages:
        # Rows that a table would make too long to be read are not longer where they are piped, nor is the rest.
        is_stacked = any(isinstance(part, Sheet) and part.stacked_below for part in page.parts)
        shown = replace(view, width=view.piped) if view.width is None and is_stacked else view
        found: list[Block] = []
        if page.headline:
            found += [*([Text()] if blocks else []), _headline(page)]
        for part in page.parts:
            found += _part(part, shown, is_first=not (blocks or found))
        blocks += found if shown is view else [AtMost(Group(*found), view.piped)]
    return Group(*blocks)


def _headline(page: Page) -> Block:
    line = Text()
    if page.state:
        mark, style = MARKS[page.state]
        line.append(f"{mark} ", style)
    line.append_text(Text(page.headline, "bold"))
    return Headline(line, Text(f"  ({page.aside})" if page.aside else "", "dim"))


def _part(part: Part, view: View, *, is_first: bool) -> Iterator[Block]:
    """Under its title, set off by an empty line; what can only be drawn is left out."""
    if isinstance(part, Sheet | Listing | Prose | Glossary):
        if part.title:
            yield from (Text(), Indented(Text(part.title, "bold cyan")))
        elif isinstance(part, Prose) and part.is_apart and not is_first:
            yield Text()
        yield from map(Indented, _body(part, view))


def _body(part: Sheet | Listing | Prose | Glossary, view: View) -> Iterator[Block]:
    match part:
        case Sheet():
            yield from _sheet(part, view)
        case Listing():
            yield from _listing(part)
        case Glossary():
            yield from _glossary(part)
        case Prose():
            yield from _prose(part)
            yield from _cut_off(part.more)
        case _:
            assert_never(part)


def _cut_off(more: int) -> Iterator[Block]:
    """How many rows are not shown, if any."""
    if more:
        yield Text(f"… and {more} more ({parameter('top', '0')} shows all)", style="dim")


def _prose(part: Prose) -> Iterator[Block]:
    match part.style:
        case Style.COMMAND:
            yield from map(Command, part.lines)
        case Style.WARNING:
            yield from (Item(Text("! ", style="bold yellow"), Text(line, "yellow")) for line in part.lines)
        case Style.GOOD:
            yield from (Item(Text("✓ ", style="bold green"), Text(line)) for line in part.lines)
        case _ if part.title:
            yield stacked(part.lines)
        case Style.DIM | Style.QUOTE:
            yield from (Text(line, "dim") for line in part.lines)
        case _:
            yield from map(Text, part.lines)


def _listing(part: Listing) -> Iterator[Block]:
    aside = max((cell_len(entry.aside) for entry in part.entries), default=0)
    for number, entry in enumerate(part.entries, 1):
        line = Text(entry.text)
        if entry.effect:
            line.append_text(Text(f": {entry.effect}", "green"))
        yield Beside(Item(Text(f"{number} → ", style="green"), line), Text(entry.aside, "dim"), aside)
    if part.note:
        yield Text(part.note, "dim")


def _glossary(part: Glossary) -> Iterator[Block]:
    """Each text as others write it, and below it what it means; a command can be copied."""
    for quote in part.quotes:
        head = Text(f"{quote.count}  " if quote.count else "", "bold").append_text(Text(quote.text, "bold"))
        yield head.append_text(Text(f"  ({quote.aside})" if quote.aside else "", "dim"))
        yield from (Indented(Text(line), 3) for line in quote.lines)
        if quote.check:
            is_command = _COMMAND.fullmatch(quote.check)
            yield Indented(Command(quote.check) if is_command else Item(Text("→ "), Text(quote.check)), 3)


def _sheet(sheet: Sheet, view: View) -> Iterator[Block]:
    yield from (Text(line, "dim") for line in (*filter(None, [sheet.quote]), *sheet.lines))
    width = UNLIMITED if view.width is None else view.width
    columns, rows = filled(sheet, view.top, width)
    if width < sheet.stacked_below:
        yield from _stacked(columns, rows, width)
    elif rows:
        keys = sum(column in columns for column in sheet.columns[: sheet.keys])
        yield from (_table(columns, rows, part, width) for part in _side_by_side(columns, rows, keys, width))
    yield from (Text(note, "dim") for note in sheet.notes)
    yield from _cut_off(sheet.more + len(sheet.rows) - len(rows))


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]], part: Sequence[int], width: int) -> Block:
    heads = [_head(columns[place], width) for place in part]
    table = FittingTable(heads, [at for at, place in enumerate(part) if columns[place].is_number])
    for row in rows:
        table.add_row(*(_cell(columns[place], row[place]) for place in part))
    return table


def _head(column: Column, width: int) -> str:
    return column.head if width >= ROOMY else column.short or column.head


def _cell(column: Column, content: str) -> str | Text:
    match column.style:
        case Style.DIM:
            return Text(content or DASH, "dim")
        case Style.REMEDY:
            return Text("→ ", style="green").append_text(Text(content)) if content else Text()
        case Style.BOLD:
            return Text(content, "bold")
        case _:
            return printable(content) if column.is_number else Text(content)


def _side_by_side(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], keys: int, width: int
) -> Iterator[Sequence[int]]:
    """The columns by their places, as many at a time as there is room for beside the first ones."""
    if not keys:
        yield range(len(columns))
        return
    heads = (cell_len(_head(column, width)) for column in columns)
    widths = [max(head, *(cell_len(row[place]) for row in rows)) + _GAP for place, head in enumerate(heads)]
    room = width - sum(widths[:keys]) - _MARGIN
    part, left = [*range(keys)], room
    for place in range(keys, len(columns)):
        if len(part) > keys and widths[place] > left:
            yield part
            part, left = [*range(keys)], room
        part.append(place)
        left -= widths[place]
    yield part


def _stacked(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> Iterator[Block]:
    """The cells of a row one below the other, behind the first one; what fits on a line stands on one."""
    digits = max((cell_len(row[0]) for row in rows), default=0)
    margin = digits + 2
    for number, *cells in rows:
        named = [(each, f"{each.short} {cell}".lstrip()) for each, cell in zip(columns[1:], cells, strict=True) if cell]
        found = [_cell(column, cell) for column, cell in named]
        texts = [each if isinstance(each, Text) else Text(each) for each in found]
        first, *others = _packed(texts, width - margin - _MARGIN)
        yield Item(Text(f"{number:>{digits}}  "), first)
        for line in others:
            hangs = line.plain.startswith("→ ")
            yield Indented(Item(line[:2] if hangs else Text(), line[2:] if hangs else line), margin)


def _packed(parts: Sequence[Text], room: int) -> list[Text]:
    """The parts on as few lines as hold them whole; one that is longer has a line of its own."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + _GAP + part.cell_len <= room:
            lines[-1] = Text.assemble(lines[-1], " " * _GAP, part)
        else:
            lines.append(part)
    return lines
