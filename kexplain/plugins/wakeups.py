"""Which changes of a cluster have the scheduler try a pod again, by the plugin that rejected it.

Source: `EventsToRegister` of the plugins, scheduler `buildQueueingHintMap`, both of 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: The release whose rules these are.
RELEASE = "1.36"
#: After so long a pod is tried again whatever happens. Source: `DefaultPodMaxInUnschedulablePodsDuration`.
LONGEST_WAIT_SECONDS = 300
#: How long a pod waits at least after its first and after many attempts. Source: `DefaultPodInitialBackoffDuration`.
FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS = 1, 10


class ClusterEvent(NamedTuple):
    """A kind of change. With a hint, the plugin looks at each such change: only one that may help wakes the pod."""

    resource: str
    actions: tuple[str, ...]
    has_hint: bool = False


_ADD, _UPDATE_TAINT = "Add", "UpdateNodeTaint"

EVENTS_BY_PLUGIN: dict[str, tuple[ClusterEvent, ...]] = {
    "DefaultPreemption": (ClusterEvent("Pod", ("Delete",), has_hint=True),),
    "DynamicResources": (
        ClusterEvent("Node", ("Add", "UpdateNodeAllocatable", "UpdateNodeLabel")),
        ClusterEvent("Pod", ("UpdatePodGeneratedResourceClaim",), has_hint=True),
        ClusterEvent("resource.k8s.io/DeviceClass", ("Add", "Update")),
        ClusterEvent("resource.k8s.io/ResourceClaim", ("Add", "Update"), has_hint=True),
        ClusterEvent("resource.k8s.io/ResourceSlice", ("Add", "Update")),
    ),
    "InterPodAffinity": (
        ClusterEvent("Node", ("Add", "UpdateNodeLabel"), has_hint=True),
        ClusterEvent("Pod", ("Add", "Delete", "UpdatePodLabel"), has_hint=True),
    ),
    "NodeAffinity": (ClusterEvent("Node", ("Add", "UpdateNodeLabel"), has_hint=True),),
    "NodeDeclaredFeatures": (
        ClusterEvent("Node", ("Add", "UpdateNodeDeclaredFeature"), has_hint=True),
        ClusterEvent("Pod", ("Update",), has_hint=True),
    ),
    "NodeName": (ClusterEvent("Node", ("Add",)),),
    "NodePorts": (
        ClusterEvent("Node", ("Add",)),
        ClusterEvent("Pod", ("Delete",), has_hint=True),
    ),
    "NodeResourcesFit": (
        ClusterEvent("Node", ("Add", "UpdateNodeAllocatable"), has_hint=True),
        ClusterEvent("Pod", ("Delete", "UpdatePodScaleDown"), has_hint=True),
        ClusterEvent("resource.k8s.io/DeviceClass", ("Add", "Update"), has_hint=True),
    ),
    "NodeUnschedulable": (
        ClusterEvent("Node", ("Add", "UpdateNodeTaint"), has_hint=True),
        ClusterEvent("Pod", ("UpdatePodToleration",), has_hint=True),
    ),
    "NodeVolumeLimits": (
        ClusterEvent("PersistentVolumeClaim", ("Add",), has_hint=True),
        ClusterEvent("Pod", ("Delete",), has_hint=True),
        ClusterEvent("storage.k8s.io/CSINode", ("Add",)),
        ClusterEvent("storage.k8s.io/CSINode", ("Update",), has_hint=True),
        ClusterEvent("storage.k8s.io/VolumeAttachment", ("Delete",), has_hint=True),
    ),
    "PodTopologySpread": (
        ClusterEvent("Node", ("Add", "Delete", "UpdateNodeLabel", "UpdateNodeTaint"), has_hint=True),
        ClusterEvent("Pod", ("Add", "Delete", "UpdatePodLabel", "UpdatePodToleration"), has_hint=True),
    ),
    "SchedulingGates": (ClusterEvent("Pod", ("UpdatePodSchedulingGatesEliminated",), has_hint=True),),
    "TaintToleration": (
        ClusterEvent("Node", ("Add", "UpdateNodeTaint"), has_hint=True),
        ClusterEvent("Pod", ("UpdatePodToleration",), has_hint=True),
    ),
    "VolumeBinding": (
        ClusterEvent("Node", ("Add", "UpdateNodeLabel")),
        ClusterEvent("PersistentVolume", ("Add", "Update")),
        ClusterEvent("PersistentVolumeClaim", ("Add", "Update"), has_hint=True),
        ClusterEvent("storage.k8s.io/CSIDriver", ("Update",), has_hint=True),
        ClusterEvent("storage.k8s.io/CSINode", ("Add", "Update"), has_hint=True),
        ClusterEvent("storage.k8s.io/CSIStorageCapacity", ("Add", "Update"), has_hint=True),
        ClusterEvent("storage.k8s.io/StorageClass", ("Add", "Update"), has_hint=True),
    ),
    "VolumeRestrictions": (
        ClusterEvent("Node", ("Add",)),
        ClusterEvent("PersistentVolumeClaim", ("Add",), has_hint=True),
        ClusterEvent("Pod", ("Delete",), has_hint=True),
    ),
    "VolumeZone": (
        ClusterEvent("Node", ("Add", "UpdateNodeLabel")),
        ClusterEvent("PersistentVolume", ("Add", "Update"), has_hint=True),
        ClusterEvent("PersistentVolumeClaim", ("Add", "Update"), has_hint=True),
        ClusterEvent("storage.k8s.io/StorageClass", ("Add",), has_hint=True),
    ),
}

#: Plugins that reject no pod, so that none waits for them.
WITHOUT_EVENTS = frozenset(("DefaultBinder", "ImageLocality", "NodeResourcesBalancedAllocation", "PrioritySort"))

#: What wakes the pods that a plugin has rejected which registers nothing: one outside of kube-scheduler, say.
ANY_CHANGE = tuple(
    ClusterEvent(resource, ("Add", "Delete", "Update"))
    for resource in (
        "Node",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Pod",
        "resource.k8s.io/DeviceClass",
        "resource.k8s.io/ResourceClaim",
        "storage.k8s.io/CSIDriver",
        "storage.k8s.io/CSINode",
        "storage.k8s.io/CSIStorageCapacity",
        "storage.k8s.io/StorageClass",
    )
)


def events_of(plugin: str) -> tuple[ClusterEvent, ...]:
    """The changes that wake a pod which this plugin has rejected.

    Whoever waits for new nodes is woken by changed taints, too: a new node may have been passed over for its taints.
    """
    if plugin in WITHOUT_EVENTS:
        return ()
    events = EVENTS_BY_PLUGIN.get(plugin, ANY_CHANGE)
    if plugin in EVENTS_BY_PLUGIN and _has(events, _ADD) and not _has(events, _UPDATE_TAINT):
        return (*events, ClusterEvent("Node", (_UPDATE_TAINT,)))
    return events


def _has(events: Iterable[ClusterEvent], action: str) -> bool:
    return any(event.resource == "Node" and action in event.actions for event in events)
