"""What autoscalers have said about a pod: whether they add a node for it, and why not."""

from collections.abc import Callable, Iterable, Iterator

from kexplain.explain.output import Output, copied
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import (
    FAILED_SCALE_UP,
    NOT_TRIGGER_SCALE_UP,
    TRIGGERED_SCALE_UP,
    Event,
    autoscaler_events_about,
)
from kexplain.words import some, verb

#: In which an autoscaler says that no nodes come.
_REFUSALS = (NOT_TRIGGER_SCALE_UP, FAILED_SCALE_UP)


class AutoscalerEvent(Output, frozen=True):
    """The newest event of an autoscaler about the pod, by its reason; `meaning` explains what is known of its message.

    The message dates from `firstSeen`: what comes again is counted only.
    """

    reason: str
    message: str
    reported_by: str
    first_seen: str
    last_seen: str
    times: int
    meaning: tuple[str, ...] = ()


def autoscaler_events(
    pod: Pod, events: Iterable[Event], nodes: Callable[[], Iterable[Node]]
) -> tuple[AutoscalerEvent, ...]:
    """One for each reason, the newest last, with those of the nodes that have joined since it asked for some."""
    newest: dict[tuple[str, str], Event] = {}
    for event in autoscaler_events_about(pod, events):
        key = event.reporter, event.reason or ""
        newest.pop(key, None)
        newest[key] = event
    refusals = max((each.last_seen for each in newest.values() if each.reason in _REFUSALS), default="")
    # Nodes that were on their way are not, once the autoscaler says otherwise.
    over = [each for each in newest.values() if each.reason == TRIGGERED_SCALE_UP and each.last_seen < refusals]
    meant = (
        (each, _joined_since(each, nodes) or tuple(dict.fromkeys(() if each in over else _meanings(each.text))))
        for each in newest.values()
    )
    return tuple(
        copied(one, AutoscalerEvent, reason=one.reason or "", message=one.text, reported_by=one.reporter, meaning=said)
        for one, said in meant
    )


def _joined_since(event: Event, nodes: Callable[[], Iterable[Node]]) -> tuple[str, ...]:
    """That the nodes which were on their way are there by now, as far as can be told; empty if not."""
    joined = event.followed_by(nodes()) if event.reason == TRIGGERED_SCALE_UP else []
    said = f"it has asked for nodes; since then {some(joined, 3)} {verb(len(joined), 'has')} joined"
    return (said,) if joined else ()


def _meanings(message: str) -> Iterator[str]:
    from kexplain.messages.message import parse_message  # noqa: PLC0415 (few pods have such events)

    for part in parse_message(message).parts:
        # What plugins find wrong with nodes is told of the nodes themselves.
        if part.meaning and not part.is_of_nodes:
            yield f"{part.meaning} ({part.check})" if part.check else part.meaning
