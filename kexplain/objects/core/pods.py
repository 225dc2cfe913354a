"""Pods."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from kexplain.objects.core.containers import (
    Container,
    ContainerStatus,
    ResourceRequirements,
    SecurityContext,
    WithResources,
)
from kexplain.objects.core.placement import (
    Affinity,
    NodeSelector,
    NodeSelectorTerm,
    PodAffinityTerm,
    PreferredSchedulingTerm,
    Toleration,
    TopologySpreadConstraint,
)
from kexplain.objects.core.volumes import Volume
from kexplain.objects.meta import (
    Condition,
    Int32,
    Int64,
    KubernetesObject,
    Labels,
    ObjectMeta,
    OwnerReference,
    RawQuantity,
    Record,
    ResourceList,
)
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME


class PodSchedulingGate(Record, frozen=True):
    """A gate that keeps a pod out of the scheduling queue."""

    name: str = ""


class PodReadinessGate(Record, frozen=True):
    """A condition of the pod that somebody else than its kubelet has to set before it is ready."""

    condition_type: str = ""


class PodResourceClaim(Record, frozen=True):
    """A claim on dynamic resources, by name or by template."""

    name: str = ""
    resource_claim_name: str | None = None
    resource_claim_template_name: str | None = None


class PodSchedulingGroup(Record, frozen=True):
    """The PodGroup that a pod belongs to, from 1.36 on."""

    pod_group_name: str | None = None


class WorkloadReference(Record, frozen=True):
    """The group of a Workload that a pod belongs to, and which replica of the group, in 1.35."""

    name: str = ""
    pod_group: str = ""
    pod_group_replica_key: str | None = None


class GroupName(NamedTuple):
    """What pods of one group have in common; `workload` and `replica` are empty where a group is an object itself."""

    namespace: str
    name: str
    workload: str = ""
    replica: str = ""

    def __str__(self) -> str:
        parts = (self.workload, self.name, self.replica)
        return f"{self.namespace}/{'/'.join(part for part in parts if part)}"


class PodOS(Record, frozen=True):
    """The operating system of the containers."""

    name: str = ""


class PodSpec(WithResources, Record, frozen=True):
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
    readiness_gates: tuple[PodReadinessGate, ...] | None = None
    host_network: bool | None = None
    host_pid: bool | None = msgspec.field(default=None, name="hostPID")
    host_ipc: bool | None = msgspec.field(default=None, name="hostIPC")
    host_users: bool | None = None
    runtime_class_name: str | None = None
    volumes: tuple[Volume, ...] | None = None
    resource_claims: tuple[PodResourceClaim, ...] | None = None
    service_account_name: str | None = None
    #: The name that `serviceAccountName` had, which counts where that is not set.
    service_account: str | None = None
    active_deadline_seconds: Int64 | None = None
    scheduling_group: PodSchedulingGroup | None = None
    workload_ref: WorkloadReference | None = None
    security_context: SecurityContext | None = None
    os: PodOS | None = None

    @property
    def every_container(self) -> tuple[Container, ...]:
        """The init containers, then the others."""
        return (*(self.init_containers or ()), *(self.containers or ()))

    def placed_containers(self) -> Iterator[tuple[tuple[str, int], Container]]:
        """Every container with where it stands in the spec, the init containers last."""
        for field, containers in (("containers", self.containers), ("initContainers", self.init_containers)):
            for index, container in enumerate(containers or ()):
                yield (field, index), container

    @property
    def required_nodes(self) -> NodeSelector | None:
        """The selector of required node affinity."""
        rules = self.affinity.node_affinity if self.affinity else None
        return rules.required if rules else None

    @property
    def required_node_terms(self) -> tuple[NodeSelectorTerm, ...]:
        """The alternatives of required node affinity; empty where there is none."""
        required = self.required_nodes
        return (required.node_selector_terms or ()) if required else ()

    @property
    def preferred_nodes(self) -> tuple[PreferredSchedulingTerm, ...] | None:
        """The terms of preferred node affinity; None where there are none, not even an empty list."""
        rules = self.affinity.node_affinity if self.affinity else None
        return rules.preferred if rules else None

    @property
    def required_affinity(self) -> tuple[PodAffinityTerm, ...]:
        """The terms about pods that it must be near to."""
        near = self.affinity.pod_affinity if self.affinity else None
        return (near.required or ()) if near else ()

    @property
    def required_anti_affinity(self) -> tuple[PodAffinityTerm, ...]:
        """The terms about pods that it must be away from."""
        apart = self.affinity.pod_anti_affinity if self.affinity else None
        return (apart.required or ()) if apart else ()


class PodResourceClaimStatus(Record, frozen=True):
    """The claim that was generated for an entry of `spec.resourceClaims`; none where that was left out."""

    name: str = ""
    resource_claim_name: str | None = None


# What devices take of a node's own resources, behind gate DRANodeAllocatableResources.


class NodeAllocatableMapping(Record, frozen=True):
    """How much of a resource a device is, by itself or for each unit of a capacity; 1.36 has one field for both."""

    capacity_key: str | None = None
    capacity_multiplier: RawQuantity | None = None
    device_multiplier: RawQuantity | None = None
    allocation_multiplier: RawQuantity | None = None


class NodeAllocatableOverhead(Record, frozen=True):
    """What a device takes of a resource for each pod and each container that uses it."""

    per_pod: RawQuantity | None = None
    per_container: RawQuantity | None = None


class NodeAllocatableResource(Record, frozen=True):
    """What a device takes of one resource."""

    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


class ClaimedResource(Record, frozen=True):
    """What a claim takes of one resource: a `quantity` that its devices are, or the overheads of using them."""

    name: str = ""
    quantity: RawQuantity | None = None
    per_pod: RawQuantity | None = None
    per_container: RawQuantity | None = None


class NodeAllocatableResourceClaimStatus(Record, frozen=True):
    """What a claim takes of the pod's node, as the scheduler wrote it: `resources` in 1.36, the others from 1.37 on."""

    resource_claim_name: str = ""
    containers: tuple[str, ...] | None = None
    resources: ResourceList | None = None
    mapping: tuple[ClaimedResource, ...] | None = None
    overhead: tuple[ClaimedResource, ...] | None = None


