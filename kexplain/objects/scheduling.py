"""The scheduling API group: priority classes, and groups of pods that are scheduled together; and runtime classes."""

from kexplain.objects.core import PodResourceClaim, PodResourceClaimStatus, Toleration
from kexplain.objects.meta import Condition, Int32, KubernetesObject, Labels, Record, ResourceList


class PriorityClass(KubernetesObject, frozen=True, tag_field="kind", tag="PriorityClass"):
    """A priority by name, without a namespace; more is more important."""

    value: Int32 = 0
    global_default: bool | None = None
    preemption_policy: str | None = None


class Overhead(Record, frozen=True):
    """What running a pod costs beyond its containers."""

    pod_fixed: ResourceList | None = None


class Scheduling(Record, frozen=True):
    """Where pods of a runtime class can run."""

    node_selector: Labels | None = None
    tolerations: tuple[Toleration, ...] | None = None


class RuntimeClass(KubernetesObject, frozen=True, tag_field="kind", tag="RuntimeClass"):
    """A container runtime, and where it is found."""

    handler: str | None = None
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None


# ---------------------------------------------------------------------------------------------- groups of pods


class GangSchedulingPolicy(Record, frozen=True):
    """So many pods of the group must be able to run at once."""

    min_count: Int32 = 0


class PodGroupSchedulingPolicy(Record, frozen=True):
    """How the pods of a group are scheduled: as a gang, or, without that, like any others."""

    gang: GangSchedulingPolicy | None = None


class TopologyConstraint(Record, frozen=True):
    """All pods of the group go to nodes with one value of this label."""

    key: str = ""


class PodGroupSchedulingConstraints(Record, frozen=True):
    """Where the pods of a group may be in relation to each other."""

    topology: tuple[TopologyConstraint, ...] | None = None


class NoSettings(Record, frozen=True):
    """A choice that is made by naming it."""


class DisruptionMode(Record, frozen=True):
    """How pods of a group are disrupted, from v1alpha3 on: each for itself, or all together."""

    single: NoSettings | None = None
    all: NoSettings | None = None


#: The mode of v1alpha2 for groups that are disrupted as a whole.
_AS_A_GROUP = "PodGroup"


class PodGroupSpec(Record, frozen=True):
    """How the pods of a group are scheduled together; the mode is a word in v1alpha2, and an object after that."""

    scheduling_policy: PodGroupSchedulingPolicy = PodGroupSchedulingPolicy()
    scheduling_constraints: PodGroupSchedulingConstraints | None = None
    disruption_mode: str | DisruptionMode | None = None
    priority_class_name: str | None = None
    priority: Int32 | None = None
    preemption_policy: str | None = None
    resource_claims: tuple[PodResourceClaim, ...] | None = None
    parent_composite_pod_group_name: str | None = None


class PodGroupStatus(Record, frozen=True):
    """What the scheduler has written of a group."""

    conditions: tuple[Condition, ...] | None = None
    resource_claim_statuses: tuple[PodResourceClaimStatus, ...] | None = None


class PodGroup(KubernetesObject, frozen=True, tag_field="kind", tag="PodGroup"):
    """Pods that are scheduled together, which name the group in their spec."""

    spec: PodGroupSpec = PodGroupSpec()
    status: PodGroupStatus = PodGroupStatus()

    @property
    def min_count(self) -> int | None:
        """How many pods must be able to run at once; None if the group is no gang."""
        gang = self.spec.scheduling_policy.gang
        return gang.min_count if gang else None

    @property
    def priority(self) -> int:
        """The priority of the group as a whole; 0 without one. Source: scheduler `util.PodGroupPriority`."""
        return self.spec.priority or 0

    @property
    def leaves_as_a_whole(self) -> bool:
        """Whether its pods are only disrupted together."""
        mode = self.spec.disruption_mode
        return mode.all is not None if isinstance(mode, DisruptionMode) else mode == _AS_A_GROUP

    @property
    def topology_key(self) -> str:
        """The label whose value all nodes of the group must share; empty without a constraint."""
        constraints = self.spec.scheduling_constraints
        topology = constraints.topology if constraints else None
        return topology[0].key if topology else ""


class WorkloadPodGroup(Record, frozen=True):
    """A group of a workload of v1alpha1, whose replicas are groups of their own."""

    name: str = ""
    policy: PodGroupSchedulingPolicy = PodGroupSchedulingPolicy()


class WorkloadSpec(Record, frozen=True):
    """The groups of v1alpha1; the templates of v1alpha2 say nothing that is not in the groups made of them."""

    pod_groups: tuple[WorkloadPodGroup, ...] | None = None


class Workload(KubernetesObject, frozen=True, tag_field="kind", tag="Workload"):
    """What consists of groups of pods."""

    spec: WorkloadSpec = WorkloadSpec()

    def group(self, name: str) -> WorkloadPodGroup | None:
        """Its group of that name. Source: scheduler `gangscheduling.podGroupPolicy` of 1.35."""
        return next((each for each in self.spec.pod_groups or () if each.name == name), None)
