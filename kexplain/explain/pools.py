"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


def one_more(cluster: Cluster, most: int) -> Iterator[Proposal]:
    """A node more of each pool, the largest pools first."""
    for name, members in sorted(_pools(cluster).items(), key=lambda item: -len(item[1]))[:most]:
        newest = max(members, key=lambda info: info.node.metadata.creation_timestamp or "")
        count = f"{len(members)} node{'' if len(members) == 1 else 's'}"
        pool = f"pool {name}, {count}" if isinstance(name, str) else count
        text = f"add one more node like {newest.name} ({pool})"
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


def _pools(cluster: Cluster) -> Mapping[object, Sequence[NodeInfo]]:
    """Nodes by pool; those of none that are known by their labels are a pool if they are of one shape."""
    pools: dict[object, list[NodeInfo]] = {}
    shapes: dict[object, list[NodeInfo]] = {}
    for info in cluster.node_infos:
        labels = info.node.labels
        if name := next((labels[key] for key in POOL_LABELS if key in labels), ""):
            pools.setdefault(name, []).append(info)
        else:
            shapes.setdefault(_shape(info.node), []).append(info)
    return pools | shapes


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
