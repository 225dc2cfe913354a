"""Pods choose nodes by label and name. Source: `plugins/nodeaffinity`."""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import NodeLabelsMismatch
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip, normalize_to_maximum, share_of_maximum
from kexplain.framework.signing import NOTHING_READ, Signature, encoded
from kexplain.framework.status import Status, error, unresolvable
from kexplain.objects.core import NodeAffinity as NodeAffinityRules
from kexplain.objects.core import NodeSelectorTerm, Pod
from kexplain.objects.node_selectors import PreferredNodeTerm, RequiredNodeAffinity, parse_preferred_terms
from kexplain.objects.selectors import SelectorError

#: The only field that `matchFields` knows.
NODE_NAME_FIELD = "metadata.name"


class AffinityScoring(Struct, frozen=True):
    """What bears on scores alone: terms that are added, how lengths are told, and whether no terms mean no scores."""

    added: tuple[PreferredNodeTerm, ...]
    length_unit: str
    skips: bool


class Requirements(Struct, frozen=True):
    """What a pod requires of its node, and what was said of nodes that fail the same."""

    required: RequiredNodeAffinity
    statuses: dict[NodeLabelsMismatch, Status] = field(default_factory=dict)


class NodeAffinity:
    """Turns away nodes that the pod's selector and required terms do not match; ranks by preferred ones.

    `added_affinity` is what the scheduler's configuration adds for every pod.
    """

    name = "NodeAffinity"
    filters_by_pods_there = False

    def __init__(
        self, added_affinity: NodeAffinityRules | None = None, *, features: Features = DEFAULT_FEATURES
    ) -> None:
        self._names_narrow = features.node_names_narrow
        self._one_conflict_rejects = features.one_conflicting_term_rejects
        self._skips_filter = features.filters_are_skipped
        self._added_required: RequiredNodeAffinity | None = None
        added: tuple[PreferredNodeTerm, ...] = ()
        if added_affinity is not None:
            if added_affinity.required is not None:
                self._added_required = RequiredNodeAffinity.of_selector(added_affinity.required)
            added = parse_preferred_terms(added_affinity.preferred or ())
        unit = "bytes" if features.long_labels_are_told_in_bytes else "characters"
        self.scoring = AffinityScoring(added, unit, skips=features.further_scores_are_skipped)

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[Requirements] | Skip | Status:
        """The parsed requirements, and the node names where every term pins one."""
        required = pod.spec.required_nodes
        is_free = required is None and self._added_required is None and pod.spec.node_selector is None
        if is_free and self._skips_filter:
            return SKIP
        state = Requirements(RequiredNodeAffinity.of(pod))
        pinned = required.node_selector_terms if required and self._names_narrow else None
        names = self._named_nodes(pinned or ())
        if names is not None and not names:
            return unresolvable("pod affinity terms conflict", NodeLabelsMismatch((), ()))
        return PreFiltered(state, names, partial(_mismatch, state.required))

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """What the pod requires and prefers."""
        affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
        if affinity is None and pod.spec.node_selector is None:
            return NOTHING_READ
        return Signature(encoded((pod.spec.node_selector, affinity)))

    def _named_nodes(self, terms: Sequence[NodeSelectorTerm]) -> frozenset[str] | None:
        """The nodes that can match at all, where every term names its nodes; None where one does not."""
        names: frozenset[str] = frozenset()
        for term in terms:
            named = (each for each in term.match_fields or () if each.key == NODE_NAME_FIELD and each.operator == "In")
            pins = [frozenset(each.values or ()) for each in named]
            pinned = frozenset.intersection(*pins) if pins else None
            if pinned is None:
                return None
            if not pinned and self._one_conflict_rejects:
                return pinned
            names |= pinned
        return names if terms else None

    def unprepared(self, pod: Pod, cluster: Cluster) -> PreFiltered[Requirements]:
        return PreFiltered(Requirements(RequiredNodeAffinity.of(pod)))

    def filter(self, pod: Pod, state: Requirements, node_info: NodeInfo) -> Status | None:
        """None if the node matches all that is required."""
        if self._added_required is not None and not self._added_required.matches(node_info.node):
            evidence = _mismatch(self._added_required, node_info, enforced=True)
            return unresolvable("node(s) didn't match scheduler-enforced node affinity", evidence)
        if state.required.matches(node_info.node):
            return None
        evidence = _mismatch(state.required, node_info)
        status = state.statuses.get(evidence)
        if status is None:
            status = unresolvable("node(s) didn't match Pod's node affinity/selector", evidence)
            state.statuses[evidence] = status
        return status

    def pre_score(
        self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]
    ) -> tuple[PreferredNodeTerm, ...] | Skip | Status:
        """The preferred terms, the added ones included."""
        if pod.spec.preferred_nodes is None and not self.scoring.added and self.scoring.skips:
            return SKIP
        return self._preferred(pod)

    def unprepared_score(
        self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]
    ) -> tuple[PreferredNodeTerm, ...] | Status:
        return self._preferred(pod)

    def _preferred(self, pod: Pod) -> tuple[PreferredNodeTerm, ...] | Status:
        preferred = pod.spec.preferred_nodes or ()
        try:
            return self.scoring.added + parse_preferred_terms(preferred, length_unit=self.scoring.length_unit)
        except SelectorError as fault:
            return error(str(fault))

    def scores_node_by_node(self, state: tuple[PreferredNodeTerm, ...]) -> bool:
        """Always."""
        return True

    def score(self, pod: Pod, state: tuple[PreferredNodeTerm, ...], node_info: NodeInfo) -> int:
        """The weights of the preferred terms that the node matches, summed."""
        return sum(preferred.weight for preferred in state if preferred.term.matches(node_info.node))

    def working(self, state: tuple[PreferredNodeTerm, ...], node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The weights of the preferred terms that it matches."""
        weights = [str(each.weight) for each in state if each.term.matches(node_info.node)]
        score = raw[node_info.name]
        return f"{' + '.join(weights) or 'no term matches'} = {score}; {share_of_maximum(score, raw)}" if state else ""

    def normalize(self, state: tuple[PreferredNodeTerm, ...], scores: Mapping[str, int]) -> dict[str, int]:
        """More weight scores higher."""
        return normalize_to_maximum(scores)


def _mismatch(required: RequiredNodeAffinity, node_info: NodeInfo, *, enforced: bool = False) -> NodeLabelsMismatch:
    """What of the requirements the node does not meet."""
    node = node_info.node
    return NodeLabelsMismatch(
        unmet_labels=tuple([r for r in required.labels if not r.matches(node_info.labels)]),
        unmet_terms=tuple([(term, term.unmet(node)) for term in required.terms or ()]),
        enforced=enforced,
    )
