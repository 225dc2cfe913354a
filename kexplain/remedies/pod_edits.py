"""Changed pods, to try remedies on before they are recommended: operations on paths of fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from msgspec.structs import replace

from kexplain.objects.core import (
    Affinity,
    ContainerPort,
    EmptyDirVolume,
    NodeAffinity,
    NodeSelectorTerm,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    Toleration,
    TopologySpreadConstraint,
    Volume,
    WeightedPodAffinityTerm,
)
from kexplain.objects.meta import Labels, LabelSelector
from kexplain.objects.selectors import selector_from

Edit = Callable[[Pod], Pod]

_REQUIRED_NODES = "spec.affinity.node_affinity.required"
_TERMS = f"{_REQUIRED_NODES}.node_selector_terms"
_EXPRESSIONS = f"{_TERMS}[].match_expressions[]"
_SPREADING = "spec.topology_spread_constraints"
_CONTAINERS = ("spec.containers[]", "spec.init_containers[]")
#: The largest weight that a preference may have.
_MOST_WEIGHT = 100
#: What says nothing, and is left out.
_EMPTY: tuple[Any, ...] = ((), {}, Affinity(), NodeAffinity(), PodAffinity())


def at(path: str, change: Callable[[Any], Any]) -> Edit:
    """The pod with what stands at a path of its fields changed; `[]` behind a field means each element of its list.

    `change` gets None where the last field is not set; where a field before it is not, the pod stays as it is. An
    element that becomes None is left out.
    """
    return lambda pod: _changed(pod, path.split("."), change)


def in_containers(path: str, change: Callable[[Any], Any]) -> Edit:
    """The same in every container."""
    return in_turn(*(at(".".join(filter(None, (each, path))), change) for each in _CONTAINERS))


def in_turn(*edits: Edit) -> Edit:
    """All of these edits, one after the other."""
    return lambda pod: reduce(lambda made, edit: edit(made), edits, pod)


def _changed(value: Any, path: Sequence[str], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value)
    field, rest = path[0].removesuffix("[]"), path[1:]
    old = getattr(value, field)
    if field != path[0]:
        made = (_changed(each, rest, change) for each in old or ())
        new: Any = tuple(each for each in made if each is not None)
    else:
        new = None if old is None and rest else _changed(old, rest, change)
    new = None if new in _EMPTY else new
    return value if new == old else replace(value, **{field: new})


def where(known: Mapping[str, object], fields: Mapping[str, object]) -> Callable[[Any], Any]:
    """What sets these fields of whatever has what is known."""
    return lambda old: replace(old, **fields) if all(getattr(old, at) == each for at, each in known.items()) else old


def tolerating(tolerations: Iterable[Toleration]) -> Edit:
    """The pod with these tolerations too."""
    added = tuple(tolerations)
    return at("spec.tolerations", lambda old: (*(old or ()), *added))


#: The pod in a network of its own.
off_the_host = at("spec.host_network", lambda _: None)
#: The pod that leaves its node to the scheduler.
without_node_name = at("spec.node_name", lambda _: None)
#: The pod without any required node affinity.
without_required_node_affinity = at(_REQUIRED_NODES, lambda _: None)


def without_node_selector(keys: Iterable[str]) -> Edit:
    """The pod without these keys of its node selector."""
    dropped = frozenset(keys)
    return at("spec.node_selector", lambda old: {k: v for k, v in (old or {}).items() if k not in dropped})


def without_expressions(pod: Pod, index: int, keys: Iterable[str]) -> Edit | None:
    """The edit that drops the expressions on these keys from one required term; None if nothing would be left."""
    dropped = frozenset(keys)
    term = pod.spec.required_node_terms[index]
    expressions = tuple(e for e in term.match_expressions or () if e.key not in dropped)
    fields = tuple(e for e in term.match_fields or () if e.key not in dropped)
    if not expressions and not fields:
        return None
    looser = NodeSelectorTerm(match_expressions=expressions or None, match_fields=fields or None)
    return at(_TERMS, lambda old: (*old[:index], looser, *old[index + 1 :]))


def asking_for_value(key: str, value: str) -> Edit:
    """The pod that asks for nodes whose label has that value, where it asks for others."""
    asking = where({"key": key, "operator": "In"}, {"values": (value,)})

    def selecting(selector: Labels | None) -> Labels | None:
        return {**selector, key: value} if selector and key in selector else selector

    return in_turn(at("spec.node_selector", selecting), at(_EXPRESSIONS, asking))


def asking_for_key(wrong: str, right: str) -> Edit:
    """The pod that names another label of nodes wherever it names the wrong one."""
    over = where({"topology_key": wrong}, {"topology_key": right})

    def selecting(selector: Labels | None) -> Labels | None:
        return selector and {right if key == wrong else key: value for key, value in selector.items()}

    return in_turn(
        at("spec.node_selector", selecting),
        _spread(over),
        at("spec.affinity.pod_affinity.required[]", over),
        at(_EXPRESSIONS, where({"key": wrong}, {"key": right})),
    )


def without_host_ports(ports: Collection[tuple[int, str]]) -> Edit:
    """The pod without these host ports, which are numbers with protocols.

    On the host's network every port of a container is one of the host, so that there it is not named at all.
    """

    def edit(pod: Pod) -> Pod:
        on_host = bool(pod.spec.host_network)

        def kept(port: ContainerPort) -> ContainerPort | None:
            number = port.host_port or (port.container_port if on_host else 0) or 0
            if (number, port.protocol or "TCP") not in ports:
                return port
            return None if on_host else replace(port, host_port=None, host_ip=None)

        return in_containers("ports[]", kept)(pod)

    return edit


def claims_of(pod: Pod) -> list[str]:
    """The claims on devices of the pod, by `namespace/name`."""
    return [key for key in _reference_by_claim(pod).values() if key]


def claim_references(pod: Pod, keys: Iterable[str]) -> list[str]:
    """How the pod itself calls these claims on devices."""
    wanted = set(keys)
    return [name for name, key in _reference_by_claim(pod).items() if key in wanted]


def _reference_by_claim(pod: Pod) -> dict[str, str]:
    """The claims on devices by what the pod calls them, as `namespace/name`; empty where one is yet to be made."""
    generated = {status.name: status.resource_claim_name for status in pod.status.resource_claim_statuses or ()}
    names = {each.name: each.resource_claim_name or generated.get(each.name) for each in pod.spec.resource_claims or ()}
    return {reference: f"{pod.namespace}/{name}" if name else "" for reference, name in names.items()}


def without_claims(references: Iterable[str]) -> Edit:
    """The pod that does without these claims on devices."""
    dropped = frozenset(references)

    def kept(each: Any) -> Any:
        return None if each.name in dropped else each

    return in_turn(at("spec.resource_claims[]", kept), in_containers("resources.claims[]", kept))


def volumes_of(pod: Pod, keys: Iterable[str]) -> list[str]:
    """The volumes of the pod that are on these claims, those of ephemeral volumes among them."""
    wanted = set(keys)

    def claim(volume: Volume) -> str:
        return f"{pod.namespace}/{volume.claim_name or f'{pod.name}-{volume.name}'}"

    return [volume.name or "" for volume in pod.spec.volumes or () if claim(volume) in wanted]


def with_empty_volumes(names: Iterable[str]) -> Edit:
    """The pod with these volumes empty."""
    emptied = frozenset(names)
    return at("spec.volumes[]", lambda v: Volume(name=v.name, empty_dir=EmptyDirVolume()) if v.name in emptied else v)


def using_claim(old: str, new: str) -> Edit:
    """The pod whose volumes name another claim."""
    return at("spec.volumes[].persistent_volume_claim.claim_name", lambda name: new if name == old else name)


def of_priority(name: str, value: int) -> Edit:
    """The pod of another priority class."""
    return in_turn(
        at("spec.priority_class_name", lambda _: name),
        at("spec.priority", lambda number: None if number is None else value),
        at("spec.preemption_policy", lambda _: None),
    )


def of_scheduler(name: str) -> Edit:
    """The pod that another scheduler is to place."""
    return at("spec.scheduler_name", lambda _: name)


def spreading(topology_key: str, change: Callable[[TopologySpreadConstraint], TopologySpreadConstraint]) -> Edit:
    """The pod with its hard constraints over a topology changed."""

    def changed(each: TopologySpreadConstraint) -> TopologySpreadConstraint:
        is_meant = each.topology_key == topology_key and each.when_unsatisfiable == "DoNotSchedule"
        return change(each) if is_meant else each

    return _spread(changed)


def _spread(change: Callable[[TopologySpreadConstraint], TopologySpreadConstraint]) -> Edit:
    """The pod with constraints changed, without those that come to one that is there: an API server takes no two."""

    def changed(old: tuple[TopologySpreadConstraint, ...] | None) -> tuple[TopologySpreadConstraint, ...]:
        made = [(each, change(each), each.when_unsatisfiable) for each in old or ()]
        taken = {(each.topology_key, how) for each, new, how in made if new is each}
        return tuple(
            new for each, new, _ in made if new is each or (new.topology_key, new.when_unsatisfiable) not in taken
        )

    return at(_SPREADING, changed)


def spreading_over(key: str, labels: Mapping[str, str]) -> Edit:
    """The pod with a constraint of its own, a soft one, so that those of the scheduler are no longer for it."""
    own = LabelSelector(match_labels=dict(labels))
    constraint = TopologySpreadConstraint(topology_key=key, when_unsatisfiable="ScheduleAnyway", label_selector=own)
    return at(_SPREADING, lambda _: (constraint,))


def preferring_apart(topology_key: str, selector: str) -> Edit:
    """The pod that would rather be away from pods of that selector, where it had to be."""
    return at("spec.affinity.pod_anti_affinity", lambda apart: apart and _preferred(apart, topology_key, selector))


def preferring_near(topology_key: str, selector: str) -> Edit:
    """The pod that would rather be near to pods of that selector, where it had to be."""
    return at("spec.affinity.pod_affinity", lambda near: near and _preferred(near, topology_key, selector))


def _preferred(affinity: PodAffinity, topology_key: str, selector: str) -> PodAffinity:
    """With the terms about that selector preferred, above all else."""
    required = affinity.required or ()
    moved = [term for term in required if term.topology_key == topology_key and _is_about(term, selector)]
    kept = tuple(term for term in required if term not in moved)
    preferred = affinity.preferred or ()
    added = (WeightedPodAffinityTerm(weight=_MOST_WEIGHT, pod_affinity_term=term) for term in moved)
    return replace(affinity, required=kept or None, preferred=(*preferred, *added) or None)


def _as_written(term: PodAffinityTerm) -> PodAffinityTerm:
    expressions = (term.label_selector.match_expressions if term.label_selector else None) or ()
    if {expression.key for expression in expressions}.isdisjoint(_keys(term)):
        return term
    return replace(term, match_label_keys=None, mismatch_label_keys=None)


_SIDES, _IN_SIDES = ("pod_affinity", "pod_anti_affinity"), ("required[]", "preferred[].pod_affinity_term")
#: The pod without keys that an API server has put into its selectors already, which it takes only once.
#: Source: `applyMatchLabelKeysAndMismatchLabelKeys`, which runs whenever a pod is created.
as_written = in_turn(*(at(f"spec.affinity.{kind}.{term}", _as_written) for kind in _SIDES for term in _IN_SIDES))


def _keys(term: PodAffinityTerm) -> tuple[str, ...]:
    return (*(term.match_label_keys or ()), *(term.mismatch_label_keys or ()))


def _is_about(term: PodAffinityTerm, selector: str) -> bool:
    # An API server adds to the selector what these keys stand for, which a template does not show.
    return bool(_keys(term)) or str(selector_from(term.label_selector)) == selector


def attracted_to(key: str, wrong: str, right: str) -> Edit:
    """The pod that has to be near to pods with another value of a label."""

    def mended(labels: Labels | None) -> Labels | None:
        return {**labels, key: right} if labels and labels.get(key) == wrong else labels

    return at("spec.affinity.pod_affinity.required[].label_selector.match_labels", mended)


def attracted_in(topology_key: str, namespaces: Iterable[str]) -> Edit:
    """The pod whose affinity over a topology looks in these namespaces too."""
    added = tuple(namespaces)

    def widened(pod: Pod, term: PodAffinityTerm) -> PodAffinityTerm:
        if term.topology_key != topology_key:
            return term
        # Once it names a namespace, a term is no longer about the pod's own.
        own = (pod.namespace,) if not term.namespaces and term.namespace_selector is None else ()
        return replace(term, namespaces=(*(term.namespaces or ()), *own, *added))

    return lambda pod: at("spec.affinity.pod_affinity.required[]", partial(widened, pod))(pod)
