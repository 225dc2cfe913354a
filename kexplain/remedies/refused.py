"""What is to be done about pods that an API server refuses, as its admission says why."""

from collections.abc import Iterator, Sequence
from typing import Any

from kexplain.case.records import OwnPods
from kexplain.load.json_patch import pointer
from kexplain.messages.part import Part
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.changes import CREATE, Change, Target
from kexplain.objects.meta import Labels
from kexplain.objects.untrusted import at
from kexplain.objects.well_known import WITHOUT_NAMESPACE
from kexplain.objects.workload_kinds import template_path
from kexplain.patterns import regex
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import as_json, setting, target_of
from kexplain.shell import command
from kexplain.words import joined

#: The classes in the scopes of a quota that is asked for.
_CLASSES = regex(r"PriorityClass In \[([^\]]+)\]")
#: So many pods as there never are: a quota has to name some amount.
_NO_LIMIT = "1G"
#: What shows more, in what there is to check of a message.
_SHOWING = regex(r"kubectl (?:get|describe) [a-z,]+")
#: The name of a label.
_WORD = regex(r"[\w./-]*\w")


def as_asked(own: OwnPods, part: Part) -> Iterator[Remedy]:
    """What is to be done about a refusal."""
    if classes := _CLASSES.search((part.names or {}).get("scopes", "")):
        yield from _with_quota(own, classes[1].split())
        return
    yield from _as_accepted(own, own.complaints[0].text)
    if part.source.startswith("SCC"):
        data = as_json(own.controllers[0]) if own.controllers else {}
        account = at(data, *template_path(own.kind), "spec", "serviceAccountName") or "default"
        yield advice("constraint", account, own.namespace)
    elif part.check:
        yield _checked(part.check, own.namespace)


def _as_accepted(own: OwnPods, refused: str) -> Iterator[Remedy]:
    """The labels that a refusal names as the template has them whose pods run, and the way back to that one."""
    owners = {pod.metadata.controller for pod in own.pods}
    uids = {owner.uid for owner in owners if owner}
    sets = sorted((each for each in own.controllers if isinstance(each, ReplicaSet)), key=lambda each: -each.revision)
    then = next((each for each in sets[1:] if each.metadata.uid in uids), None)
    if then is None:
        return
    named, now = {*_WORD.findall(refused)}, _labels(sets[0])
    lost = {key: value for key, value in _labels(then).items() if key not in now and key in named}
    if lost:
        place = ("spec", "template", "metadata", "labels")
        added = {pointer((*place, key)): value for key, value in lost.items()}
        labels = joined([f"{key}={value}" for key, value in lost.items()], "and")
        yield advice("label-again", labels, own, then.revision, changes=[setting(target_of(own.controllers[0]), added)])
    yield advice("roll-back/revision", "whose pods run", own.kind.lower(), own.name, own.namespace, then.revision)


def _labels(of: ReplicaSet) -> Labels:
    return (of.spec.template.metadata.labels if of.spec.template else None) or {}


def _checked(check: str, namespace: str) -> Remedy:
    """What is to be checked of a message, with its command for the namespace."""
    named = _SHOWING.search(check)
    kinds = named[0].rpartition(" ")[2].split(",") if named else []
    is_in_none = all(kind.startswith(tuple(map(str.lower, WITHOUT_NAMESPACE))) for kind in kinds)
    lines = [command(named[0], namespace="" if is_in_none else namespace)] if named else []
    return advice("look", check.replace(named[0], lines[0]) if named else check, commands=tuple(lines))


def _with_quota(own: OwnPods, classes: Sequence[str]) -> Iterator[Remedy]:
    """A quota for priority classes that only namespaces with one may use, which limits nobody; or another class."""
    name = f"{classes[0]}-pods"
    selector = {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": [*classes]}]}
    spec = {"hard": {"pods": _NO_LIMIT}, "scopeSelector": selector}
    made = created("ResourceQuota", name, own.namespace, spec=spec)
    yield advice("quota-of-class", name, classes, own.namespace, _NO_LIMIT, changes=[made])
    yield advice("class-without-quota", own)


def created(kind: str, name: str, namespace: str, **more: Any) -> Change:
    """An object that is made, as nothing is likely meant in its place."""
    target, metadata = Target(api_version="v1", kind=kind, namespace=namespace, name=name), {"name": name}
    whole = {"apiVersion": "v1", "kind": kind, "metadata": {**metadata, "namespace": namespace}, **more}
    return Change(target=target, verb=CREATE, object=whole)
