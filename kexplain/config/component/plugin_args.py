"""The arguments that plugins take, with their defaults, and the plugins made of them, once they keep all rules.

Source: scheduler `apis/config/v1/defaults.go` and `apis/config/validation/validation_pluginargs.go`. What stands for
time (bindTimeoutSeconds, filterTimeout, bindingTimeout) is checked, but has no effect on a decision.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins
from msgspec.structs import fields

from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.objects.core import NodeAffinity as NodeAffinityRules
from kexplain.objects.core import TopologySpreadConstraint
from kexplain.objects.meta import Record
from kexplain.objects.requests import CPU, MEMORY
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from kexplain.plugins.node_affinity import NodeAffinity
from kexplain.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.plugins.resource_allocation import DEFAULT_RESOURCES, ResourceSpec
from kexplain.plugins.scoring_strategy import STRATEGY_TYPES, ScoringStrategy, ShapePoint
from kexplain.plugins.storage_scoring import default_shape
from kexplain.plugins.volume_binding import VolumeBinding

#: A configuration scores utilization from 0 to 10, the scheduler nodes from 0 to 100.
_SCALE = 10


class PluginArgs(Record, frozen=True):
    """The arguments of one plugin."""

    api_version: str | None = None
    kind: str | None = None

    def plugin(self, features: Features) -> Plugin:
        """The plugin that these arguments make, which break no rule."""
        raise NotImplementedError

    @classmethod
    def defaults(cls, _features: Features) -> dict[str, Any]:
        """What counts for arguments that are not given, by the names of these; some of it is behind gates."""
        return {each.encode_name: to_builtins(each.default) for each in fields(cls)}


# ------------------------------------------------------------------------------------------------- resources


class ResourceWeight(Record, frozen=True):
    """A resource that counts in scoring, and its weight; 0 means 1."""

    name: str = ""
    weight: int = 0


def resource_specs(resources: Iterable[ResourceWeight]) -> tuple[ResourceSpec, ...]:
    """The resources as plugins take them; CPU and memory if there are none."""
    return tuple(ResourceSpec(each.name, each.weight or 1) for each in resources) or DEFAULT_RESOURCES


#: What counts where a configuration names no resources.
CPU_AND_MEMORY = (ResourceWeight(name=CPU, weight=1), ResourceWeight(name=MEMORY, weight=1))


class UtilizationShapePoint(Record, frozen=True):
    """The score at a utilization in percent."""

    utilization: int = 0
    score: int = 0


def shape_points(shape: Iterable[UtilizationShapePoint]) -> tuple[ShapePoint, ...]:
    """The points on the scheduler's own scale."""
    return tuple(ShapePoint(point.utilization, point.score * _SCALE) for point in shape)


class RequestedToCapacityRatioParam(Record, frozen=True):
    """The shape of the strategy of that name."""

    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategySpec(Record, frozen=True):
    """How fullness becomes a score."""

    type: str = ""
    resources: tuple[ResourceWeight, ...] = ()
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None

    def strategy(self) -> ScoringStrategy:
        """The strategy as the plugin takes it."""
        kind = next(each for each in STRATEGY_TYPES if each == self.type)
        ratio = self.requested_to_capacity_ratio
        return ScoringStrategy(kind, resource_specs(self.resources), shape_points(ratio.shape if ratio else ()))


class NodeResourcesFitArgs(PluginArgs, frozen=True):
    """What is not looked at, and how nodes are ranked."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategySpec = ScoringStrategySpec(type="LeastAllocated", resources=CPU_AND_MEMORY)

    def plugin(self, features: Features) -> Plugin:
        ignored = frozenset(self.ignored_resources), frozenset(self.ignored_resource_groups)
        return NodeResourcesFit(features, self.scoring_strategy.strategy(), *ignored)


class NodeResourcesBalancedAllocationArgs(PluginArgs, frozen=True):
    """The resources to balance; every weight must be 1."""

    resources: tuple[ResourceWeight, ...] = CPU_AND_MEMORY

    def plugin(self, features: Features) -> Plugin:
        return NodeResourcesBalancedAllocation(features, resource_specs(self.resources))


# --------------------------------------------------------------------------------------------- other plugins


class DefaultPreemptionArgs(PluginArgs, frozen=True):
    """How many candidates are enough."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100

    def plugin(self, features: Features) -> Plugin:
        return DefaultPreemption(
            self.min_candidate_nodes_percentage, self.min_candidate_nodes_absolute, features=features
        )


class InterPodAffinityArgs(PluginArgs, frozen=True):
    """How the affinity of running pods counts in scoring."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False

    def plugin(self, features: Features) -> Plugin:
        return InterPodAffinity(
            self.hard_pod_affinity_weight,
            ignore_preferred_terms_of_existing_pods=self.ignore_preferred_terms_of_existing_pods,
            features=features,
        )


class NodeAffinityArgs(PluginArgs, frozen=True):
    """Node affinity that every pod of the profile gets."""

    added_affinity: NodeAffinityRules | None = None

    def plugin(self, features: Features) -> Plugin:
        return NodeAffinity(self.added_affinity, features=features)


class DefaultConstraint(TopologySpreadConstraint, frozen=True):
    """A spread constraint of a configuration, where fields that are not given have no defaults."""

    max_skew: int = 0
    when_unsatisfiable: str = ""


class PodTopologySpreadArgs(PluginArgs, frozen=True):
    """What pods without constraints of their own are spread by."""

    defaulting_type: str = "System"
    default_constraints: tuple[DefaultConstraint, ...] = ()

    def plugin(self, features: Features) -> Plugin:
        return PodTopologySpread(features, self.default_constraints if self.defaulting_type == "List" else None)


class VolumeBindingArgs(PluginArgs, frozen=True):
    """How fullness of storage becomes a score, and how long binding may take, which has no effect on a decision."""

    bind_timeout_seconds: int = 600
    shape: tuple[UtilizationShapePoint, ...] | None = None

    def plugin(self, features: Features) -> Plugin:
        return VolumeBinding(features, shape_points(self.shape or ()))

    @classmethod
    def defaults(cls, features: Features) -> dict[str, Any]:
        points = [{"utilization": each.utilization, "score": each.score // _SCALE} for each in default_shape(features)]
        return {**super().defaults(features), "shape": points}


class DynamicResourcesArgs(PluginArgs, frozen=True):
    """How long the search for devices and binding may take; without effect on the decision."""

    filter_timeout: str | None = None
    binding_timeout: str | None = None

    def plugin(self, features: Features) -> Plugin:
        return IN_TREE_PLUGINS["DynamicResources"](features)

    @classmethod
    def defaults(cls, features: Features) -> dict[str, Any]:
        searching = "10s" if features.device_search_has_timeout else None
        # The argument came with the release in which both gates count.
        waits = features.device_binding_conditions and features.device_status
        waiting = "10m0s" if waits and features.device_gates_for_waiting_count_together else None
        return {**super().defaults(features), "filterTimeout": searching, "bindingTimeout": waiting}


_EVERY: tuple[type[PluginArgs], ...] = (
    DefaultPreemptionArgs, DynamicResourcesArgs, InterPodAffinityArgs, NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs, NodeResourcesFitArgs, PodTopologySpreadArgs, VolumeBindingArgs,
)  # fmt: skip
#: By the plugin's name.
PLUGIN_ARGS = {each.__name__.removesuffix("Args"): each for each in _EVERY}
