"""Pods attract and repel each other within topology domains. Source: `plugins/interpodaffinity`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import AffinityTerm, Cluster, NodeInfo, PodInfo
from kexplain.cluster.placed_pods import REPELLING, PairCounts
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
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Rejections, Status, error, unresolvable, unschedulable
from kexplain.objects.container_sums import add_to
from kexplain.objects.core import Pod
from kexplain.objects.meta import Labels
from kexplain.plugins.affinity_counts import MatchingPods, PodsByDomain, count_all, count_each, matches_all, matches_any
from kexplain.plugins.label_signing import sign_affinity
from kexplain.words import plural


class AffinityFilterState(Struct):
    """Counts of matching pods; only the counters and the keys ever change, and only in a clone.

    `existing_keys` are the topology keys in `existing_anti`, and perhaps others.
    """

    terms: AffinityTerms
    namespace_labels: Labels
    existing_anti: PairCounts
    existing_keys: frozenset[str]
    affinity: PairCounts
    anti: PairCounts
    #: Whether the pod matches its own affinity terms, so that it may be the first of its group.
    matches_itself: bool
    #: What the counts were taken from; None without terms of its own.
    matching: MatchingPods | None = None


class CountedTerm(Struct, frozen=True):
    """A preferred term: its weight, below 0 to keep away; how many pods have it or match it by domain; who they are."""

    term: AffinityTerm
    weight: int
    counts: PairCounts
    are: str

    def working(self, domain: str) -> str:
        """What it adds to the weight of a domain, in figures; empty if nothing."""
        count = self.counts.get((self.term.topology_key, domain), 0)
        sign = "−" if self.weight < 0 else ""
        return f"{sign}{abs(self.weight)} × {plural(count, 'pod')} {self.are} {self.term.selector}" if count else ""


class AffinityScoreState(Struct, frozen=True):
    """The summed weights by topology key and domain, and what they are made of, which is worked out when asked for."""

    weight_by_domain: dict[str, dict[str, int]]
    terms: Callable[[], Iterable[CountedTerm]] = tuple


class PreferenceScoring(Struct, frozen=True):
    """What bears on scores alone: see the plugin's arguments, and whether no terms mean no scores."""

    hard_weight: int
    ignores_existing: bool
    skips: bool


