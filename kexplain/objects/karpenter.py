"""Karpenter's NodePools, as far as they say which nodes they add for a pod, and which they take away.

Source: Karpenter `pkg/apis/v1/nodepool.go`, `nodepool_status.go`.
"""

from kexplain.objects.core import NodeSelectorRequirement, Taint
from kexplain.objects.meta import Condition, Int64, KubernetesObject, ObjectMeta, Record, ResourceList

#: The domain of Karpenter's own labels and taints.
KARPENTER = "karpenter.sh"
#: The label by which Karpenter's nodes name their NodePool.
NODE_POOL = f"{KARPENTER}/nodepool"


class NodeClassReference(Record, frozen=True):
    """Where the cloud's part of the configuration stands."""

    group: str = ""
    kind: str = ""
    name: str = ""


class NodeClaimSpec(Record, frozen=True):
    """What every node of a pool is like."""

    taints: tuple[Taint, ...] | None = None
    #: Pods need not tolerate them: something takes them off once the node is up.
    startup_taints: tuple[Taint, ...] | None = None
    requirements: tuple[NodeSelectorRequirement, ...] | None = None
    node_class_ref: NodeClassReference = NodeClassReference()


class NodeClaimTemplate(Record, frozen=True):
    """The template of a pool's nodes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: NodeClaimSpec = NodeClaimSpec()


class DisruptionBudget(Record, frozen=True):
    """How many of a pool's nodes may go at a time: a number or a share, for these reasons or all, at these times."""

    nodes: str = ""
    reasons: tuple[str, ...] | None = None
    schedule: str | None = None
    duration: str | None = None


class Disruption(Record, frozen=True):
    """When a pool's nodes are taken away."""

    consolidation_policy: str | None = None
    consolidate_after: str | None = None
    budgets: tuple[DisruptionBudget, ...] | None = None


class NodePoolSpec(Record, frozen=True):
    """Which nodes a pool adds, and how many at most. With `replicas` it keeps so many, whatever pods need.

    The pool with the greatest `weight` is asked first.
    """

    template: NodeClaimTemplate = NodeClaimTemplate()
    limits: ResourceList | None = None
    replicas: Int64 | None = None
    weight: Int64 | None = None
    disruption: Disruption = Disruption()


class NodePoolStatus(Record, frozen=True):
    """What a pool's nodes have in all."""

    resources: ResourceList | None = None
    conditions: tuple[Condition, ...] | None = None


class NodePool(KubernetesObject, frozen=True, tag_field="kind", tag="NodePool"):
    """A pool of nodes that Karpenter adds and removes."""

    spec: NodePoolSpec = NodePoolSpec()
    status: NodePoolStatus = NodePoolStatus()


class NodeClassStatus(Record, frozen=True):
    """Whether the cloud can make nodes of the class."""

    conditions: tuple[Condition, ...] | None = None


class NodeClass(KubernetesObject, frozen=True, tag_field="kind", tag="NodeClass"):
    """The cloud's part of how nodes are made; of EKS in its automatic mode, which calls it just so."""

    status: NodeClassStatus = NodeClassStatus()


class EC2NodeClass(NodeClass, frozen=True, tag_field="kind", tag="EC2NodeClass"):
    """That of AWS."""


class AKSNodeClass(NodeClass, frozen=True, tag_field="kind", tag="AKSNodeClass"):
    """That of Azure."""


#: All of them.
NODE_CLASSES = (EC2NodeClass, AKSNodeClass, NodeClass)
