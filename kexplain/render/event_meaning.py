"""What a message means, part by part."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.messages.part import Section
from kexplain.messages.text import Eviction
from kexplain.patterns import regex
from kexplain.render.blocks import Block, Command, Group, Item, Text
from kexplain.render.layout import indented, text
from kexplain.render.view import View
from kexplain.report.event import EventPart, EventReport, ExplainedEvent
from kexplain.words import plural, some

_TITLES = {
    Section.FILTER: "WHY NOT",
    Section.POST_FILTER: "MAKING ROOM",
    Section.PREEMPTION: "WOULD EVICTING PODS MAKE ROOM?",
    Section.POD: "WHAT IT SAYS",
    Section.AUTOSCALER: "WOULD A NEW NODE HELP?",
}

#: Who reports what kube-scheduler says, unless it was given another name.
_KUBE_SCHEDULERS = ("kube-scheduler", "default-scheduler")
#: What to check, where it is a command and nothing else.
_COMMAND = regex(r"kubectl (?:(?![,;] ).)+")


def render(report: EventReport, view: View) -> Block:
    """Each message with a table a section."""
    blocks: list[Block] = []
    for event in report.events:
        blocks += [*([Text()] if blocks else []), *_event(event, view)]
    return Group(*blocks)


def _event(event: ExplainedEvent, view: View) -> Iterator[Block]:
    if event.pod:
        yield text(event.pod, "bold")
    yield text(event.message, "dim")
    for section, title in _TITLES.items():
        parts = [part for part in event.parts if part.section == section]
        if parts:
            yield Text()
            yield indented(Text(title, style="bold cyan"))
            yield from (indented(block) for part in parts for block in _part(part, event, view))
    for line in _arithmetic(event):
        yield Text()
        yield indented(text(line, "yellow"))


def _part(part: EventPart, event: ExplainedEvent, view: View) -> Iterator[Block]:
    """The text as it stands there, and below it what it means and what to do."""
    head = text(f"{part.count}  " if part.count is not None else "", "bold").append_text(text(part.text, "bold"))
    yield head.append_text(text(f"  ({part.plugin})" if part.plugin else "", "dim"))
    yield from (indented(line, 3) for line in _lines(part, event, view))


def _lines(part: EventPart, event: ExplainedEvent, view: View) -> Iterator[Block]:
    yield from map(text, _meaning(part, event))
    if part.check:
        yield check_line(part.check)
    if part.releases and view.verbose:
        yield text(f"worded like this in Kubernetes {part.releases}")
    if part.nodes:
        yield text(f"holds in this cluster on {some(part.nodes, 10)}")


def check_line(check: str) -> Block:
    """What to look at; a command so that it can be copied."""
    return Command(check) if _COMMAND.fullmatch(check) else Item(Text("→ "), text(check))


def _meaning(part: EventPart, event: ExplainedEvent) -> Iterator[str]:
    yield part.meaning or _unknown(event)
    if part.section == Section.FILTER and part.eviction:
        yield "evicting pods could help" if part.eviction == Eviction.HELPS else "evicting pods cannot help"


def _unknown(event: ExplainedEvent) -> str:
    """What can be said of a text that nobody is known to say."""
    if event.reported_by and event.reported_by not in _KUBE_SCHEDULERS:
        return f"meaning unknown: a text of {event.reported_by}"
    if event.total is not None and not event.cut:
        return "kube-scheduler has no such text; it may come from an out-of-tree plugin or an extender"
    return "meaning unknown: no scheduler, autoscaler or queue that kexplain knows says this"


def _arithmetic(event: ExplainedEvent) -> Iterator[str]:
    """What is odd about the counts."""
    if not event.parts or (event.total is not None and all(part.section != Section.FILTER for part in event.parts)):
        yield "The message names no reason at all: it was cut, or no node was looked at."
    elif event.cut:
        missing = (
            f": at least {plural(event.without_reason, 'node')} left without a reason" if event.without_reason else ""
        )
        yield f"The message ends early{missing}."
    elif not event.counts_add_up and event.without_reason:
        yield (
            f"The counts leave out {plural(event.without_reason, 'node')}: releases before 1.32 do not count nodes "
            "that a plugin excluded before it looked at them."
        )
    elif not event.counts_add_up:
        nodes = plural(event.total or 0, "node")
        yield f"The counts do not add up to {nodes}: the message was edited or pieced together."
