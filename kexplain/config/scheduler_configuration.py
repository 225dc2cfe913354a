"""KubeSchedulerConfiguration, as far as it is understood yet: percentages and the spreading defaults.

Source: scheduler `apis/config/v1`. What is not understood is refused, never passed over.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kexplain.config.default_profile import default_plugin_sets
from kexplain.config.plugin_sets import build_profile
from kexplain.errors import KexplainError
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME, Profile
from kexplain.objects.core import TopologySpreadConstraint
from kexplain.objects.meta import Record
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.scheduler.cycle import Scheduler


class PluginConfig(Record, frozen=True, forbid_unknown_fields=True):
    """The arguments of one plugin."""

    name: str
    args: dict[str, Any] = msgspec.field(default_factory=dict)


class KubeSchedulerProfile(Record, frozen=True, forbid_unknown_fields=True):
    """One profile."""

    scheduler_name: str = DEFAULT_SCHEDULER_NAME
    percentage_of_nodes_to_score: int | None = None
    plugin_config: tuple[PluginConfig, ...] = ()


class KubeSchedulerConfiguration(Record, frozen=True, forbid_unknown_fields=True):
    """The whole configuration."""

    api_version: str
    kind: str
    percentage_of_nodes_to_score: int = 0
    profiles: tuple[KubeSchedulerProfile, ...] = (KubeSchedulerProfile(),)


class PodTopologySpreadArgs(Record, frozen=True, forbid_unknown_fields=True):
    """The arguments of PodTopologySpread."""

    defaulting_type: str = "System"
    default_constraints: tuple[TopologySpreadConstraint, ...] = ()
    api_version: str | None = None
    kind: str | None = None


def scheduler_from(configuration: dict[str, Any], features: Features | None = None) -> Scheduler:
    """The scheduler that this configuration describes.

    Raises KexplainError on what is not understood.
    """
    features = features or Features()
    try:
        parsed = msgspec.convert(configuration, KubeSchedulerConfiguration)
        profiles = [_profile(profile, features) for profile in parsed.profiles]
    except msgspec.ValidationError as fault:
        raise KexplainError(f"scheduler configuration: {fault}") from fault
    return Scheduler({profile.scheduler_name: profile for profile in profiles}, parsed.percentage_of_nodes_to_score)


def _profile(profile: KubeSchedulerProfile, features: Features) -> Profile:
    configured = {each.name: _plugin(each, features) for each in profile.plugin_config}

    def make(name: str) -> Plugin | None:
        return configured.get(name) or IN_TREE_PLUGINS[name](features)

    return build_profile(
        default_plugin_sets(features),
        make,
        scheduler_name=profile.scheduler_name,
        percentage_of_nodes_to_score=profile.percentage_of_nodes_to_score,
    )


def _plugin(plugin_config: PluginConfig, features: Features) -> Plugin:
    if plugin_config.name != PodTopologySpread.name:
        raise KexplainError(f"scheduler configuration: arguments of {plugin_config.name} are not understood yet")
    args = msgspec.convert(plugin_config.args, PodTopologySpreadArgs)
    return PodTopologySpread(features, args.default_constraints if args.defaulting_type == "List" else None)
