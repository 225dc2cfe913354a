"""Pods attract and repel each other within topology domains. Source: `plugins/interpodaffinity`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from kexplain.cluster import AffinityTerm, Cluster, NodeInfo, PodInfo, WeightedAffinityTerm
from kexplain.cluster.pod_info import AffinityTerms, affinity_terms
from kexplain.framework.evidence import (
    AffinityUnmatched,
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    MissingTopologyLabel,
)
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import MAX_NODE_SCORE, SKIP, PreFiltered, Skip
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Labels

#: How many matching terms there are, by topology key and domain; pairs that nothing matches are absent.
PairCounts: TypeAlias = dict[tuple[str, str], int]


@dataclass(slots=True)
class AffinityFilterState:
    """Counts of matching pods; only the three counters ever change, and only in a clone."""

    terms: AffinityTerms
    namespace_labels: Labels
    existing_anti: PairCounts
    affinity: PairCounts
    anti: PairCounts
    #: Whether the pod matches its own affinity terms, so that it may be the first of its group.
    matches_itself: bool


@dataclass(frozen=True, slots=True)
class AffinityScoreState:
    """The summed weights by topology key and domain."""

    weight_by_domain: dict[str, dict[str, int]]


class InterPodAffinity:
    """Turns away nodes by required (anti-)affinity of this pod and of those that run; ranks by preferred ones."""

    name = "InterPodAffinity"

    def __init__(
        self,
        hard_pod_affinity_weight: int = 1,
        *,
        ignore_preferred_terms_of_existing_pods: bool = False,
        features: Features = DEFAULT_FEATURES,
    ) -> None:
        self._skips = features.scores_are_skipped
        self._hard_weight = hard_pod_affinity_weight
        self._ignores_existing = ignore_preferred_terms_of_existing_pods

    # -------------------------------------------------------------------------------------------- filtering

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[AffinityFilterState] | Skip | Status:
        """Matching pods by domain; SKIP if no term of anyone bears on this pod."""
        parsed = affinity_terms(pod)
        if parsed.error:
            return unresolvable(f"parsing pod: {parsed.error}")
        terms = replace(
            parsed,
            required=_with_namespaces(parsed.required, cluster),
            required_anti=_with_namespaces(parsed.required_anti, cluster),
        )
        namespace_labels = cluster.listers.namespace_labels.get(pod.namespace, {})
        existing: PairCounts = {}
        for node_info in cluster.node_infos_with_required_anti_affinity_pods:
            for pod_info in node_info.pods_with_required_anti_affinity:
                _count_each(existing, pod_info.terms.required_anti, pod, namespace_labels, node_info.node, 1)
        state = AffinityFilterState(terms, namespace_labels, existing, {}, {}, _matches_all(terms.required, pod))
        if terms.required or terms.required_anti:
            namespaces = _namespaces(terms)
            for node_info in cluster.node_infos:
                for pod_info in node_info.pods:
                    if namespaces is not None and pod_info.pod.metadata.namespace not in namespaces:
                        continue
                    _count_all(state.affinity, terms.required, pod_info.pod, node_info.node, 1)
                    _count_each(state.anti, terms.required_anti, pod_info.pod, {}, node_info.node, 1)
        elif not existing:
            return SKIP
        return PreFiltered(state)

    def clone(self, state: AffinityFilterState) -> AffinityFilterState:
        """A copy whose counts may change."""
        return replace(
            state,
            existing_anti=state.existing_anti.copy(),
            affinity=state.affinity.copy(),
            anti=state.anti.copy(),
        )

    def add_pod(self, pod: Pod, state: AffinityFilterState, added: PodInfo, node_info: NodeInfo) -> None:
        """Count the pod in."""
        _update(pod, state, added, node_info.node, 1)

    def remove_pod(self, pod: Pod, state: AffinityFilterState, removed: PodInfo, node_info: NodeInfo) -> None:
        """Count the pod out."""
        _update(pod, state, removed, node_info.node, -1)

    def filter(self, pod: Pod, state: AffinityFilterState, node_info: NodeInfo) -> Status | None:  # noqa: ARG002
        """None if affinity, anti-affinity and the anti-affinity of others are all satisfied, in this order."""
        labels = node_info.node.labels
        if state.terms.required and (unmatched := _unmatched_affinity(state, labels)):
            return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, ("node(s) didn't match pod affinity rules",), unmatched)
        if state.anti:
            for term in state.terms.required_anti:
                domain = labels.get(term.topology_key)
                if domain is not None and (count := state.anti.get((term.topology_key, domain), 0)) > 0:
                    return unschedulable(
                        "node(s) didn't match pod anti-affinity rules",
                        AntiAffinityMatched(term, domain, count),
                    )
        if state.existing_anti:
            for pair in labels.items():
                if (count := state.existing_anti.get(pair, 0)) > 0:
                    return unschedulable(
                        "node(s) didn't satisfy existing pods anti-affinity rules",
                        ExistingAntiAffinity(*pair, count),
                    )
        return None

    # ---------------------------------------------------------------------------------------------- scoring

    def pre_score(
        self,
        pod: Pod,
        cluster: Cluster,
        node_infos: Sequence[NodeInfo],  # noqa: ARG002
    ) -> AffinityScoreState | Skip | Status:
        """Weights by domain; SKIP if no preferred term bears on this pod."""
        parsed = affinity_terms(pod)
        prefers = bool(parsed.preferred or parsed.preferred_anti)
        if self._ignores_existing and not prefers:
            return SKIP
        if parsed.error:
            return error(f"failed to parse pod: {parsed.error}")
        terms = replace(
            parsed,
            preferred=_with_weighted_namespaces(parsed.preferred, cluster),
            preferred_anti=_with_weighted_namespaces(parsed.preferred_anti, cluster),
        )
        namespace_labels = cluster.listers.namespace_labels.get(pod.namespace, {})
        weights: dict[str, dict[str, int]] = {}
        for node_info in cluster.node_infos if prefers else cluster.node_infos_with_affinity_pods:
            if not node_info.node.labels:
                continue
            for existing in node_info.pods if prefers else node_info.pods_with_affinity:
                self._weigh(weights, terms, existing, pod, namespace_labels, node_info.node)
        return AffinityScoreState(weights) if weights or not self._skips else SKIP

    def _weigh(
        self,
        weights: dict[str, dict[str, int]],
        terms: AffinityTerms,
        existing: PodInfo,
        pod: Pod,
        namespace_labels: Labels,
        node: Node,
    ) -> None:
        """What the running pod contributes: by this pod's terms, and by its own."""
        if terms.preferred:
            _weigh_terms(weights, terms.preferred, existing.pod, {}, node, 1)
        if terms.preferred_anti:
            _weigh_terms(weights, terms.preferred_anti, existing.pod, {}, node, -1)
        theirs = existing.terms
        if self._hard_weight > 0 and theirs.required:
            hard = [WeightedAffinityTerm(term, self._hard_weight) for term in theirs.required]
            _weigh_terms(weights, hard, pod, namespace_labels, node, 1)
        if theirs.preferred:
            _weigh_terms(weights, theirs.preferred, pod, namespace_labels, node, 1)
        if theirs.preferred_anti:
            _weigh_terms(weights, theirs.preferred_anti, pod, namespace_labels, node, -1)

    def score(self, pod: Pod, state: AffinityScoreState, node_info: NodeInfo) -> int:  # noqa: ARG002
        """The summed weights of the node's domains; may be negative."""
        labels = node_info.node.labels
        return sum(
            weight_by_domain.get(labels[key], 0)
            for key, weight_by_domain in state.weight_by_domain.items()
            if key in labels
        )

    def normalize(self, state: AffinityScoreState, scores: Mapping[str, int]) -> dict[str, int]:  # noqa: ARG002
        """From 0 for the lowest to 100 for the highest; all 0 if they are equal."""
        lowest, highest = min(scores.values()), max(scores.values())
        if highest == lowest:
            return dict.fromkeys(scores, 0)
        spread = float(highest - lowest)
        return {name: int(float(MAX_NODE_SCORE) * (float(score - lowest) / spread)) for name, score in scores.items()}


