"""Several pods in queue order, each seeing what became of those before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler


def queue_order(scheduler: Scheduler, pods: Iterable[Pod]) -> list[Pod]:
    """The pods as their profiles' QueueSort takes them; equals, and pods of other schedulers, as they came."""

    def key(pod: Pod) -> int:
        profile = scheduler.profiles.get(pod.spec.scheduler_name or "")
        return profile.queue_sort.sort_key(pod) if profile else 0

    return sorted(pods, key=key)


def simulate(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod. A pod that fits is on its node for the next one; one that would preempt is nominated.

    Victims stay, as they do in a real cluster until they have shut down.
    """
    for pod in queue_order(scheduler, pods):
        decision = scheduler.schedule(pod, cluster, start_index)
        yield decision
        start_index = decision.sampling.next_start_index
        if decision.host:
            cluster = scheduler.assume(decision)
        elif decision.nominated_node:
            cluster = cluster.nominate(pod, decision.nominated_node)
