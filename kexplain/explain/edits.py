"""Changed pods, to try remedies on before they are recommended."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from kexplain.objects.core import (
    Affinity,
    Container,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodSpec,
    Toleration,
    TopologySpreadConstraint,
)

Edit = Callable[[Pod], Pod]


def _with_spec(pod: Pod, **changes: object) -> Pod:
    return replace(pod, spec=replace(pod.spec, **changes))


def _with_affinity(pod: Pod, **changes: object) -> Pod:
    return _with_spec(pod, affinity=replace(pod.spec.affinity or Affinity(), **changes))


def tolerating(tolerations: Iterable[Toleration]) -> Edit:
    """The pod with these tolerations too."""
    added = tuple(tolerations)
    return lambda pod: _with_spec(pod, tolerations=(*(pod.spec.tolerations or ()), *added))


def without_node_name(pod: Pod) -> Pod:
    """The pod that leaves its node to the scheduler."""
    return _with_spec(pod, node_name=None)


def without_node_selector(keys: Iterable[str]) -> Edit:
    """The pod without these keys of its node selector."""
    dropped = frozenset(keys)
    return lambda pod: _with_spec(
        pod, node_selector={k: v for k, v in (pod.spec.node_selector or {}).items() if k not in dropped} or None
    )


def _required_terms(pod: Pod) -> tuple[NodeSelectorTerm, ...]:
    affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
    return (required.node_selector_terms or ()) if required else ()


def without_required_node_affinity(pod: Pod) -> Pod:
    """The pod without any required node affinity."""
    node_affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    relaxed = replace(node_affinity or NodeAffinity(), required_during_scheduling_ignored_during_execution=None)
    return _with_affinity(pod, node_affinity=relaxed)


def without_expressions(pod: Pod, index: int, keys: Iterable[str]) -> Edit | None:
    """The edit that drops the expressions on these keys from one required term; None if nothing would be left."""
    dropped = frozenset(keys)
    term = _required_terms(pod)[index]
    expressions = tuple(e for e in term.match_expressions or () if e.key not in dropped)
    fields = tuple(e for e in term.match_fields or () if e.key not in dropped)
    if not expressions and not fields:
        return None

    def edit(changed: Pod) -> Pod:
        terms = list(_required_terms(changed))
        terms[index] = NodeSelectorTerm(match_expressions=expressions or None, match_fields=fields or None)
        node_affinity = changed.spec.affinity.node_affinity if changed.spec.affinity else None
        required = NodeSelector(node_selector_terms=tuple(terms))
        relaxed = replace(node_affinity or NodeAffinity(), required_during_scheduling_ignored_during_execution=required)
        return _with_affinity(changed, node_affinity=relaxed)

    return edit


def without_host_ports(pod: Pod) -> Pod:
    """The pod without any host port."""

    def portless(containers: tuple[Container, ...] | None) -> tuple[Container, ...] | None:
        return containers and tuple(replace(container, ports=None) for container in containers)

    spec: PodSpec = pod.spec
    return _with_spec(pod, containers=portless(spec.containers), init_containers=portless(spec.init_containers))


def spreading(topology_key: str, change: Callable[[TopologySpreadConstraint], TopologySpreadConstraint]) -> Edit:
    """The pod with its hard constraints over a topology changed."""
    return lambda pod: _with_spec(
        pod,
        topology_spread_constraints=tuple(
            change(c) if c.topology_key == topology_key and c.when_unsatisfiable == "DoNotSchedule" else c
            for c in pod.spec.topology_spread_constraints or ()
        ),
    )


def without_required_anti_affinity(pod: Pod) -> Pod:
    """The pod that repels no other, as far as it is required."""
    anti = pod.spec.affinity.pod_anti_affinity if pod.spec.affinity else None
    relaxed = replace(anti or PodAffinity(), required_during_scheduling_ignored_during_execution=None)
    return _with_affinity(pod, pod_anti_affinity=relaxed)


def without_required_affinity(pod: Pod) -> Pod:
    """The pod that needs no other near it."""
    near = pod.spec.affinity.pod_affinity if pod.spec.affinity else None
    relaxed = replace(near or PodAffinity(), required_during_scheduling_ignored_during_execution=None)
    return _with_affinity(pod, pod_affinity=relaxed)


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
        return _with_affinity(pod, pod_affinity=relaxed)

    return edit


def together(edits: Iterable[Edit]) -> Edit:
    """All of these edits, one after the other."""
    every = tuple(edits)

    def edit(pod: Pod) -> Pod:
        for each in every:
            pod = each(pod)
        return pod

    return edit
