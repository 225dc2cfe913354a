"""The arguments that plugins take, with their defaults, their rules, and the plugins made of them.

Source: scheduler `apis/config/v1/defaults.go` and `apis/config/validation/validation_pluginargs.go`. What stands for
time (bindTimeoutSeconds, filterTimeout, bindingTimeout) is checked, but has no effect on a decision.
"""

from collections.abc import Iterable, Mapping, Sequence

from kexplain.config.component.argument_rules import (
    Problems,
    UtilizationShapePoint,
    below,
    not_one_of,
    out_of_range,
    shape_points,
    shape_problems,
)
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.objects.core import NodeAffinity as NodeAffinityRules
from kexplain.objects.core import NodeSelectorTerm, TopologySpreadConstraint
from kexplain.objects.go_duration import parse_duration
from kexplain.objects.meta import Record
from kexplain.objects.node_selectors import parse_node_term
from kexplain.objects.problem import Path, Problem
from kexplain.objects.requests import CPU, MEMORY
from kexplain.objects.selectors import SelectorError, is_qualified_name
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from kexplain.plugins.node_affinity import NodeAffinity
from kexplain.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.pod_topology_spread import DO_NOT_SCHEDULE, SCHEDULE_ANYWAY, PodTopologySpread
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.plugins.resource_allocation import DEFAULT_RESOURCES, ResourceSpec
from kexplain.plugins.scoring_strategy import STRATEGY_TYPES, ScoringStrategy
from kexplain.plugins.storage_scoring import default_shape
from kexplain.plugins.volume_binding import VolumeBinding

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")


class PluginArgs(Record, frozen=True):
    """The arguments of one plugin."""

    api_version: str | None = None
    kind: str | None = None

    def problems(self) -> Problems:
        """What breaks the rules; paths are below the arguments."""
        yield from ()

    def disabled(self, features: Features) -> Problems:  # noqa: ARG002
        """What needs a feature that is off; paths are below the arguments."""
        yield from ()

    def plugin(self, features: Features) -> Plugin:
        """The plugin that these arguments make, which break no rule."""
        raise NotImplementedError


# ------------------------------------------------------------------------------------------------- resources


class ResourceWeight(Record, frozen=True):
    """A resource that counts in scoring, and its weight; 0 means 1."""

    name: str = ""
    weight: int = 0

    @property
    def effective_weight(self) -> int:
        return self.weight or 1


def resource_specs(resources: Iterable[ResourceWeight]) -> tuple[ResourceSpec, ...]:
    """The resources as plugins take them; CPU and memory if there are none."""
    return tuple(ResourceSpec(each.name, each.effective_weight) for each in resources) or DEFAULT_RESOURCES


def resource_problems(resources: Sequence[ResourceWeight], path: Path) -> Problems:
    """Weights that are out of range."""
    for index, resource in enumerate(resources):
        yield from out_of_range((*path, index, "weight"), resource.effective_weight, 1, 100)


class RequestedToCapacityRatioParam(Record, frozen=True):
    """The shape of the strategy of that name."""

    shape: tuple[UtilizationShapePoint, ...] = ()


class ScoringStrategySpec(Record, frozen=True):
    """How fullness becomes a score."""

    type: str = ""
    resources: tuple[ResourceWeight, ...] = ()
    requested_to_capacity_ratio: RequestedToCapacityRatioParam | None = None

    def problems(self) -> Problems:
        """What breaks the rules; paths are below the strategy."""
        yield from not_one_of(("type",), self.type, STRATEGY_TYPES)
        yield from resource_problems(self.resources, ("resources",))
        field: Path = ("requestedToCapacityRatio",)
        ratio = self.requested_to_capacity_ratio
        if self.type == "RequestedToCapacityRatio":
            if ratio is None:
                yield Problem(field, "is needed with this type: it holds the shape")
            else:
                yield from shape_problems(ratio.shape, (*field, "shape"))
        elif ratio is not None:
            yield Problem(field, f"is only for type RequestedToCapacityRatio, not {self.type}")

    def strategy(self) -> ScoringStrategy:
        """The strategy as the plugin takes it."""
        kind = next(each for each in STRATEGY_TYPES if each == self.type)
        ratio = self.requested_to_capacity_ratio
        return ScoringStrategy(kind, resource_specs(self.resources), shape_points(ratio.shape if ratio else ()))


