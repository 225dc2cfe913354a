"""Pods are spread over domains. Source: `plugins/podtopologyspread`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import compress

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.placed_pods import PodsByDomain
from kexplain.framework import go_math
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.framework.features import Features
from kexplain.framework.plugin import MAX_NODE_SCORE, SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import NO_REJECTIONS, Rejections, Status, error, unresolvable, unschedulable
from kexplain.objects.core import Node, Pod, TopologySpreadConstraint
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import REPELLING_EFFECTS, Requirement, Selector, SelectorError, selector_from
from kexplain.objects.tolerations import untolerated_taints
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.plugins.default_selector import default_selector, is_counted
from kexplain.plugins.label_signing import sign_spread
from kexplain.plugins.spread_counts import (
    DomainCounts,
    EligibleDomains,
    Keyed,
    SpreadConstraint,
    SpreadFilterState,
    SpreadScoreState,
)

DO_NOT_SCHEDULE = "DoNotSchedule"
SCHEDULE_ANYWAY = "ScheduleAnyway"
#: What pods without constraints of their own are spread by, unless configured otherwise.
SYSTEM_DEFAULT_CONSTRAINTS = (
    TopologySpreadConstraint(topology_key=HOSTNAME, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=3),
    TopologySpreadConstraint(topology_key=ZONE, when_unsatisfiable=SCHEDULE_ANYWAY, max_skew=5),
)
#: So many domains are looked at to see that none has too many pods.
FEW_DOMAINS = 64
_ANY_NODE = RequiredNodeAffinity((), None)


class PodTopologySpread:
    """Turns away nodes whose domain has too many of the pod's kind, and prefers domains with few."""

    name = "PodTopologySpread"
    missing_state = 'reading "PreFilterPodTopologySpread" from cycleState: not found'
    missing_score_state = 'error reading "PreScorePodTopologySpread" from cycleState: not found'

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
        if not constraints and self._features.further_filters_are_skipped:
            return SKIP
        required = RequiredNodeAffinity.of(pod)
        keyed = Keyed(tuple(each.topology_key for each in constraints))
        counts = [self._count_by_domain(pod, cluster, each, keyed, required) for each in constraints]
        if not self._features.spread_counts_on_eligible_nodes_only:
            counts = [self._count_everywhere(pod, cluster, *each) for each in zip(constraints, counts, strict=True)]
        own = tuple(int(constraint.selector.matches(pod.labels)) for constraint in constraints)
        return PreFiltered(SpreadFilterState(constraints, required, [DomainCounts(c) for c in counts], own))

    def _count_everywhere(
        self, pod: Pod, cluster: Cluster, constraint: SpreadConstraint, eligible: Mapping[str, int]
    ) -> dict[str, int]:
        """Matching pods by domain, on every node of the eligible domains."""
        key = constraint.topology_key
        domains = cluster.fact(
            (PodTopologySpread, "domains", key),
            lambda: {node_info.name: node_info.labels.get(key, "") for node_info in cluster.node_infos},
        )
        every = self._counted(pod, cluster, constraint, (self, "everywhere", key), domains)
        return {domain: every.get(domain, 0) for domain in eligible}

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The pod's constraints or whose pod it is, which nodes count for it, and of its labels those that select."""
        return sign_spread(pod, cluster, has_defaults=bool(self.default_constraints))

    def is_signed_upstream(self, pod: Pod) -> bool:
        """Not with constraints, be they defaults."""
        return not pod.spec.topology_spread_constraints and not self.default_constraints

    def clone(self, state: SpreadFilterState) -> SpreadFilterState:
        """A copy whose counts may change."""
        return SpreadFilterState(state.constraints, state.required, [each.copy() for each in state.counts], state.own)

    def count_pod(self, pod: Pod, state: SpreadFilterState, other: PodInfo, node_info: NodeInfo, change: int) -> None:
        """Upstream counts pods that are being deleted here, though it does not when it starts."""
        if other.pod.namespace != pod.namespace:
            return
        labels = other.pod.labels
        node = node_info.node
        if not _has_all_keys(node, state.constraints):
            return
        required = state.required if self._features.spread_counts_on_eligible_nodes_only else _ANY_NODE
        for constraint, counts in zip(state.constraints, state.counts, strict=True):
            if constraint.selector.matches(labels) and self._is_eligible(pod, node, constraint, required):
                counts.add(node.labels[constraint.topology_key], change)

    def may_help(self, action: str, pod: PodInfo, other: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that came or went counts for a hard constraint: a count falls, or the lowest rises."""
        return other.pod.namespace == pod.pod.namespace and any(
            constraint.selector.matches(other.pod.labels)
            for constraint in self._constraints(pod.pod, cluster, DO_NOT_SCHEDULE)
        )

    def filter(self, pod: Pod, state: SpreadFilterState, node_info: NodeInfo) -> Status | None:
        """None if the skew stays within bounds for every constraint."""
        labels = node_info.labels
        for constraint, counts, own in state.checks:
            domain = labels.get(constraint.topology_key)
            verdicts = counts.verdicts
            if domain not in verdicts:
                verdicts[domain] = _verdict(constraint, counts, domain, own)
            verdict = verdicts[domain]
            if verdict is not None:
                return verdict
        return None

    def suspects(self, state: SpreadFilterState, cluster: Cluster) -> set[str]:
        """The nodes in domains that have too many pods."""
        return {
            name
            for constraint, counts, own in state.checks
            for domain, names in cluster.names_by_label(constraint.topology_key).items()
            if _verdict(constraint, counts, domain, own) is not None
            for name in names
        }

    def rejections(self, state: SpreadFilterState, cluster: Cluster) -> Rejections | None:
        """None where there are many domains, or too many pods in any: one more may change the verdict on all nodes."""
        for constraint, counts, own in state.checks:
            domains = cluster.names_by_label(constraint.topology_key)
            if len(domains) > FEW_DOMAINS or any(_verdict(constraint, counts, each, own) for each in domains):
                return None
        return NO_REJECTIONS

    # ---------------------------------------------------------------------------------------------- scoring

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> SpreadScoreState | Skip | Status:
        """Matching pods by domain for each soft constraint."""
        try:
            constraints = self._constraints(pod, cluster, SCHEDULE_ANYWAY)
        except SelectorError as fault:
            return error(f"calculating preScoreState: obtaining pod's soft topology spread constraints: {fault}")
        if not constraints:
            return SKIP if self._features.scores_are_skipped else SpreadScoreState((), (), ())
        # With the system's defaults, nodes without a zone label are still spread over by hostname.
        require_all = bool(pod.spec.topology_spread_constraints) or not self._system_defaulted
        domains: tuple[dict[str, int], ...] = tuple({} for _ in constraints)
        ignored: set[str] = set()
        for node_info in node_infos:
            labels = node_info.labels
            if require_all and not _has_all_keys(node_info.node, constraints):
                ignored.add(node_info.name)
                continue
            for constraint, by_domain in zip(constraints, domains, strict=True):
                if constraint.topology_key != HOSTNAME:
                    by_domain[labels.get(constraint.topology_key, "")] = 0
        hosts = len(node_infos) - len(ignored)
        sizes = [
            hosts if constraint.topology_key == HOSTNAME else len(by_domain)
            for constraint, by_domain in zip(constraints, domains, strict=True)
        ]
        counts = self._count_for_score(pod, cluster, constraints, domains, require_all=require_all)
        return SpreadScoreState(constraints, counts, tuple(go_math.log(size + 2) for size in sizes), ignored)

    def _count_for_score(
        self,
        pod: Pod,
        cluster: Cluster,
        constraints: tuple[SpreadConstraint, ...],
        domains: tuple[dict[str, int], ...],
        *,
        require_all: bool,
    ) -> tuple[Mapping[str, int], ...]:
        """Count over all nodes, but only into domains that a feasible node is in; over hostnames node by node."""
        required = RequiredNodeAffinity.of(pod)
        keyed = Keyed(tuple(each.topology_key for each in constraints) if require_all else ())
        counts: list[Mapping[str, int]] = []
        for constraint, wanted in zip(constraints, domains, strict=True):
            if constraint.topology_key == HOSTNAME:
                counts.append(self._count_by_node(pod, cluster, constraint))
            else:
                every = self._count_by_domain(pod, cluster, constraint, keyed, required)
                counts.append({domain: every.get(domain, 0) for domain in wanted})
        return tuple(counts)

    def score(self, pod: Pod, state: SpreadScoreState, node_info: NodeInfo) -> int:
        """The weighted number of matching pods in the node's domains; 0 for ignored nodes."""
        if node_info.name in state.ignored:
            return 0
        score = 0.0
        for constraint, by_domain, weight in zip(state.constraints, state.counts, state.weights, strict=True):
            domain = node_info.labels.get(constraint.topology_key)
            if domain is not None:
                is_host = constraint.topology_key == HOSTNAME
                count = by_domain.get(node_info.name, 0) if is_host else by_domain[domain]
                score += float(count) * weight + float(constraint.max_skew - 1)
        return go_math.round_half_away(score) if self._features.spread_scores_are_rounded else int(score)

    def working(self, state: SpreadScoreState, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The matching pods of its domains by their weights, and where that stands between the most and the fewest."""
        return state.working(node_info, raw)

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
        defaults = [each for each in self.default_constraints if each.when_unsatisfiable == action]
        selector = default_selector(pod, cluster.listers) if defaults else None
        if selector is None or selector.is_empty:
            return ()
        return tuple(
            SpreadConstraint(c.max_skew, c.topology_key, selector, c.min_domains, c.honors_affinity, c.honors_taints)
            for c in self._parse(defaults, pod.labels, action)
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

    def _count_by_domain(
        self, pod: Pod, cluster: Cluster, constraint: SpreadConstraint, keyed: Keyed, required: RequiredNodeAffinity
    ) -> dict[str, int]:
        """Matching pods by domain, of nodes that meet the inclusion policies and have all keys."""
        tolerations = (pod.spec.tolerations or ()) if constraint.honors_taints else None
        honored = (required if constraint.honors_affinity else None, tolerations)
        over = (self, constraint.topology_key, keyed, honored)

        def eligible_domains() -> EligibleDomains:
            is_eligible = cluster.of_each_node(
                (EligibleDomains, over),
                lambda info: keyed.has_all(info.node) and self._is_eligible(pod, info.node, constraint, required),
            )
            eligible = compress(cluster.node_infos, is_eligible.values())
            by_node = {info.name: info.labels.get(constraint.topology_key, "") for info in eligible}
            return EligibleDomains(by_node, dict.fromkeys(by_node.values(), 0))

        eligible = cluster.fact((EligibleDomains, over), eligible_domains)
        return {**eligible.zeros, **self._counted(pod, cluster, constraint, over, eligible.by_node)}

    def _count_by_node(self, pod: Pod, cluster: Cluster, constraint: SpreadConstraint) -> dict[str, int]:
        """Matching pods by the name of their node."""
        names = cluster.fact((PodTopologySpread, "names"), lambda: {name: name for name in cluster.node_info_by_name})
        return self._counted(pod, cluster, constraint, (self, "names"), names).copy()

    def _counted(
        self,
        pod: Pod,
        cluster: Cluster,
        constraint: SpreadConstraint,
        over: Hashable,
        domain_by_node: Mapping[str, str],
    ) -> dict[str, int]:
        """Matching pods by domain; domains without any are missing. `over` stands for the domains."""
        selector, namespace = constraint.selector, pod.namespace
        if selector.is_empty and self._features.empty_spread_selectors_count_nothing:
            return {}

        def count() -> PodsByDomain:
            pods = cluster.placed_pods.matching(selector, (namespace,))
            return PodsByDomain(domain_by_node, lambda other: is_counted(other, selector, namespace), pods)

        return cluster.tally((PodsByDomain, cluster.nodes_key, over, namespace, selector), count).count_by_domain

    def _is_eligible(self, pod: Pod, node: Node, constraint: SpreadConstraint, required: RequiredNodeAffinity) -> bool:
        """Whether the node meets the constraint's inclusion policies."""
        if constraint.honors_affinity and not required.matches(node):
            return False
        return not (constraint.honors_taints and node.spec.taints and self._is_repelled(pod, node))

    def _min_domains(self, constraint: TopologySpreadConstraint) -> int:
        return 1 if constraint.min_domains is None or not self._features.spread_min_domains else constraint.min_domains

    def _is_repelled(self, pod: Pod, node: Node) -> bool:
        comparison = self._features.taint_toleration_comparison_operators
        tolerations = pod.spec.tolerations or ()
        taints = node.spec.taints or ()
        return bool(untolerated_taints(taints, tolerations, REPELLING_EFFECTS, comparison_operators=comparison))


def _verdict(constraint: SpreadConstraint, counts: DomainCounts, domain: str | None, own: int) -> Status | None:
    """None if the skew stays within bounds in that domain; `own` is 1 if the pod itself is counted."""
    if domain is None:
        said = "node(s) didn't match pod topology spread constraints (missing required label)"
        return unresolvable(said, MissingTopologyLabel(constraint.topology_key))
    domains = len(counts.count_by_domain)
    minimum = 0 if domains < constraint.min_domains else counts.lowest[0]
    matching = counts.count_by_domain.get(domain, 0)
    if matching + own - minimum <= constraint.max_skew:
        return None
    exceeded = SkewExceeded(
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
    )
    return unschedulable("node(s) didn't match pod topology spread constraints", exceeded)


def _has_all_keys(node: Node, constraints: Sequence[SpreadConstraint]) -> bool:
    labels = node.labels
    for constraint in constraints:  # noqa: SIM110 (asked once a node; a generator doubles its cost)
        if constraint.topology_key not in labels:
            return False
    return True
