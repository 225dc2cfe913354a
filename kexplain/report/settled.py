"""A settled queue, for the report."""

from kexplain.explain.output import Output
from kexplain.scheduler.simulate import Settled


class LeftPending(Output, frozen=True):
    """The last that is said about a pod without a place, and the node nominated for it, if any."""

    message: str | None
    nominated_node_name: str | None


class QueueAttempt(Output, frozen=True):
    """One attempt of a settled queue: where the pod landed, if it did, or for which node it was nominated, and who was
    evicted from there.
    """

    pod: str
    outcome: str
    node: str | None = None
    nominated_node_name: str | None = None
    evicted: tuple[str, ...] = ()


class SettledQueue(Output, frozen=True):
    """The queue once nothing moves any more, preemption carried out; pods by `namespace/name`.

    `placed` gives each pod's node. An evicted pod with a controller comes back under its own name, and is then among
    the placed or the pending as well.
    """

    placed: dict[str, str]
    evicted: tuple[str, ...]
    pending: dict[str, LeftPending]
    attempts: tuple[QueueAttempt, ...] = ()


def settled_queue(settled: Settled) -> SettledQueue:
    """Who is where at the end, who left, who waits, and what was tried on the way."""
    return SettledQueue(
        placed=dict(settled.placed),
        evicted=tuple(pod.key for pod in settled.evicted),
        pending={
            each.pod.key: LeftPending(message=each.message or None, nominated_node_name=each.nominated_node or None)
            for each in settled.waiting
        },
        attempts=tuple(
            QueueAttempt(
                pod=attempt.decision.pod.key,
                outcome=attempt.decision.outcome.value,
                node=attempt.decision.host or None,
                nominated_node_name=attempt.decision.nominated_node or None,
                evicted=tuple(victim.key for victim in attempt.evicted),
            )
            for attempt in settled.attempts
        ),
    )
