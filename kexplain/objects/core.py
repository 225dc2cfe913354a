"""The core API group: pods, nodes, and what else of it scheduling reads."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from kexplain.objects.meta import (
    Int32,
    Int64,
    KubernetesObject,
    Labels,
    LabelSelector,
    ObjectMeta,
    Record,
    ResourceList,
)

# ---------------------------------------------------------------------------------------------- containers


class ResourceClaimReference(Record, frozen=True):
    """A container's reference to an entry of `spec.resourceClaims`."""

    name: str | None = None
    request: str | None = None


class ResourceRequirements(Record, frozen=True):
    """What a container, or a whole pod, requests and is limited to."""

    requests: ResourceList | None = None
    limits: ResourceList | None = None
    claims: tuple[ResourceClaimReference, ...] | None = None


class ContainerPort(Record, frozen=True):
    """A port of a container; scheduling looks at host ports only."""

    name: str | None = None
    container_port: Int32 | None = None
    host_port: Int32 | None = None
    host_ip: str | None = msgspec.field(default=None, name="hostIP")
    protocol: str | None = None


class ContainerRestartRule(Record, frozen=True):
    """What is done when a container exits in a certain way."""

    action: str = ""


class Container(Record, frozen=True):
    """A container or init container."""

    name: str | None = None
    image: str | None = None
    resources: ResourceRequirements | None = None
    ports: tuple[ContainerPort, ...] | None = None
    restart_policy: str | None = None
    restart_policy_rules: tuple[ContainerRestartRule, ...] | None = None

    @property
    def restarts_always(self) -> bool:
        """Whether an init container is a sidecar, which runs as long as the pod does."""
        return self.restart_policy == "Always"


# ------------------------------------------------------------------------------------------------- affinity


