"""Several pods in queue order, each seeing what became of those before it: tried once, or until nothing moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision, GroupOutcome
from kexplain.objects.core import GroupName, Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Attempt, Queue, Waiting


def simulate(
    scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0, *, afterwards: Iterable[Pod] = ()
) -> Iterator[Decision]:
    """A decision a pod, those `afterwards` last.

    A pod that fits is on its node for the next one; one that would preempt is nominated.
    Victims stay, as they do in a real cluster until they have shut down. What one pod has found out is handed to
    the next where scheduling cannot tell them apart and nothing has changed since. A group is tried as a whole when
    the first of its pods is, with those of its pods, too, that only the cluster knows; in 1.35 its pods wait for each
    other on their nodes.
    """
    turns = [[*pods], [*afterwards]]
    uids = {pod.uid for turn in turns for pod in turn}
    queue = Queue(scheduler, cluster, start_index, evicts=False, retries=False)
    features = scheduler.features
    if not (features.gangs and features.pod_groups) or features.groups_are_scheduled_at_once:
        return (each for turn in turns for each in _decided_next(queue, turn) if each.pod.uid in uids)
    from kexplain.scheduler.waiting_gangs import in_the_end, with_their_gangs  # noqa: PLC0415

    decisions = [*_decided_next(queue, with_their_gangs([*turns[0], *turns[1]], cluster))]
    return (each for each in in_the_end(scheduler, decisions, queue.cluster) if each.pod.uid in uids)


def _decided_next(queue: Queue, pods: Iterable[Pod]) -> Iterator[Decision]:
    """The decisions about pods that enter the queue now."""
    queue.enter(pods)
    return (attempt.decision for attempt in queue.attempts())


class Settled(Struct, frozen=True):
    """What stood when nothing moved any more; `placed` has the node of each pod by the pod's key.

    `evicted` are all pods that left and would have stayed, in order. One with a controller comes back under its own
    name, and is then among the placed or the waiting as well. `groups` are as the condition of each says.
    """

    attempts: tuple[Attempt, ...]
    placed: Mapping[str, str]
    evicted: tuple[Pod, ...]
    waiting: tuple[Waiting, ...]
    cluster: Cluster
    groups: Mapping[GroupName, GroupOutcome] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, queue: Queue, attempts: Iterable[Attempt]) -> Settled:
        """What a queue has come to, after these attempts."""
        attempts = tuple(attempts)
        evicted = tuple(pod for each in attempts for pod in each.preempted)
        return cls(attempts, queue.placed, evicted, queue.waiting, queue.cluster, queue.groups)

    @property
    def last_decisions(self) -> Iterator[Decision]:
        """The last decision about each pod, in the order of the first ones."""
        yield from {attempt.decision.pod.uid: attempt.decision for attempt in self.attempts}.values()


def settle(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Settled:
    """Try the pods, and again whenever something wakes them, until nothing moves any more.

    Victims have left before the next pod is tried. Time stands still: back-off only orders what is tried again.
    Of two pods with one name the later one counts.
    """
    queue = Queue(scheduler, cluster, start_index)
    queue.enter({pod.uid: pod for pod in pods}.values())
    return Settled.of(queue, [*queue.attempts()])
