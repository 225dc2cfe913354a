"""The page of one plugin."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.messages.text import Eviction
from kexplain.render.blocks import Block, Group, Text
from kexplain.render.event_meaning import check_line
from kexplain.render.layout import indented, new_table, section, text
from kexplain.render.sentences import as_sentence
from kexplain.render.view import View
from kexplain.report.plugin_page import PluginPage, PluginText


def render(page: PluginPage, view: View) -> Block:  # noqa: ARG001 (all of it is shown in any case)
    """What it looks at, each of its texts with what helps, and the changes that it waits for."""
    blocks: list[Block] = [
        text(page.name, "bold").append_text(text(f"  (kubernetes {page.kubernetes_version})", "dim"))
    ]
    blocks += [indented(text(f"looks at {page.looks_at}"))]
    for part in page.parts:
        weight = "" if part.weight is None else f", weight {part.weight}"
        blocks.append(indented(text(f"{part.scheduler_name}: {', '.join(part.extension_points)}{weight}", "dim")))
    if not page.parts:
        blocks.append(indented(text("no profile of this scheduler has it", "dim")))
    if page.texts:
        texts = [block for each in page.texts for block in (Text(), *_text(each))][1:]
        blocks += section("WHAT IT SAYS", Group(*texts))
    if page.retry is not None and page.retry.wake_ups:
        table = new_table("AFTER", "IT HAS THE POD TRIED AGAIN")
        for each in page.retry.wake_ups:
            table.add_row(text(each.text), text("if it may help" if each.only_if_it_may_help else "always", "dim"))
        blocks += section("WHAT IT WAITS FOR", Group(table, text(as_sentence(page.retry.text), "dim")))
    return Group(*blocks)


def _text(each: PluginText) -> Iterator[Block]:
    yield text(each.text, "bold").append_text(text(f"  ({each.releases})" if each.releases else "", "dim"))
    yield indented(text(each.meaning))
    if each.eviction:
        yield indented(text("evicting pods could help" if each.eviction == Eviction.HELPS else "evicting cannot help"))
    if each.check:
        yield indented(check_line(each.check))