def _with_namespaces(terms: Iterable[AffinityTerm], cluster: Cluster) -> tuple[AffinityTerm, ...]:
    """The terms with the namespaces that their selectors choose written out.

    The selector stays: upstream clears it on a copy only, so it is still matched, against no labels at all.
    """
    return tuple(
        term
        if term.namespace_selector.is_empty
        else replace(
            term,
            namespaces=term.namespaces
            | {
                name
                for name, labels in cluster.listers.namespace_labels.items()
                if term.namespace_selector.matches(labels)
            },
        )
        for term in terms
    )


def _with_weighted_namespaces(
    weighted: Sequence[WeightedAffinityTerm], cluster: Cluster
) -> tuple[WeightedAffinityTerm, ...]:
    terms = _with_namespaces([each.term for each in weighted], cluster)
    return tuple(WeightedAffinityTerm(term, w.weight) for term, w in zip(terms, weighted, strict=True))


def _namespaces(terms: AffinityTerms) -> frozenset[str] | None:
    """The only namespaces whose pods the required terms can match; None if there is no telling."""
    every = (*terms.required, *terms.required_anti)
    if any(term.namespace_selector.matches({}) for term in every):
        return None
    return frozenset().union(*(term.namespaces for term in every))


def _matches_all(terms: Sequence[AffinityTerm], pod: Pod) -> bool:
    """Whether the pod is what all the terms are about; false without terms."""
    return bool(terms) and all(term.matches(pod, {}) for term in terms)


