"""Several pods in queue order, each seeing what became of those before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Queue


def simulate(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod. A pod that fits is on its node for the next one; one that would preempt is nominated.

    Victims stay, as they do in a real cluster until they have shut down. What one pod has found out is handed to
    the next where scheduling cannot tell them apart and nothing has changed since. A group is tried as a whole when
    the first of its pods is, with those of its pods, too, that only the cluster knows; in 1.35 its pods wait for each
    other on their nodes.
    """
    asked = list(pods)
    uids = {pod.uid for pod in asked}
    queue = Queue(scheduler, cluster, start_index, evicts=False, retries=False)
    decisions = (attempt.decision for attempt in queue.attempts())
    features = scheduler.features
    if not (features.gangs and features.pod_groups) or features.groups_are_scheduled_at_once:
        queue.enter(asked)
        return (each for each in decisions if each.pod.uid in uids)
    from kexplain.scheduler.waiting_gangs import in_the_end, with_their_gangs  # noqa: PLC0415

    queue.enter(with_their_gangs(asked, cluster))
    return (each for each in in_the_end(scheduler, [*decisions], queue.cluster) if each.pod.uid in uids)
