"""Predicates and priorities by name: the plugins that do what they did, and the order in which they run.

Source: scheduler `framework/plugins/legacy_registry.go` of 1.22; what that no longer knows follows the order of
`algorithm/predicates` of 1.11.
"""

from collections.abc import Mapping
from typing import Any

LABEL_PRESENCE = "CheckNodeLabelPresence"
SERVICE_AFFINITY = "CheckServiceAffinity"

#: In the order in which they run; those of a Policy follow this order, not its own.
PLUGINS_BY_PREDICATE: Mapping[str, tuple[str, ...]] = {
    "CheckNodeCondition": ("CheckNodeCondition",),
    "CheckNodeUnschedulable": ("NodeUnschedulable",),
    "GeneralPredicates": ("NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"),
    "HostName": ("NodeName",),
    "PodFitsHostPorts": ("NodePorts",),
    "MatchNodeSelector": ("NodeAffinity",),
    "PodFitsResources": ("NodeResourcesFit",),
    "NoDiskConflict": ("VolumeRestrictions",),
    "PodToleratesNodeTaints": ("TaintToleration",),
    "PodToleratesNodeNoExecuteTaints": ("PodToleratesNodeNoExecuteTaints",),
    LABEL_PRESENCE: ("NodeLabel",),
    SERVICE_AFFINITY: ("ServiceAffinity",),
    "MaxEBSVolumeCount": ("EBSLimits",),
    "MaxGCEPDVolumeCount": ("GCEPDLimits",),
    "MaxCSIVolumeCountPred": ("NodeVolumeLimits",),
    "MaxAzureDiskVolumeCount": ("AzureDiskLimits",),
    "MaxCinderVolumeCount": ("CinderLimits",),
    "CheckVolumeBinding": ("VolumeBinding",),
    "NoVolumeZoneConflict": ("VolumeZone",),
    "CheckNodeMemoryPressure": ("CheckNodeMemoryPressure",),
    "CheckNodePIDPressure": ("CheckNodePIDPressure",),
    "CheckNodeDiskPressure": ("CheckNodeDiskPressure",),
    "EvenPodsSpread": ("PodTopologySpread",),
    "MatchInterPodAffinity": ("InterPodAffinity",),
}
#: Older names.
PREDICATE_ALIASES: Mapping[str, str] = {"PodFitsPorts": "PodFitsHostPorts"}
#: These run whatever a Policy says.
MANDATORY_PREDICATES = ("PodToleratesNodeTaints", "CheckNodeUnschedulable")
DEFAULT_PREDICATES = (
    "NoVolumeZoneConflict", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MaxAzureDiskVolumeCount",
    "MaxCSIVolumeCountPred", "MatchInterPodAffinity", "NoDiskConflict", "GeneralPredicates", "PodToleratesNodeTaints",
    "CheckVolumeBinding", "CheckNodeUnschedulable", "EvenPodsSpread",
)  # fmt: skip

SELECTOR_SPREAD = "SelectorSpreadPriority"
PLUGIN_BY_PRIORITY: Mapping[str, str] = {
    SELECTOR_SPREAD: "PodTopologySpread",
    "TaintTolerationPriority": "TaintToleration",
    "NodeAffinityPriority": "NodeAffinity",
    "ImageLocalityPriority": "ImageLocality",
    "InterPodAffinityPriority": "InterPodAffinity",
    "NodePreferAvoidPodsPriority": "NodePreferAvoidPods",
    "MostRequestedPriority": "NodeResourcesMostAllocated",
    "BalancedResourceAllocation": "NodeResourcesBalancedAllocation",
    "LeastRequestedPriority": "NodeResourcesLeastAllocated",
    "RequestedToCapacityRatio": "RequestedToCapacityRatio",
    "NodeLabel": "NodeLabel",
    "ServiceAffinity": "ServiceAffinity",
    "EvenPodsSpreadPriority": "PodTopologySpread",
}
#: The priorities that a Policy's own ones become; by these names their arguments would not be read.
OWN_PRIORITIES = ("RequestedToCapacityRatio", "NodeLabel", "ServiceAffinity")
PRIORITY_ALIASES: Mapping[str, str] = {"ServiceSpreadingPriority": SELECTOR_SPREAD}
#: Gave every node the same, and is passed over.
EQUAL_PRIORITY = "EqualPriority"
DEFAULT_PRIORITIES: Mapping[str, int] = {
    SELECTOR_SPREAD: 1,
    "InterPodAffinityPriority": 1,
    "LeastRequestedPriority": 1,
    "BalancedResourceAllocation": 1,
    "NodePreferAvoidPodsPriority": 10000,
    "NodeAffinityPriority": 1,
    "TaintTolerationPriority": 1,
    "ImageLocalityPriority": 1,
    "EvenPodsSpreadPriority": 2,
}
#: What Kubernetes 1.4 did without a Policy, as one.
POLICY_OF_1_4: Mapping[str, Any] = {
    "kind": "Policy",
    "apiVersion": "v1",
    "predicates": [
        {"name": name}
        for name in (
            "NoVolumeZoneConflict", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "MatchInterPodAffinity",
            "NoDiskConflict", "GeneralPredicates", "PodToleratesNodeTaints", "CheckNodeMemoryPressure",
            "CheckNodeDiskPressure",
        )
    ],
    "priorities": [
        *(
            {"name": name, "weight": 1}
            for name in (
                "SelectorSpreadPriority", "InterPodAffinityPriority", "LeastRequestedPriority",
                "BalancedResourceAllocation", "NodeAffinityPriority", "TaintTolerationPriority",
            )
        ),
        {"name": "NodePreferAvoidPodsPriority", "weight": 10000},
    ],
}  # fmt: skip
