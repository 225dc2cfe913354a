"""Who takes most of what others lack: a Job, or runs of a CronJob, what is scaled up, what kubelets evict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from kexplain.case.own_pods import read_maker
from kexplain.cluster import Cluster, Listers, NodeInfo, PodInfo
from kexplain.cluster.node_info import used_of
from kexplain.cluster.placed_pods import Maker, maker
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.findings.ways import workload
from kexplain.grouping import grouped
from kexplain.load.record_types import is_custom
from kexplain.objects import quantity
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS
from kexplain.patterns import regex

Answer = TypeVar("Answer")

#: Fewer runs, or pods of a Job, at once may be meant.
FEW_RUNS = 3
#: What a kubelet says of a container that used most of what it evicts pods for. Source: kubelet `eviction/helpers.go`.
_USED = regex(r"Container (?P<container>\S+) was using (?P<used>[^,\s]+), request is (?P<request>[^,\s]+)")


class PiledUp(Struct, frozen=True):
    """A Job, or the CronJob, and the pods of its runs by node; of a resource they take so much of all taken there."""

    by: CronJob | Job
    pods_by_node: Mapping[str, Sequence[Pod]]
    taken: int
    total: int

    @property
    def pods(self) -> tuple[Pod, ...]:
        """All of them."""
        return tuple(pod for pods in self.pods_by_node.values() for pod in pods)

    @property
    def jobs(self) -> tuple[str, ...]:
        """The names of their Jobs."""
        owners = (pod.metadata.controller for pod in self.pods)
        return tuple(dict.fromkeys(owner.name or "" for owner in owners if owner))

    @property
    def are_many(self) -> bool:
        """Whether these are more than may be meant."""
        return len(self.jobs if isinstance(self.by, CronJob) else self.pods) >= FEW_RUNS


def piled_up(cluster: Cluster, names: Collection[str], resource: str, own: Pod) -> PiledUp | None:
    """The Job or CronJob whose pods take more than half of what all take of a resource on these nodes.

    A Job is not in the way of its `own` pod, nor is one that is more important.
    """
    if not cluster.listers.every(Job):
        return None
    infos, mine, most = cluster.nodes_named(names), run_of(own, cluster), own.priority
    total = sum(map(used_of(resource), infos))
    every: Iterator[tuple[CronJob | Job, PodInfo]] = _known_by(run_of, infos, cluster)
    # Runs that overlap are in the way of any pod.
    less = (
        (by, each) for by, each in every if isinstance(by, CronJob) or (by is not mine and each.pod.priority <= most)
    )
    for runs in grouped(((by.kind, by.key), (by, each)) for by, each in less).values():
        by, taken = runs[0][0], sum(taken_by(each, resource) for _, each in runs)
        held = PiledUp(by, grouped((each.pod.spec.node_name or "", each.pod) for _, each in runs), taken, total)
        if 2 * taken > total and held.are_many:
            return held
    return None


def _known_by(
    ask: Callable[[Pod, Cluster], Answer | None], infos: Iterable[NodeInfo], cluster: Cluster
) -> Iterator[tuple[Answer, PodInfo]]:
    """The pods on nodes of which there is an answer, with it; each node is asked about once for all that wait."""

    def answers(info: NodeInfo) -> Sequence[tuple[Answer, PodInfo]]:
        return [(answer, each) for each in info.pods if (answer := ask(each.pod, cluster))]

    known = cluster.of_each_node((ask, cluster.listers), answers)
    return (found for info in infos for found in known[info.name])


class ScaledUp(Struct, frozen=True):
    """The autoscaler of a workload of which pods wait still; so many run there, and take so much of all."""

    autoscaler: HorizontalPodAutoscaler
    made_by: Maker
    pods: int
    taken: int
    total: int
    #: Whether it is the pod's own.
    is_own: bool


def scaled_up(pod: Pod, cluster: Cluster, names: Collection[str], resource: str) -> ScaledUp | None:
    """The autoscaler whose pods take more than half of what all take of a resource there."""
    scaled = cluster.listers.derived(_scaled, HorizontalPodAutoscaler, Pod)
    infos = cluster.nodes_named(names) if scaled else []
    takes = grouped((by, taken_by(each, resource)) for by, each in _known_by(_scaled_maker, infos, cluster))
    total = sum(map(used_of(resource), infos))
    for made_by, autoscaler in scaled.items():
        amounts = takes.get(made_by, [])
        if 2 * sum(amounts) > total:
            return ScaledUp(autoscaler, made_by, len(amounts), sum(amounts), total, made_by == maker(pod))
    return None


def _scaled(listers: Listers) -> Mapping[Maker, HorizontalPodAutoscaler]:
    """The autoscalers of what has made pods that have no node yet, by that."""
    every = {_maker_of(each): each for each in listers.every(HorizontalPodAutoscaler)}
    waiting = {maker(each) for each in (listers.every(Pod) if every else ()) if not each.spec.node_name}
    return {made_by: autoscaler for made_by, autoscaler in every.items() if made_by in waiting}


def _scaled_maker(pod: Pod, cluster: Cluster) -> Maker | None:
    made_by = maker(pod)
    return made_by if made_by in cluster.listers.derived(_scaled, HorizontalPodAutoscaler, Pod) else None


def _maker_of(autoscaler: HorizontalPodAutoscaler) -> Maker:
    target = autoscaler.spec.scale_target_ref
    kind = "ReplicaSet" if target.kind == "Deployment" else target.kind or ""
    return autoscaler.namespace, kind, target.name or ""


def half_placed(cluster: Cluster, names: Collection[str], resource: str) -> tuple[list[Pod], int, int] | None:
    """Pods that wait for others of theirs without a node, where they take most of a resource there: how much of all.

    Such are who owns pods, as drivers do, and those of custom resources, which mostly start together.
    """
    infos = cluster.nodes_named(names) if cluster.listers.derived(_owners_of_waiting, Pod) else []
    held = [each for _, each in _known_by(_waits_for_its_own, infos, cluster)]
    taken, total = sum(taken_by(each, resource) for each in held), sum(map(used_of(resource), infos))
    return ([each.pod for each in held], taken, total) if len(held) >= FEW_RUNS and 2 * taken > total else None


def _waits_for_its_own(pod: Pod, cluster: Cluster) -> bool:
    waiting = cluster.listers.derived(_owners_of_waiting, Pod)
    return pod.uid in waiting or not _owners(pod).isdisjoint(waiting)


def _owners_of_waiting(listers: Listers) -> frozenset[str]:
    pending = (each for each in listers.every(Pod) if not each.spec.node_name and not each.is_terminated)
    return frozenset().union(*map(_owners, pending))


def _owners(pod: Pod) -> frozenset[str]:
    """The pods and custom resources that own it, by their uids."""
    owner = pod.metadata.controller or next(iter(pod.metadata.owner_references or ()), None)
    is_one = owner is not None and (owner.kind == "Pod" or is_custom(owner.api_version or ""))
    return frozenset({owner.uid or ""} - {""}) if owner and is_one else frozenset()


def evicted_for(names: Collection[str], cluster: Cluster) -> Statement | None:
    """The pod that used most on these nodes when their kubelets evicted it."""
    found = (each for each in cluster.listers.derived(_greedy, Pod) if each[0] in names)
    return max(found, key=lambda each: each[1], default=("", 0, None))[2]


def _greedy(listers: Listers) -> list[tuple[str, int, Statement]]:
    """All of a cluster that a kubelet has told of: the node, how much it used, and that in words."""
    evicted = ((pod, pod.status.message or "") for pod in listers.every(Pod) if pod.status.reason == "Evicted")
    said = ((pod, _USED.search(message)) for pod, message in evicted)
    return [_used_more(pod, one["container"], quantity.value(one["used"]), one["request"]) for pod, one in said if one]


def _used_more(pod: Pod, container: str, used: int, request: str) -> tuple[str, int, Statement]:
    by = workload(maker(pod)) or f"pod {pod.key}"
    return pod.spec.node_name or "", used, told("used-more", container, by, quantity.format_bytes(used), request)


def taken_by(info: PodInfo, resource: str) -> int:
    """What a pod takes of a resource; pods are counted."""
    return 1 if resource == PODS else info.resource.requested.amount(resource)


def run_of(pod: Pod, cluster: Cluster) -> CronJob | Job | None:
    """The CronJob that the pod runs for, if it lets its runs overlap, or the Job that nothing has made; as read."""
    job = read_maker(pod, cluster.listers)
    made = read_maker(job, cluster.listers)
    if isinstance(made, CronJob):
        return made if made.allows_overlap else None
    return job if isinstance(job, Job) and job.metadata.controller is None else None
