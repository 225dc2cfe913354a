"""A pod placed with everything that follows at once: whom it preempts leaves, and it lands."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.departing import departed
from kexplain.framework.postfilter import Candidate
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod, PodStatus
from kexplain.scheduler.cycle import Scheduler


class Evicted(NamedTuple):
    """A pod that left a node to make room there."""

    pod: Pod
    node_name: str


class Placed(Struct, frozen=True):
    """The last decision about a pod, who left to make room for it, and the cluster behind it.

    The cluster has the pod on its node where it fits. `chosen_from` are the candidates that were as good as those on
    whose nodes pods left, themselves among them.
    """

    decision: Decision
    cluster: Cluster
    evicted: tuple[Evicted, ...] = ()
    chosen_from: tuple[Candidate, ...] = ()


def place(scheduler: Scheduler, cluster: Cluster, pod: Pod, start_index: int) -> Placed:
    """Decide about the pod; if it preempts, let its victims go and decide again, as nobody comes in between."""
    evicted: list[Evicted] = []
    chosen_from: list[Candidate] = []
    decision = scheduler.schedule(pod, cluster, start_index)
    while decision.victims:
        evicted += [Evicted(victim, decision.nominated_node) for victim in decision.victims]
        if decision.preemption is not None:
            best = {*decision.preemption.best, decision.nominated_node}
            chosen_from += (each for each in decision.preemption.candidates if each.node_name in best)
        cluster = departed(cluster, decision.victims)
        decision = scheduler.schedule(
            nominated(pod, decision.nominated_node), cluster, decision.sampling.next_start_index
        )
    return Placed(
        decision, scheduler.assume(decision) if decision.host else cluster, tuple(evicted), tuple(chosen_from)
    )


def nominated(pod: Pod, node_name: str) -> Pod:
    """The pod with that node nominated for it; with none if the name is empty."""
    return replace(pod, status=replace(pod.status, nominated_node_name=node_name or None))


def anew(pod: Pod) -> Pod:
    """The pod as its controller makes it again: on no node, and with no past. It keeps its name and its claims."""
    status = PodStatus(phase="Pending", resource_claim_statuses=pod.status.resource_claim_statuses)
    metadata = replace(pod.metadata, deletion_timestamp=None)
    # An API server always fills the scheduler in; a file that somebody wrote may lack it.
    spec = replace(pod.spec, node_name=None, scheduler_name=pod.spec.scheduler_name or DEFAULT_SCHEDULER_NAME)
    return replace(pod, metadata=metadata, spec=spec, status=status)
