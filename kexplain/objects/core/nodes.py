"""Nodes."""

from msgspec import field

from kexplain.objects.meta import Int64, KubernetesObject, ObjectMeta, Record, ResourceList


class Taint(Record, frozen=True):
    """What a node repels pods with."""

    key: str = ""
    value: str | None = None
    effect: str = ""

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


class NodeSpec(Record, frozen=True):
    """What an administrator said about a node."""

    unschedulable: bool | None = None
    pod_cidr: str | None = field(default=None, name="podCIDR")
    taints: tuple[Taint, ...] | None = None


class ContainerImage(Record, frozen=True):
    """An image that a node already holds, under all its names."""

    names: tuple[str, ...] | None = None
    size_bytes: Int64 | None = None


class NodeSystemInfo(Record, frozen=True):
    """What a node's kubelet reports about itself."""

    kubelet_version: str | None = None
    container_runtime_version: str | None = None
    kernel_version: str | None = None
    os_image: str | None = None


class NodeCondition(Record, frozen=True):
    """One condition of a node."""

    type: str = ""
    status: str = ""
    message: str | None = None
    last_heartbeat_time: str | None = None
    last_transition_time: str | None = None


class NodeAddress(Record, frozen=True):
    """A name or number by which a node is reached."""

    address: str = ""


class NodeStatus(Record, frozen=True):
    """What a node has, and how it is; `allocatable` leaves out what the system keeps for itself."""

    allocatable: ResourceList | None = None
    capacity: ResourceList | None = None
    images: tuple[ContainerImage, ...] | None = None
    declared_features: tuple[str, ...] | None = None
    node_info: NodeSystemInfo | None = None
    conditions: tuple[NodeCondition, ...] | None = None
    addresses: tuple[NodeAddress, ...] | None = None

    @property
    def kubelet_version(self) -> str:
        """The version of its kubelet; empty where that has not reported yet."""
        return (self.node_info.kubelet_version or "") if self.node_info else ""

    @property
    def ready(self) -> NodeCondition:
        """Whether it is ready, and since when; nothing where nobody says so."""
        return next((each for each in self.conditions or () if each.type == "Ready"), NodeCondition())


class NodeAnnotations(Record, frozen=True):
    """The controllers whose pods a node would rather not have, as JSON; the Cluster API machine set behind it; and
    whether autoscalers may take it away.
    """

    prefer_avoid_pods: str | None = field(default=None, name="scheduler.alpha.kubernetes.io/preferAvoidPods")
    machine_set: str | None = field(default=None, name="cluster.x-k8s.io/owner-name")
    scale_down_disabled: str | None = field(default=None, name="cluster-autoscaler.kubernetes.io/scale-down-disabled")
    do_not_disrupt: str | None = field(default=None, name="karpenter.sh/do-not-disrupt")


class NodeMeta(ObjectMeta, frozen=True):
    """The metadata of a node."""

    annotations: NodeAnnotations | None = None


class Node(KubernetesObject, frozen=True, tag_field="kind", tag="Node", eq=False):
    """A node, without a namespace."""

    metadata: NodeMeta = NodeMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()