class NodeSelectorRequirement(Record, frozen=True):
    """One expression over node labels or node fields."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] | None = None


class NodeSelectorTerm(Record, frozen=True):
    """Expressions that all must hold; an empty term matches no node."""

    match_expressions: tuple[NodeSelectorRequirement, ...] | None = None
    match_fields: tuple[NodeSelectorRequirement, ...] | None = None


class NodeSelector(Record, frozen=True):
    """Terms of which one must hold."""

    node_selector_terms: tuple[NodeSelectorTerm, ...] | None = None


class PreferredSchedulingTerm(Record, frozen=True):
    """A node selector term with a weight."""

    weight: Int32 = 0
    preference: NodeSelectorTerm = NodeSelectorTerm()


class NodeAffinity(Record, frozen=True):
    """Which nodes a pod needs or prefers."""

    required_during_scheduling_ignored_during_execution: NodeSelector | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[PreferredSchedulingTerm, ...] | None = None


class PodAffinityTerm(Record, frozen=True):
    """Which pods to be near to, or far from, within which topology."""

    label_selector: LabelSelector | None = None
    namespaces: tuple[str, ...] | None = None
    topology_key: str = ""
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] | None = None
    mismatch_label_keys: tuple[str, ...] | None = None


class WeightedPodAffinityTerm(Record, frozen=True):
    """A pod affinity term with a weight."""

    weight: Int32 = 0
    pod_affinity_term: PodAffinityTerm = PodAffinityTerm()


class PodAffinity(Record, frozen=True):
    """Required and preferred terms; the same shape serves anti-affinity."""

    required_during_scheduling_ignored_during_execution: tuple[PodAffinityTerm, ...] | None = None
    preferred_during_scheduling_ignored_during_execution: tuple[WeightedPodAffinityTerm, ...] | None = None


class Affinity(Record, frozen=True):
    """All affinities of a pod."""

    node_affinity: NodeAffinity | None = None
    pod_affinity: PodAffinity | None = None
    pod_anti_affinity: PodAffinity | None = None


class Toleration(Record, frozen=True):
    """Which taints a pod puts up with; see `selectors.tolerates`."""

    key: str | None = None
    operator: str | None = None
    value: str | None = None
    effect: str | None = None
    toleration_seconds: Int64 | None = None


class TopologySpreadConstraint(Record, frozen=True, omit_defaults=False):
    """How evenly pods must be spread over the values of a node label.

    It is written out in full, since whoever reads it takes what is missing for zero.
    """

    max_skew: Int32 = 1
    topology_key: str = ""
    when_unsatisfiable: str = "DoNotSchedule"
    label_selector: LabelSelector | None = None
    min_domains: Int32 | None = None
    node_affinity_policy: str | None = None
    node_taints_policy: str | None = None
    match_label_keys: tuple[str, ...] | None = None


# -------------------------------------------------------------------------------------------------- volumes


class PersistentVolumeClaimVolume(Record, frozen=True):
    """A volume that is a claim."""

    claim_name: str = ""
    read_only: bool | None = None


class GCEPersistentDisk(Record, frozen=True):
    """A GCE disk, in-line or behind a PersistentVolume."""

    pd_name: str = ""
    read_only: bool | None = None


class AWSElasticBlockStore(Record, frozen=True):
    """An EBS volume."""

    volume_id: str = msgspec.field(default="", name="volumeID")
    read_only: bool | None = None


class AzureDisk(Record, frozen=True):
    """An Azure disk; only managed ones can be migrated to CSI."""

    disk_name: str = ""
    disk_uri: str = msgspec.field(default="", name="diskURI")
    kind: str | None = None


class AzureFile(Record, frozen=True):
    """An Azure file share; scheduling reads only that it is one."""


class Cinder(Record, frozen=True):
    """An OpenStack volume."""

    volume_id: str = msgspec.field(default="", name="volumeID")


class PortworxVolume(Record, frozen=True):
    """A Portworx volume."""

    volume_id: str = msgspec.field(default="", name="volumeID")


class VsphereVolume(Record, frozen=True):
    """A vSphere disk; scheduling reads only that it is one."""


class ISCSI(Record, frozen=True):
    """An in-line iSCSI volume."""

    iqn: str = ""
    lun: Int32 | None = None
    target_portal: str | None = None
    read_only: bool | None = None


class RBD(Record, frozen=True):
    """An in-line Ceph RBD image."""

    monitors: tuple[str, ...] | None = None
    image: str = ""
    pool: str | None = None
    read_only: bool | None = None


class VolumeResourceRequirements(Record, frozen=True):
    """How much a claim asks for."""

    requests: ResourceList | None = None


class PersistentVolumeClaimSpec(Record, frozen=True):
    """What a claim asks for, and the volume that it got."""

    access_modes: tuple[str, ...] | None = None
    selector: LabelSelector | None = None
    resources: VolumeResourceRequirements | None = None
    volume_name: str | None = None
    storage_class_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None


class PersistentVolumeClaimTemplate(Record, frozen=True):
    """The claim that is made for a generic ephemeral volume."""

    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()


class EphemeralVolume(Record, frozen=True):
    """A generic ephemeral volume: its claim is made for the pod, and named after both."""

    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class ImageVolume(Record, frozen=True):
    """An OCI image mounted as a volume."""

    reference: str | None = None


class CSIVolume(Record, frozen=True):
    """An in-line CSI volume."""

    driver: str = ""


class EmptyDirVolume(Record, frozen=True):
    """Local storage, which is lost with the pod."""


class Volume(Record, frozen=True):
    """A volume of a pod; sources that neither scheduling nor draining reads are not kept."""

    name: str | None = None
    persistent_volume_claim: PersistentVolumeClaimVolume | None = None
    ephemeral: EphemeralVolume | None = None
    empty_dir: EmptyDirVolume | None = None
    image: ImageVolume | None = None
    csi: CSIVolume | None = None
    gce_persistent_disk: GCEPersistentDisk | None = None
    aws_elastic_block_store: AWSElasticBlockStore | None = None
    azure_disk: AzureDisk | None = None
    azure_file: AzureFile | None = None
    cinder: Cinder | None = None
    portworx_volume: PortworxVolume | None = None
    vsphere_volume: VsphereVolume | None = None
    iscsi: ISCSI | None = None
    rbd: RBD | None = None


# ----------------------------------------------------------------------------------------------------- pods


class PodSchedulingGate(Record, frozen=True):
    """A gate that keeps a pod out of the scheduling queue."""

    name: str = ""


class PodResourceClaim(Record, frozen=True):
    """A claim on dynamic resources, by name or by template."""

    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSpec(Record, frozen=True):
    """What a pod asks for."""

    node_name: str | None = None
    node_selector: Labels | None = None
    affinity: Affinity | None = None
    tolerations: tuple[Toleration, ...] | None = None
    topology_spread_constraints: tuple[TopologySpreadConstraint, ...] | None = None
    containers: tuple[Container, ...] | None = None
    init_containers: tuple[Container, ...] | None = None
    resources: ResourceRequirements | None = None
    overhead: ResourceList | None = None
    priority: Int32 | None = None
    priority_class_name: str | None = None
    preemption_policy: str | None = None
    scheduler_name: str | None = None
    scheduling_gates: tuple[PodSchedulingGate, ...] | None = None
    host_network: bool | None = None
    host_users: bool | None = None
    runtime_class_name: str | None = None
    volumes: tuple[Volume, ...] | None = None
    resource_claims: tuple[PodResourceClaim, ...] | None = None


class PodCondition(Record, frozen=True):
    """One condition of a pod."""

    type: str = ""
    status: str = ""
    reason: str | None = None


class ContainerStatus(Record, frozen=True):
    """What a running container was given, which an in-place resize may tell apart from its spec."""

    name: str = ""
    allocated_resources: ResourceList | None = None
    resources: ResourceRequirements | None = None


class PodResourceClaimStatus(Record, frozen=True):
    """The claim that was generated for an entry of `spec.resourceClaims`; none where that was left out."""

    name: str = ""
    resource_claim_name: str | None = None


class PodStatus(Record, frozen=True):
    """Where a pod stands."""

    phase: str | None = None
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: tuple[PodCondition, ...] | None = None
    container_statuses: tuple[ContainerStatus, ...] | None = None
    init_container_statuses: tuple[ContainerStatus, ...] | None = None
    allocated_resources: ResourceList | None = None
    resources: ResourceRequirements | None = None
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] | None = None


class PodAnnotations(Record, frozen=True):
    """What tells a mirror pod, which stands for a static pod of a kubelet, from others."""

    mirror: str | None = msgspec.field(default=None, name="kubernetes.io/config.mirror")


class PodMeta(ObjectMeta, frozen=True):
    """The metadata of a pod."""

    annotations: PodAnnotations | None = None


class Pod(KubernetesObject, frozen=True, tag_field="kind", tag="Pod", eq=False):
    """A pod; compared by identity, since two reads of one pod are one pod."""

    metadata: PodMeta = PodMeta()
    spec: PodSpec = PodSpec()
    status: PodStatus = PodStatus()

    @property
    def uid(self) -> str:
        """The pod's uid, or its key where a manifest has none."""
        return self.metadata.uid or self.key

    @property
    def priority(self) -> int:
        """The pod's priority; 0 without one. Source: component-helpers `PodPriority`."""
        return self.spec.priority or 0

    @property
    def is_terminated(self) -> bool:
        """Whether the pod has finished: kube-scheduler does not see such pods at all."""
        return self.status.phase in ("Succeeded", "Failed")

    @property
    def is_mirror(self) -> bool:
        """Whether the pod stands for a static pod: only its node's kubelet can make it go."""
        annotations, owner = self.metadata.annotations, self.metadata.controller
        return (annotations is not None and annotations.mirror is not None) or (
            owner is not None and owner.kind == "Node"
        )

    @property
    def is_ready(self) -> bool:
        """Whether the pod serves, and counts as healthy."""
        return any(each.type == "Ready" and each.status == "True" for each in self.status.conditions or ())


