"""Changed pods, to try remedies on before they are recommended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec.structs import replace

from kexplain.objects.core import (
    Affinity,
    Container,
    EmptyDirVolume,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PodAffinity,
    PodSpec,
    Toleration,
    TopologySpreadConstraint,
    Volume,
)
from kexplain.objects.meta import LabelSelector

Edit = Callable[[Pod], Pod]


def _with_spec(pod: Pod, **changes: object) -> Pod:
    return replace(pod, spec=replace(pod.spec, **changes))


#: Affinities that ask for nothing.
_NO_AFFINITIES = (NodeAffinity(), PodAffinity())


def with_affinity(pod: Pod, **changes: object) -> Pod:
    """The pod with these fields of its affinity changed; what asks for nothing is left out."""
    asking = {name: None if each in _NO_AFFINITIES else each for name, each in changes.items()}
    affinity = replace(pod.spec.affinity or Affinity(), **asking)
    return _with_spec(pod, affinity=None if affinity == Affinity() else affinity)


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
    return with_affinity(pod, node_affinity=relaxed)


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
        return _with_required_terms(changed, tuple(terms))

    return edit


def asking_for_value(key: str, value: str) -> Edit:
    """The pod that asks for nodes whose label has that value, where it asks for others."""

    def asking(expression: NodeSelectorRequirement) -> NodeSelectorRequirement:
        is_about = expression.key == key and expression.operator == "In"
        return replace(expression, values=(value,)) if is_about else expression

    def edit(pod: Pod) -> Pod:
        selector = pod.spec.node_selector or {}
        asked = _with_spec(pod, node_selector={**selector, key: value}) if key in selector else pod
        return _with_expressions(asked, asking)

    return edit


def asking_for_key(wrong: str, right: str) -> Edit:
    """The pod that names another label of nodes wherever it names the wrong one."""

    def asking(expression: NodeSelectorRequirement) -> NodeSelectorRequirement:
        return replace(expression, key=right) if expression.key == wrong else expression

    def spread(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
        return replace(constraint, topology_key=right) if constraint.topology_key == wrong else constraint

    def near(affinity: PodAffinity) -> PodAffinity:
        terms = affinity.required_during_scheduling_ignored_during_execution or ()
        named = tuple(replace(t, topology_key=right) if t.topology_key == wrong else t for t in terms)
        return replace(affinity, required_during_scheduling_ignored_during_execution=named)

    def edit(pod: Pod) -> Pod:
        selector, constraints = pod.spec.node_selector, pod.spec.topology_spread_constraints
        named = selector and {right if key == wrong else key: value for key, value in selector.items()}
        pod = _with_spec(
            pod, node_selector=named, topology_spread_constraints=constraints and _distinct(map(spread, constraints))
        )
        if pod.spec.affinity and pod.spec.affinity.pod_affinity:
            pod = with_affinity(pod, pod_affinity=near(pod.spec.affinity.pod_affinity))
        return _with_expressions(pod, asking)

    return edit


def _with_expressions(pod: Pod, change: Callable[[NodeSelectorRequirement], NodeSelectorRequirement]) -> Pod:
    """The pod with every expression on labels in its required node affinity changed."""
    terms = _required_terms(pod)
    if not terms:
        return pod
    changed = tuple(
        replace(term, match_expressions=term.match_expressions and tuple(map(change, term.match_expressions)))
        for term in terms
    )
    return _with_required_terms(pod, changed)


def _with_required_terms(pod: Pod, terms: tuple[NodeSelectorTerm, ...]) -> Pod:
    node_affinity = pod.spec.affinity.node_affinity if pod.spec.affinity else None
    required = NodeSelector(node_selector_terms=terms)
    relaxed = replace(node_affinity or NodeAffinity(), required_during_scheduling_ignored_during_execution=required)
    return with_affinity(pod, node_affinity=relaxed)


def without_host_ports(ports: Collection[tuple[int, str]]) -> Edit:
    """The pod without these host ports, which are numbers with protocols.

    On the host's network every port of a container is one of the host, so that there it is not named at all.
    """

    def portless(container: Container, *, on_host: bool) -> Container:
        kept = []
        for each in container.ports or ():
            number = each.host_port or (each.container_port if on_host else 0) or 0
            is_wanted = (number, each.protocol or "TCP") not in ports
            if is_wanted or not on_host:
                kept.append(each if is_wanted else replace(each, host_port=None, host_ip=None))
        return replace(container, ports=tuple(kept) or None)

    def edit(pod: Pod) -> Pod:
        spec: PodSpec = pod.spec
        on_host = bool(spec.host_network)
        containers = tuple(portless(each, on_host=on_host) for each in spec.containers or ())
        first = tuple(portless(each, on_host=on_host) for each in spec.init_containers or ())
        return _with_spec(pod, containers=containers, init_containers=first or None)

    return edit


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

    def changed(each: TopologySpreadConstraint) -> TopologySpreadConstraint:
        is_meant = each.topology_key == topology_key and each.when_unsatisfiable == "DoNotSchedule"
        return change(each) if is_meant else each

    return lambda pod: _with_spec(
        pod, topology_spread_constraints=_distinct(map(changed, pod.spec.topology_spread_constraints or ()))
    )


def _distinct(constraints: Iterable[TopologySpreadConstraint]) -> tuple[TopologySpreadConstraint, ...]:
    """The first constraint over each topology that is as hard: an API server takes no other."""
    by_kind: dict[tuple[str, str], TopologySpreadConstraint] = {}
    for each in constraints:
        by_kind.setdefault((each.topology_key, each.when_unsatisfiable), each)
    return tuple(by_kind.values())


def spreading_over(topology_key: str, labels: Mapping[str, str]) -> Edit:
    """The pod with a constraint of its own, a soft one, so that those of the scheduler are no longer for it."""
    constraint = TopologySpreadConstraint(
        topology_key=topology_key,
        when_unsatisfiable="ScheduleAnyway",
        label_selector=LabelSelector(match_labels=dict(labels)),
    )
    return lambda pod: _with_spec(pod, topology_spread_constraints=(constraint,))


def together(edits: Iterable[Edit]) -> Edit:
    """All of these edits, one after the other."""
    every = tuple(edits)

    def edit(pod: Pod) -> Pod:
        for each in every:
            pod = each(pod)
        return pod

    return edit
