"""The pod's own label values, written into the selectors that name their keys.

Source: `registry/core/pod` `mutatePodAffinity`, `mutateTopologySpreadConstraints`, release 1.36 (for spread
constraints: feature gate MatchLabelKeysInPodTopologySpreadSelectorMerge, on since 1.34).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.objects.core import (
    PodAffinity,
    PodAffinityTerm,
    PodSpec,
    TopologySpreadConstraint,
    WeightedPodAffinityTerm,
)
from kexplain.objects.meta import LabelSelector, LabelSelectorRequirement

_Labels = Mapping[str, str]


def with_merged_label_keys(spec: PodSpec, labels: _Labels) -> PodSpec:
    """The spec with `matchLabelKeys` and `mismatchLabelKeys` merged into its selectors."""
    affinity, constraints = spec.affinity, spec.topology_spread_constraints
    if affinity is not None:
        affinity = replace(
            affinity,
            pod_affinity=_pod_affinity(affinity.pod_affinity, labels),
            pod_anti_affinity=_pod_affinity(affinity.pod_anti_affinity, labels),
        )
    if constraints:
        constraints = tuple(_constraint(constraint, labels) for constraint in constraints)
    return replace(spec, affinity=affinity, topology_spread_constraints=constraints)


def _pod_affinity(affinity: PodAffinity | None, labels: _Labels) -> PodAffinity | None:
    if affinity is None:
        return None
    required = affinity.required_during_scheduling_ignored_during_execution
    preferred = affinity.preferred_during_scheduling_ignored_during_execution
    return replace(
        affinity,
        required_during_scheduling_ignored_during_execution=(
            tuple(_term(term, labels) for term in required) if required else required
        ),
        preferred_during_scheduling_ignored_during_execution=(
            tuple(_weighted(term, labels) for term in preferred) if preferred else preferred
        ),
    )


def _weighted(weighted: WeightedPodAffinityTerm, labels: _Labels) -> WeightedPodAffinityTerm:
    return replace(weighted, pod_affinity_term=_term(weighted.pod_affinity_term, labels))


def _term(term: PodAffinityTerm, labels: _Labels) -> PodAffinityTerm:
    added = (
        *_requirements(term.match_label_keys, "In", labels),
        *_requirements(term.mismatch_label_keys, "NotIn", labels),
    )
    return replace(term, label_selector=_extended(term.label_selector, added))


def _constraint(constraint: TopologySpreadConstraint, labels: _Labels) -> TopologySpreadConstraint:
    added = _requirements(constraint.match_label_keys, "In", labels)
    return replace(constraint, label_selector=_extended(constraint.label_selector, added))


def _requirements(keys: Sequence[str] | None, operator: str, labels: _Labels) -> tuple[LabelSelectorRequirement, ...]:
    """A requirement a key, in order; keys that the pod has no label for are passed over."""
    return tuple(
        LabelSelectorRequirement(key=key, operator=operator, values=(labels[key],))
        for key in keys or ()
        if key in labels
    )


def _extended(selector: LabelSelector | None, added: tuple[LabelSelectorRequirement, ...]) -> LabelSelector | None:
    """The selector with more expressions; one that is left out selects nothing and stays so."""
    if selector is None or not added:
        return selector
    return replace(selector, match_expressions=(selector.match_expressions or ()) + added)
