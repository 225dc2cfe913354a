"""Several pods in queue order, each seeing what became of those before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from msgspec import structs

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.resource import DeviceClass
from kexplain.scheduler.cycle import Scheduler


def queue_order(scheduler: Scheduler, pods: Iterable[Pod]) -> list[Pod]:
    """The pods as their profiles' QueueSort takes them; equals, and pods of other schedulers, as they came."""
    return sorted(pods, key=scheduler.sort_key)


def simulate(scheduler: Scheduler, cluster: Cluster, pods: Iterable[Pod], start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod. A pod that fits is on its node for the next one; one that would preempt is nominated.

    Victims stay, as they do in a real cluster until they have shut down. What one pod has found out is handed to
    the next, under its name, where nothing but that tells them apart and nothing has changed since.
    """
    last: Decision | None = None
    for pod in queue_order(scheduler, pods):
        if last is not None and _changes_nothing(last) and _is_another(last.pod, pod, cluster):
            decision = replace(last, pod=pod)
        else:
            decision = scheduler.schedule(pod, cluster, start_index)
        yield decision
        last = decision
        start_index = decision.sampling.next_start_index
        if decision.host:
            cluster = scheduler.assume(decision)
        elif decision.nominated_node:
            cluster = cluster.nominate(pod, decision.nominated_node)


def _changes_nothing(decision: Decision) -> bool:
    """Whether the next pod finds everything as this one did; of what extenders answer nothing is known."""
    if decision.outcome is not Outcome.UNSCHEDULABLE or decision.nominated_node or decision.extender_calls:
        return False
    return decision.sampling.start_index == decision.sampling.next_start_index


def _is_another(pod: Pod, other: Pod, cluster: Cluster) -> bool:
    """Whether two pods are replicas, and have no claims of their own that might tell them apart."""
    if pod.spec != other.spec or pod.status != other.status or _unnamed(pod) != _unnamed(other):
        return False
    has_own_volumes = any(volume.ephemeral is not None for volume in pod.spec.volumes or ())
    return not has_own_volumes and not pod.spec.resource_claims and not cluster.listers.every(DeviceClass)


def _unnamed(pod: Pod) -> ObjectMeta:
    return structs.replace(pod.metadata, name=None, uid=None, creation_timestamp=None)
