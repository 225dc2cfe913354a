"""Which nodes belong together: the pools of clouds and autoscalers, else nodes of one shape; and fresh nodes of a pool.

Sources: the node labels of each cloud's documentation, Karpenter `karpenter.sh/nodepool`, Cluster API's
`cluster.x-k8s.io/owner-name`.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kexplain.grouping import grouped
from kexplain.objects import quantity
from kexplain.objects.core import Node, NodeStatus, Pod, PodStatus, Taint
from kexplain.objects.karpenter import NODE_POOL
from kexplain.objects.node_service import is_passing
from kexplain.objects.resource import ResourceSlice
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import (
    CONTROL_PLANE,
    HOSTNAME,
    INSTANCE_TYPE,
    OLD_CONTROL_PLANE,
    OLD_INSTANCE_TYPE,
    OLD_ZONE,
    ZONE,
)
from kexplain.patterns import regex
from kexplain.tables import sections, table

#: Labels whose value is the name of the node's pool; the first that a node has counts.
POOL_LABELS = sections("pool-labels")[""]
#: Labels that each node has to itself.
_OWN_LABELS = (HOSTNAME, "alpha.eksctl.io/instance-id", "node.kubernetes.io/instance-id")
CONTROL_PLANE_LABELS = (CONTROL_PLANE, OLD_CONTROL_PLANE)
INSTANCE_TYPE_LABELS = (INSTANCE_TYPE, OLD_INSTANCE_TYPE)
#: What a machine set of Cluster API appends to the name of its deployment.
_REVISION = regex(r"-[a-z0-9]{5,10}(?:-[a-z0-9]{5})?$")
_VERSION = regex(r"v?\d+\.\d")
_CONTROL_PLANE = "control-plane"
ROLE_PREFIX = "node-role.kubernetes.io/"
_PLAIN_ROLES = ("worker", "node", "")


#: Labels of machines that clouds take back when they need them.
_SPOT = table("spot-labels", dict[str, str])


def is_spot(node: Node) -> bool:
    """Whether the node's machine does not come back once it is gone, as the cloud has taken it."""
    return any(node.labels.get(label) == value for label, value in _SPOT.items())


#: Labels of what is called a node, and is no machine that anybody adds.
_VIRTUAL = {"eks.amazonaws.com/compute-type": "fargate", "type": "virtual-kubelet"}


def is_virtual(node: Node) -> bool:
    """Whether the node stands for a service that runs pods, one by one."""
    return bool(virtual_label(node))


def virtual_label(node: Node) -> str:
    """The label that says so; empty for a machine."""
    return next((f"{key}={value}" for key, value in _VIRTUAL.items() if node.labels.get(key) == value), "")


class PoolId(NamedTuple):
    """What tells pools apart: the label that names it, and the name; a shape has no label."""

    label: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({_MANAGERS.get(self.label, self.label)})" if self.label else self.name


#: Who runs the pools that a label names, where that is shorter than the label.
_MANAGERS = {NODE_POOL: "Karpenter"}
_MACHINE_SET = "cluster.x-k8s.io/owner-name"


def pool_id(node: Node) -> PoolId | None:
    """The pool that adds and removes nodes like this one; None if nothing says so."""
    labels = node.labels
    for label in POOL_LABELS:
        if name := labels.get(label):
            return PoolId(label, name)
    annotations = node.metadata.annotations
    machine_set = _REVISION.sub("", annotations.machine_set or "") if annotations else ""
    return PoolId(_MACHINE_SET, machine_set) if machine_set else None


def make(node: Node) -> object:
    """The pool and the machine that a node is of, whatever its kubelet leaves of that to pods."""
    amounts = node.status.capacity or node.status.allocatable or {}
    kinds = [node.labels.get(label) for label in INSTANCE_TYPE_LABELS]
    return (pool_id(node), str(amounts.get("cpu")), _memory(str(amounts.get("memory", 0))), *kinds)


def is_kin(node: Node, other: Node) -> bool:
    """Whether two nodes of one make belong together: in a pool, or where the other has all labels of the node.

    Versions, as of kernels, tell apart when nodes were made, not what they are for.
    """
    apart = (*_OWN_LABELS, ZONE, OLD_ZONE)
    own = {key: value for key, value in node.labels.items() if key not in apart and not _VERSION.match(value)}
    return pool_id(node) is not None or own.items() <= other.labels.items()


def zone_of(labels: Mapping[str, str]) -> str:
    """The zone that labels of a node name; empty if they name none."""
    return labels.get(ZONE) or labels.get(OLD_ZONE) or ""


def named_pool(node: Node) -> str:
    """The name of that pool; empty if nothing says so."""
    found = pool_id(node)
    return found.name if found else ""


def _id(node: Node) -> PoolId:
    """The node's pool, or its shape: `general`, `control-plane`, `m5.2xlarge`, `4 CPU, 16Gi`."""
    if found := pool_id(node):
        return found
    if any(label in node.labels for label in CONTROL_PLANE_LABELS):
        return PoolId("", _CONTROL_PLANE)
    machine = machine_of(node) or _shape(node.status)
    return PoolId("", ", ".join([*_roles(node.labels), machine, *map(str, _kept_for(node))]))


def _roles(labels: Mapping[str, str]) -> list[str]:
    """What the node is for, as `kubectl get nodes` shows it, where that is more than to run pods."""
    roles = (label.removeprefix(ROLE_PREFIX) for label in labels if label.startswith(ROLE_PREFIX))
    return sorted(role for role in roles if role not in _PLAIN_ROLES)


def _kept_for(node: Node) -> list[Taint]:
    """The taints that tell nodes of one shape apart: what keeps pods off some of them is what these are for."""
    return sorted((each for each in lasting_taints(node) if each.effect in REPELLING_EFFECTS), key=str)


