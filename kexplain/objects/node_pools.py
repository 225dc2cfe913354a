"""Which nodes belong together: the pools of clouds and autoscalers, else nodes of one shape; and fresh nodes of a pool.

Sources: the node labels of each cloud's documentation, Karpenter `karpenter.sh/nodepool`, Cluster API's
`cluster.x-k8s.io/owner-name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from kexplain.objects import quantity
from kexplain.objects.core import Node, NodeStatus, Pod, PodStatus
from kexplain.objects.well_known import CONTROL_PLANE, HOSTNAME, INSTANCE_TYPE, OLD_CONTROL_PLANE, OLD_INSTANCE_TYPE

#: Labels whose value is the name of the node's pool; the first that a node has counts.
POOL_LABELS = (
    "karpenter.sh/nodepool",
    "karpenter.sh/provisioner-name",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name",
    "kubernetes.azure.com/agentpool",
    "agentpool",
    "doks.digitalocean.com/node-pool",
    "ibm-cloud.kubernetes.io/worker-pool-name",
    "alibabacloud.com/nodepool-id",
    "lke.linode.com/pool-id",
    "k8s.scaleway.com/pool-name",
    "nodepool.ovh.net/name",
    "vke.vultr.com/node-pool",
    "worker.gardener.cloud/pool",
    "kops.k8s.io/instancegroup",
)
CONTROL_PLANE_LABELS = (CONTROL_PLANE, OLD_CONTROL_PLANE)
INSTANCE_TYPE_LABELS = (INSTANCE_TYPE, OLD_INSTANCE_TYPE)
#: What a machine set of Cluster API appends to the name of its deployment.
_REVISION = re.compile(r"-[a-z0-9]{5,10}(?:-[a-z0-9]{5})?$")
#: Taints that say how a node is at the moment, not what it is for.
_PASSING_TAINTS = re.compile(
    r"node\.kubernetes\.io/.*|node\.cloudprovider\.kubernetes\.io/.*|ToBeDeletedByClusterAutoscaler"
    r"|DeletionCandidateOfClusterAutoscaler|karpenter\.sh/disrupted|karpenter\.sh/disruption"
)
_CONTROL_PLANE = "control-plane"


def pool_of(node: Node) -> str:
    """The name of the node's pool, or of its shape: `general`, `control-plane`, `m5.2xlarge`, `4 CPU, 16Gi`."""
    for label in POOL_LABELS:
        if name := node.labels.get(label):
            return name
    annotations = node.metadata.annotations
    if annotations is not None and annotations.machine_set:
        return _REVISION.sub("", annotations.machine_set)
    if any(label in node.labels for label in CONTROL_PLANE_LABELS):
        return _CONTROL_PLANE
    return next((node.labels[label] for label in INSTANCE_TYPE_LABELS if node.labels.get(label)), _shape(node.status))


def pools(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """The nodes by pool, in their order."""
    by_pool: dict[str, list[Node]] = {}
    for node in nodes:
        by_pool.setdefault(pool_of(node), []).append(node)
    return by_pool


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
    labels = like.labels | ({HOSTNAME: name} if HOSTNAME in like.labels else {})
    taints = tuple(taint for taint in like.spec.taints or () if not _PASSING_TAINTS.fullmatch(taint.key))
    metadata = replace(
        like.metadata, name=name, uid=None, labels=labels or None, creation_timestamp=None, deletion_timestamp=None
    )
    spec = replace(like.spec, unschedulable=None, taints=taints or None)
    return replace(like, metadata=metadata, spec=spec, status=replace(like.status, images=None))


def comes_along(pod: Pod) -> bool:
    """Whether every node of a pool has a pod like this one: of a DaemonSet, or of its kubelet."""
    owner = pod.metadata.controller
    return pod.is_mirror or (owner is not None and owner.kind == "DaemonSet")


def copied_to(pod: Pod, node_name: str) -> Pod:
    """The pod that comes along with another node."""
    metadata = replace(pod.metadata, name=f"{pod.name}-{node_name}", uid=None, deletion_timestamp=None)
    status = PodStatus(phase="Running", resource_claim_statuses=pod.status.resource_claim_statuses)
    return replace(pod, metadata=metadata, spec=replace(pod.spec, node_name=node_name), status=status)
