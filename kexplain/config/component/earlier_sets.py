"""The plugins that are on by default as v1beta1 and v1beta2 list them, point by point.

Source: scheduler `apis/config/v1beta1/default_plugins.go` of 1.22, `v1beta2/default_plugins.go` of 1.22 to 1.27.
"""

from collections.abc import Iterable, Mapping

from kexplain.config.component.plugin_sets import PluginRef, PluginSet, PluginSets
from kexplain.config.component.removed_plugins import REMOVED_PLUGINS
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS


def _sets(enabled: Mapping[ExtensionPoint, Iterable[PluginRef]], features: Features) -> PluginSets:
    """The sets without plugins that there are none of any more, and that nothing need be said of."""
    known = {*IN_TREE_PLUGINS, *REMOVED_PLUGINS}
    if not features.in_tree_volume_limits:
        known -= VOLUME_LIMIT_PLUGINS
    return {point: PluginSet(tuple(ref for ref in refs if ref.name in known)) for point, refs in enabled.items()}


def _refs(*names: str) -> tuple[PluginRef, ...]:
    return tuple(PluginRef(name) for name in names)


_POINTS_OF_THE_FIRST: Mapping[ExtensionPoint, tuple[PluginRef, ...]] = {
    ExtensionPoint.QUEUE_SORT: _refs("PrioritySort"),
    ExtensionPoint.PRE_FILTER: _refs(
        "NodeResourcesFit", "NodePorts", "VolumeRestrictions", "PodTopologySpread", "InterPodAffinity",
        "VolumeBinding", "NodeAffinity",
    ),
    ExtensionPoint.FILTER: _refs(
        "NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
        "VolumeRestrictions", "EBSLimits", "GCEPDLimits", "NodeVolumeLimits", "AzureDiskLimits", "VolumeBinding",
        "VolumeZone", "PodTopologySpread", "InterPodAffinity",
    ),
    ExtensionPoint.POST_FILTER: _refs("DefaultPreemption"),
    ExtensionPoint.PRE_SCORE: _refs("InterPodAffinity", "PodTopologySpread", "TaintToleration", "NodeAffinity"),
    ExtensionPoint.RESERVE: _refs("VolumeBinding"),
    ExtensionPoint.PRE_BIND: _refs("VolumeBinding"),
    ExtensionPoint.BIND: _refs("DefaultBinder"),
}  # fmt: skip


def _scores(resources: str, *further: PluginRef) -> tuple[PluginRef, ...]:
    """The plugins that score, in order, with the one that looks at resources, and further ones."""
    names = ("NodeResourcesBalancedAllocation", "ImageLocality", "InterPodAffinity", resources, "NodeAffinity")
    first = (PluginRef(name, 1) for name in names)
    return (*first, *further, PluginRef("PodTopologySpread", 2), PluginRef("TaintToleration", 1))


def v1beta1_sets(features: Features) -> PluginSets:
    """The plugins that v1beta1 enables at each extension point, in order, with weights."""
    score = _scores("NodeResourcesLeastAllocated", PluginRef("NodePreferAvoidPods", 10000))
    return _sets({**_POINTS_OF_THE_FIRST, ExtensionPoint.SCORE: score}, features)


def v1beta2_sets(features: Features) -> PluginSets:
    """The plugins that v1beta2 enables at each extension point, in order, with weights."""
    gates = {ExtensionPoint.PRE_ENQUEUE: _refs("SchedulingGates") if features.pod_scheduling_gates else ()}
    return _sets({**_POINTS_OF_THE_FIRST, **gates, ExtensionPoint.SCORE: _scores("NodeResourcesFit")}, features)
