"""Figures of a cluster for tuning a scheduler: nodes in use, how full they are, the largest pod that still fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import mean, pstdev

from kexplain.case import Case
from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.departing import departed
from kexplain.explain.output import Output
from kexplain.framework.trace import Decision
from kexplain.objects.node_pools import comes_along
from kexplain.objects.requests import CPU, MEMORY
from kexplain.report.free_room import free, resources
from kexplain.scheduler.pod_copies import anew
from kexplain.scheduler.simulate import simulate

#: Memory for each CPU of the pods that are looked for, as most types of machines have them.
_SHAPES = {f"1 cpu : {gib}Gi": {CPU: 1000, MEMORY: gib << 30} for gib in (2, 4, 8)}
_TENTHS = 10


class ResourceUse(Output, frozen=True):
    """How much of a resource pods request, node by node, in percent of what each node has.

    `mean`, `spread` (the standard deviation) and `highest` are over nodes, each node alike; `nodes_by_tenth` counts the
    nodes from 0 to 10 percent, and so on. Amounts of CPU are thousandths.
    """

    resource: str
    allocatable: int
    requested: int
    mean: float
    spread: float
    highest: float
    highest_on: str
    nodes_by_tenth: tuple[int, ...]


class LargestPod(Output, frozen=True):
    """The largest pod of a shape that one node still has room for, and that node; empty where nothing fits."""

    shape: str
    amounts: dict[str, int]
    node: str = ""


class ClusterFigures(Output, frozen=True):
    """One cluster. `used` are nodes with a pod that does not come along with every node; `pending` have no node."""

    nodes: int
    used: int
    pods: int
    pending: int
    resources: tuple[ResourceUse, ...]
    largest: tuple[LargestPod, ...]


class ComparedFigures(Output, frozen=True):
    """Both sides, and how many pods have another node. If `anew`, all pods were placed in turn on emptied nodes."""

    before: ClusterFigures
    after: ClusterFigures
    moved: int
    anew: bool = False


def cluster_figures(cluster: Cluster, pending: int = 0) -> ClusterFigures:
    """The figures of a cluster as it stands."""
    infos = cluster.node_infos
    names = resources(infos)
    shapes = _SHAPES | {name: {name: 1} for name in names if name not in (CPU, MEMORY)}
    return ClusterFigures(
        nodes=len(infos),
        used=sum(not all(each.comes_along for each in info.pods) for info in infos),
        pods=sum(len(info.pods) for info in infos),
        pending=pending,
        resources=tuple(_use(name, infos) for name in names),
        largest=tuple(_largest(shape, parts, infos) for shape, parts in shapes.items()),
    )


def compared_figures(
    before: Cluster, after: Cluster, pending: tuple[int, int], *, anew: bool = False
) -> ComparedFigures:
    """Both clusters, with so many pods pending in each."""
    places = [{info.pod.key: node.name for node in each.node_infos for info in node.pods} for each in (before, after)]
    return ComparedFigures(
        before=cluster_figures(before, pending[0]),
        after=cluster_figures(after, pending[1]),
        moved=sum(places[0][key] != places[1][key] for key in places[0].keys() & places[1].keys()),
        anew=anew,
    )


def placed_by(decisions: Iterable[Decision], cluster: Cluster) -> tuple[Cluster, int]:
    """The cluster with every pod on the node that it was given, and how many were given none."""
    pending = 0
    for decision in decisions:
        if decision.host:
            cluster = cluster.assume(decision.pod, decision.host)
        else:
            pending += 1
    return cluster, pending


def placed_anew(case: Case, start_index: int) -> tuple[Cluster, int]:
    """The same where all pods that do not come along with a node leave first, and are placed in turn with others."""
    leaving = [pod for pod in case.cluster.pods if not comes_along(pod)]
    emptied = departed(case.cluster, leaving)
    pods = [*map(anew, leaving), *(each.pod for each in case.pods)]
    return placed_by(simulate(case.scheduler, emptied, pods, start_index), emptied)


def _use(resource: str, infos: Iterable[NodeInfo]) -> ResourceUse:
    offered = [(info, info.allocatable.amount(resource)) for info in infos]
    shares = {info.name: info.requested.amount(resource) * 100 / amount for info, amount in offered if amount}
    highest_on = max(shares, key=shares.__getitem__)
    tenths = [min(int(share) // _TENTHS, _TENTHS - 1) for share in shares.values()]
    return ResourceUse(
        resource=resource,
        allocatable=sum(amount for _, amount in offered),
        requested=sum(info.requested.amount(resource) for info, _ in offered),
        mean=round(mean(shares.values()), 1),
        spread=round(pstdev(shares.values()), 1),
        highest=round(shares[highest_on], 1),
        highest_on=highest_on,
        nodes_by_tenth=tuple(map(tenths.count, range(_TENTHS))),
    )


def _largest(shape: str, parts: Mapping[str, int], infos: Iterable[NodeInfo]) -> LargestPod:
    """The most thousandths of a pod with these amounts that one node has room for."""
    most_by_node = {info.name: min(_free(info, name) * 1000 // part for name, part in parts.items()) for info in infos}
    node = max(most_by_node, key=most_by_node.__getitem__, default="")
    most = most_by_node.get(node, 0)
    amounts = {name: part * most // 1000 for name, part in parts.items()}
    return LargestPod(shape=shape, amounts=amounts, node=node if most else "")


def _free(info: NodeInfo, resource: str) -> int:
    """What a pod can still have there: nothing without room for another pod."""
    return free(info, resource) if len(info.pods) < info.allocatable.allowed_pods else 0
