"""What the versions of KubeSchedulerConfiguration differ in: fields, arguments, and which plugins are on.

Source: scheduler `apis/config/v1beta1` of 1.22, `v1beta2` and `v1beta3` of 1.23, `v1`. The version decides what is
on and how much it weighs; what the plugins do then is up to the release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kexplain.config.component.default_profile import default_plugin_sets
from kexplain.config.component.plugin_args import PLUGIN_ARGS, PluginArgs
from kexplain.config.component.plugin_sets import MULTI_POINT, PluginRef, PluginSet, PluginSets
from kexplain.config.component.records import GROUP
from kexplain.config.component.removed_plugins import REMOVED_PLUGINS, V1BETA1_ARGS
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS


@dataclass(frozen=True, slots=True)
class ApiVersion:
    """One version; `served` are the first and the last release that read it, the last one open for v1."""

    name: str
    served: tuple[str, str]
    default_sets: Callable[[Features], PluginSets]
    plugin_args: Mapping[str, type[PluginArgs]]
    #: Fields that other versions have, by the part that they belong to: "", "profile" or "plugins".
    absent: Mapping[str, tuple[str, ...]]
    #: Plugins that no longer go by a name of their own, whatever release it is.
    refused: frozenset[str] = frozenset()
    #: Whether naming a default plugin again puts it in its place, rather than behind the others a second time.
    replaces: bool = True


def _sets(enabled: Mapping[ExtensionPoint, Iterable[PluginRef]], features: Features) -> PluginSets:
    """The sets without plugins that no longer exist, where that needs no message."""
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


def _v1beta1_sets(features: Features) -> PluginSets:
    score = (
        PluginRef("NodeResourcesBalancedAllocation", 1),
        PluginRef("ImageLocality", 1),
        PluginRef("InterPodAffinity", 1),
        PluginRef("NodeResourcesLeastAllocated", 1),
        PluginRef("NodeAffinity", 1),
        PluginRef("NodePreferAvoidPods", 10000),
        PluginRef("PodTopologySpread", 2),
        PluginRef("TaintToleration", 1),
    )
    return _sets({**_POINTS_OF_THE_FIRST, ExtensionPoint.SCORE: score}, features)


def _v1beta2_sets(features: Features) -> PluginSets:
    score = (
        PluginRef("NodeResourcesBalancedAllocation", 1),
        PluginRef("ImageLocality", 1),
        PluginRef("InterPodAffinity", 1),
        PluginRef("NodeResourcesFit", 1),
        PluginRef("NodeAffinity", 1),
        PluginRef("PodTopologySpread", 2),
        PluginRef("TaintToleration", 1),
    )
    gates = {ExtensionPoint.PRE_ENQUEUE: _refs("SchedulingGates")}
    return _sets({**_POINTS_OF_THE_FIRST, **gates, ExtensionPoint.SCORE: score}, features)


_BIND_ADDRESSES = ("healthzBindAddress", "metricsBindAddress")
_PLACEMENT = ("placementGenerate", "placementScore")
_BETA_ARGS = {name: args for name, args in PLUGIN_ARGS.items() if name != "DynamicResources"}
_PERCENTAGE = ("percentageOfNodesToScore",)
_GONE_WITH_V1BETA2 = frozenset(
    {
        "NodeLabel", "ServiceAffinity", "NodePreferAvoidPods", "NodeResourcesLeastAllocated",
        "NodeResourcesMostAllocated", "RequestedToCapacityRatio",
    }
)  # fmt: skip

#: By apiVersion.
API_VERSIONS: Mapping[str, ApiVersion] = {
    f"{GROUP}{version.name}": version
    for version in (
        ApiVersion(
            "v1",
            ("1.25", ""),
            default_plugin_sets,
            PLUGIN_ARGS,
            {"": _BIND_ADDRESSES},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta3",
            ("1.23", "1.28"),
            default_plugin_sets,
            _BETA_ARGS,
            {"": _BIND_ADDRESSES, "profile": _PERCENTAGE, "plugins": _PLACEMENT},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta2",
            ("1.22", "1.27"),
            _v1beta2_sets,
            _BETA_ARGS,
            {"profile": _PERCENTAGE, "plugins": _PLACEMENT},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta1",
            ("1.19", "1.22"),
            _v1beta1_sets,
            {**_BETA_ARGS, **V1BETA1_ARGS},
            {"profile": _PERCENTAGE, "plugins": (MULTI_POINT, ExtensionPoint.PRE_ENQUEUE, *_PLACEMENT)},
            replaces=False,
        ),
    )
}