class PodTemplateSpec(Record, frozen=True):
    """The pod that a workload makes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: PodSpec = PodSpec()


# ---------------------------------------------------------------------------------------------------- nodes


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
    taints: tuple[Taint, ...] | None = None


class ContainerImage(Record, frozen=True):
    """An image that a node already holds, under all its names."""

    names: tuple[str, ...] | None = None
    size_bytes: Int64 | None = None


class NodeSystemInfo(Record, frozen=True):
    """What a node's kubelet says of itself."""

    kubelet_version: str | None = None


class NodeCondition(Record, frozen=True):
    """One condition of a node."""

    type: str = ""
    status: str = ""


class NodeStatus(Record, frozen=True):
    """What a node offers."""

    allocatable: ResourceList | None = None
    capacity: ResourceList | None = None
    images: tuple[ContainerImage, ...] | None = None
    declared_features: tuple[str, ...] | None = None
    node_info: NodeSystemInfo | None = None
    conditions: tuple[NodeCondition, ...] | None = None


class NodeAnnotations(Record, frozen=True):
    """The controllers whose pods a node would rather not have, as JSON."""

    prefer_avoid_pods: str | None = msgspec.field(default=None, name="scheduler.alpha.kubernetes.io/preferAvoidPods")


class NodeMeta(ObjectMeta, frozen=True):
    """The metadata of a node."""

    annotations: NodeAnnotations | None = None


