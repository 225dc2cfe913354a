"""Names that are one slip of the pen off one among the manifests: of what pods use, and of what is scaled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Path, Problem, WordEdit
from kexplain.objects.scheduling import PriorityClass, RuntimeClass
from kexplain.objects.storage import StorageClass
from kexplain.objects.untrusted import at, text
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.words import slip_of

#: By the field that holds a reference, or a name: of what kind it is.
_FIELDS_OF = table("reference-fields", dict[str, dict[str, str]])
_HOLDERS, _NAMES = _FIELDS_OF["references"], _FIELDS_OF["names"]
#: Of what a cluster knows these rules of their own tell.
_READ: tuple[type[KubernetesObject], ...] = (PriorityClass, RuntimeClass, PersistentVolumeClaim, StorageClass)
_TOLD = {kind.__name__: kind for kind in _READ}
_FIELDS = ("name", "secretName", "claimName")
#: What autoscalers scale.
_SCALED = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController", "Rollout")
#: Among what a name is sought, by whether there is a cluster.
_AMONG = {False: "the manifests", True: "the manifests or the cluster"}
_DOUBLED = regex(r"([a-z])\1")
#: Shorter words differ by a letter on purpose, as `ro` and `rw` do, but for one that is doubled or has changed places.
_SHORTEST = 4


class _Name(NamedTuple):
    """A name of a kind, in the namespace of whoever refers to it unless it says another."""

    path: Path
    kind: str
    name: str
    namespace: str = ""


def _misspelt(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A name that nothing has, where a slip away something has it that the pod, or whoever refers to it, leaves out."""
    found = [*_names(subject)]
    for path, kind, name, namespace in found:
        if kind in _TOLD and around.knows(_TOLD[kind]):
            continue
        known = around.named(kind, namespace or subject.namespace)
        if name in known:
            continue
        # Who uses both means both, unless a letter is doubled, or is not, or a dash is missing.
        used = {each.name for each in found if each.kind == kind and _once(each.name) != _once(name)}
        meant = [*(known & {slip_of(name, (subject.obj.name,))} or filter(partial(_is_slip, name), known - used))]
        said = f"no {kind} of {_AMONG[around.has_cluster]} is called {name}"
        if len(meant) == 1:
            taken = _scaled_by(subject, kind, meant[0], around)
            said = f"{said}; did you mean {meant[0]}{f', which {taken} has already' if taken else ''}?"
            yield Problem(path, said, edit=None if taken else WordEdit(meant[0]))
        elif kind in _SCALED:
            named = partial(around.named, namespace=namespace or subject.namespace)
            yield from _of_another_kind(path, said, named, name)


def _scaled_by(subject: Subject, kind: str, name: str, around: Surroundings) -> str:
    """What of the same kind refers to a workload, of which it takes one; empty if nothing does."""
    alike = (each for each in around.subjects if each.obj.kind == subject.obj.kind and each is not subject)
    beside = (each for each in alike if kind in _SCALED and each.namespace == subject.namespace)
    return next((each.name for each in beside if any(one[1:3] == (kind, name) for one in _names(each))), "")


def _misspelt_key(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A key that a ConfigMap or Secret of the manifests does not have, but for a slip."""
    for path, kind, name, _ in _names(subject):
        holder = path[:-1]
        items = at(subject.manifest.value, *holder, "items")
        places = [(*holder, "items", index, "key") for index in range(len(items) if isinstance(items, list) else 0)]
        known = around.keys(kind, subject.namespace, name)
        for place in [(*holder, "key"), *places] if known else ():
            key = at(subject.manifest.value, *place)
            meant = slip_of(key, known) if isinstance(key, str) and key not in known else ""
            if meant:
                said = f"{kind} {name} of the manifests has no key {key}; did you mean {meant}?"
                yield Problem(place, said, edit=WordEdit(meant))


def _of_another_kind(path: Path, said: str, named: Callable[[str], set[str]], name: str) -> Iterator[Problem]:
    """That a workload has the name, though one of another kind."""
    kinds = [kind for kind in _SCALED if name in named(kind)]
    if len(kinds) == 1:
        yield Problem((*path[:-1], "kind"), f"{said}, but a {kinds[0]} is", edit=WordEdit(kinds[0]))


def _names(subject: Subject) -> Iterator[_Name]:
    """What an object refers to."""
    if isinstance(subject, Workload) and isinstance(subject.obj, CustomWorkload):
        yield from _within(subject.template, subject.path)
    elif isinstance(subject, Workload) or isinstance(subject.obj, PersistentVolumeClaim):
        yield from _within(at(subject.manifest.value, "spec"), ("spec",))
    for each in references(subject):
        for field in _FIELDS:
            if name := text(each.value, field):
                yield _Name((*each.path, field), each.kind, name, text(each.value, "namespace"))


class Reference(NamedTuple):
    """What refers to another object, where it stands, and the kind of that."""

    value: Any
    path: Path
    kind: str


def references(subject: Subject) -> Iterator[Reference]:
    """What an object that is no workload refers to."""
    for steps, kind in table("references", dict[str, dict[str, str]]).get(subject.obj.kind, {}).items():
        for value, path in _reached(subject.manifest.value, steps.split("/"), ()):
            yield Reference(value, path, text(value, "kind") or kind)


def _reached(value: Any, steps: Sequence[str], path: Path) -> Iterator[tuple[Any, Path]]:
    """What stands at the end of some steps, of which `*` is each item of a list."""
    if not steps:
        yield value, path
        return
    items = enumerate(value) if steps[0] == "*" and isinstance(value, list) else [(steps[0], at(value, steps[0]))]
    for step, each in items:
        yield from _reached(each, steps[1:], (*path, step))


def _within(value: Any, path: Path) -> Iterator[_Name]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        if isinstance(key, str) and key in _HOLDERS and isinstance(each, dict | list):
            yield from _held(each, (*path, key), _HOLDERS[key])
        elif key in _NAMES and isinstance(each, str):
            yield _Name((*path, key), _NAMES[key], each)
        else:
            yield from _within(each, (*path, key))


def _held(value: Any, path: Path, kind: str) -> Iterator[_Name]:
    """The names in a reference, or in each of a list."""
    for index, each in enumerate(value if isinstance(value, list) else ()):
        yield from _held(each, (*path, index), kind)
    yield from (_Name((*path, field), kind, name) for field in _FIELDS if isinstance(name := at(value, field), str))


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is another but for a dash, or for a slip in one of its words."""
    if name.replace("-", "") == known.replace("-", ""):
        return True
    words = [*zip(name.split("-"), known.split("-"), strict=False)]
    differing = [(one, other) for one, other in words if one != other]
    if len(differing) != 1 or name.count("-") != known.count("-"):
        return False
    ((one, other),) = differing
    is_counted = one.rstrip("0123456789") == other.rstrip("0123456789")
    is_long = max(len(one), len(other)) >= _SHORTEST
    is_short_slip = _once(one) == _once(other) or sorted(one) == sorted(other)
    return not is_counted and (bool(slip_of(one, (other,))) if is_long else is_short_slip)


def _once(word: str) -> str:
    """The word without dashes, and with each letter that is doubled but once."""
    return _DOUBLED.sub(r"\1", word.replace("-", ""))


def _of_object(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    yield from _misspelt(subject, around)
    yield from _misspelt_key(subject, around)


RULES = (Rule("misspelt-name", of_object=_of_object),)