class InterPodAffinity:
    """Turns away nodes by required (anti-)affinity of this pod and of those that run; ranks by preferred ones."""

    name = "InterPodAffinity"
    missing_state = 'error reading "PreFilterInterPodAffinity" from cycleState: not found'
    missing_score_state = 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'

    def __init__(
        self,
        hard_pod_affinity_weight: int = 1,
        *,
        ignore_preferred_terms_of_existing_pods: bool = False,
        features: Features = DEFAULT_FEATURES,
    ) -> None:
        self._skips_filter = features.filters_are_skipped
        self._repels = matches_any if features.one_repelling_term_wakes else matches_all
        self.scoring = PreferenceScoring(
            hard_pod_affinity_weight, ignore_preferred_terms_of_existing_pods, features.scores_are_skipped
        )

    # -------------------------------------------------------------------------------------------- filtering

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[AffinityFilterState] | Skip | Status:
        """Matching pods by domain; SKIP if no term of anyone bears on this pod."""
        parsed = affinity_terms(pod)
        if parsed.error:
            return unresolvable(f"parsing pod: {parsed.error}")
        terms = replace(
            parsed,
            required=tuple(_with_namespaces(each, cluster) for each in parsed.required),
            required_anti=tuple(_with_namespaces(each, cluster) for each in parsed.required_anti),
        )
        namespace_labels = cluster.listers.namespace_labels.get(pod.namespace, {})
        existing: PairCounts = {}
        repelling = cluster.placed_terms(REPELLING, lambda theirs: [(term, 1) for term in theirs.required_anti])
        keys: set[str] = set()
        for term, _, counts in repelling.about(pod, namespace_labels):
            keys.add(term.topology_key)
            _add(existing, counts)
        matches_itself = matches_all(terms.required, pod)
        state = AffinityFilterState(terms, namespace_labels, existing, frozenset(keys), {}, {}, matches_itself)
        if terms.required or terms.required_anti:
            key = (MatchingPods, terms.required, terms.required_anti)
            matching = cluster.tally(key, lambda: MatchingPods(terms, cluster))
            state.affinity, state.anti, state.matching = matching.affinity.copy(), matching.anti.copy(), matching
        elif not existing and self._skips_filter:
            return SKIP
        return PreFiltered(state)

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The pod's terms, its namespace, and of its labels those that anybody's terms read."""
        return sign_affinity(pod, cluster)

    def is_signed_upstream(self, pod: Pod) -> bool:
        """Not with terms of its own."""
        return not (pod.spec.affinity and (pod.spec.affinity.pod_affinity or pod.spec.affinity.pod_anti_affinity))

    def clone(self, state: AffinityFilterState) -> AffinityFilterState:
        """A copy whose counts may change."""
        cloned = copy(state)
        cloned.existing_anti = state.existing_anti.copy()
        cloned.affinity = state.affinity.copy()
        cloned.anti = state.anti.copy()
        return cloned

    def count_pod(self, pod: Pod, state: AffinityFilterState, other: PodInfo, node_info: NodeInfo, change: int) -> None:
        """Of the terms of both."""
        repelling, node = other.terms.required_anti, node_info.node
        if repelling:
            state.existing_keys |= {term.topology_key for term in repelling}
            count_each(state.existing_anti, repelling, pod, state.namespace_labels, node, change)
        count_all(state.affinity, state.terms.required, other.pod, node, change)
        count_each(state.anti, state.terms.required_anti, other.pod, {}, node, change)

    def filter(self, pod: Pod, state: AffinityFilterState, node_info: NodeInfo) -> Status | None:
        """None if affinity, anti-affinity and the anti-affinity of others are all satisfied, in this order."""
        labels = node_info.labels
        if state.terms.required and (unmatched := _unmatched_affinity(state, labels)):
            return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, ("node(s) didn't match pod affinity rules",), unmatched)
        if state.anti and (rejection := _anti_affinity(state, labels)) is not None:
            return rejection
        return _existing_anti_affinity(state, labels)

    def suspects(self, state: AffinityFilterState, cluster: Cluster) -> set[str] | None:
        """The nodes in domains with pods that are to be away; with terms to be near others, it may be any node."""
        if state.terms.required:
            return None
        pairs = chain(state.anti, state.existing_anti)
        return {name for key, domain in pairs for name in cluster.names_by_label(key).get(domain, ())}

    def rejections(self, state: AffinityFilterState, cluster: Cluster) -> Rejections | None:
        """Those of the pod's own anti-affinity are brought along; with terms to be near others, none are."""
        if state.terms.required or state.matching is None:
            return None
        own = state.matching.rejections(cluster, partial(_anti_affinity, state), self.name)
        others: dict[str, Status] = {}
        pairs = state.existing_anti.keys() - state.anti.keys()
        named = {name for key, domain in pairs for name in cluster.names_by_label(key).get(domain, ())}
        for name in named - own.by_node.keys():
            if (rejection := _existing_anti_affinity(state, cluster.node_info_by_name[name].labels)) is not None:
                others[name] = rejection.by(self.name)
        return Rejections({**own.by_node, **others}) if others else own

    def may_help(self, action: str, pod: PodInfo, other: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that arrived is one to be near to, or one that left repelled this one or was repelled."""
        if action == "Add":
            return matches_all(pod.terms.required, other.pod)
        return self._repels(pod.terms.required_anti, other.pod) or self._repels(other.terms.required_anti, pod.pod)

    # ---------------------------------------------------------------------------------------------- scoring

    def pre_score(
        self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]
    ) -> AffinityScoreState | Skip | Status:
        """Weights by domain; SKIP if no preferred term bears on this pod."""
        parsed = affinity_terms(pod)
        prefers = bool(parsed.preferred or parsed.preferred_anti)
        if self.scoring.ignores_existing and not prefers:
            return SKIP if self.scoring.skips else AffinityScoreState({})
        if parsed.error:
            return error(f"failed to parse pod: {parsed.error}")
        namespace_labels = cluster.listers.namespace_labels.get(pod.namespace, {})
        weights: dict[str, dict[str, int]] = {}
        own = partial(_own_terms, parsed, cluster)
        others = partial(self._terms_about, pod, cluster, namespace_labels, prefers=prefers)
        for each in chain(own(), others()):
            by_domain = weights.setdefault(each.term.topology_key, {})
            for (_, domain), count in each.counts.items():
                by_domain[domain] = by_domain.get(domain, 0) + each.weight * count
        if not weights and self.scoring.skips:
            return SKIP
        return AffinityScoreState(weights, lambda: chain(own(), others()))

    def _terms_about(
        self, pod: Pod, cluster: Cluster, namespace_labels: Labels, *, prefers: bool
    ) -> Iterator[CountedTerm]:
        """The terms of placed pods that are about this one.

        For a pod with preferences of its own upstream looks at all nodes.
        """
        terms_of_kind = partial(cluster.placed_terms, looks_everywhere=prefers)
        if self.scoring.hard_weight > 0:
            hard = terms_of_kind("required", lambda theirs: [(term, 1) for term in theirs.required])
            for term, _, counts in hard.about(pod, namespace_labels):
                yield CountedTerm(term, self.scoring.hard_weight, counts, "that must be near")
        near = terms_of_kind("preferred", lambda theirs: [(w.term, w.weight) for w in theirs.preferred])
        far = terms_of_kind("preferred anti", lambda t: [(w.term, -w.weight) for w in t.preferred_anti])
        for kind, are in ((near, "that would be near"), (far, "that would be away from")):
            for term, weight, counts in kind.about(pod, namespace_labels):
                yield CountedTerm(term, weight, counts, are)

    def score(self, pod: Pod, state: AffinityScoreState, node_info: NodeInfo) -> int:
        """The summed weights of the node's domains; may be negative."""
        labels, total = node_info.labels, 0
        for key, weight_by_domain in state.weight_by_domain.items():
            if key in labels:
                total += weight_by_domain.get(labels[key], 0)
        return total

    def working(self, state: AffinityScoreState, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The weights of its domains by their terms, and where their sum stands between the lowest and the highest."""
        labels, score, parts = node_info.labels, raw[node_info.name], list[str]()
        terms = [*state.terms()]
        for key in state.weight_by_domain:
            domain = labels.get(key, "")
            said = [each.working(domain) for each in terms if each.term.topology_key == key and key in labels]
            if summands := " + ".join(filter(None, said)):
                parts.append(f"{summands} in {key}={domain}")
        lowest, highest = min(raw.values()), max(raw.values())
        share = self.normalize(state, {"": score, "lowest": lowest, "highest": highest})[""]
        own, least, most = (f"(−{-each})" if each < 0 else str(each) for each in (score, lowest, highest))
        sums = f"{MAX_NODE_SCORE} × ({own} − {least}) / ({most} − {least}) = {share}"
        total = " + ".join(parts).replace("+ −", "− ") or "nothing in its domains"
        share_text = sums if highest > lowest else "all nodes alike, so 0"
        return f"{total} = {own}; {share_text}" if state.weight_by_domain else ""

    def normalize(self, state: AffinityScoreState, scores: Mapping[str, int]) -> dict[str, int]:
        """From 0 for the lowest to 100 for the highest; all 0 if they are equal."""
        lowest, highest = min(scores.values()), max(scores.values())
        if highest == lowest:
            return dict.fromkeys(scores, 0)
        spread = float(highest - lowest)
        return {name: int(float(MAX_NODE_SCORE) * (float(score - lowest) / spread)) for name, score in scores.items()}


def _own_terms(terms: AffinityTerms, cluster: Cluster) -> Iterator[CountedTerm]:
    """The pod's own preferred terms that match somebody."""
    signed = [(each.term, each.weight) for each in terms.preferred]
    signed += [(each.term, -each.weight) for each in terms.preferred_anti]
    for stated, weight in signed:
        term = _with_namespaces(stated, cluster)
        pods = cluster.tally((PodsByDomain, term), partial(PodsByDomain, term, cluster))
        if pods.counts:
            yield CountedTerm(term, weight, pods.counts, "with")


def _with_namespaces(term: AffinityTerm, cluster: Cluster) -> AffinityTerm:
    """The term with the namespaces that its selector chooses written out.

    The selector stays: upstream clears it on a copy only, so it is still matched, against no labels at all.
    """
    if term.namespace_selector.is_empty:
        return term
    labels_by_name = cluster.listers.namespace_labels.items()
    chosen = {name for name, labels in labels_by_name if term.namespace_selector.matches(labels)}
    return replace(term, namespaces=term.namespaces | chosen)


def _add(counts: PairCounts, more: PairCounts) -> None:
    if counts:
        add_to(counts, more)
    else:
        counts.update(more)


def _anti_affinity(state: AffinityFilterState, labels: Labels) -> Status | None:
    """The objection of the first of the pod's own terms that matches pods there."""
    for term in state.terms.required_anti:
        domain = labels.get(term.topology_key)
        if domain is not None and (count := state.anti.get((term.topology_key, domain), 0)) > 0:
            evidence = AntiAffinityMatched(term, domain, count)
            return unschedulable("node(s) didn't match pod anti-affinity rules", evidence)
    return None


def _existing_anti_affinity(state: AffinityFilterState, labels: Labels) -> Status | None:
    """The objection of pods that are there already."""
    pair = _unwelcoming(state, labels)
    if pair is None:
        return None
    evidence = ExistingAntiAffinity(*pair, state.existing_anti[pair])
    return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules", evidence)


def _unwelcoming(state: AffinityFilterState, labels: Labels) -> tuple[str, str] | None:
    """The first of the node's labels under which there are pods that want to be away from this one."""
    existing = state.existing_anti
    if not existing or not any((key, labels.get(key)) in existing for key in state.existing_keys):
        return None
    return next((pair for pair in labels.items() if existing.get(pair, 0) > 0), None)


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
    return () if unmatched and not state.affinity and state.matches_itself else tuple(unmatched)