class PodStatus(Record, frozen=True):
    """What the scheduler and the kubelet have written of a pod; all of it is empty in a manifest."""

    phase: str | None = None
    reason: str | None = None
    message: str | None = None
    start_time: str | None = None
    nominated_node_name: str | None = None
    conditions: tuple[Condition, ...] | None = None
    container_statuses: tuple[ContainerStatus, ...] | None = None
    init_container_statuses: tuple[ContainerStatus, ...] | None = None
    allocated_resources: ResourceList | None = None
    resources: ResourceRequirements | None = None
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] | None = None
    node_allocatable_resource_claim_statuses: tuple[NodeAllocatableResourceClaimStatus, ...] | None = None


#: What all annotations of kube-scheduler-simulator begin with.
SIMULATOR = "kube-scheduler-simulator.sigs.k8s.io/"
#: When a pod of a trace comes, and how long it runs, in seconds.
ARRIVAL, DURATION = "kexplain/arrival", "kexplain/duration"
#: How much of one GPU a pod takes, in thousandths, where something shares GPUs.
GPU_MILLI = "alibabacloud.com/gpu-milli"


class PodAnnotations(Record, frozen=True):
    """What identifies a mirror pod, which stands for a static pod of a kubelet; what it costs a replica set to do
    without the pod; what others wrote: the simulator, schedulers that start pods in groups, and those that share GPUs;
    and when a pod of a trace comes and how long it runs.
    """

    mirror: str | None = msgspec.field(default=None, name="kubernetes.io/config.mirror")
    deletion_cost: str | None = msgspec.field(default=None, name="controller.kubernetes.io/pod-deletion-cost")
    filter_result: str | None = msgspec.field(default=None, name=f"{SIMULATOR}filter-result")
    final_score_result: str | None = msgspec.field(default=None, name=f"{SIMULATOR}finalscore-result")
    selected_node: str | None = msgspec.field(default=None, name=f"{SIMULATOR}selected-node")
    volcano_group: str | None = msgspec.field(default=None, name="scheduling.k8s.io/group-name")
    kai_group: str | None = msgspec.field(default=None, name="pod-group-name")
    yunikorn_app: str | None = msgspec.field(default=None, name="yunikorn.apache.org/app-id")
    yunikorn_queue: str | None = msgspec.field(default=None, name="yunikorn.apache.org/queue")
    yunikorn_task_group: str | None = msgspec.field(default=None, name="yunikorn.apache.org/task-group-name")
    safe_to_evict: str | None = msgspec.field(default=None, name="cluster-autoscaler.kubernetes.io/safe-to-evict")
    safe_local_volumes: str | None = msgspec.field(
        default=None, name="cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"
    )
    do_not_disrupt: str | None = msgspec.field(default=None, name="karpenter.sh/do-not-disrupt")
    arrival: str | None = msgspec.field(default=None, name=ARRIVAL)
    duration: str | None = msgspec.field(default=None, name=DURATION)
    gpu_milli: str | None = msgspec.field(default=None, name=GPU_MILLI)


