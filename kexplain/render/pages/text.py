"""Pages for people."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.explain.output import Output
from kexplain.render.blocks import Block, Group, Item, Text
from kexplain.render.layout import cut_off, indented, new_table, section, text
from kexplain.render.pages import Sheet, page_of
from kexplain.render.view import View


def render(report: Output, view: View) -> Block:
    """The headline, then the tables."""
    page = page_of(report, view)
    mark, style = ("✓", "bold green") if page.is_good else ("✗", "bold red")
    headline = Text(f"{mark} ", style=style).append_text(text(page.headline, "bold"))
    blocks: list[Block] = [headline.append_text(text(f"  ({page.aside})", "dim"))]
    blocks += [indented(text(line)) for line in page.lines]
    blocks += [indented(Item(Text("! ", style="bold yellow"), text(warning, "yellow"))) for warning in page.warnings]
    for sheet in page.sheets:
        blocks += drawn(sheet, view)
    return Group(*blocks)


def drawn(sheet: Sheet, view: View) -> Iterator[Block]:
    """A table under its title."""
    body: list[Block] = [text(line, "dim") for line in sheet.lines]
    if sheet.rows:
        table = new_table(*sheet.heads)
        for row in sheet.rows[: view.top or None]:
            table.add_row(*(text(cell) for cell in row))
        body.append(table)
    yield from section(sheet.title, Group(*body))
    yield from cut_off(len(sheet.rows), view)
