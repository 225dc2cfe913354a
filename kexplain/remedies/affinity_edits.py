"""Pods that want other pods near by, or away, less."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from kexplain.objects.core import Pod, PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm
from kexplain.objects.selectors import selector_from
from kexplain.remedies.edits import Edit, with_affinity

_MOST_WEIGHT = 100


def preferring_apart(topology_key: str, selector: str) -> Edit:
    """The pod that would rather be away from pods of that selector, where it had to be."""

    def edit(pod: Pod) -> Pod:
        apart = pod.spec.affinity.pod_anti_affinity if pod.spec.affinity else None
        return with_affinity(pod, pod_anti_affinity=_preferred(apart, topology_key, selector)) if apart else pod

    return edit


def preferring_near(topology_key: str, selector: str) -> Edit:
    """The pod that would rather be near to pods of that selector, where it had to be."""

    def edit(pod: Pod) -> Pod:
        near = pod.spec.affinity.pod_affinity if pod.spec.affinity else None
        return with_affinity(pod, pod_affinity=_preferred(near, topology_key, selector)) if near else pod

    return edit


def _preferred(affinity: PodAffinity, topology_key: str, selector: str) -> PodAffinity:
    """With the terms about that selector preferred, above all else."""
    required = affinity.required_during_scheduling_ignored_during_execution or ()
    moved = [term for term in required if term.topology_key == topology_key and _is_about(term, selector)]
    kept = tuple(term for term in required if term not in moved)
    preferred = affinity.preferred_during_scheduling_ignored_during_execution or ()
    added = (WeightedPodAffinityTerm(weight=_MOST_WEIGHT, pod_affinity_term=term) for term in moved)
    return replace(
        affinity,
        required_during_scheduling_ignored_during_execution=kept or None,
        preferred_during_scheduling_ignored_during_execution=(*preferred, *added) or None,
    )


def as_written(pod: Pod) -> Pod:
    """The pod without keys that an API server has put into its selectors already, which it takes only once.

    Source: `applyMatchLabelKeysAndMismatchLabelKeys`, which runs whenever a pod is created.
    """

    def written(affinity: PodAffinity | None) -> PodAffinity | None:
        if affinity is None:
            return None
        required = affinity.required_during_scheduling_ignored_during_execution
        preferred = affinity.preferred_during_scheduling_ignored_during_execution
        return replace(
            affinity,
            required_during_scheduling_ignored_during_execution=required and tuple(map(_as_written, required)),
            preferred_during_scheduling_ignored_during_execution=preferred
            and tuple(replace(each, pod_affinity_term=_as_written(each.pod_affinity_term)) for each in preferred),
        )

    affinity = pod.spec.affinity
    if affinity is None or not (affinity.pod_affinity or affinity.pod_anti_affinity):
        return pod
    return with_affinity(
        pod, pod_affinity=written(affinity.pod_affinity), pod_anti_affinity=written(affinity.pod_anti_affinity)
    )


def _as_written(term: PodAffinityTerm) -> PodAffinityTerm:
    expressions = (term.label_selector.match_expressions if term.label_selector else None) or ()
    if {expression.key for expression in expressions}.isdisjoint(_keys(term)):
        return term
    return replace(term, match_label_keys=None, mismatch_label_keys=None)


def _keys(term: PodAffinityTerm) -> tuple[str, ...]:
    return (*(term.match_label_keys or ()), *(term.mismatch_label_keys or ()))


def _is_about(term: PodAffinityTerm, selector: str) -> bool:
    # An API server adds to the selector what these keys stand for, which a template does not show.
    return bool(_keys(term)) or str(selector_from(term.label_selector)) == selector


def attracted_in(topology_key: str, namespaces: Iterable[str]) -> Edit:
    """The pod whose affinity over a topology looks in these namespaces too."""
    added = tuple(namespaces)

    def widened(pod: Pod, term: PodAffinityTerm) -> PodAffinityTerm:
        if term.topology_key != topology_key:
            return term
        # Once it names a namespace, a term is no longer about the pod's own.
        own = (pod.namespace,) if not term.namespaces and term.namespace_selector is None else ()
        return replace(term, namespaces=(*(term.namespaces or ()), *own, *added))

    def edit(pod: Pod) -> Pod:
        near = pod.spec.affinity.pod_affinity if pod.spec.affinity else None
        terms = (near.required_during_scheduling_ignored_during_execution or ()) if near else ()
        changed = tuple(widened(pod, term) for term in terms)
        relaxed = replace(near or PodAffinity(), required_during_scheduling_ignored_during_execution=changed)
        return with_affinity(pod, pod_affinity=relaxed)

    return edit
