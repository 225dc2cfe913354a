"""References to what is to be placed: files, and names such as `web`, `pod/web` or `deploy/web`."""

import os
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from kexplain.case.own_pods import OwnerChains, key_of, with_complaints
from kexplain.case.records import OwnPods
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.load.record_types import API_VERSIONS, OTHER_VERSIONS
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.workload_kinds import KIND_BY_ALIAS, WORKLOAD_KINDS, kind_of_word
from kexplain.objects.workload_status import WorkloadStatus
from kexplain.parameters import parameter
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.words import did_you_mean, joined, near, some, verb

_NAME = regex(
    r"(?:(?P<kind>[A-Za-z]+\d?(?:\.[a-z0-9.]+)?)/)?(?P<name>[a-z0-9]([-a-z0-9.]*[a-z0-9])?)(?P<role>/[A-Za-z0-9][-\w.]*)?"
)


class Reference(Struct, frozen=True):
    """A pod or a workload by its kind and name."""

    kind: str
    name: str


class Scope(Struct, frozen=True):
    """Where names are looked up: in a namespace, which is also where objects are that name none, or in all."""

    namespace: str
    everywhere: bool = False

    def has(self, namespace: str) -> bool:
        """Whether names of a namespace count."""
        return self.everywhere or namespace == self.namespace

    def __str__(self) -> str:
        return "any namespace" if self.everywhere else f"namespace {self.namespace}"


class Found(Struct):
    """What names mean: objects whose pods are placed, and workloads whose own pods are meant."""

    objects: list[KubernetesObject] = msgspec.field(default_factory=list)
    workloads: list[OwnPods] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)


def find(references: Iterable[Reference], loaded: Loaded, place: Scope, *, own_pods: bool) -> Found:
    """What the references mean. Of workloads it is their own pods, if these are asked for and can be known.

    A workload that nobody has created yet stands for one of its pods. Raises UsageError if there is nothing of a name;
    the hint says where there is something, or which name is near.
    """
    found = Found()
    owner_chains: OwnerChains | None = None
    all_kinds = {kind.__name__ for kind in loaded.listed}
    knows_pods = Pod in loaded.listed or Pod in loaded.objects.kinds
    events = loaded.objects.of(Event)
    for reference in references:
        is_complete = reference.kind in all_kinds
        if reference.kind == "Pod":
            found.objects += _pods(reference, loaded.objects, place, is_complete=is_complete)
            continue
        owner_chains = owner_chains or OwnerChains(loaded.objects, place.namespace)
        roles = _roles(reference, loaded.objects, place)
        if roles and not (
            own_pods and any(owner_chains.own_pods(*key_of(each, place.namespace)).pods for each in roles)
        ):
            found.objects += roles
            continue
        for own in _workloads(reference, owner_chains, place, is_complete=is_complete):
            if own_pods and _has_known_pods(own, events, all_are_known=knows_pods):
                found.workloads.append(own)
                found.objects += own.controllers if _is_for_no_node(own) else own.pending
            else:
                found.objects.append(_itself(own, found.notes))
    found.objects = list({id(obj): obj for obj in found.objects}.values())
    return found


def _has_known_pods(own: OwnPods, events: Iterable[Event], *, all_are_known: bool) -> bool:
    """Whether the pods of a workload are known, be it that there are none, as it itself says and why."""
    if own.pods or not any(each.is_stored for each in own.controllers):
        return bool(own.pods)
    status = getattr(own.controllers[0], "status", WorkloadStatus())
    return all_are_known or (not status.replicas and bool(own.held or with_complaints(own, events).complaints))


def _is_for_no_node(own: OwnPods) -> bool:
    """Whether it is a daemon set that wants no pod on any node: the one it would make tells why."""
    return own.kind == "DaemonSet" and own.wanted == 0 and not own.pods


def _itself(own: OwnPods, notes: list[str]) -> KubernetesObject:
    """The workload, or what stands for it as its pods show it; then there is a note."""
    if own.controllers and (not own.pods or own.controllers[0].kind == own.kind):
        return own.controllers[0]
    # Most are read.
    from kexplain.case.stand_ins import stand_in  # noqa: PLC0415

    notes.append(f"{own.kind} {own.name} was not read: its pods show what its template is")
    return stand_in(own.kind, own.namespace, own.name, own.pods[0])


def _pods(reference: Reference, objects: Objects, place: Scope, *, is_complete: bool) -> list[KubernetesObject]:
    found = [obj for obj in objects.pods_named({reference.name}) if place.has(obj.namespace or place.namespace)]
    if not found:
        if hint := _of_other_kinds(reference.name, objects, place):
            raise UsageError(f"there is no Pod {reference.name} in {place}", hint)
        names = [(obj.namespace or place.namespace, obj.name) for obj in objects.of(Pod)]
        raise no_such(reference, names, place, is_complete=is_complete)
    return [*found]


def _of_other_kinds(name: str, objects: Iterable[KubernetesObject], place: Scope) -> str:
    """What workloads have the name of a pod that is not there, or that the name is a kind; empty without either."""
    if kind_of_word(name):
        return f"{name} is a kind: add a name to it, as in {name}/NAME"
    if any(isinstance(each, Node) and each.name == name for each in objects):
        return _is_a_node(name)
    owner_chains = OwnerChains(objects, place.namespace)
    places = [(each.kind, *known) for each in WORKLOAD_KINDS for known in owner_chains.names(each.kind)]
    homes = [(kind, namespace) for kind, namespace, found in places if found == name]
    nearest = [home for home in homes if place.has(home[1])] or homes
    named = (f"{kind.lower()}/{name}{_elsewhere(namespace, place)}" for kind, namespace in nearest)
    return f"there is {joined([*named])}" if homes else ""


