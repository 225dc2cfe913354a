"""All plugins that kube-scheduler has in its tree. Adding one is one line here."""

from collections.abc import Callable, Mapping
from functools import partial

from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.framework.wake_events import ClusterEvent, registered_events
from kexplain.objects.requests import RequestRules
from kexplain.plugins.default_binder import DefaultBinder
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.dynamic_resources import DynamicResources, UnscoredDynamicResources
from kexplain.plugins.gang_scheduling import GangScheduling
from kexplain.plugins.image_locality import ImageLocality
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from kexplain.plugins.node_affinity import NodeAffinity
from kexplain.plugins.node_declared_features import NodeDeclaredFeatures
from kexplain.plugins.node_name import NodeName
from kexplain.plugins.node_ports import NodePorts
from kexplain.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.node_unschedulable import NodeUnschedulable
from kexplain.plugins.node_volume_limits import NodeVolumeLimits
from kexplain.plugins.non_csi_limits import DISK_KINDS, NonCSILimits
from kexplain.plugins.pod_group_pods_count import PodGroupPodsCount
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.priority_sort import PrioritySort
from kexplain.plugins.scheduling_gates import SchedulingGates
from kexplain.plugins.taint_toleration import TaintToleration
from kexplain.plugins.topology_placement_generator import TopologyPlacementGenerator
from kexplain.plugins.volume_binding import VolumeBinding
from kexplain.plugins.volume_restrictions import VolumeRestrictions
from kexplain.plugins.volume_zone import VolumeZone

#: What counts the disks of a cloud itself, and is there only where features say that in-tree volumes are limited.
VOLUME_LIMIT_PLUGINS = frozenset(DISK_KINDS)

#: By name, how each plugin is made where nothing is configured.
IN_TREE_PLUGINS: Mapping[str, Callable[[Features], Plugin]] = {
    SchedulingGates.name: lambda _: SchedulingGates(),
    PrioritySort.name: lambda _: PrioritySort(),
    NodeUnschedulable.name: NodeUnschedulable,
    NodeName.name: lambda _: NodeName(),
    TaintToleration.name: TaintToleration,
    NodeAffinity.name: lambda features: NodeAffinity(features=features),
    NodePorts.name: NodePorts,
    NodeResourcesFit.name: NodeResourcesFit,
    VolumeRestrictions.name: VolumeRestrictions,
    **{name: partial(NonCSILimits, name) for name in DISK_KINDS},
    NodeVolumeLimits.name: NodeVolumeLimits,
    VolumeBinding.name: VolumeBinding,
    VolumeZone.name: VolumeZone,
    PodTopologySpread.name: PodTopologySpread,
    InterPodAffinity.name: lambda features: InterPodAffinity(features=features),
    DynamicResources.name: lambda features: (
        DynamicResources(features) if features.dynamic_resources_score else UnscoredDynamicResources(features)
    ),
    DefaultPreemption.name: lambda features: DefaultPreemption(features=features),
    NodeResourcesBalancedAllocation.name: NodeResourcesBalancedAllocation,
    ImageLocality.name: ImageLocality,
    DefaultBinder.name: lambda _: DefaultBinder(),
    NodeDeclaredFeatures.name: NodeDeclaredFeatures,
    GangScheduling.name: GangScheduling,
    TopologyPlacementGenerator.name: lambda _: TopologyPlacementGenerator(),
    PodGroupPodsCount.name: lambda _: PodGroupPodsCount(),
}


def events_of(name: str, features: Features, rules: RequestRules) -> tuple[ClusterEvent, ...]:
    """The changes that wake a pod which the plugin of this name has rejected."""
    make = IN_TREE_PLUGINS.get(name)
    return registered_events(make(features) if make else None, features, rules)
