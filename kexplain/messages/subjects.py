"""What each plugin looks at, for people."""

from collections.abc import Mapping

_DISKS = "how many volumes of this cloud are attached to a node, against how many it may have"

#: By plugin, in a sentence or two; the plugins that only a Policy can name come last.
LOOKS_AT: Mapping[str, str] = {
    "SchedulingGates": "spec.schedulingGates of the pod: while there are any, the pod does not enter the queue.",
    "PrioritySort": "the priority of pods, and how long they have waited: who is tried first.",
    "NodeUnschedulable": "whether a node is cordoned (spec.unschedulable), and whether the pod tolerates that.",
    "NodeName": "spec.nodeName of the pod: every other node is turned away.",
    "TaintToleration": "the taints of nodes with effect NoSchedule or NoExecute, and the pod's tolerations. Nodes with "
    "fewer untolerated taints of effect PreferNoSchedule get more points.",
    "NodeAffinity": "nodeSelector and required node affinity of the pod, and the labels of nodes. Preferred terms give "
    "points.",
    "NodePorts": "the host ports of the pod's containers, and those that pods on a node use already.",
    "NodeResourcesFit": "what the pod requests, and what is left on a node: allocatable minus the requests of the pods "
    "there. Limits and actual use do not count. By default, emptier nodes get more points.",
    "VolumeRestrictions": "disks that only one pod may mount, and ReadWriteOncePod claims that another pod uses.",
    "EBSLimits": f"{_DISKS} (AWS EBS).",
    "GCEPDLimits": f"{_DISKS} (GCE persistent disks).",
    "AzureDiskLimits": f"{_DISKS} (Azure disks).",
    "CinderLimits": f"{_DISKS} (Cinder).",
    "NodeVolumeLimits": "how many volumes of a CSI driver are attached to a node, against the limit in its CSINode.",
    "VolumeBinding": "the claims of the pod: whether their volumes can be reached from a node, or can be found or made "
    "for it.",
    "VolumeZone": "the zone and region labels of the pod's volumes, and those of nodes.",
    "PodTopologySpread": "topologySpreadConstraints of the pod, and where pods that match them run. Soft constraints "
    "give points.",
    "InterPodAffinity": "required pod affinity and anti-affinity of the pod, and anti-affinity of the pods that run. "
    "Preferred terms give points.",
    "DynamicResources": "the ResourceClaims of the pod, and the devices that drivers publish in ResourceSlices.",
    "DefaultPreemption": "nothing fits: whether evicting pods of lower priority would make room, and where that costs "
    "least.",
    "NodeResourcesBalancedAllocation": "how evenly the resources of a node would be used: points only.",
    "ImageLocality": "which images of the pod a node has already: points only.",
    "DefaultBinder": "nothing: it binds the pod to the node that was chosen.",
    "NodeDeclaredFeatures": "the features that a node declares, and those that the pod needs.",
    "GangScheduling": "the group of the pod: whether enough of its pods are there, and whether all can have a node.",
    "TopologyPlacementGenerator": "the group of the pod: the label whose value all nodes of its pods must share.",
    "PodGroupPodsCount": "the group of the pod: how many of its pods fit among nodes of one value of that label.",
    "CheckNodeCondition": "whether a node is ready and its network is configured.",
    "CheckNodeMemoryPressure": "whether a node is short of memory, where the pod requests nothing.",
    "CheckNodeDiskPressure": "whether a node is short of disk space.",
    "CheckNodePIDPressure": "whether a node is short of process identifiers.",
    "PodToleratesNodeNoExecuteTaints": "the taints of nodes with effect NoExecute, and the pod's tolerations.",
    "NodeLabel": "whether a node has the labels that the Policy lists.",
    "NodePreferAvoidPods": "the annotation of a node that asks pods of some controllers to stay away: points only.",
    "SelectorSpread": "where pods of the same Services and controllers run: points only.",
    "ServiceAffinity": "the labels of the node on which the first pod of the Service runs.",
}
