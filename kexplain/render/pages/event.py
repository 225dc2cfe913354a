"""What is on the page of messages: what each means, part by part."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.messages.part import Section
from kexplain.messages.text import Eviction
from kexplain.render.pages import Document, Glossary, Page, Part, Prose, Quote, Style, number_text, worded
from kexplain.render.view import View
from kexplain.report.event import EventPart, EventReport, ExplainedEvent
from kexplain.words import joined, plural, some

TITLES = worded("sections of messages", dict[Section, str])

#: Who reports what kube-scheduler says, unless it was given another name.
_KUBE_SCHEDULERS = ("kube-scheduler", "default-scheduler")

#: Pods of one message that are named.
_PODS_NAMED = 5
#: The most characters that an API server takes for the message of an event, and how many are shown of a longer text.
_LONGEST, _BEGINNING = 1024, 200


def page(report: EventReport, view: View) -> Document:
    """Each message with its texts by section, and what is odd about its counts."""
    # What is said of several pods in the same words is explained once.
    pods_by_event = grouped((replace(event, pod=""), event.pod) for event in report.events)
    pages = [_page(event, pods, view) for event, pods in pods_by_event.items()]
    return Document(f"{plural(len(pages), 'message')} explained", pages, "messages of events")


def _page(event: ExplainedEvent, said_of: Sequence[str], view: View) -> Page:
    pods = list(dict.fromkeys(filter(None, said_of)))
    about = f"{len(pods)} pods: {some(pods, _PODS_NAMED)}" if len(pods) > 1 else "".join(pods)
    if about and len(said_of) > max(len(pods), 1):
        about += f", {len(said_of)} times"
    message = _at_most(event.message)
    parts: list[Part] = [Prose([message], style=Style.QUOTE)] if about else []
    for section, title in TITLES.items():
        found = [part for part in event.parts if part.section == section]
        parts.append(Glossary(title, [_quote(part, event, view) for part in found]))
    odd = [*_arithmetic(event), *_today(event)]
    return Page(about or message, parts=[*parts, Prose(odd, "", Style.WARNING, True)])


def _at_most(text: str) -> str:
    """The text, or the beginning of one that no API server takes for a message."""
    more = len(text) - _BEGINNING
    return text if len(text) <= _LONGEST else f"{text[:_BEGINNING]}… and {more} more characters"


def _quote(part: EventPart, event: ExplainedEvent, view: View) -> Quote:
    lines = [*_meaning(part, event)]
    if part.releases and view.verbose:
        lines.append(f"worded like this in Kubernetes {part.releases}")
    if part.nodes:
        lines.append(f"holds in this cluster on {some(part.nodes, 10)}")
    return Quote(_at_most(part.text), number_text(part.count), part.plugin, lines, part.check)


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


def _today(event: ExplainedEvent) -> Iterator[str]:
    """In what the cluster that was given differs from the message."""
    today = event.today
    if today is None:
        return
    differences = [f"{each.reason}: message {each.there}, now {each.here}" for each in today.differences]
    if today.nodes != event.total:
        differences.insert(0, f"nodes: message {event.total}, now {today.nodes}")
    if today.outcome is Outcome.UNSCHEDULABLE:
        yield f"In this cluster it is different: {'; '.join(differences)}."
    else:
        now = f"would land on {today.node}" if today.node else "is not turned away by nodes"
        yield f"In this cluster the pod {now}: it has changed since, or the message is about another pod."


def _arithmetic(event: ExplainedEvent) -> Iterator[str]:
    """What is odd about the counts, and about the releases that say it."""
    if event.at_odds:
        said = joined([f"“{_at_most(part.text)}” {part.releases}" for part in event.at_odds])
        yield f"No release says it all: kube-scheduler says {said}; its parts come from different releases."
    if not event.parts or (event.total is not None and all(part.section != Section.FILTER for part in event.parts)):
        yield "The message names no reason at all: it was cut, or no node was looked at."
    elif event.cut:
        left = f": at least {plural(event.without_reason, 'node')} left without a reason"
        missing = left if event.without_reason else ""
        yield f"The message ends early{missing}."
    elif not event.counts_add_up and event.without_reason and not event.counts_all:
        why = "releases before 1.32 do not count nodes that a plugin excluded before it looked at them"
        yield f"The counts leave out {plural(event.without_reason, 'node')}: {why}."
    elif not event.counts_add_up:
        nodes = plural(event.total or 0, "node")
        yield f"The counts do not add up to {nodes}: the message was edited or pieced together."
