"""What a scheduler has said about a pod, beside what is decided here.

An event is text and nothing else, so its text is taken apart: the counts of nodes by reason.
Source: framework `FitError.Error`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from msgspec import Struct

from kexplain.explain.output import copied
from kexplain.explanation.records import Agreement, ReasonDifference, SchedulingEvent
from kexplain.framework.trace import Decision, Outcome
from kexplain.grouping import grouped
from kexplain.objects.events import Event, events_about
from kexplain.patterns import regex

_FIT_ERROR = regex(r"0/(?P<nodes>\d+) nodes are available: (?P<reasons>.*?)\.(?: .*)?", re.DOTALL)
_REASON = regex(r"(?P<count>\d+) (?P<reason>.+)", re.DOTALL)


class FitError(Struct, frozen=True):
    """How many nodes there were, and how many a reason turned down."""

    nodes: int
    count_by_reason: Mapping[str, int]


def parse_fit_error(message: str) -> FitError | None:
    """What the message of a FailedScheduling event counts; None if it is about something else.

    A PreFilter plugin turns all nodes down for one reason, which comes without a count.
    """
    match = _FIT_ERROR.fullmatch(message)
    if match is None:
        return None
    nodes = int(match["nodes"])
    parts = [_REASON.fullmatch(part) for part in re.split(r", (?=\d+ )", match["reasons"])]
    counted = {part["reason"]: int(part["count"]) for part in parts if part}
    return FitError(nodes, counted if all(parts) else {match["reasons"]: nodes})


def scheduling_event(decision: Decision, events: Iterable[Event]) -> SchedulingEvent | None:
    """The newest event about the pod, and in what it differs from the decision; None if there is none."""
    about = events_about(decision.pod, events)
    if not about:
        return None
    event = about[-1]
    agreement, differences = _compare(event.text, decision)
    theirs = parse_fit_error(event.text)
    said = {"message": event.text, "reported_by": event.reporter, "nodes": theirs.nodes if theirs else None}
    return copied(event, SchedulingEvent, agreement=agreement, differences=differences, **said)


def _compare(text: str, decision: Decision) -> tuple[Agreement, tuple[ReasonDifference, ...]]:
    if decision.outcome is not Outcome.UNSCHEDULABLE:
        return Agreement.OTHER_OUTCOME, ()
    if text == decision.message:
        return Agreement.SAME, ()
    there, here = parse_fit_error(text), parse_fit_error(decision.message)
    if there is None or here is None:
        return Agreement.DIFFERENT, ()
    differences = tuple(
        ReasonDifference(reason=reason, there=there.count_by_reason.get(reason, 0), here=count)
        for reason in dict.fromkeys((*here.count_by_reason, *there.count_by_reason))
        if (count := here.count_by_reason.get(reason, 0)) != there.count_by_reason.get(reason, 0)
    )
    if differences:
        same = _in_other_words(differences, text, decision.message)
        differences = tuple(each for each in differences if each.reason not in same)
    return (Agreement.DIFFERENT if differences or there.nodes != here.nodes else Agreement.SAME_REASONS), differences


def _in_other_words(differences: Iterable[ReasonDifference], *messages: str) -> set[str]:
    """The reasons that another release has other words for, where these count the same nodes in all.

    They are of one plugin, and no release says both.
    """
    from kexplain.messages.message import parse_message  # noqa: PLC0415 (most events agree)

    texts = {part.words: part.text for each in messages for part in parse_message(each).parts}
    by_plugin = grouped((known.source, each) for each in differences if (known := texts.get(each.reason)))

    def are_words_alone(found: Sequence[ReasonDifference]) -> bool:
        releases = [(each, known.releases) for each in found if (known := texts[each.reason])]
        pairs = product(releases, repeat=2)
        are_apart = [one.excludes(other) for (here, one), (there, other) in pairs if here.here and not there.here]
        return bool(are_apart) and all(are_apart) and sum(each.there - each.here for each in found) == 0

    return {each.reason for found in by_plugin.values() if are_words_alone(found) for each in found}
