"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.explain.changes import Step
from kexplain.explain.objections.objection import Proposal
from kexplain.explain.objections.taints import NODE_CONDITIONS
from kexplain.explain.wording import amount
from kexplain.objects.core import Node, NodeStatus, Pod
from kexplain.objects.requests import CPU
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined

#: Labels that name the pool of a node, as the large clouds, Karpenter and Cluster API set them.
POOL_LABELS = (
    "karpenter.sh/nodepool",
    "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name",
    "cloud.google.com/gke-nodepool",
    "kubernetes.azure.com/agentpool",
    "agentpool",
    "cluster.x-k8s.io/deployment-name",
    "topology.cluster.x-k8s.io/deployment-name",
    "node.cluster.x-k8s.io/machine-pool",
    "doks.digitalocean.com/node-pool",
    "kops.k8s.io/instancegroup",
)
#: Labels that each node has to itself.
_OWN = (HOSTNAME, "alpha.eksctl.io/instance-id", "node.kubernetes.io/instance-id")
ORDER = 8


class _Pool(NamedTuple):
    """Nodes of one name, or only of one shape; `newest` is the name of one."""

    name: str
    size: int
    newest: str

    def __str__(self) -> str:
        count = f"{self.size} node{'' if self.size == 1 else 's'}"
        return f"pool {self.name}, {count}" if self.name else count


def one_more(cluster: Cluster, most: int) -> Iterator[Proposal]:
    """A node more of each pool, the largest pools first."""
    for pool in cluster.fact(_pools, lambda: _pools(cluster.node_infos))[:most]:
        newest = cluster.node_info_by_name[pool.newest]
        text = f"add one more node like {pool.newest} ({pool})"
        yield Proposal("add-node", text, order=ORDER, steps=tuple(_joining(newest, cluster)))


def one_larger(pod: Pod, cluster: Cluster) -> Iterator[Proposal]:
    """A node like the largest, with as much of everything as the pod needs besides what runs on every node."""
    if not cluster.node_infos:
        return
    model = max(cluster.node_infos, key=lambda info: info.allocatable.cpu_milli)
    daemons = [info.resource.requested for info in model.pods if _is_daemon(info.pod)]
    allocatable = dict(model.node.status.allocatable or {})
    needed: list[str] = []
    for name, least in cluster.pod_info(pod).resource.requested.amounts().items():
        total = least + sum(each.amount(name) for each in daemons)
        if total > model.allocatable.amount(name):
            allocatable[name] = amount(name, total) if name == CPU else str(total)
            needed.append(f"{amount(name, total)} {name}")
    if needed:
        node = replace(model.node, status=replace(model.node.status, allocatable=allocatable))
        text = f"add a node like {model.name}, but with {joined(needed)}"
        yield Proposal("add-node", text, order=ORDER, steps=tuple(_joining(model, cluster, node)))


def _pools(node_infos: Sequence[NodeInfo]) -> Sequence[_Pool]:
    """The pools of nodes, the largest first; nodes of none are one if they are of one shape."""
    by_name: dict[str, list[Node]] = {}
    by_shape: dict[object, list[Node]] = {}
    for info in node_infos:
        labels = info.node.labels
        if name := next((labels[key] for key in POOL_LABELS if key in labels), ""):
            by_name.setdefault(name, []).append(info.node)
        else:
            by_shape.setdefault(_shape(info.node), []).append(info.node)
    named = [*by_name.items(), *(("", nodes) for nodes in by_shape.values())]
    pools = (_Pool(name, len(nodes), max(nodes, key=_creation).name) for name, nodes in named)
    return sorted(pools, key=lambda pool: -pool.size)


def _creation(node: Node) -> str:
    return node.metadata.creation_timestamp or ""


def _shape(node: Node) -> object:
    labels = {key: value for key, value in node.labels.items() if key not in _OWN}
    allocatable = (node.status.allocatable or {}).items()
    taints = {str(taint) for taint in _taints(node)}
    return frozenset(labels.items()), frozenset((k, str(v)) for k, v in allocatable), frozenset(taints)


def _taints(node: Node) -> list[object]:
    """The taints of a healthy node of its kind: none for its condition, nor for being cordoned."""
    ailing = (*NODE_CONDITIONS, "node.kubernetes.io/unschedulable")
    return [taint for taint in node.spec.taints or () if taint.key not in ailing]


def _is_daemon(pod: Pod) -> bool:
    owner = pod.metadata.controller
    return owner is not None and owner.kind == "DaemonSet"


def _joining(newest: NodeInfo, cluster: Cluster, node: Node | None = None) -> Iterator[Step]:
    """The node under a name of its own, with what its driver reports, and the pods that every such node has."""
    name = _free_name(newest.name, cluster)
    old = node or newest.node
    labels = {key: name if key in _OWN else value for key, value in old.labels.items()}
    metadata = replace(old.metadata, name=name, labels=labels or None, uid=None, creation_timestamp=None)
    spec = replace(old.spec, unschedulable=None, taints=tuple(_taints(old)) or None)
    status = NodeStatus(
        allocatable=old.status.allocatable,
        capacity=old.status.capacity,
        declared_features=old.status.declared_features,
        node_info=old.status.node_info,
    )
    yield Step(Node, "", name, created=replace(old, metadata=metadata, spec=spec, status=status))
    driver = cluster.listers.get(CSINode, newest.name)
    if driver is not None:
        copy = replace(driver, metadata=replace(driver.metadata, name=name, uid=None, owner_references=None))
        yield Step(CSINode, "", name, created=copy, follows=True)
    for info in newest.pods:
        if _is_daemon(info.pod):
            yield _daemon(info.pod, name)


def _daemon(pod: Pod, node_name: str) -> Step:
    metadata = replace(pod.metadata, name=f"{pod.name}-{node_name}", uid=None)
    copy = replace(pod, metadata=metadata, spec=replace(pod.spec, node_name=node_name))
    return Step(Pod, pod.namespace, copy.name, created=copy, follows=True)


def _free_name(name: str, cluster: Cluster) -> str:
    index = 1
    while f"{name}-new-{index}" in cluster.node_info_by_name:
        index += 1
    return f"{name}-new-{index}"
