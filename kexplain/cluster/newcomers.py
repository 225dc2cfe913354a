"""One more node, with all that a node of its pool comes with."""

from __future__ import annotations

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.node_info import NodeInfo
from kexplain.objects.node_pools import Newcomer, free_name, newcomer
from kexplain.objects.storage import CSINode


def newcomer_like(model: NodeInfo, cluster: Cluster) -> Newcomer:
    """A fresh node like one of the cluster, under a name that is free there."""
    name = free_name(model.name, cluster.node_info_by_name)
    pods = (info.pod for info in model.pods)
    return newcomer(model.node, name, pods, cluster.listers.get(CSINode, model.name))


def joined_by(cluster: Cluster, new: Newcomer) -> Cluster:
    """The cluster once the node has joined."""
    cluster = cluster.with_nodes([new.node])
    if new.driver is not None:
        cluster = cluster.replacing([new.driver])
    for pod in new.pods:
        cluster = cluster.assume(pod, new.node.name)
    return cluster
