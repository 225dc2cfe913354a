"""The pod's own label values, written into the selectors that name their keys.

Source: `registry/core/pod` `mutatePodAffinity`, `mutateTopologySpreadConstraints`, release 1.36 (for spread
constraints: feature gate MatchLabelKeysInPodTopologySpreadSelectorMerge, on since 1.34).
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.objects.core import PodAffinityTerm, PodSpec, TopologySpreadConstraint
from kexplain.objects.meta import LabelSelector, LabelSelectorRequirement

_Labels = Mapping[str, str]


def with_merged_label_keys(spec: PodSpec, labels: _Labels) -> PodSpec:
    """The spec with `matchLabelKeys` and `mismatchLabelKeys` merged into its selectors."""
    affinity, constraints = spec.affinity, spec.topology_spread_constraints
    if affinity is not None:
        affinity = affinity.with_pod_terms(lambda term: _term(term, labels))
    if constraints:
        constraints = tuple(_constraint(constraint, labels) for constraint in constraints)
    return replace(spec, affinity=affinity, topology_spread_constraints=constraints)


def _term(term: PodAffinityTerm, labels: _Labels) -> PodAffinityTerm:
    alike, unlike = term.match_label_keys, term.mismatch_label_keys
    added = (*_requirements(alike, "In", labels), *_requirements(unlike, "NotIn", labels))
    return replace(term, label_selector=_extended(term.label_selector, added))


def _constraint(constraint: TopologySpreadConstraint, labels: _Labels) -> TopologySpreadConstraint:
    added = _requirements(constraint.match_label_keys, "In", labels)
    return replace(constraint, label_selector=_extended(constraint.label_selector, added))


def _requirements(keys: Sequence[str] | None, operator: str, labels: _Labels) -> tuple[LabelSelectorRequirement, ...]:
    """A requirement a key, in order; keys that the pod has no label for are passed over."""
    known = (key for key in keys or () if key in labels)
    return tuple(LabelSelectorRequirement(key=key, operator=operator, values=(labels[key],)) for key in known)


def _extended(selector: LabelSelector | None, added: tuple[LabelSelectorRequirement, ...]) -> LabelSelector | None:
    """The selector with more expressions; one that is left out selects nothing and stays so."""
    if selector is None or not added:
        return selector
    return replace(selector, match_expressions=(selector.match_expressions or ()) + added)
