"""All plugins of the default profile, in the order in which they run. Adding one is one line here."""

from __future__ import annotations

from collections.abc import Callable

from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.plugins.default_binder import DefaultBinder
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.dynamic_resources import DynamicResources
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
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.priority_sort import PrioritySort
from kexplain.plugins.scheduling_gates import SchedulingGates
from kexplain.plugins.taint_toleration import TaintToleration
from kexplain.plugins.volume_binding import VolumeBinding
from kexplain.plugins.volume_restrictions import VolumeRestrictions
from kexplain.plugins.volume_zone import VolumeZone

#: How each plugin is made where nothing is configured, and what its score weighs.
DEFAULT_PLUGINS: tuple[tuple[Callable[[Features], Plugin], int], ...] = (
    (lambda _: SchedulingGates(), 1),
    (lambda _: PrioritySort(), 1),
    (NodeUnschedulable, 1),
    (lambda _: NodeName(), 1),
    (TaintToleration, 3),
    (lambda _: NodeAffinity(), 2),
    (lambda _: NodePorts(), 1),
    (NodeResourcesFit, 1),
    (lambda _: VolumeRestrictions(), 1),
    (lambda _: NodeVolumeLimits(), 1),
    (lambda _: VolumeBinding(), 1),
    (lambda _: VolumeZone(), 1),
    (PodTopologySpread, 2),
    (lambda _: InterPodAffinity(), 2),
    (lambda _: DynamicResources(), 2),
    (lambda _: DefaultPreemption(), 1),
    (NodeResourcesBalancedAllocation, 1),
    (lambda _: ImageLocality(), 1),
    (lambda _: DefaultBinder(), 1),
    (lambda _: NodeDeclaredFeatures(), 1),
)
