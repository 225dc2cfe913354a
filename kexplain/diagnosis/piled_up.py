"""Who takes most of what others lack: a Job, or runs of a CronJob, what is scaled up, what kubelets evict."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

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

#: Fewer runs, or pods of a Job, at once may be meant.
FEW_RUNS = 3
#: What a kubelet says of a container that used most of what it evicts pods for. Source: kubelet `eviction/helpers.go`.
_USED = regex(r"Container (?P<container>\S+) was using (?P<used>[^,\s]+), request is (?P<request>[^,\s]+)")


class PiledUp(Struct, frozen=True):
    """A Job, or the CronJob, and the pods of its runs by node; of a resource they take so much of all taken there."""

    by: CronJob | Job
    pods_by_node: Mapping[str, tuple[Pod, ...]]
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
    found: dict[str, tuple[CronJob | Job, dict[str, list[PodInfo]]]] = {}
    infos, mine = cluster.nodes_named(names), run_of(own, cluster)
    total = sum(map(used_of(resource), infos))
    runs = cluster.of_each_node((_runs, cluster.listers), partial(_runs, cluster))
    for name, by, each in ((info.name, *run) for info in infos for run in runs[info.name]):
        if isinstance(by, CronJob) or (by is not mine and each.pod.priority <= own.priority):
            found.setdefault(f"{by.kind} {by.key}", (by, {}))[1].setdefault(name, []).append(each)
    for by, by_node in found.values():
        taken = sum(taken_by(each, resource) for infos in by_node.values() for each in infos)
        pods = {name: tuple(each.pod for each in infos) for name, infos in by_node.items()}
        held = PiledUp(by, pods, taken, total)
        if 2 * taken > total and held.are_many:
            return held
    return None


def _runs(cluster: Cluster, info: NodeInfo) -> Sequence[tuple[CronJob | Job, PodInfo]]:
    """The pods on a node that run for a Job or a CronJob, with it."""
    return [(by, each) for each in info.pods if (by := run_of(each.pod, cluster))]


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
    every = {_maker_of(each): each for each in cluster.listers.every(HorizontalPodAutoscaler)}
    waiting = cluster.listers.derived(_makers_of_waiting, Pod) if every else frozenset[Maker | None]()
    scaled = {each: autoscaler for each, autoscaler in every.items() if each in waiting}
    pods = (each for info in (cluster.nodes_named(names) if scaled else ()) for each in info.pods)
    takes = grouped((maker(each.pod), taken_by(each, resource)) for each in pods)
    total = sum(map(sum, takes.values()))
    for made_by, autoscaler in scaled.items():
        amounts = takes.get(made_by, [])
        if 2 * sum(amounts) > total:
            return ScaledUp(autoscaler, made_by, len(amounts), sum(amounts), total, made_by == maker(pod))
    return None


def _makers_of_waiting(listers: Listers) -> frozenset[Maker | None]:
    """What has made the pods that have no node yet."""
    return frozenset(maker(each) for each in listers.every(Pod) if not each.spec.node_name)


def _maker_of(autoscaler: HorizontalPodAutoscaler) -> Maker:
    target = autoscaler.spec.scale_target_ref
    kind = "ReplicaSet" if target.kind == "Deployment" else target.kind or ""
    return autoscaler.namespace, kind, target.name or ""


def half_placed(cluster: Cluster, names: Collection[str], resource: str) -> tuple[list[Pod], int, int] | None:
    """Pods that wait for others of theirs without a node, where they take most of a resource there: how much of all.

    Such are who owns pods, as drivers do, and those of custom resources, which mostly start together.
    """
    waiting = cluster.listers.derived(_owners_of_waiting, Pod)
    placed = [each for info in (cluster.nodes_named(names) if waiting else ()) for each in info.pods]
    held = [each for each in placed if each.pod.uid in waiting or _owners(each.pod) & waiting]
    taken, total = (sum(taken_by(each, resource) for each in every) for every in (held, placed))
    return ([each.pod for each in held], taken, total) if len(held) >= FEW_RUNS and 2 * taken > total else None


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