class NodeResourcesFitArgs(PluginArgs, frozen=True):
    """What is not looked at, and how nodes are ranked."""

    ignored_resources: tuple[str, ...] = ()
    ignored_resource_groups: tuple[str, ...] = ()
    scoring_strategy: ScoringStrategySpec = ScoringStrategySpec(
        type="LeastAllocated", resources=(ResourceWeight(name=CPU), ResourceWeight(name=MEMORY))
    )

    def problems(self) -> Problems:
        for index, name in enumerate(self.ignored_resources):
            if not is_qualified_name(name):
                yield Problem(("ignoredResources", index), f'"{name}" is not a resource name such as example.com/foo')
        for index, group in enumerate(self.ignored_resource_groups):
            path: Path = ("ignoredResourceGroups", index)
            if "/" in group:
                yield Problem(path, f'"{group}" is not a group: a group is the part of a resource name before the /')
            elif not is_qualified_name(group):
                yield Problem(path, f'"{group}" is not a resource group such as example.com')
        yield from (each.below("scoringStrategy") for each in self.scoring_strategy.problems())

    def plugin(self, features: Features) -> Plugin:
        return NodeResourcesFit(
            features,
            self.scoring_strategy.strategy(),
            frozenset(self.ignored_resources),
            frozenset(self.ignored_resource_groups),
        )


class NodeResourcesBalancedAllocationArgs(PluginArgs, frozen=True):
    """The resources to balance; every weight must be 1."""

    resources: tuple[ResourceWeight, ...] = ()

    def problems(self) -> Problems:
        seen: set[str] = set()
        for index, resource in enumerate(self.resources):
            path: Path = ("resources", index)
            if resource.name in seen:
                yield Problem((*path, "name"), f'"{resource.name}" is named twice')
            seen.add(resource.name)
            if resource.effective_weight != 1:
                yield Problem((*path, "weight"), f"{resource.weight} is not 1: all resources weigh the same here")

    def plugin(self, features: Features) -> Plugin:
        return NodeResourcesBalancedAllocation(features, resource_specs(self.resources))


# --------------------------------------------------------------------------------------------- other plugins


