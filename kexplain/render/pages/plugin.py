"""What is on the page of one plugin."""

from collections.abc import Iterator

from kexplain.messages.text import Eviction
from kexplain.render.pages import Column, Glossary, Page, Part, Prose, Quote, Sheet, Style
from kexplain.render.pages.sentences import as_sentence
from kexplain.render.view import View
from kexplain.report.plugin_page import PluginPage, PluginText


def page(plugin: PluginPage, view: View) -> Page:
    """What it looks at, each of its texts with what helps, and the changes that it waits for."""
    profiles = [*_profiles(plugin)] or ["no profile of this scheduler has it"]
    parts: list[Part] = [Prose([f"looks at {plugin.looks_at}"]), Prose(profiles, style=Style.DIM)]
    parts.append(Glossary("WHAT IT SAYS", [_quote(each) for each in plugin.texts]))
    if plugin.retry is not None and plugin.retry.wake_ups:
        whens = {True: "if it may help", False: "always"}
        rows = [(each.text, whens[each.only_if_it_may_help]) for each in plugin.retry.wake_ups]
        heads = (Column("AFTER"), Column("IT HAS THE POD TRIED AGAIN", Style.DIM))
        parts.append(Sheet("WHAT IT WAITS FOR", heads, rows, notes=[as_sentence(plugin.retry.text)], is_whole=True))
    return Page(plugin.name, aside=f"kubernetes {plugin.kubernetes_version}", parts=parts)


def _profiles(plugin: PluginPage) -> Iterator[str]:
    for part in plugin.parts:
        weight = "" if part.weight is None else f", weight {part.weight}"
        yield f"{part.scheduler_name}: {', '.join(part.extension_points)}{weight}"


def _quote(each: PluginText) -> Quote:
    lines = [each.meaning]
    if each.eviction:
        lines.append("evicting pods could help" if each.eviction == Eviction.HELPS else "evicting pods cannot help")
    return Quote(each.text, aside=each.releases, lines=lines, check=each.check)
