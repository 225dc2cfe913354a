"""What a cluster has left: free, free in one piece, and free beside nothing to go with it."""

from collections.abc import Iterable, Mapping, Sequence

from kexplain.cluster import Cluster, NodeInfo
from kexplain.explain.output import Output
from kexplain.grouping import counted, grouped
from kexplain.objects.node_pools import pool_names
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY
from kexplain.objects.well_known import NODE_CONDITIONS


class Room(Output, frozen=True):
    """One resource in one pool: CPU in thousandths, everything else in its own unit.

    Nodes that are cordoned, or tainted by their condition, have nothing free. `largest` is what `largest_on` has free,
    the most of any node. Of what is free, `unusable` has too little of the `counterpart` beside it: pods that request
    both request `per_unit` of it for each unit on average, those of this pool or, where it has none, of the cluster. A
    node with no room for another pod leaves all unusable; the counterpart is pods then.
    """

    resource: str
    pool: str
    nodes: int
    allocatable: int
    free: int
    largest: int
    largest_on: str = ""
    unusable: int = 0
    counterpart: str = ""
    per_unit: float | None = None


def rooms(cluster: Cluster) -> tuple[Room, ...]:
    """The room by pool and resource, without resources that no node of a pool has."""
    names = pool_names(info.node for info in cluster.node_infos)
    by_pool = grouped((names[info.name], info) for info in cluster.node_infos)
    kinds = ((pool, infos, resource) for pool, infos in by_pool.items() for resource in resources(infos))
    return tuple(_room(resource, pool, infos, cluster.node_infos) for pool, infos, resource in kinds)


def resources(node_infos: Iterable[NodeInfo]) -> list[str]:
    """What these nodes have, but for local storage."""
    names = dict.fromkeys(name for info in node_infos for name, amount in info.allocatable.amounts().items() if amount)
    # Local storage rarely decides, and is seldom requested.
    return [name for name in names if name != EPHEMERAL_STORAGE]


def _room(resource: str, pool: str, node_infos: Sequence[NodeInfo], everywhere: Sequence[NodeInfo]) -> Room:
    frees = {info.name: free(info, resource) for info in node_infos}
    largest_on = max(frees, key=frees.__getitem__)
    ratios = _ratios(resource, node_infos) or _ratios(resource, everywhere)
    usable = ((frees[info.name], *_usable(info, frees[info.name], ratios)) for info in node_infos)
    shortfalls = counted((lacking, left - used) for left, used, lacking in usable if used < left)
    counterpart = max(shortfalls, key=shortfalls.__getitem__, default="")
    return Room(
        resource=resource,
        pool=pool,
        nodes=len(node_infos),
        allocatable=sum(info.allocatable.amount(resource) for info in node_infos),
        free=sum(frees.values()),
        largest=frees[largest_on],
        largest_on=largest_on if frees[largest_on] else "",
        unusable=sum(shortfalls.values()),
        counterpart=counterpart,
        per_unit=ratios.get(counterpart),
    )


def free(node_info: NodeInfo, resource: str) -> int:
    """What the node has left of the resource; nothing while it is cordoned, ailing or overcommitted."""
    spec = node_info.node.spec
    if spec.unschedulable or any(taint.key in NODE_CONDITIONS for taint in spec.taints or ()):
        return 0
    return max(node_info.free(resource), 0)


def _ratios(resource: str, node_infos: Iterable[NodeInfo]) -> dict[str, float]:
    """How much CPU and memory pods that request the resource request for each unit of it; nothing without such pods."""
    own, others = 0, {name: 0 for name in (CPU, MEMORY) if name != resource}
    for info in node_infos:
        for pod_info in info.pods:
            requested = pod_info.resource.requested
            if amount := requested.amount(resource):
                own += amount
                for name in others:
                    others[name] += requested.amount(name)
    return {name: amount / own for name, amount in others.items() if amount} if own else {}


def _usable(node_info: NodeInfo, amount: int, ratios: Mapping[str, float]) -> tuple[int, str]:
    """How much of what is free has enough of everything beside it, and of what it is that others lack."""
    if len(node_info.pods) >= node_info.allocatable.allowed_pods:
        return 0, "pods"
    enough = {name: int(free(node_info, name) / per_unit) for name, per_unit in ratios.items()}
    scarcest = min(enough, key=enough.__getitem__, default="")
    return (enough[scarcest], scarcest) if scarcest and enough[scarcest] < amount else (amount, "")
