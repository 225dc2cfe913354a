"""What autoscalers have said about a pod: whether they add a node for it, and why not."""

from collections.abc import Iterable, Iterator

from kexplain.explain.output import Output
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, autoscaler_events_about


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


def autoscaler_events(pod: Pod, events: Iterable[Event]) -> tuple[AutoscalerEvent, ...]:
    """One for each reason, the newest last."""
    newest: dict[tuple[str, str], Event] = {}
    for event in autoscaler_events_about(pod, events):
        key = event.reporter, event.reason or ""
        newest.pop(key, None)
        newest[key] = event
    return tuple(
        AutoscalerEvent(
            reason=event.reason or "",
            message=event.text,
            reported_by=event.reporter,
            first_seen=event.first_seen,
            last_seen=event.last_seen,
            times=event.times,
            meaning=tuple(dict.fromkeys(_meanings(event.text))),
        )
        for event in newest.values()
    )


def _meanings(message: str) -> Iterator[str]:
    from kexplain.messages.message import parse_message  # noqa: PLC0415 (few pods have such events)

    for part in parse_message(message).parts:
        if part.meaning:
            yield f"{part.meaning} ({part.check})" if part.check else part.meaning
