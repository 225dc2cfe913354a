"""Nodes that Karpenter, Cluster API or OpenShift has asked for.

Source: Karpenter `pkg/apis/v1/nodeclaim.go`, `nodeclaim_status.go`; the node class of the provider for Google Cloud;
Cluster API `api/core/v1beta1/machine_types.go`; OpenShift `machine/v1beta1/types_machine.go`.
"""

from typing import ClassVar

from kexplain.objects.karpenter import NODE_CLASSES, NodeClaimSpec, NodeClass
from kexplain.objects.meta import Condition, KubernetesObject, Record, ResourceList


class NodeClaimStatus(Record, frozen=True):
    """How far a node is on its way."""

    node_name: str | None = None
    capacity: ResourceList | None = None
    conditions: tuple[Condition, ...] | None = None


class NodeClaim(KubernetesObject, frozen=True, tag_field="kind", tag="NodeClaim"):
    """A node that Karpenter has asked the cloud for."""

    is_of_queues: ClassVar[bool] = True

    spec: NodeClaimSpec = NodeClaimSpec()
    status: NodeClaimStatus = NodeClaimStatus()


class MachineNode(Record, frozen=True):
    """The node that a machine has become."""

    name: str | None = None


class MachineStatus(Record, frozen=True):
    """How far a machine is on its way; what is fatal is in `failureMessage`, or OpenShift's `errorMessage`."""

    phase: str | None = None
    node_ref: MachineNode | None = None
    failure_message: str | None = None
    error_message: str | None = None
    conditions: tuple[Condition, ...] | None = None


class Machine(KubernetesObject, frozen=True, tag_field="kind", tag="Machine"):
    """A machine that is to become a node."""

    is_of_queues: ClassVar[bool] = True

    status: MachineStatus = MachineStatus()


class GCENodeClass(NodeClass, frozen=True, tag_field="kind", tag="GCENodeClass"):
    """What the nodes of a pool are made of on Google Cloud."""

    is_of_queues: ClassVar[bool] = True


#: What NodePools may refer to.
EVERY_NODE_CLASS: tuple[type[NodeClass], ...] = (*NODE_CLASSES, GCENodeClass)
