"""One more node, with all that a node of its pool comes with."""

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.node_info import NodeInfo
from kexplain.objects.node_pools import Newcomer, free_name, newcomer
from kexplain.objects.resource import ResourceSlice
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import ZONE


def newcomer_like(model: NodeInfo, cluster: Cluster, taken: Collection[str] = ()) -> Newcomer:
    """A fresh node like one of the cluster, under a name that is free there, or is none of those that are taken."""
    name = free_name(model.name, taken or cluster.node_info_by_name)
    pods = (info.pod for info in model.pods)
    driver = cluster.listers.get(CSINode, model.name)
    devices = [each for each in cluster.listers.every(ResourceSlice) if each.spec.node_name == model.name]
    return newcomer(model.node, name, pods, [*([driver] if driver else []), *devices])


class _Grown:
    """What one cluster comes to with one more node; asked for by every pod that does not fit."""

    def __init__(self) -> None:
        self.cluster: Cluster | None = None
        self.by_model: dict[tuple[str, str], tuple[str, Cluster]] = {}


def grown_by(model: NodeInfo, zone: str, cluster: Cluster) -> tuple[str, Cluster]:
    """The name of a fresh node like one of the cluster, in another zone if one is given, and the cluster with it."""
    last = cluster.fact(_Grown, _Grown)
    if last.cluster is not cluster:
        last.cluster = cluster
        last.by_model.clear()
    key = (model.name, zone)
    if key not in last.by_model:
        joining = newcomer_like(model, cluster)
        if zone:
            labels = {**joining.node.labels, ZONE: zone}
            node = replace(joining.node, metadata=replace(joining.node.metadata, labels=labels))
            joining = replace(joining, node=node)
        last.by_model[key] = joining.node.name, joined_by(cluster, joining)
    return last.by_model[key]


def with_fresh_nodes(cluster: Cluster, names: Iterable[str]) -> tuple[Cluster, list[str]]:
    """The cluster with a fresh node like each of these, and all that comes along with it; and their names."""
    added = []
    for name in names:
        new = newcomer_like(cluster.node_info_by_name[name], cluster)
        cluster = joined_by(cluster, new)
        added.append(new.node.name)
    return cluster, added


def joined_by(cluster: Cluster, new: Newcomer) -> Cluster:
    """The cluster once the node has joined."""
    cluster = cluster.with_nodes([new.node])
    if new.reports:
        cluster = cluster.replacing(new.reports)
    for pod in new.pods:
        cluster = cluster.assume(pod, new.node.name)
    return cluster
