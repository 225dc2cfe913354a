"""Changed pods, to try remedies on before they are recommended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec.structs import replace

from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.explain.wording import at_most
from kexplain.objects import quantity
from kexplain.objects.core import (
    Affinity,
    Container,
    EmptyDirVolume,
    NodeAffinity,
    NodeSelector,
    NodeSelectorTerm,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodSpec,
    ResourceRequirements,
    Toleration,
    TopologySpreadConstraint,
    Volume,
)
from kexplain.objects.meta import RawQuantity
from kexplain.objects.requests import CPU

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


def requesting_less(free_by_resource: Mapping[str, int]) -> Edit:
    """The pod whose containers request no more of each resource than is free, the largest request cut first."""

    def edit(pod: Pod) -> Pod:
        containers = list(pod.spec.containers or ())
        first = list(pod.spec.init_containers or ())
        for resource, free in free_by_resource.items():
            first = [_at_most(each, resource, free) for each in first]
            surplus = sum(_amount(each, resource) for each in containers) - free
            for index in sorted(range(len(containers)), key=lambda each: -_amount(containers[each], resource)):
                has = _amount(containers[index], resource)
                if surplus > 0:
                    containers[index] = _at_most(containers[index], resource, max(has - surplus, 0))
                    surplus -= has
        return _with_spec(pod, containers=tuple(containers), init_containers=tuple(first) or None)

    return edit


def _requested(container: Container, resource: str) -> RawQuantity:
    resources = container.resources or ResourceRequirements()
    requests, limits = resources.requests or {}, resources.limits or {}
    return requests.get(resource, limits.get(resource, 0))


def _amount(container: Container, resource: str) -> int:
    raw = _requested(container, resource)
    return quantity.milli_value(raw) if resource == CPU else quantity.value(raw)


def _at_most(container: Container, resource: str, left: int) -> Container:
    if _amount(container, resource) <= left:
        return container
    text = quantity.canonical(f"{left}m") if resource == CPU else at_most(resource, left)
    resources = container.resources or ResourceRequirements()
    changed = replace(resources, requests={**(resources.requests or {}), resource: text})
    if is_scalar_resource_name(resource) and resource in (resources.limits or {}):
        # These cannot be had in part: a limit is the request.
        changed = replace(changed, limits={**(resources.limits or {}), resource: text})
    return replace(container, resources=changed)


def claims_of(pod: Pod) -> list[str]:
    """The claims on devices of the pod, by `namespace/name`."""
    generated = {status.name: status.resource_claim_name for status in pod.status.resource_claim_statuses or ()}
    names = [each.resource_claim_name or generated.get(each.name) for each in pod.spec.resource_claims or ()]
    return [f"{pod.namespace}/{name}" for name in names if name]


def claim_references(pod: Pod, keys: Iterable[str]) -> list[str]:
    """How the pod itself calls these claims on devices."""
    generated = {status.name: status.resource_claim_name for status in pod.status.resource_claim_statuses or ()}
    wanted = set(keys)
    return [
        each.name
        for each in pod.spec.resource_claims or ()
        if f"{pod.namespace}/{each.resource_claim_name or generated.get(each.name)}" in wanted
    ]


def without_claims(references: Iterable[str]) -> Edit:
    """The pod that does without these claims on devices."""
    dropped = frozenset(references)

    def released(containers: tuple[Container, ...] | None) -> tuple[Container, ...] | None:
        return containers and tuple(_without_claims(container, dropped) for container in containers)

    def edit(pod: Pod) -> Pod:
        kept = tuple(each for each in pod.spec.resource_claims or () if each.name not in dropped)
        containers, first = map(released, (pod.spec.containers, pod.spec.init_containers))
        return _with_spec(pod, resource_claims=kept or None, containers=containers, init_containers=first)

    return edit


def _without_claims(container: Container, dropped: Collection[str]) -> Container:
    if container.resources is None or not container.resources.claims:
        return container
    kept = tuple(each for each in container.resources.claims if each.name not in dropped)
    return replace(container, resources=replace(container.resources, claims=kept or None))


def volumes_of(pod: Pod, keys: Iterable[str]) -> list[str]:
    """The volumes of the pod that are on these claims, those of ephemeral volumes among them."""
    wanted = set(keys)

    def claim(volume: Volume) -> str:
        source = volume.persistent_volume_claim
        return f"{pod.namespace}/{source.claim_name if source else f'{pod.name}-{volume.name}'}"

    return [volume.name or "" for volume in pod.spec.volumes or () if claim(volume) in wanted]


def with_empty_volumes(names: Iterable[str]) -> Edit:
    """The pod with these volumes empty."""
    emptied = frozenset(names)

    def edit(pod: Pod) -> Pod:
        volumes = pod.spec.volumes or ()
        changed = (Volume(name=v.name, empty_dir=EmptyDirVolume()) if v.name in emptied else v for v in volumes)
        return _with_spec(pod, volumes=tuple(changed))

    return edit


def using_claim(old: str, new: str) -> Edit:
    """The pod whose volumes name another claim."""

    def renamed(volume: Volume) -> Volume:
        source = volume.persistent_volume_claim
        if source is None or source.claim_name != old:
            return volume
        return replace(volume, persistent_volume_claim=replace(source, claim_name=new))

    return lambda pod: _with_spec(pod, volumes=tuple(map(renamed, pod.spec.volumes or ())))


def of_priority(name: str, value: int) -> Edit:
    """The pod of another priority class."""

    def edit(pod: Pod) -> Pod:
        number = None if pod.spec.priority is None else value
        return _with_spec(pod, priority_class_name=name, priority=number, preemption_policy=None)

    return edit


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