class PodMeta(ObjectMeta, frozen=True):
    """The metadata of a pod."""

    finalizers: tuple[str, ...] | None = None
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
    def scheduler_name(self) -> str:
        """Who places it. An API server always fills it in: only manifests, and dumps that were edited, lack it."""
        return self.spec.scheduler_name or DEFAULT_SCHEDULER_NAME

    @property
    def group(self) -> GroupName | None:
        """The group that the pod is scheduled with, where that is done at all."""
        spec = self.spec
        if spec.scheduling_group is not None:
            return GroupName(self.namespace, spec.scheduling_group.pod_group_name or "")
        if spec.workload_ref is not None:
            ref = spec.workload_ref
            return GroupName(self.namespace, ref.pod_group, ref.name, ref.pod_group_replica_key or "")
        return None

    @property
    def as_owner(self) -> OwnerReference:
        """How what is made for the pod, such as an ephemeral claim, refers to it."""
        return OwnerReference(api_version="v1", kind="Pod", name=self.name, uid=self.metadata.uid, controller=True)

    @property
    def is_terminated(self) -> bool:
        """Whether the pod has finished: kube-scheduler does not see such pods at all."""
        return self.status.phase in ("Succeeded", "Failed")

    @property
    def is_held_by_finalizer(self) -> bool:
        """Whether it has ended, is deleted, and is there until somebody takes its finalizers off."""
        return self.is_terminated and bool(self.metadata.deletion_timestamp and self.metadata.finalizers)

    @property
    def may_be_stopped(self) -> bool:
        """Whether the status of a pod with a node may say that it does not run, or not as it should."""
        status = self.status
        if status.phase == "Running" and self.metadata.deletion_timestamp is None:
            return any(map(tells, status.conditions or ()))
        return status.phase == "Failed" or bool(self.spec.node_name and status.phase != "Succeeded")

    @property
    def is_started(self) -> bool:
        """Whether the kubelet of its node has started a container of it, as far as is known."""
        return self.status.phase != "Pending"

    @property
    def is_mirror(self) -> bool:
        """Whether the pod stands for a static pod: only its node's kubelet can make it go."""
        notes, owner = self.metadata.annotations, self.metadata.controller
        return (notes is not None and notes.mirror is not None) or (owner is not None and owner.kind == "Node")

    @property
    def comes_along(self) -> bool:
        """Whether every node of a pool has a pod like this one: of a DaemonSet, or of its kubelet."""
        owner = self.metadata.controller
        return self.is_mirror or (owner is not None and owner.kind == "DaemonSet")

    @property
    def unscheduled(self) -> Condition | None:
        """What the scheduler last wrote about a pod that has no node; None if nobody has."""
        found = (each for each in self.status.conditions or () if each.type == "PodScheduled")
        return next((each for each in found if each.status == "False"), None)

    @property
    def is_ready(self) -> bool:
        """Whether the pod serves, and counts as healthy."""
        return any(each.type == "Ready" and each.status == "True" for each in self.status.conditions or ())


#: Conditions that only pods in trouble have.
_TELLING = frozenset(("DisruptionTarget", "PodResizePending", "PodResizeInProgress"))


def tells(condition: Condition) -> bool:
    """Whether a condition of a running pod says that it does not run as it should."""
    return condition.type in _TELLING or (condition.type, condition.status) == ("Ready", "False")


class TemplateMeta(ObjectMeta, frozen=True):
    """The metadata of a template; what is noted on it tells revisions apart."""

    annotations: Labels | None = None


class PodTemplateSpec(Record, frozen=True):
    """The pod that a workload makes."""

    metadata: TemplateMeta = TemplateMeta()
    spec: PodSpec = PodSpec()