def pool_names(nodes: Iterable[Node]) -> dict[str, str]:
    """The pool, or the shape, of each node by the node's name: two pools of one name say whose they are."""
    found = {node.name: _id(node) for node in nodes}
    ids_by_name = grouped((each.name, each) for each in {*found.values()})
    return {node: str(each) if len(ids_by_name[each.name]) > 1 else each.name for node, each in found.items()}


def pools(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """The nodes by pool, in their order."""
    listed = list(nodes)
    names = pool_names(listed)
    return grouped((names[node.name], node) for node in listed)


def variants(nodes: Iterable[Node]) -> list[Node]:
    """The newest node of each zone and size among those of a pool, the newest of all first."""
    newest: dict[object, Node] = {}
    for node in sorted(nodes, key=created, reverse=True):
        newest.setdefault(_variant(node), node)
    return [*newest.values()]


def next_of_pool(nodes: Sequence[Node], count: int) -> list[Node]:
    """What so many more nodes of a pool are like: the newest of the zone with the fewest nodes each time."""
    by_zone = grouped((zone_of(node.labels), node) for node in nodes)
    newest = {zone: max(found, key=created) for zone, found in by_zone.items()}
    sizes = {zone: len(found) for zone, found in by_zone.items()}
    models = []
    for _ in range(count):
        zone = min(sizes, key=sizes.__getitem__)
        sizes[zone] += 1
        models.append(newest[zone])
    return models


def _variant(node: Node) -> object:
    return zone_of(node.labels), machine_of(node) or _shape(node.status), frozenset(map(str, lasting_taints(node)))


def machine_of(node: Node) -> str:
    """Which machine it is, as its cloud calls it; empty if that does not say so."""
    return next((node.labels[label] for label in INSTANCE_TYPE_LABELS if node.labels.get(label)), "")


def created(node: Node) -> str:
    """When the node was created, as it says itself; empty if it does not."""
    return node.metadata.creation_timestamp or ""


def _shape(status: NodeStatus) -> str:
    """What machines of one kind share: their capacity, or what is allocatable where that is not known."""
    amounts = status.capacity or status.allocatable or {}
    parts = [f"{amounts['cpu']} CPU"] if "cpu" in amounts else []
    parts += [_memory(str(amounts["memory"]))] if "memory" in amounts else []
    parts += [f"{amount} {name}" for name, amount in sorted(amounts.items()) if "/" in name and str(amount) != "0"]
    return ", ".join(parts) or "nodes that offer nothing"


def _memory(amount: str) -> str:
    """The memory in whole GiB where there is one, as machines of one kind differ by a few pages."""
    gibibytes = round(quantity.value(amount) / (1 << 30))
    return f"{gibibytes}Gi" if gibibytes else amount


def fresh_node(like: Node, name: str) -> Node:
    """A node as its pool would add one: labelled, tainted and sized alike, schedulable, with no images."""
    labels = {key: name if key in _OWN_LABELS else value for key, value in like.labels.items()}
    metadata = replace(
        like.metadata, name=name, uid=None, labels=labels or None, creation_timestamp=None, deletion_timestamp=None
    )
    spec = replace(like.spec, unschedulable=None, taints=lasting_taints(like) or None)
    return replace(like, metadata=metadata, spec=spec, status=replace(like.status, images=None, conditions=None))


def lasting_taints(node: Node) -> tuple[Taint, ...]:
    """The taints that say what the node is for."""
    return tuple(taint for taint in node.spec.taints or () if not is_passing(taint.key))


def free_name(like: str, taken: Container[str], number: int = 1) -> str:
    """A name for a node like another that no node has yet, numbered from some number on: `worker-3-new-1`."""
    while f"{like}-new-{number}" in taken:
        number += 1
    return f"{like}-new-{number}"


def comes_along(pod: Pod) -> bool:
    """Whether every node of a pool has a pod like this one."""
    return pod.comes_along


def copied_to(pod: Pod, node_name: str) -> Pod:
    """The pod that comes along with another node."""
    metadata = replace(pod.metadata, name=f"{pod.name}-{node_name}", uid=None, deletion_timestamp=None)
    status = PodStatus(phase="Running", resource_claim_statuses=pod.status.resource_claim_statuses)
    return replace(pod, metadata=metadata, spec=replace(pod.spec, node_name=node_name), status=status)


class Newcomer(Struct, frozen=True):
    """A node that joins, what the drivers of its volumes and devices report, and the pods that come along with it."""

    node: Node
    reports: tuple[CSINode | ResourceSlice, ...]
    pods: tuple[Pod, ...]


def newcomer(like: Node, name: str, pods: Iterable[Pod], reports: Iterable[CSINode | ResourceSlice]) -> Newcomer:
    """A fresh node of the same pool, of whose newest member these are the pods and the reports of the drivers."""
    companions = tuple(copied_to(pod, name) for pod in pods if comes_along(pod))
    return Newcomer(fresh_node(like, name), tuple(_reported(each, like.name, name) for each in reports), companions)


def _reported(report: CSINode | ResourceSlice, like: str, name: str) -> CSINode | ResourceSlice:
    """What a driver reports of one node as it would of another: its devices are a pool of their own."""
    meta = replace(report.metadata, uid=None, owner_references=None)
    if isinstance(report, CSINode):
        drivers = tuple(replace(each, node_id=name) for each in report.spec.drivers or ())
        return replace(report, metadata=replace(meta, name=name), spec=replace(report.spec, drivers=drivers or None))
    own = report.spec.pool
    pool = replace(own, name=name if own.name == like else f"{own.name}-{name}")
    spec = replace(report.spec, node_name=name, pool=pool)
    return replace(report, metadata=replace(meta, name=f"{report.name}-{name}"), spec=spec)