def _elsewhere(namespace: str, place: Scope) -> str:
    return f" in namespace {namespace}" if namespace != place.namespace else ""


def _is_a_node(name: str) -> str:
    how = parameter("node", name)
    return f"{name} is a node, which is not scheduled: name a pod, and add {how} for how it fits there"


def _roles(reference: Reference, objects: Objects, place: Scope) -> list[CustomWorkload]:
    """What a custom resource of that name stands for, or the role of it that is named."""
    here = (each for each in objects.of(CustomWorkload) if place.has(each.namespace or place.namespace))
    return [each for each in here if each.kind == reference.kind and reference.name in (each.name, each.metadata.name)]


def _workloads(reference: Reference, owner_chains: OwnerChains, place: Scope, *, is_complete: bool) -> list[OwnPods]:
    alike = list(owner_chains.names(reference.kind))
    homes = [namespace for namespace, name in alike if name == reference.name and place.has(namespace)]
    if not homes:
        raise no_such(reference, alike, place, is_complete=is_complete)
    return [owner_chains.own_pods(reference.kind, namespace, reference.name) for namespace in homes]


def no_such(reference: Reference, alike: Sequence[tuple[str, str]], place: Scope, *, is_complete: bool) -> UsageError:
    """The error for a name that is not there, with all names of its kind by namespace."""
    if alike:
        hint = _hint(reference, alike, place)
    else:
        hint = f"there is no {reference.kind} at all in {'the cluster' if is_complete else 'what was read'}"
    return UsageError(f"there is no {reference.kind} {reference.name} in {place}", hint)


def _hint(reference: Reference, alike: Sequence[tuple[str, str]], place: Scope) -> str:
    elsewhere = sorted({namespace for namespace, name in alike if name == reference.name})
    if elsewhere:
        return f"namespace {joined(elsewhere)} has one of that name"
    namespace_by_name = {name: namespace for namespace, name in alike if place.has(namespace)}
    namespace_by_name = {name: namespace for namespace, name in alike} | namespace_by_name
    if close := near(reference.name, namespace_by_name):
        home = namespace_by_name[close[0]]
        return f"did you mean {close[0]}{_elsewhere(home, place)}?"
    here = sorted(name for namespace, name in alike if place.has(namespace))
    if not here:
        return f"there is no {reference.kind} at all in {place}; see namespace {joined([*dict(sorted(alike))], 'or')}"
    return f"there {verb(len(here), 'is')} {some(here, 5)}"


def parted(references: Sequence[str | Reference]) -> tuple[list[str], list[Reference]]:
    """The paths among references (`-` is stdin), and the names, each once. Raises UsageError on an unknown kind."""
    distinct = list(dict.fromkeys(references))
    paths = [each for each in distinct if isinstance(each, str) and _is_path(each)]
    named = (each for each in distinct if each not in paths)
    return paths, list(dict.fromkeys(_reference(each) if isinstance(each, str) else each for each in named))


def _is_path(reference: str) -> bool:
    """Whether a reference means a file: it is one, or it looks like one."""
    # Unlike Path.exists, this is False for what cannot be looked at or cannot be a path at all.
    match = _NAME.fullmatch(reference)
    if reference == "-" or os.path.exists(reference) or match is None:  # noqa: PTH110
        return True
    if match["role"] and not (match["kind"] and kind_with_pods(match["kind"])):
        return True
    return reference.endswith((".yaml", ".yml", ".json"))


def kind_of(alias: str) -> str:
    """The kind that kubectl means by a word such as `deploy`, `nodes` or `PodDisruptionBudget`, as it is written.

    Raises UsageError if scheduling reads no kind of that name.
    """
    word = alias.lower()
    kinds = {kind.lower(): kind for kind in (*(record.__name__ for record in API_VERSIONS), *OTHER_VERSIONS)}
    kinds |= {f"{name}s": kind for name, kind in kinds.items()} | KIND_BY_ALIAS | _WITHOUT_PODS
    if word not in kinds and (custom := kind_with_pods(word)):
        return custom
    if word not in kinds:
        raise UsageError(f'"{alias}" is not a kind that scheduling reads', did_you_mean(word, kinds) or None)
    return kinds[word]


def kind_with_pods(word: str) -> str:
    """The kind with pods that a word means, be it another project's; empty if it means none."""
    if kind := kind_of_word(word):
        return kind
    # Most words are of kinds that are known here.
    from kexplain.load.custom_workloads import kind_of_word as custom_kind  # noqa: PLC0415

    return custom_kind(word)


#: What kubectl calls other kinds, which people may ask about as well.
_WITHOUT_PODS = table("kinds-without-pods", dict[str, str])


def _reference(text: str) -> Reference:
    alias, _, name = text.partition("/") if "/" in text else ("pod", "", text)
    kind = kind_with_pods(alias)
    if not kind:
        raise UsageError(f'"{alias}" is not a kind with pods, and there is no file {text}', _in_place_of(alias, name))
    return Reference(kind, name)


def _in_place_of(alias: str, name: str) -> str:
    """What to ask in place of a name whose kind has no pods."""
    kinds = joined(["pod", *(each.kind.lower() for each in WORKLOAD_KINDS)], "or")
    try:
        kind = kind_of(alias)
    except UsageError:
        home = f"{name} and {parameter('namespace', alias)}"
        return did_you_mean(alias, KIND_BY_ALIAS) or f"for {name} in namespace {alias} use {home}; else use {kinds}"
    return _is_a_node(name) if kind == Node.__name__ else f"name a pod that it is about, or what makes it: {kinds}"
