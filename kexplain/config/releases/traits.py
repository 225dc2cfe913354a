"""What tells the releases of Kubernetes apart, one row each: feature gates, and changes that no gate governs.

Source: `pkg/features/kube_features.go` and `pkg/scheduler` of the releases from 1.30 to 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Maturity(StrEnum):
    """How far a gate has come."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"


@dataclass(frozen=True, slots=True)
class Stage:
    """How a gate stands from a release on, until its next stage. A locked gate cannot be set otherwise."""

    release: str
    maturity: Maturity
    is_on: bool = False
    is_locked: bool = False


def _alpha(release: str) -> Stage:
    return Stage(release, Maturity.ALPHA)


def _beta(release: str, *, is_on: bool = True) -> Stage:
    return Stage(release, Maturity.BETA, is_on)


def _ga(release: str, *, is_locked: bool = True) -> Stage:
    return Stage(release, Maturity.GA, is_on=True, is_locked=is_locked)


@dataclass(frozen=True, slots=True)
class Gate:
    """A feature gate that bears on decisions.

    `field` is what it sets, of Features or RequestRules; without one, it is built only as `stages` has it by default.
    `until` is the release that no longer knows it, `built_since` the first whose behaviour with the gate on is built.
    """

    name: str
    stages: tuple[Stage, ...]
    effect: str
    field: str = ""
    until: str = ""
    built_since: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of behaviour that no gate governs.

    `field`, of Features or RequestRules, is on from `since` on, and off again from `until` on.
    """

    field: str
    effect: str
    since: str = ""
    until: str = ""


CHANGES = (
    Change(
        "in_tree_volume_limits",
        until="1.31",
        effect="EBSLimits (39, on some instance types 25), GCEPDLimits (16) and AzureDiskLimits (16) limit how many "
        "in-tree disks a node without a CSINode has attached.",
    ),
    Change(
        "narrowed_out_nodes_are_evaluated",
        until="1.31",
        effect="Nodes that a PreFilter plugin rules out count as evaluated, and as rejected by the prefilter result.",
    ),
    Change(
        "narrowed_out_nodes_are_told",
        since="1.32",
        effect="The message names the plugins that ruled nodes out at PreFilter; 1.31 does not mention such nodes.",
    ),
    Change(
        "local_volumes_narrow",
        since="1.27",
        until="1.32",
        effect="VolumeBinding names the nodes of bound local volumes at PreFilter, so that no other node is looked at.",
    ),
    Change(
        "pre_filter_rejects_node_by_node",
        until="1.32",
        effect="A rejection at PreFilter goes on record for every node, and all count as evaluated.",
    ),
    Change(
        "sidecars_count_in_scoring",
        since="1.32",
        effect="What sidecars of running pods request counts in NodeResourcesFit's score beside the containers.",
    ),
    Change(
        "node_allocatable_limits_volumes",
        until="1.32",
        effect="Attach limits are read from a node's allocatable attachable-volumes-* too.",
    ),
    Change(
        "attachments_count",
        since="1.32",
        effect="VolumeAttachments count against attach limits, whether or not a pod on the node uses the volume.",
    ),
    Change(
        "victims_are_sorted",
        since="1.32",
        effect="Victims that a budget protects and others are listed together by importance, so that the most "
        "important victim of a candidate counts in the choice even if its budget allows its eviction.",
    ),
    Change(
        "best_effort_skips_balance",
        since="1.33",
        effect="Pods that request nothing are not scored by NodeResourcesBalancedAllocation.",
    ),
    Change(
        "returned_nodes_are_scored_bare",
        since="1.33",
        effect="Nodes that an extender hands back whole are scored as they come back, without any pods.",
    ),
    Change(
        "volume_conflict_is_named_affinity",
        since="1.33",
        effect="The message for volumes out of reach speaks of the PersistentVolume's node affinity, "
        "not of a volume node affinity conflict.",
    ),
    Change(
        "oversized_request_is_unresolvable",
        since="1.34",
        effect="Where a pod requests more than a node has in all, preemption is not tried on that node.",
    ),
    Change(
        "claim_in_use_is_named_unavailable",
        since="1.34",
        effect="The message for a ReadWriteOncePod claim in use says that nodes are unavailable.",
    ),
    Change(
        "untolerated_taint_is_named",
        until="1.35",
        effect="The message names the first taint that is not tolerated.",
    ),
    Change(
        "dynamic_resources_score",
        since="1.35",
        effect="DynamicResources scores nodes, weight 2: the earlier the alternative that a request gets, the more.",
    ),
    Change(
        "missing_features_are_named",
        until="1.36",
        effect="The message of NodeDeclaredFeatures lists the features that a node does not declare.",
    ),
    Change(
        "host_network_user_namespaces_are_declared",
        since="1.36",
        effect="Pods with user namespaces in the host network need nodes that declare it.",
    ),
    Change(
        "balance_by_improvement",
        since="1.36",
        effect="NodeResourcesBalancedAllocation scores how much a pod improves a node's balance, "
        "no longer the balance that results.",
    ),
    Change(
        "image_volumes_score",
        since="1.36",
        effect="ImageLocality counts the images of image volumes too.",
    ),
    Change(
        "portworx_is_migrated_everywhere",
        since="1.36",
        effect="Portworx volumes count as CSI volumes on every node with a CSINode, whatever its annotation says.",
    ),
    Change(
        "invalid_pools_matter_last",
        since="1.35",
        effect="A pool of devices that is not valid is passed over, and told only where no other will do; "
        "before, meeting one was an error.",
    ),
    Change(
        "device_pools_must_be_complete",
        since="1.35",
        effect="Devices are taken only of pools all slices of which are there, whichever nodes they are for.",
    ),
)

GATES = (
    Gate(
        "CSIMigrationPortworx",
        (_beta("1.25", is_on=False), _beta("1.31"), _ga("1.33")),
        "Portworx volumes can count as CSI volumes.",
        field="portworx_migration",
        until="1.36",
    ),
    Gate(
        "DRAAdminAccess",
        (_alpha("1.32"), _beta("1.34"), _ga("1.36")),
        "Claims can ask for devices with administrative access, taken or not.",
        field="device_admin_access",
    ),
    Gate(
        "DRAConsumableCapacity",
        (_alpha("1.34"), _beta("1.36")),
        "Several claims can share a device by its capacity.",
        field="consumable_capacity",
        built_since="1.35",
    ),
    Gate(
        "DRADeviceBindingConditions",
        (_alpha("1.34"), _beta("1.36")),
        "Devices can be made ready before a pod is bound.",
        field="device_binding_conditions",
    ),
    Gate(
        "DRADeviceTaintRules",
        (_alpha("1.35"), _beta("1.36", is_on=False)),
        "DeviceTaintRules taint devices.",
    ),
    Gate(
        "DRADeviceTaints",
        (_alpha("1.33"), _beta("1.36")),
        "Taints of devices keep claims from getting them.",
        field="device_taints",
    ),
    Gate(
        "DRAExtendedResource",
        (_alpha("1.34"), _beta("1.36")),
        "Device classes can stand for extended resources.",
        field="extended_resources_of_classes",
        built_since="1.35",
    ),
    Gate("DRAListTypeAttributes", (_alpha("1.36"),), "Attributes of devices can be lists."),
    Gate(
        "DRANodeAllocatableResources",
        (_alpha("1.36"),),
        "Claims for CPU and memory count against what a node has allocatable.",
    ),
    Gate(
        "DRAPartitionableDevices",
        (_alpha("1.33"), _beta("1.36")),
        "Devices can draw on counters that they share.",
        field="partitionable_devices",
        built_since="1.35",
    ),
    Gate(
        "DRAPrioritizedList",
        (_alpha("1.33"), _beta("1.34"), _ga("1.36", is_locked=False)),
        "Requests for devices can name alternatives.",
        field="device_alternatives",
    ),
    Gate(
        "DRAResourceClaimDeviceStatus",
        (_alpha("1.32"), _beta("1.33")),
        "What drivers report of allocated devices counts.",
        field="device_status",
    ),
    Gate(
        "DRASchedulerFilterTimeout",
        (_beta("1.34"),),
        "The search for devices for a node ends after some seconds; here it is never cut short.",
        field="device_search_has_timeout",
    ),
    Gate("DRAWorkloadResourceClaims", (_alpha("1.36"),), "Claims can belong to a group of pods."),
    Gate(
        "DynamicResourceAllocation",
        (_alpha("1.26"), _beta("1.32", is_on=False), _ga("1.34", is_locked=False), _ga("1.35")),
        "DynamicResources is on, and allocates devices to claims.",
        field="dynamic_resources",
        built_since="1.34",
    ),
    Gate("GangScheduling", (_alpha("1.35"),), "Pods of a workload wait until all of them can run."),
    Gate("GenericWorkload", (_alpha("1.35"),), "Pods can belong to a workload."),
    Gate(
        "InPlacePodLevelResourcesVerticalScaling",
        (_alpha("1.35"), _beta("1.36")),
        "A resize of what a pod requests as a whole counts until the kubelet has carried it out.",
        field="in_place_pod_level_vertical_scaling",
    ),
    Gate(
        "InPlacePodVerticalScaling",
        (_alpha("1.27"), _beta("1.33"), _ga("1.35")),
        "A resize of running containers counts until the kubelet has carried it out.",
        field="in_place_vertical_scaling",
        built_since="1.33",
    ),
    Gate(
        "MatchLabelKeysInPodTopologySpread",
        (_alpha("1.25"), _beta("1.27")),
        "matchLabelKeys of spread constraints count.",
        field="match_label_keys_in_spread",
    ),
    Gate(
        "NodeDeclaredFeatures",
        (_alpha("1.35"), _beta("1.36")),
        "NodeDeclaredFeatures is on: pods that use new kubelet features need nodes that declare them.",
        field="node_declared_features",
    ),
    Gate(
        "NodeInclusionPolicyInPodTopologySpread",
        (_alpha("1.25"), _beta("1.26"), _ga("1.33")),
        "nodeAffinityPolicy and nodeTaintsPolicy of spread constraints count.",
        field="node_inclusion_policy",
    ),
    Gate(
        "PodDisruptionConditions",
        (_alpha("1.25"), _beta("1.26"), _ga("1.31")),
        "While a pod waits for its nominated node, only pods that were preempted there keep it from preempting "
        "others, not all that are terminating.",
        field="only_preempted_pods_terminate",
    ),
    Gate(
        "PodLevelResources",
        (_alpha("1.32"), _beta("1.34")),
        "What a pod requests as a whole counts.",
        field="pod_level_resources",
    ),
    Gate(
        "SidecarContainers",
        (_alpha("1.28"), _beta("1.29"), _ga("1.33")),
        "Pods with sidecars, init containers that restart always, can be scheduled.",
        field="sidecar_containers",
    ),
    Gate(
        "StorageCapacityScoring",
        (_alpha("1.33"),),
        "VolumeBinding scores nodes by the storage that they have left.",
    ),
    Gate(
        "TaintTolerationComparisonOperators",
        (_alpha("1.35"),),
        "Tolerations can compare numbers, with Lt and Gt.",
        field="taint_toleration_comparison_operators",
    ),
    Gate(
        "TopologyAwareWorkloadScheduling",
        (_alpha("1.36"),),
        "Pods of a group are placed together, within a topology.",
    ),
    Gate(
        "VolumeAttributesClass",
        (_alpha("1.29"), _beta("1.31", is_on=False), _ga("1.34", is_locked=False), _ga("1.36")),
        "A claim is bound only to a volume of its VolumeAttributesClass.",
        field="volume_attributes_classes",
        built_since="1.31",
    ),
    Gate(
        "VolumeCapacityPriority",
        (_alpha("1.21"),),
        "VolumeBinding scores nodes by how well existing volumes fit.",
        until="1.33",
    ),
    Gate(
        "VolumeLimitScaling",
        (_alpha("1.35"),),
        "Nodes without the CSI driver that a pod needs are turned away.",
    ),
    Gate(
        "WorkloadAwarePreemption",
        (_alpha("1.36"),),
        "Groups of pods preempt and are preempted together.",
    ),
)
