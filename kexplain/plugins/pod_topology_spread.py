"""Pods are spread over domains. Source: `plugins/podtopologyspread`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.node_tree import HOSTNAME, ZONE
from kexplain.framework import go_math
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.framework.features import Features
from kexplain.framework.plugin import MAX_NODE_SCORE, SKIP, PreFiltered, Skip
from kexplain.framework.status import Status, error, unresolvable, unschedulable
from kexplain.objects.core import Node, Pod, TopologySpreadConstraint
from kexplain.objects.selectors import (
    REPELLING_EFFECTS,
    RequiredNodeAffinity,
    Requirement,
    Selector,
    SelectorError,
    selector_from,
    untolerated_taints,
)
from kexplain.plugins.default_selector import default_selector

DO_NOT_SCHEDULE = "DoNotSchedule"
SCHEDULE_ANYWAY = "ScheduleAnyway"
#: What pods without constraints of their own are spread by, unless configured otherwise.
SYSTEM_DEFAULT_CONSTRAINTS = (
    TopologySpreadConstraint(topology_key=HOSTNAME, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=3),
    TopologySpreadConstraint(topology_key=ZONE, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=5),
)
#: Upstream's minimum where no domain is eligible.
NO_MINIMUM = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SpreadConstraint:
    """A parsed constraint."""

    max_skew: int
    topology_key: str
    selector: Selector
    min_domains: int
    honors_affinity: bool
    honors_taints: bool


class DomainCounts:
    """How many matching pods each eligible domain has, with the two lowest counts at hand.

    Two are enough since a dry run only ever changes the pods of one node, so of one domain.
    """

    __slots__ = ("count_by_domain", "lowest", "second")

    def __init__(self, count_by_domain: dict[str, int]) -> None:
        self.count_by_domain = count_by_domain
        self.lowest: tuple[int, str | None] = (NO_MINIMUM, None)
        self.second: tuple[int, str | None] = (NO_MINIMUM, None)
        for domain, count in count_by_domain.items():
            self._note(domain, count)

    def add(self, domain: str, delta: int) -> None:
        """Count a pod in, or out with -1."""
        count = self.count_by_domain.get(domain, 0) + delta
        self.count_by_domain[domain] = count
        self._note(domain, count)

    def _note(self, domain: str, count: int) -> None:
        if domain == self.lowest[1]:
            self.lowest = (count, domain)
        elif domain == self.second[1]:
            self.second = (count, domain)
        elif count < self.lowest[0]:
            self.lowest, self.second = (count, domain), self.lowest
        elif count < self.second[0]:
            self.second = (count, domain)
        if self.lowest[0] > self.second[0]:
            self.lowest, self.second = self.second, self.lowest

    def copy(self) -> DomainCounts:
        """An independent copy."""
        copy = DomainCounts.__new__(DomainCounts)
        copy.count_by_domain = self.count_by_domain.copy()
        copy.lowest = self.lowest
        copy.second = self.second
        return copy


@dataclass(slots=True)
class SpreadFilterState:
    """The hard constraints, with the counts of each."""

    constraints: tuple[SpreadConstraint, ...]
    required: RequiredNodeAffinity
    counts: list[DomainCounts]
    #: Per constraint whether the pod itself is counted; it never changes, so it is shared.
    own: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SpreadScoreState:
    """The soft constraints, the counts of each over the feasible nodes' domains, and their weights.

    Hostname counts are taken node by node when scoring, so their entry stays empty.
    """

    namespace: str
    constraints: tuple[SpreadConstraint, ...]
    counts: tuple[dict[str, int], ...]
    weights: tuple[float, ...]
    ignored: set[str] = field(default_factory=set)


class PodTopologySpread:
    """Turns away nodes whose domain has too many of the pod's kind, and prefers domains with few."""

    name = "PodTopologySpread"

    def __init__(
        self, features: Features, default_constraints: tuple[TopologySpreadConstraint, ...] | None = None
    ) -> None:
        """`default_constraints` None stands for the system's defaults."""
        self._features = features
        self._system_defaulted = default_constraints is None
        self.default_constraints = SYSTEM_DEFAULT_CONSTRAINTS if default_constraints is None else default_constraints

    # -------------------------------------------------------------------------------------------- filtering

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[SpreadFilterState] | Skip | Status:
        """Matching pods by domain for each hard constraint."""
        try:
            constraints = self._constraints(pod, cluster, DO_NOT_SCHEDULE)
        except SelectorError as fault:
            return error(f"get constraints from pod: obtaining pod's hard topology spread constraints: {fault}")
        if not constraints:
            return SKIP
        required = RequiredNodeAffinity.of(pod)
        counts: list[dict[str, int]] = [{} for _ in constraints]
        for node_info in cluster.node_infos:
            for index in self._eligible(pod, node_info.node, constraints, required):
                constraint = constraints[index]
                domain = node_info.node.labels[constraint.topology_key]
                matching = self._count(node_info, constraint.selector, pod.namespace)
                counts[index][domain] = counts[index].get(domain, 0) + matching
        own = tuple(int(constraint.selector.matches(pod.labels)) for constraint in constraints)
        return PreFiltered(SpreadFilterState(constraints, required, [DomainCounts(c) for c in counts], own))

    def clone(self, state: SpreadFilterState) -> SpreadFilterState:
        """A copy whose counts may change."""
        return SpreadFilterState(
            state.constraints, state.required, [counts.copy() for counts in state.counts], state.own
        )

    def add_pod(self, pod: Pod, state: SpreadFilterState, added: PodInfo, node_info: NodeInfo) -> None:
        """Count the pod in."""
        self._update(pod, state, added, node_info, 1)

    def remove_pod(self, pod: Pod, state: SpreadFilterState, removed: PodInfo, node_info: NodeInfo) -> None:
        """Count the pod out."""
        self._update(pod, state, removed, node_info, -1)

    def _update(self, pod: Pod, state: SpreadFilterState, other: PodInfo, node_info: NodeInfo, delta: int) -> None:
        """Upstream counts pods that are being deleted here, though it does not when it starts."""
        if other.pod.namespace != pod.namespace:
            return
        labels = other.pod.labels
        for index in self._eligible(pod, node_info.node, state.constraints, state.required):
            constraint = state.constraints[index]
            if constraint.selector.matches(labels):
                state.counts[index].add(node_info.node.labels[constraint.topology_key], delta)

    def filter(self, pod: Pod, state: SpreadFilterState, node_info: NodeInfo) -> Status | None:  # noqa: ARG002
        """None if the skew stays within bounds for every constraint."""
        labels = node_info.node.labels
        for constraint, counts, own in zip(state.constraints, state.counts, state.own, strict=True):
            domain = labels.get(constraint.topology_key)
            if domain is None:
                return unresolvable(
                    "node(s) didn't match pod topology spread constraints (missing required label)",
                    MissingTopologyLabel(constraint.topology_key),
                )
            domains = len(counts.count_by_domain)
            minimum = 0 if domains < constraint.min_domains else counts.lowest[0]
            matching = counts.count_by_domain.get(domain, 0)
            if matching + own - minimum > constraint.max_skew:
                return unschedulable(
                    "node(s) didn't match pod topology spread constraints",
                    SkewExceeded(
                        topology_key=constraint.topology_key,
                        domain=domain,
                        selector=constraint.selector,
                        matching=matching,
                        own=own,
                        minimum=minimum,
                        minimum_domain=None if domains < constraint.min_domains else counts.lowest[1],
                        max_skew=constraint.max_skew,
                        domains=domains,
                        min_domains=constraint.min_domains,
                    ),
                )
        return None

    # ---------------------------------------------------------------------------------------------- scoring

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> SpreadScoreState | Skip | Status:
        """Matching pods by domain for each soft constraint."""
        try:
            constraints = self._constraints(pod, cluster, SCHEDULE_ANYWAY)
        except SelectorError as fault:
            return error(f"calculating preScoreState: obtaining pod's soft topology spread constraints: {fault}")
        if not constraints:
            return SKIP if self._features.scores_are_skipped else SpreadScoreState(pod.namespace, (), (), ())
        # With the system's defaults, nodes without a zone label are still spread over by hostname.
        require_all = bool(pod.spec.topology_spread_constraints) or not self._system_defaulted
        counts: tuple[dict[str, int], ...] = tuple({} for _ in constraints)
        ignored: set[str] = set()
        for node_info in node_infos:
            if require_all and not _has_all_keys(node_info.node, constraints):
                ignored.add(node_info.name)
                continue
            for constraint, by_domain in zip(constraints, counts, strict=True):
                if constraint.topology_key != HOSTNAME:
                    by_domain[node_info.node.labels.get(constraint.topology_key, "")] = 0
        hosts = len(node_infos) - len(ignored)
        sizes = [
            hosts if constraint.topology_key == HOSTNAME else len(by_domain)
            for constraint, by_domain in zip(constraints, counts, strict=True)
        ]
        self._count_for_score(pod, cluster, constraints, counts, require_all=require_all)
        weights = tuple(go_math.log(size + 2) for size in sizes)
        return SpreadScoreState(pod.namespace, constraints, counts, weights, ignored)

    def _count_for_score(
        self,
        pod: Pod,
        cluster: Cluster,
        constraints: tuple[SpreadConstraint, ...],
        counts: tuple[dict[str, int], ...],
        *,
        require_all: bool,
    ) -> None:
        """Count over all nodes, but only into domains that a feasible node is in."""
        required = RequiredNodeAffinity.of(pod)
        for node_info in cluster.node_infos:
            # Nothing to count, which is quicker to see than whether it would be counted.
            if not node_info.pods:
                continue
            node = node_info.node
            for index in self._eligible(pod, node, constraints, required, require_all=require_all):
                domain = node.labels.get(constraints[index].topology_key, "")
                if domain in counts[index]:
                    counts[index][domain] += self._count(node_info, constraints[index].selector, pod.namespace)

    def score(self, pod: Pod, state: SpreadScoreState, node_info: NodeInfo) -> int:  # noqa: ARG002
        """The weighted number of matching pods in the node's domains; 0 for ignored nodes."""
        if node_info.name in state.ignored:
            return 0
        score = 0.0
        for constraint, by_domain, weight in zip(state.constraints, state.counts, state.weights, strict=True):
            domain = node_info.node.labels.get(constraint.topology_key)
            if domain is not None:
                if constraint.topology_key == HOSTNAME:
                    count = self._count(node_info, constraint.selector, state.namespace)
                else:
                    count = by_domain[domain]
                score += float(count) * weight + float(constraint.max_skew - 1)
        return go_math.round_half_away(score) if self._features.spread_scores_are_rounded else int(score)

    def normalize(self, state: SpreadScoreState, scores: Mapping[str, int]) -> dict[str, int]:
        """Fewer matching pods score higher; ignored nodes score 0."""
        counted = [score for name, score in scores.items() if name not in state.ignored]
        highest, lowest = max(counted, default=0), min(counted, default=0)
        return {
            name: 0
            if name in state.ignored
            else MAX_NODE_SCORE
            if highest == 0
            else MAX_NODE_SCORE * (highest + lowest - score) // highest
            for name, score in scores.items()
        }

    # ------------------------------------------------------------------------------------------ constraints

    def _constraints(self, pod: Pod, cluster: Cluster, action: str) -> tuple[SpreadConstraint, ...]:
        """The pod's constraints with this action, or the default ones for its services and controller."""
        own = pod.spec.topology_spread_constraints
        if own:
            return self._parse(own, pod.labels, action)
        defaults = self._parse(self.default_constraints, pod.labels, action)
        if not defaults:
            return ()
        selector = default_selector(pod, cluster.listers)
        if selector.is_empty:
            return ()
        return tuple(
            SpreadConstraint(c.max_skew, c.topology_key, selector, c.min_domains, c.honors_affinity, c.honors_taints)
            for c in defaults
        )

    def _parse(
        self, constraints: Sequence[TopologySpreadConstraint], pod_labels: Mapping[str, str], action: str
    ) -> tuple[SpreadConstraint, ...]:
        policies = self._features.node_inclusion_policy
        return tuple(
            SpreadConstraint(
                max_skew=constraint.max_skew,
                topology_key=constraint.topology_key,
                selector=self._selector(constraint, pod_labels),
                min_domains=self._min_domains(constraint),
                honors_affinity=not policies or constraint.node_affinity_policy != "Ignore",
                honors_taints=policies and constraint.node_taints_policy == "Honor",
            )
            for constraint in constraints
            if constraint.when_unsatisfiable == action
        )

    def _selector(self, constraint: TopologySpreadConstraint, pod_labels: Mapping[str, str]) -> Selector:
        """The label selector, narrowed to pods that are like this one in `matchLabelKeys`."""
        selector = selector_from(constraint.label_selector)
        if not self._features.match_label_keys_in_spread:
            return selector
        return selector.and_also(
            Requirement(key, "In", frozenset({pod_labels[key]}))
            for key in constraint.match_label_keys or ()
            if key in pod_labels
        )

    def _eligible(
        self,
        pod: Pod,
        node: Node,
        constraints: Sequence[SpreadConstraint],
        required: RequiredNodeAffinity,
        *,
        require_all: bool = True,
    ) -> list[int]:
        """Which constraints, by index, count the pods of this node.

        None if the node lacks a topology key of any of them (unless that is not required); else those whose
        inclusion policies the node meets.
        """
        if require_all and not _has_all_keys(node, constraints):
            return []
        matches: bool | None = None
        eligible = []
        for index, constraint in enumerate(constraints):
            if constraint.honors_affinity:
                if matches is None:
                    matches = required.matches(node)
                if not matches:
                    continue
            if constraint.honors_taints and node.spec.taints and self._is_repelled(pod, node):
                continue
            eligible.append(index)
        return eligible

    def _min_domains(self, constraint: TopologySpreadConstraint) -> int:
        if constraint.min_domains is None or not self._features.spread_min_domains:
            return 1
        return constraint.min_domains

    def _count(self, node_info: NodeInfo, selector: Selector, namespace: str) -> int:
        counts_nothing = self._features.empty_spread_selectors_count_nothing
        return count_matching(node_info.pods, selector, namespace, empty_counts=not counts_nothing)

    def _is_repelled(self, pod: Pod, node: Node) -> bool:
        comparison = self._features.taint_toleration_comparison_operators
        tolerations = pod.spec.tolerations or ()
        taints = node.spec.taints or ()
        return bool(untolerated_taints(taints, tolerations, REPELLING_EFFECTS, comparison_operators=comparison))


def _has_all_keys(node: Node, constraints: Sequence[SpreadConstraint]) -> bool:
    labels = node.labels
    for constraint in constraints:  # noqa: SIM110 (asked once a node; a generator doubles its cost)
        if constraint.topology_key not in labels:
            return False
    return True


def count_matching(
    pod_infos: Sequence[PodInfo], selector: Selector, namespace: str, *, empty_counts: bool = False
) -> int:
    """How many of the pods count: same namespace, selected, not being deleted.

    An empty selector counts none, or all with `empty_counts`.
    """
    if selector.is_empty and not empty_counts:
        return 0
    count = 0
    for pod_info in pod_infos:
        metadata = pod_info.pod.metadata
        if metadata.namespace != namespace or metadata.deletion_timestamp is not None:
            continue
        if selector.matches(metadata.labels or {}):
            count += 1
    return count
