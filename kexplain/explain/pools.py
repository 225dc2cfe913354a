"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.joining import newcomer_like
from kexplain.explain.changes import Step
from kexplain.explain.karpenter import pool_objections
from kexplain.explain.objections.objection import Proposal
from kexplain.explain.wording import amount
from kexplain.objects.core import Node, Pod
from kexplain.objects.karpenter import NodePool
from kexplain.objects.node_pools import Newcomer, comes_along, lasting_taints, named_pool
from kexplain.objects.requests import CPU
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined, plural

ORDER = 8


class Pool(Struct, frozen=True):
    """Nodes of one name, or, without a name, only of one shape; `newest` was added last, as far as nodes say when."""

    name: str
    nodes: tuple[Node, ...]
    newest: Node

    def __str__(self) -> str:
        count = plural(len(self.nodes), "node")
        return f"pool {self.name}, {count}" if self.name else count


def pools(cluster: Cluster) -> Sequence[Pool]:
    """The pools of nodes, the largest first."""
    return cluster.fact(pools, lambda: _pools([info.node for info in cluster.node_infos]))


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


def _pools(nodes: Sequence[Node]) -> Sequence[Pool]:
    by_name: dict[str, list[Node]] = {}
    by_shape: dict[object, list[Node]] = {}
    for node in nodes:
        if name := named_pool(node):
            by_name.setdefault(name, []).append(node)
        else:
            by_shape.setdefault(_shape(node), []).append(node)
    members = [*by_name.items(), *(("", alike) for alike in by_shape.values())]
    found = (Pool(name, tuple(each), max(each, key=_creation)) for name, each in members)
    return sorted(found, key=lambda pool: -len(pool.nodes))


def _creation(node: Node) -> str:
    return node.metadata.creation_timestamp or ""


def _shape(node: Node) -> object:
    labels = {key: value for key, value in node.labels.items() if key != HOSTNAME}
    allocatable = (node.status.allocatable or {}).items()
    taints = {str(taint) for taint in lasting_taints(node)}
    return frozenset(labels.items()), frozenset((k, str(v)) for k, v in allocatable), frozenset(taints)


def _joining(new: Newcomer) -> Iterator[Step]:
    """The node, and what comes by itself with it."""
    yield Step(Node, "", new.node.name, created=new.node)
    if new.driver is not None:
        yield Step(CSINode, "", new.driver.name, created=new.driver, follows=True)
    for pod in new.pods:
        yield Step(Pod, pod.namespace, pod.name, created=pod, follows=True)