class DefaultPreemptionArgs(PluginArgs, frozen=True):
    """How many candidates are enough."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100

    def problems(self) -> Problems:
        percentage: Path = ("minCandidateNodesPercentage",)
        absolute: Path = ("minCandidateNodesAbsolute",)
        yield from out_of_range(percentage, self.min_candidate_nodes_percentage, 0, 100)
        yield from below(absolute, self.min_candidate_nodes_absolute, 0)
        if self.min_candidate_nodes_percentage == 0 and self.min_candidate_nodes_absolute == 0:
            yield Problem(percentage, "cannot be 0 where minCandidateNodesAbsolute is 0 too")
            yield Problem(absolute, "cannot be 0 where minCandidateNodesPercentage is 0 too")

    def plugin(self, features: Features) -> Plugin:
        return DefaultPreemption(
            self.min_candidate_nodes_percentage, self.min_candidate_nodes_absolute, features=features
        )


class InterPodAffinityArgs(PluginArgs, frozen=True):
    """How the affinity of running pods counts in scoring."""

    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False

    def problems(self) -> Problems:
        yield from out_of_range(("hardPodAffinityWeight",), self.hard_pod_affinity_weight, 0, 100)

    def plugin(self, features: Features) -> Plugin:
        return InterPodAffinity(
            self.hard_pod_affinity_weight,
            ignore_preferred_terms_of_existing_pods=self.ignore_preferred_terms_of_existing_pods,
            features=features,
        )


class NodeAffinityArgs(PluginArgs, frozen=True):
    """Node affinity that every pod of the profile gets."""

    added_affinity: NodeAffinityRules | None = None

    def problems(self) -> Problems:
        if self.added_affinity is None:
            return
        required = self.added_affinity.required
        path: Path = ("addedAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
        for index, term in enumerate(required.node_selector_terms or () if required else ()):
            yield from _term_problems(term, (*path, "nodeSelectorTerms", index))
        preferred = self.added_affinity.preferred
        path = ("addedAffinity", "preferredDuringSchedulingIgnoredDuringExecution")
        for index, weighted in enumerate(preferred or ()):
            yield from _term_problems(weighted.preference, (*path, index, "preference"))

    def plugin(self, features: Features) -> Plugin:
        return NodeAffinity(self.added_affinity, features=features)


def _term_problems(term: NodeSelectorTerm, path: Path) -> Problems:
    for index, expression in enumerate(term.match_expressions or ()):
        place: Path = (*path, "matchExpressions", index)
        if expression.operator not in _OPERATORS:
            yield from not_one_of((*place, "operator"), expression.operator, _OPERATORS)
            continue
        try:
            parse_node_term(NodeSelectorTerm(match_expressions=(expression,)))
        except SelectorError as error:
            yield Problem(place, str(error))
    for index, expression in enumerate(term.match_fields or ()):
        try:
            parse_node_term(NodeSelectorTerm(match_fields=(expression,)))
        except SelectorError:
            words = "fields take operator In or NotIn with exactly one value"
            yield Problem((*path, "matchFields", index), words)


class DefaultConstraint(TopologySpreadConstraint, frozen=True):
    """A spread constraint of a configuration, where fields that are not given have no defaults."""

    max_skew: int = 0
    when_unsatisfiable: str = ""


class PodTopologySpreadArgs(PluginArgs, frozen=True):
    """What pods without constraints of their own are spread by."""

    defaulting_type: str = ""
    default_constraints: tuple[DefaultConstraint, ...] = ()

    def problems(self) -> Problems:
        kind = self.defaulting_type or "System"
        yield from not_one_of(("defaultingType",), kind, ("System", "List"))
        if kind == "System" and self.default_constraints:
            yield Problem(("defaultingType",), "must be List where defaultConstraints are given, not System")
        seen: dict[tuple[str, str], int] = {}
        for index, constraint in enumerate(self.default_constraints):
            path: Path = ("defaultConstraints", index)
            yield from _constraint_problems(constraint, path)
            pair = (constraint.topology_key, constraint.when_unsatisfiable)
            if pair in seen:
                yield Problem(path, f"defaultConstraints[{seen[pair]}] has the same topologyKey and whenUnsatisfiable")
            seen.setdefault(pair, index)

    def plugin(self, features: Features) -> Plugin:
        return PodTopologySpread(features, self.default_constraints if self.defaulting_type == "List" else None)


def _constraint_problems(constraint: TopologySpreadConstraint, path: Path) -> Problems:
    yield from below((*path, "maxSkew"), constraint.max_skew, 1)
    if not is_qualified_name(constraint.topology_key):
        problem = f'"{constraint.topology_key}" is not a label key' if constraint.topology_key else "is needed"
        yield Problem((*path, "topologyKey"), f"{problem}; such as topology.kubernetes.io/zone")
    allowed = (DO_NOT_SCHEDULE, SCHEDULE_ANYWAY)
    yield from not_one_of((*path, "whenUnsatisfiable"), constraint.when_unsatisfiable, allowed)
    if constraint.label_selector is not None:
        words = "must not be set: each pod's services and controller determine it"
        yield Problem((*path, "labelSelector"), words)


class VolumeBindingArgs(PluginArgs, frozen=True):
    """How fullness of storage becomes a score, and how long binding may take, which has no effect on a decision."""

    bind_timeout_seconds: int = 600
    shape: tuple[UtilizationShapePoint, ...] | None = None

    def problems(self) -> Problems:
        yield from below(("bindTimeoutSeconds",), self.bind_timeout_seconds, 0)
        if self.shape:
            yield from shape_problems(self.shape, ("shape",))

    def disabled(self, features: Features) -> Problems:
        if self.shape is not None and not default_shape(features):
            yield Problem(("shape",), "needs the feature gate StorageCapacityScoring, which is off; take it out")

    def plugin(self, features: Features) -> Plugin:
        return VolumeBinding(features, shape_points(self.shape or ()))


class DynamicResourcesArgs(PluginArgs, frozen=True):
    """How long the search for devices and binding may take; without effect on the decision."""

    filter_timeout: str | None = None
    binding_timeout: str | None = None

    def problems(self) -> Problems:
        for name, text, least in (
            ("filterTimeout", self.filter_timeout, 0),
            ("bindingTimeout", self.binding_timeout, 1),
        ):
            seconds = None if text is None else parse_duration(text)
            if text is not None and seconds is None:
                yield Problem((name,), f'"{text}" is not a duration such as 10s')
            elif seconds is not None and seconds < least:
                yield Problem((name,), f"{text} is below {least}s")

    def plugin(self, features: Features) -> Plugin:
        return IN_TREE_PLUGINS["DynamicResources"](features)


#: By the plugin's name.
PLUGIN_ARGS: Mapping[str, type[PluginArgs]] = {
    "DefaultPreemption": DefaultPreemptionArgs,
    "DynamicResources": DynamicResourcesArgs,
    "InterPodAffinity": InterPodAffinityArgs,
    "NodeAffinity": NodeAffinityArgs,
    "NodeResourcesBalancedAllocation": NodeResourcesBalancedAllocationArgs,
    "NodeResourcesFit": NodeResourcesFitArgs,
    "PodTopologySpread": PodTopologySpreadArgs,
    "VolumeBinding": VolumeBindingArgs,
}
