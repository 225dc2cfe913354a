"""What tells the releases of Kubernetes apart, one row each: feature gates, and changes that no gate governs.

Source: `pkg/features/kube_features.go` and `pkg/scheduler` of the releases from 1.22 to 1.36; for 1.37 and the alphas
of 1.38 the gates of their schedulers, their release notes and the pull requests behind them.
"""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode


class Maturity(StrEnum):
    """How far a gate has come."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"
    DEPRECATED = "deprecated"


class Concern(StrEnum):
    """The pods that a gate can make a difference for."""

    EVERY_POD = "every pod"
    CLAIMS = "pods that ask for devices"


class GateStage(Struct, frozen=True):
    """How a gate stands from a release on, until its next stage. A locked gate cannot be set otherwise."""

    release: str
    maturity: Maturity
    is_on: bool = False
    is_locked: bool = False


def _alpha(release: str) -> GateStage:
    return GateStage(release, Maturity.ALPHA)


def _beta(release: str, *, is_on: bool = True) -> GateStage:
    return GateStage(release, Maturity.BETA, is_on)


def _ga(release: str, *, is_locked: bool = True) -> GateStage:
    return GateStage(release, Maturity.GA, is_on=True, is_locked=is_locked)


class Gate(Struct, frozen=True):
    """A feature gate that bears on decisions.

    `field` is what it sets, of Features or RequestRules; without one, it is built only as `stages` has it by default.
    `until` is the release that no longer knows it; then it stands like the gate that it is `merged_into`, if any.
    `built_since` is the first whose behaviour with the gate on is built. What is not built may concern only some pods.
    """

    name: str
    stages: tuple[GateStage, ...]
    effect: str
    field: str = ""
    until: str = ""
    merged_into: str = ""
    built_since: str = ""
    concerns: Concern = Concern.EVERY_POD


class Change(Struct, frozen=True):
    """A change of behaviour that no gate governs.

    `field`, of Features or RequestRules, is on from `since` on, and off again from `until` on.
    """

    field: str
    effect: str
    since: str = ""
    until: str = ""


#: The rows of the file beside this module.
CHANGES = decode((Path(__file__).parent / "changes.json").read_bytes(), type=tuple[Change, ...])

# A table, a row each.
# fmt: off
GATES = (
    Gate("CSIMigration", (_beta("1.17"), _ga("1.25")), "In-tree volumes can count as CSI volumes, plugin by plugin.",
         field="csi_migration", until="1.27"),
    Gate("CSIMigrationAWS", (_beta("1.17", is_on=False), _beta("1.23"), _ga("1.25")), "EBS volumes can count as CSI "
         "volumes.", field="aws_migration", until="1.27"),
    Gate("CSIMigrationAzureDisk",
         (_beta("1.19", is_on=False), _beta("1.23"), _ga("1.24", is_locked=False), _ga("1.25")), "Azure disks can "
         "count as CSI volumes.", field="azure_disk_migration", until="1.27"),
    Gate("CSIMigrationGCE", (_beta("1.17", is_on=False), _beta("1.23"), _ga("1.25")), "GCE disks can count as CSI "
         "volumes.", field="gce_migration", until="1.28"),
    Gate("CSIMigrationOpenStack", (_beta("1.18"), _ga("1.24")), "Cinder volumes can count as CSI volumes.",
         field="cinder_migration", until="1.26"),
    Gate("CSIMigrationPortworx", (_alpha("1.23"), _beta("1.25", is_on=False), _beta("1.31"), _ga("1.33")), "Portworx "
         "volumes can count as CSI volumes.", field="portworx_migration", until="1.36"),
    Gate("CSIMigrationRBD", (_alpha("1.23"), GateStage("1.28", Maturity.DEPRECATED)), "RBD volumes can count as CSI "
         "volumes.", until="1.31"),
    Gate("CompositePodGroup", (_alpha("1.37"),), "Groups of pods can consist of groups."),
    Gate("CSIStorageCapacity", (_beta("1.21"), _ga("1.24")), "VolumeBinding looks at the capacity that CSI drivers "
         "publish.", until="1.28"),
    Gate("DRAAdminAccess", (_alpha("1.32"), _beta("1.34"), _ga("1.36")), "Claims can ask for devices with "
         "administrative access, taken or not.", field="device_admin_access"),
    Gate("DRAConsumableCapacity", (_alpha("1.34"), _beta("1.36")), "Several claims can share a device by its capacity.",
         field="consumable_capacity"),
    Gate("DRAControlPlaneController", (_alpha("1.31"),), "Controllers of drivers allocate devices to claims that name "
         "them, node by node in a PodSchedulingContext.", field="device_controllers", until="1.32", built_since="1.32",
         concerns=Concern.CLAIMS),
    Gate("DRADeviceBindingConditions", (_alpha("1.34"), _beta("1.36")), "Devices can be made ready before a pod is "
         "bound.", field="device_binding_conditions"),
    Gate("DRADeviceTaintRules", (_alpha("1.35"), _beta("1.36", is_on=False), _ga("1.37", is_locked=False), _ga("1.38")),
         "DeviceTaintRules taint devices.", field="device_taint_rules"),
    Gate("DRADeviceTaints", (_alpha("1.33"), _beta("1.36"), _ga("1.37", is_locked=False), _ga("1.38")), "Taints of "
         "devices keep claims from getting them.", field="device_taints"),
    Gate("DRAExtendedResource", (_alpha("1.34"), _beta("1.36"), _ga("1.37")), "Device classes can stand for extended "
         "resources.", field="extended_resources_of_classes"),
    Gate("DRADerivedAttributes", (_alpha("1.37"),), "Claims can derive attributes of devices by expressions.",
         field="derived_attributes"),
    Gate("DRADeviceCompatibilityGroups", (_alpha("1.37"),), "Devices that draw on the same counters must be of a "
         "common group.", field="compatibility_groups"),
    Gate("DRAFractionalCapacityRange", (_beta("1.37"),), "The range of capacities that a device lets claims ask for "
         "can be of thousandths.", field="fractional_capacity_ranges"),
    Gate("DRAListTypeAttributes", (_alpha("1.36"),), "Attributes of devices can be lists.", field="list_attributes"),
    Gate("DRANodeAllocatableResources", (_alpha("1.36"),), "Claims for CPU and memory count against what a node has "
         "allocatable.", field="node_allocatable_claims"),
    Gate("DRAPartitionableDevices", (_alpha("1.33"), _beta("1.36")), "Devices can draw on counters that they share.",
         field="partitionable_devices"),
    Gate("DRAPrioritizedList", (_alpha("1.33"), _beta("1.34"), _ga("1.36", is_locked=False), _ga("1.37")), "Requests "
         "for devices can name alternatives.", field="device_alternatives"),
    Gate("DRAResourceClaimDeviceStatus", (_alpha("1.32"), _beta("1.33"), _ga("1.37")), "What drivers report of "
         "allocated devices counts.", field="device_status"),
    Gate("DRASchedulerFilterTimeout", (_beta("1.34"),), "The search for devices for a node ends after some seconds; "
         "here it is never cut short.", field="device_search_has_timeout"),
    Gate("DRAWorkloadResourceClaims", (_alpha("1.36"), _beta("1.37", is_on=False)), "Claims can belong to a group of "
         "pods.", field="claims_of_groups"),
    Gate("DefaultPodTopologySpread", (_beta("1.20"), _ga("1.24")), "PodTopologySpread spreads pods by default, in "
         "place of SelectorSpread.", until="1.26"),
    Gate("DynamicResourceAllocation",
         (_alpha("1.26"), _beta("1.32", is_on=False), _ga("1.34", is_locked=False), _ga("1.35")), "DynamicResources is "
         "on, and allocates devices to claims.", field="dynamic_resources", until="1.38", built_since="1.31"),
    Gate("GangScheduling", (_alpha("1.35"),), "GangScheduling is on: pods of a gang wait until enough of them can run.",
         field="gangs", until="1.37", merged_into="GenericWorkload"),
    Gate("GenericEphemeralVolume", (_beta("1.21"), _ga("1.23")), "Pods can have generic ephemeral volumes.",
         until="1.25"),
    Gate("GenericWorkload", (_alpha("1.35"), _beta("1.37", is_on=False)), "Pods can belong to a group.",
         field="pod_groups"),
    Gate("InPlacePodLevelResourcesVerticalScaling", (_alpha("1.35"), _beta("1.36")), "A resize of what a pod requests "
         "as a whole counts until the kubelet has carried it out.", field="in_place_pod_level_vertical_scaling"),
    Gate("InPlacePodVerticalScaling", (_alpha("1.27"), _beta("1.33"), _ga("1.35")), "A resize of running containers "
         "counts until the kubelet has carried it out.", field="in_place_vertical_scaling", built_since="1.33"),
    Gate("InPlacePodVerticalScalingSchedulerPreemption", (_alpha("1.37"),), "Pods are evicted to make room for the "
         "resize of another."),
    Gate("LocalStorageCapacityIsolation", (_beta("1.10"), _ga("1.25")), "Requests for ephemeral storage count.",
         until="1.27"),
    Gate("MatchLabelKeysInPodTopologySpread", (_alpha("1.25"), _beta("1.27")), "matchLabelKeys of spread constraints "
         "count.", field="match_label_keys_in_spread", built_since="1.27"),
    Gate("MinDomainsInPodTopologySpread", (_alpha("1.24"), _beta("1.25", is_on=False), _beta("1.27"), _ga("1.30")),
         "minDomains of spread constraints counts.", field="spread_min_domains", until="1.32"),
    Gate("NodeDeclaredFeatures", (_alpha("1.35"), _beta("1.36"), _ga("1.37")), "NodeDeclaredFeatures is on: pods that "
         "use new kubelet features need nodes that declare them.", field="node_declared_features"),
    Gate("NodeInclusionPolicyInPodTopologySpread", (_alpha("1.25"), _beta("1.26"), _ga("1.33")), "nodeAffinityPolicy "
         "and nodeTaintsPolicy of spread constraints count.", field="node_inclusion_policy", built_since="1.26"),
    Gate("NonPreemptingPriority", (_beta("1.19"), _ga("1.24")), "Pods can have a preemption policy of Never.",
         until="1.26"),
    Gate("PodAffinityNamespaceSelector", (_beta("1.22"), _ga("1.24")), "namespaceSelector of pod affinity terms "
         "counts.", until="1.26"),
    Gate("PodDisruptionConditions", (_beta("1.27"), _ga("1.31")), "While a pod waits for its nominated node, only pods "
         "that were preempted there keep it from preempting others, not all that are terminating.",
         field="only_preempted_pods_terminate", until="1.34"),
    Gate("OpportunisticBatching", (_beta("1.35"),), "A pod may get the node that was second best for the identical pod "
         "before it; here each is ranked anew.", field="alike_pods_may_share_a_ranking"),
    Gate("PodGroupPreemptionPolicy", (_alpha("1.37"),), "Whether a group may preempt is said by the group, no longer "
         "by its pods.", field="group_preemption_policies"),
    Gate("PodOverhead", (_beta("1.18"), _ga("1.24")), "What a runtime class adds to a pod counts.", until="1.26"),
    Gate("PodSchedulingReadiness", (_alpha("1.26"), _beta("1.27"), _ga("1.30")), "Pods with scheduling gates wait.",
         field="pod_scheduling_gates", until="1.38"),
    Gate("PreferNominatedNode", (_beta("1.22"), _ga("1.24")), "The nominated node of a pod is tried first.",
         until="1.26"),
    Gate("ReadWriteOncePod", (_alpha("1.22"), _beta("1.27"), _ga("1.29")), "Claims of access mode ReadWriteOncePod are "
         "for one pod at a time.", field="read_write_once_pod", until="1.31", built_since="1.27"),
    Gate("PodLevelResources", (_alpha("1.32"), _beta("1.34")), "What a pod requests as a whole counts.",
         field="pod_level_resources"),
    Gate("SchedulerQueueingHints", (_beta("1.28", is_on=False), _beta("1.32"), _ga("1.34")), "Plugins look closer at "
         "changes, so that only those that may help wake a pod; 1.28.0 itself had it on.",
         field="queueing_hints", until="1.37"),
    Gate("SidecarContainers", (_alpha("1.28"), _beta("1.29"), _ga("1.33")), "Pods with sidecars, init containers that "
         "restart always, can be scheduled.", field="sidecar_containers", until="1.37"),
    Gate("StorageCapacityScoring", (_alpha("1.33"), _beta("1.37")), "VolumeBinding scores nodes by the storage that "
         "they have left.", field="storage_capacity_scoring"),
    Gate("TaintTolerationComparisonOperators", (_alpha("1.35"),), "Tolerations can compare numbers, with Lt and Gt.",
         field="taint_toleration_comparison_operators"),
    Gate("TopologyAwareWorkloadScheduling", (_alpha("1.36"),), "Pods of a group are placed together, within a "
         "topology.", field="group_placements"),
    Gate("VolumeAttributesClass",
         (_alpha("1.29"), _beta("1.31", is_on=False), _ga("1.34", is_locked=False), _ga("1.36")), "A claim is bound "
         "only to a volume of its VolumeAttributesClass.", field="volume_attributes_classes", built_since="1.31"),
    Gate("VolumeCapacityPriority", (_alpha("1.21"),), "VolumeBinding scores nodes by how well existing volumes fit.",
         field="volume_capacity_priority", until="1.33"),
    Gate("VolumeLimitScaling", (_alpha("1.35"), _beta("1.37")), "Nodes without the CSI driver that a pod needs are "
         "turned away.", field="volume_limit_scaling"),
    Gate("WorkloadAwarePreemption", (_alpha("1.36"),), "Groups of pods preempt and are preempted together.",
         field="groups_preempt", until="1.37", merged_into="GenericWorkload"),
)
