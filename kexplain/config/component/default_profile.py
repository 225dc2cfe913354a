"""The profile that a scheduler has without any configuration. Source: `apis/config/v1/default_plugins.go`."""

from __future__ import annotations

from kexplain.config.component.plugin_sets import MULTI_POINT, PluginRef, PluginSet, PluginSets, build_profile
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.framework.profile import Profile
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS

_DEFAULT_PLUGINS = (
    PluginRef("SchedulingGates"),
    PluginRef("PrioritySort"),
    PluginRef("NodeUnschedulable"),
    PluginRef("NodeName"),
    PluginRef("TaintToleration", 3),
    PluginRef("NodeAffinity", 2),
    PluginRef("NodePorts"),
    PluginRef("NodeResourcesFit", 1),
    PluginRef("VolumeRestrictions"),
    PluginRef("EBSLimits"),
    PluginRef("GCEPDLimits"),
    PluginRef("NodeVolumeLimits"),
    PluginRef("AzureDiskLimits"),
    PluginRef("VolumeBinding"),
    PluginRef("VolumeZone"),
    PluginRef("PodTopologySpread", 2),
    PluginRef("InterPodAffinity", 2),
    PluginRef("DynamicResources", 2),
    PluginRef("DefaultPreemption"),
    PluginRef("NodeResourcesBalancedAllocation", 1),
    PluginRef("ImageLocality", 1),
    PluginRef("DefaultBinder"),
    PluginRef("NodeDeclaredFeatures"),
    PluginRef("GangScheduling"),
    PluginRef("TopologyPlacementGenerator"),
    PluginRef("PodGroupPodsCount", 1),
)


def default_plugin_sets(features: Features) -> PluginSets:
    """What is on where nothing is configured."""
    is_on = {
        **dict.fromkeys(VOLUME_LIMIT_PLUGINS, features.in_tree_volume_limits),
        "SchedulingGates": features.pod_scheduling_gates,
        "DynamicResources": features.dynamic_resources,
        "NodeDeclaredFeatures": features.node_declared_features,
        "GangScheduling": features.gangs,
        **dict.fromkeys(("TopologyPlacementGenerator", "PodGroupPodsCount"), features.group_placements),
    }
    return {MULTI_POINT: PluginSet(tuple(each for each in _DEFAULT_PLUGINS if is_on.get(each.name, True)))}


def default_profile(
    features: Features | None = None,
    *,
    scheduler_name: str = DEFAULT_SCHEDULER_NAME,
    percentage_of_nodes_to_score: int | None = None,
) -> Profile:
    """The default profile; without features, that of the newest release."""
    features = features or Features()

    def make(name: str) -> Plugin:
        return IN_TREE_PLUGINS[name](features)

    sets = default_plugin_sets(features)
    if features.default_profile_is_that_of_v1beta2:
        # Runs that need none of this need not read it.
        from kexplain.config.component.earlier_sets import v1beta2_sets  # noqa: PLC0415

        sets = v1beta2_sets(features)
    return build_profile(
        sets,
        make,
        scheduler_name=scheduler_name,
        percentage_of_nodes_to_score=percentage_of_nodes_to_score,
    )
