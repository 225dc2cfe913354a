"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.joining import newcomer_like
from kexplain.explain.karpenter import pool_objections
from kexplain.explain.pools import Pool, pools
from kexplain.explain.wording import amount
from kexplain.objects.core import Node, Pod
from kexplain.objects.karpenter import NodePool
from kexplain.objects.node_pools import Newcomer, comes_along
from kexplain.objects.requests import CPU
from kexplain.objects.storage import CSINode
from kexplain.remedies.changes import Step
from kexplain.remedies.proposal import Proposal
from kexplain.words import joined

ORDER = 8


def one_more(pod: Pod, cluster: Cluster, most: int) -> Iterator[Proposal]:
    """A node more of each pool, the largest pools first."""
    for pool in pools(cluster)[:most]:
        text = f"add one more node like {pool.newest.name} ({pool}{_against(pool, pod, cluster)})"
        new = newcomer_like(cluster.node_info_by_name[pool.newest.name], cluster)
        yield Proposal("add-node", text, order=ORDER, steps=tuple(_joining(new)))


def one_larger(pod: Pod, cluster: Cluster) -> Iterator[Proposal]:
    """A node like the largest, with as much of everything as the pod needs besides what runs on every node."""
    if not cluster.node_infos:
        return
    model = cluster.node_info_by_name[cluster.fact(_largest, lambda: _largest(cluster))]
    daemons = [info.resource.requested for info in model.pods if comes_along(info.pod)]
    new = newcomer_like(model, cluster)
    allocatable = dict(new.node.status.allocatable or {})
    needed: list[str] = []
    for name, least in cluster.pod_info(pod).resource.requested.amounts().items():
        total = least + sum(each.amount(name) for each in daemons)
        if total > model.allocatable.amount(name):
            allocatable[name] = amount(name, total) if name == CPU else str(total)
            needed.append(f"{amount(name, total)} {name}")
    if needed:
        node = replace(new.node, status=replace(new.node.status, allocatable=allocatable))
        text = f"add a node like {model.name}, but with {joined(needed)}"
        yield Proposal("add-node", text, order=ORDER, steps=tuple(_joining(replace(new, node=node))))


def _largest(cluster: Cluster) -> str:
    """The first of the nodes with most CPU."""
    return max(cluster.node_infos, key=lambda info: info.allocatable.cpu_milli).name


def _against(pool: Pool, pod: Pod, cluster: Cluster) -> str:
    """That Karpenter would not add the node, and why."""
    node_pool = cluster.listers.get(NodePool, pool.name)
    objections = pool_objections(node_pool, pod, cluster, pool.nodes) if node_pool else ()
    return f"; Karpenter does not add it: {joined([each.text for each in objections])}" if objections else ""


def _joining(new: Newcomer) -> Iterator[Step]:
    """The node, and what comes by itself with it."""
    yield Step(Node, "", new.node.name, created=new.node)
    if new.driver is not None:
        yield Step(CSINode, "", new.driver.name, created=new.driver, follows=True)
    for pod in new.pods:
        yield Step(Pod, pod.namespace, pod.name, created=pod, follows=True)