def _bump(counts: PairCounts, node: Node, topology_key: str, delta: int) -> None:
    domain = node.labels.get(topology_key)
    if domain is not None:
        pair = (topology_key, domain)
        count = counts.get(pair, 0) + delta
        if count == 0:
            counts.pop(pair, None)
        else:
            counts[pair] = count


def _count_all(counts: PairCounts, terms: Sequence[AffinityTerm], pod: Pod, node: Node, delta: int) -> None:
    """Count the pod under every term if it matches all of them."""
    if _matches_all(terms, pod):
        for term in terms:
            _bump(counts, node, term.topology_key, delta)


def _count_each(
    counts: PairCounts,
    terms: Sequence[AffinityTerm],
    pod: Pod,
    namespace_labels: Labels,
    node: Node,
    delta: int,
) -> None:
    """Count the pod under each term that it matches."""
    for term in terms:
        if term.matches(pod, namespace_labels):
            _bump(counts, node, term.topology_key, delta)


def _update(pod: Pod, state: AffinityFilterState, other: PodInfo, node: Node, delta: int) -> None:
    _count_each(state.existing_anti, other.terms.required_anti, pod, state.namespace_labels, node, delta)
    _count_all(state.affinity, state.terms.required, other.pod, node, delta)
    _count_each(state.anti, state.terms.required_anti, other.pod, {}, node, delta)


def _unmatched_affinity(state: AffinityFilterState, labels: Labels) -> tuple[Evidence, ...]:
    """The terms that no pod in the node's domains matches, or the label that the node lacks.

    The first pod of a group that attracts itself fits wherever the labels are there.
    """
    unmatched: list[Evidence] = []
    for term in state.terms.required:
        domain = labels.get(term.topology_key)
        if domain is None:
            return (MissingTopologyLabel(term.topology_key), AffinityUnmatched(term, None))
        if state.affinity.get((term.topology_key, domain), 0) <= 0:
            unmatched.append(AffinityUnmatched(term, domain))
    if unmatched and not state.affinity and state.matches_itself:
        return ()
    return tuple(unmatched)


def _weigh_terms(
    weights: dict[str, dict[str, int]],
    terms: Iterable[WeightedAffinityTerm],
    pod: Pod,
    namespace_labels: Labels,
    node: Node,
    sign: int,
) -> None:
    for weighted in terms:
        term = weighted.term
        domain = node.labels.get(term.topology_key)
        if domain is not None and term.matches(pod, namespace_labels):
            by_domain = weights.setdefault(term.topology_key, {})
            by_domain[domain] = by_domain.get(domain, 0) + sign * weighted.weight
