"""The plugins that are on without any configuration, and the profile that a scheduler has then.

Source: scheduler `apis/config/v1/default_plugins.go`, `v1beta1` of 1.22, `v1beta2` of 1.22 to 1.27.
"""

from __future__ import annotations

from kexplain.config.component.plugin_sets import PluginRef, PluginSet, PluginSets, build_profile
from kexplain.framework.features import Features
from kexplain.framework.profile import Profile
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS
from kexplain.tables import table

#: By version of the configuration, extension point and plugin, in order: what its score weighs, or 0.
_DEFAULTS = table("default-plugins", dict[str, dict[str, dict[str, int]]])


def default_plugin_sets(features: Features, version: str) -> PluginSets:
    """What is on where nothing is configured, as a version of the configuration has it."""
    is_on = {
        **dict.fromkeys(VOLUME_LIMIT_PLUGINS, features.in_tree_volume_limits),
        "SchedulingGates": features.pod_scheduling_gates,
        "DynamicResources": features.dynamic_resources,
        "NodeDeclaredFeatures": features.node_declared_features,
        "GangScheduling": features.gangs,
        **dict.fromkeys(("TopologyPlacementGenerator", "PodGroupPodsCount"), features.group_placements),
    }
    return {
        point: PluginSet(tuple(PluginRef(name, weight) for name, weight in weights.items() if is_on.get(name, True)))
        for point, weights in _DEFAULTS[version].items()
    }


def default_profile(features: Features | None = None, *, scheduler_name: str = DEFAULT_SCHEDULER_NAME) -> Profile:
    """The default profile; without features, that of the newest release."""
    known = features or Features()
    sets = default_plugin_sets(known, "v1beta2" if known.default_profile_is_that_of_v1beta2 else "v1")
    return build_profile(sets, lambda name: IN_TREE_PLUGINS[name](known), scheduler_name=scheduler_name)
