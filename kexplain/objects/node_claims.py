"""Nodes that Karpenter has asked for.

Source: Karpenter `pkg/apis/v1/nodeclaim.go`, `nodeclaim_status.go`; the node class of the provider for Google Cloud.
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

    is_namespaced: ClassVar[bool] = False
    is_of_queues: ClassVar[bool] = True

    spec: NodeClaimSpec = NodeClaimSpec()
    status: NodeClaimStatus = NodeClaimStatus()


class GCENodeClass(NodeClass, frozen=True, tag_field="kind", tag="GCENodeClass"):
    """What the nodes of a pool are made of on Google Cloud."""

    is_of_queues: ClassVar[bool] = True


#: The apiVersions under which each is read.
NODE_CLAIM_VERSIONS: dict[type[KubernetesObject], tuple[str, ...]] = {
    NodeClaim: ("karpenter.sh/v1", "karpenter.sh/v1beta1"),
    GCENodeClass: ("karpenter.k8s.gcp/v1", "karpenter.k8s.gcp/v1alpha1"),
}
#: What NodePools may refer to.
EVERY_NODE_CLASS: tuple[type[NodeClass], ...] = (*NODE_CLASSES, GCENodeClass)
