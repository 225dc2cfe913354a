"""A settled queue, for the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from kexplain.cluster.placed_pods import maker
from kexplain.explain.output import Output
from kexplain.objects.core import Pod

if TYPE_CHECKING:
    from kexplain.world.asked_pods import Ended
    from kexplain.world.world import Followed


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
    #: Those in whose place nothing comes, and why as far as is known.
    gone: dict[str, str] = msgspec.field(default_factory=dict)
    attempts: tuple[QueueAttempt, ...] = ()


def settled_queue(end: Followed | Ended) -> SettledQueue:
    """Who is where at the end, who left, who waits, and what was tried on the way."""
    settled, rollouts = end.settled, {(each.namespace, each.name): each for each in end.rollouts}
    there = {*settled.placed, *(each.pod.key for each in settled.waiting)}

    def why_gone(pod: Pod) -> str:
        made_by = maker(pod)
        found = rollouts.get((made_by[0], made_by[2])) if made_by else None
        return (found.why_not_again if found else "") if pod.metadata.controller else "no controller makes it again"

    return SettledQueue(
        placed=dict(settled.placed),
        evicted=tuple(pod.key for pod in settled.evicted),
        pending={
            each.pod.key: LeftPending(message=each.message or None, nominated_node_name=each.nominated_node or None)
            for each in settled.waiting
        },
        gone={pod.key: why_gone(pod) for pod in settled.evicted if pod.key not in there},
        attempts=tuple(
            QueueAttempt(
                pod=attempt.decision.pod.key,
                outcome=attempt.decision.outcome.value,
                node=attempt.decision.host or None,
                nominated_node_name=attempt.decision.nominated_node or None,
                evicted=tuple(victim.key for victim in attempt.preempted),
            )
            for attempt in settled.attempts
        ),
    )