class Node(KubernetesObject, frozen=True, tag_field="kind", tag="Node", eq=False):
    """A node."""

    is_namespaced: ClassVar[bool] = False

    metadata: NodeMeta = NodeMeta()
    spec: NodeSpec = NodeSpec()
    status: NodeStatus = NodeStatus()


# ------------------------------------------------------------------------------------------ everything else


class NamespaceAnnotations(Record, frozen=True):
    """What optional admission plugins read of a namespace."""

    node_selector: str | None = msgspec.field(default=None, name="scheduler.alpha.kubernetes.io/node-selector")
    default_tolerations: str | None = msgspec.field(
        default=None, name="scheduler.alpha.kubernetes.io/defaultTolerations"
    )
    tolerations_whitelist: str | None = msgspec.field(
        default=None, name="scheduler.alpha.kubernetes.io/tolerationsWhitelist"
    )


class NamespaceMeta(ObjectMeta, frozen=True):
    """The metadata of a namespace."""

    annotations: NamespaceAnnotations | None = None


class Namespace(KubernetesObject, frozen=True, tag_field="kind", tag="Namespace"):
    """A namespace; scheduling reads its labels, admission some annotations."""

    is_namespaced: ClassVar[bool] = False

    metadata: NamespaceMeta = NamespaceMeta()

    @property
    def annotations(self) -> NamespaceAnnotations:
        """The annotations; never None."""
        return self.metadata.annotations or NamespaceAnnotations()


class ServiceSpec(Record, frozen=True):
    """Which pods a service sends traffic to."""

    selector: Labels | None = None


class Service(KubernetesObject, frozen=True, tag_field="kind", tag="Service"):
    """A service; pods that it selects are spread by default."""

    spec: ServiceSpec = ServiceSpec()


class ReplicationControllerSpec(Record, frozen=True):
    """How many of which pod."""

    replicas: Int32 | None = None
    selector: Labels | None = None
    template: PodTemplateSpec | None = None


class ReplicationController(KubernetesObject, frozen=True, tag_field="kind", tag="ReplicationController"):
    """A replication controller."""

    spec: ReplicationControllerSpec = ReplicationControllerSpec()


class PodTemplate(KubernetesObject, frozen=True, tag_field="kind", tag="PodTemplate"):
    """A pod template that stands alone."""

    template: PodTemplateSpec | None = None


class LimitRangeItem(Record, frozen=True):
    """Bounds and defaults for containers, pods or claims of a namespace."""

    type: str = ""
    max: ResourceList | None = None
    min: ResourceList | None = None
    default: ResourceList | None = None
    default_request: ResourceList | None = None
    max_limit_request_ratio: ResourceList | None = None


class LimitRangeSpec(Record, frozen=True):
    """All bounds of one LimitRange."""

    limits: tuple[LimitRangeItem, ...] | None = None


class LimitRange(KubernetesObject, frozen=True, tag_field="kind", tag="LimitRange"):
    """Bounds and defaults of a namespace."""

    spec: LimitRangeSpec = LimitRangeSpec()


class ScopedResourceSelectorRequirement(Record, frozen=True):
    """Which pods a quota counts, by one of its scopes."""

    scope_name: str = ""
    operator: str = ""
    values: tuple[str, ...] | None = None


class ScopeSelector(Record, frozen=True):
    """Scopes that all must hold."""

    match_expressions: tuple[ScopedResourceSelectorRequirement, ...] | None = None


class ResourceQuotaSpec(Record, frozen=True):
    """What a quota allows in all."""

    hard: ResourceList | None = None
    scopes: tuple[str, ...] | None = None
    scope_selector: ScopeSelector | None = None


class ResourceQuotaStatus(Record, frozen=True):
    """What is enforced, and what is used up."""

    hard: ResourceList | None = None
    used: ResourceList | None = None


class ResourceQuota(KubernetesObject, frozen=True, tag_field="kind", tag="ResourceQuota"):
    """What the pods of a namespace may have in all."""

    spec: ResourceQuotaSpec = ResourceQuotaSpec()
    status: ResourceQuotaStatus = ResourceQuotaStatus()
