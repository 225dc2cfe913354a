"""Plugins that configurations still name, and kube-scheduler no longer has.

Source: scheduler `apis/config/v1beta1` and `plugins` of 1.22.
"""

from collections.abc import Callable, Mapping

from kexplain.config.component.plugin_args import (
    PluginArgs,
    ResourceWeight,
    UtilizationShapePoint,
    resource_specs,
    shape_points,
)
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.plugins.legacy.node_label import NodeLabel
from kexplain.plugins.legacy.node_prefer_avoid_pods import NodePreferAvoidPods
from kexplain.plugins.legacy.node_resources_scorer import NodeResourcesScorer
from kexplain.plugins.legacy.selector_spread import SelectorSpread
from kexplain.plugins.legacy.service_affinity import ServiceAffinity
from kexplain.plugins.scoring_strategy import ScoringStrategy


class NodeResourcesLeastAllocatedArgs(PluginArgs, frozen=True):
    """The resources that count, with their weights."""

    resources: tuple[ResourceWeight, ...] = ()

    def plugin(self, features: Features) -> Plugin:
        return NodeResourcesScorer(ScoringStrategy("LeastAllocated", resource_specs(self.resources)))


class NodeResourcesMostAllocatedArgs(NodeResourcesLeastAllocatedArgs, frozen=True):
    """The resources that count, with their weights."""

    def plugin(self, features: Features) -> Plugin:
        return NodeResourcesScorer(ScoringStrategy("MostAllocated", resource_specs(self.resources)))


class RequestedToCapacityRatioArgs(NodeResourcesLeastAllocatedArgs, frozen=True):
    """The resources that count, and the score at each utilization."""

    shape: tuple[UtilizationShapePoint, ...] = ()

    def plugin(self, features: Features) -> Plugin:
        strategy = ScoringStrategy("RequestedToCapacityRatio", resource_specs(self.resources), shape_points(self.shape))
        return NodeResourcesScorer(strategy)


class NodeLabelArgs(PluginArgs, frozen=True):
    """Keys of labels that nodes must have or must not, and that they had better have or not."""

    present_labels: tuple[str, ...] = ()
    absent_labels: tuple[str, ...] = ()
    present_labels_preference: tuple[str, ...] = ()
    absent_labels_preference: tuple[str, ...] = ()

    def plugin(self, features: Features) -> Plugin:
        return NodeLabel(
            present=self.present_labels,
            absent=self.absent_labels,
            preferably_present=self.present_labels_preference,
            preferably_absent=self.absent_labels_preference,
        )


class ServiceAffinityArgs(PluginArgs, frozen=True):
    """Keys of node labels that a service's pods share, and those that they are spread over."""

    affinity_labels: tuple[str, ...] = ()
    anti_affinity_labels_preference: tuple[str, ...] = ()

    def plugin(self, features: Features) -> Plugin:
        return ServiceAffinity(self.affinity_labels, self.anti_affinity_labels_preference)


_OF_V1BETA1: tuple[type[PluginArgs], ...] = (
    NodeLabelArgs, NodeResourcesLeastAllocatedArgs, NodeResourcesMostAllocatedArgs, RequestedToCapacityRatioArgs,
    ServiceAffinityArgs,
)  # fmt: skip
#: What v1beta1 knows beyond the others, by the plugin's name.
V1BETA1_ARGS = {each.__name__.removesuffix("Args"): each for each in _OF_V1BETA1}
#: How all of them are made without arguments.
REMOVED_PLUGINS: Mapping[str, Callable[[Features], Plugin]] = {
    **{name: args().plugin for name, args in V1BETA1_ARGS.items()},
    NodePreferAvoidPods.name: lambda _: NodePreferAvoidPods(),
    SelectorSpread.name: lambda _: SelectorSpread(),
}
#: Those whose part scoringStrategy of NodeResourcesFit has taken.
SCORING_STRATEGIES = ("NodeResourcesLeastAllocated", "NodeResourcesMostAllocated", "RequestedToCapacityRatio")
