"""Plugins that configurations still name, and kube-scheduler no longer has.

Source: scheduler `apis/config/v1beta1` and `plugins` of 1.22.
"""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.config.plugin_args import (
    PluginArgs,
    Problems,
    ResourceWeight,
    UtilizationShapePoint,
    resource_problems,
    resource_specs,
    shape_points,
    shape_problems,
)
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.plugins.legacy.node_resources_scorer import NodeResourcesScorer
from kexplain.plugins.scoring_strategy import ScoringStrategy

#: What is not looked at where one of these is on.
REMOVED_PLUGINS: Mapping[str, str] = {
    "NodeLabel": "it filtered and ranked nodes by labels that are there or not",
    "NodePreferAvoidPods": "it ranked nodes by the annotation scheduler.alpha.kubernetes.io/preferAvoidPods",
    "SelectorSpread": "it spread the pods of a service or controller over nodes and zones",
    "ServiceAffinity": "it kept the pods of a service on nodes with the same labels",
}


class NodeResourcesLeastAllocatedArgs(PluginArgs, frozen=True):
    """The resources that count."""

    resources: tuple[ResourceWeight, ...] = ()

    def problems(self) -> Problems:
        """See PluginArgs."""
        yield from resource_problems(self.resources, ("resources",))

    def plugin(self, features: Features) -> Plugin:  # noqa: ARG002
        """See PluginArgs."""
        strategy = ScoringStrategy("LeastAllocated", resource_specs(self.resources))
        return NodeResourcesScorer("NodeResourcesLeastAllocated", strategy)


class NodeResourcesMostAllocatedArgs(NodeResourcesLeastAllocatedArgs, frozen=True):
    """The resources that count."""

    def plugin(self, features: Features) -> Plugin:  # noqa: ARG002
        """See PluginArgs."""
        strategy = ScoringStrategy("MostAllocated", resource_specs(self.resources))
        return NodeResourcesScorer("NodeResourcesMostAllocated", strategy)


class RequestedToCapacityRatioArgs(NodeResourcesLeastAllocatedArgs, frozen=True):
    """The resources that count, and the score at each utilization."""

    shape: tuple[UtilizationShapePoint, ...] = ()

    def problems(self) -> Problems:
        """See PluginArgs."""
        yield from resource_problems(self.resources, ("resources",))
        yield from shape_problems(self.shape, ("shape",))

    def plugin(self, features: Features) -> Plugin:  # noqa: ARG002
        """See PluginArgs."""
        strategy = ScoringStrategy("RequestedToCapacityRatio", resource_specs(self.resources), shape_points(self.shape))
        return NodeResourcesScorer("RequestedToCapacityRatio", strategy)


class NodeLabelArgs(PluginArgs, frozen=True):
    """Arguments of a plugin that is not evaluated."""

    present_labels: tuple[str, ...] = ()
    absent_labels: tuple[str, ...] = ()
    present_labels_preference: tuple[str, ...] = ()
    absent_labels_preference: tuple[str, ...] = ()


class ServiceAffinityArgs(PluginArgs, frozen=True):
    """Arguments of a plugin that is not evaluated."""

    affinity_labels: tuple[str, ...] = ()
    anti_affinity_labels_preference: tuple[str, ...] = ()


#: What v1beta1 knows beyond the others, by the plugin's name.
V1BETA1_ARGS: Mapping[str, type[PluginArgs]] = {
    "NodeLabel": NodeLabelArgs,
    "NodeResourcesLeastAllocated": NodeResourcesLeastAllocatedArgs,
    "NodeResourcesMostAllocated": NodeResourcesMostAllocatedArgs,
    "RequestedToCapacityRatio": RequestedToCapacityRatioArgs,
    "ServiceAffinity": ServiceAffinityArgs,
}
#: Those among them that are still decided as they were.
STILL_DECIDED = ("NodeResourcesLeastAllocated", "NodeResourcesMostAllocated", "RequestedToCapacityRatio")
