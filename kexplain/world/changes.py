"""Changes to the objects of a cluster, as an API server takes them: patches, creations, deletions.

Source of the patches: RFC 6902 (JSON Patch) and RFC 7386 (JSON Merge Patch).
"""

import io
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from kexplain.admission.workloads import template_of
from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.load import check_quantities, load, quantity_problems
from kexplain.load.custom_workloads import remade
from kexplain.load.decoding import fit
from kexplain.load.json_patch import PatchError, operate
from kexplain.load.text.source import Source
from kexplain.objects.apps import Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob
from kexplain.objects.changes import JSON_PATCH, MERGE_PATCH, PATCH, Change, Target
from kexplain.objects.core import ReplicationController, ResourceQuota
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim, StorageStatus
from kexplain.objects.policy import PodDisruptionBudget, PodDisruptionBudgetStatus
from kexplain.objects.problem import path_text
from kexplain.patterns import regex

_SCALED = Deployment | ReplicaSet | StatefulSet | ReplicationController
_LIST = regex(rb"\s*\[")


def plain(obj: KubernetesObject) -> Any:
    """The object as JSON has it; of a role the resource that it is one of."""
    return deepcopy(obj.manifest) if isinstance(obj, CustomWorkload) else msgspec.json.decode(msgspec.json.encode(obj))


def patched(obj: KubernetesObject, change: Change) -> KubernetesObject:
    """The object with the patch applied. Raises UsageError where it cannot be, or where the result is no such object.

    Only what scheduling reads of an object is there to be changed; the rest of a patch changes nothing.
    """
    # What an object always has is not written where it says nothing.
    value = ({"spec": {}} if hasattr(obj, "spec") else {}) | plain(obj)
    kind = change.patch_type or MERGE_PATCH
    if kind == JSON_PATCH:
        for operation in change.operations:
            try:
                operate(value, operation)
            except PatchError as fault:
                raise UsageError(f"{change.target}: {operation!r} cannot be applied: {fault}") from None
    elif kind == MERGE_PATCH:
        value = _merged(value, change.patch)
    else:
        raise UsageError(f"{change.target}: {change.patch_type} is not a type of patch that can be tried")
    if isinstance(obj, CustomWorkload):
        if (role := remade(obj, value)) is None:
            raise UsageError(f"{change.target}: {obj.kind} {obj.name} is not there any more")
        return role
    made, misfits = fit(value, type(obj))
    if made is None:
        raise UsageError(f"{change.target}: {path_text(misfits[0].path)}: {misfits[0].message}")
    for problem in quantity_problems(made):
        raise UsageError(f"{change.target}: {path_text(problem.path)}: {problem.message}")
    return made


def created(objects: Sequence[Any]) -> list[KubernetesObject]:
    """Plain objects as they are read from a manifest. Raises InputError."""
    dump = msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": objects})
    loaded = load(["-"], stdin=io.BytesIO(dump))
    check_quantities(loaded)
    return [*loaded.objects]


def never_seen(claim: Any) -> PersistentVolumeClaim:
    """The claim as one that no controller has looked at yet."""
    metadata = replace(claim.metadata, uid=None, creation_timestamp=None)
    return cast("PersistentVolumeClaim", replace(claim, metadata=metadata, status=StorageStatus()))


def _with_notes_of(obj: Any, known: KubernetesObject) -> KubernetesObject:
    """The workload with what was noted on its template since, as `rollout restart` does, and no manifest has."""
    was, now = template_of(known), template_of(obj)
    if was is None or now is None or not was.metadata.annotations or isinstance(obj, CronJob):
        return cast("KubernetesObject", obj)
    notes = {**was.metadata.annotations, **(now.metadata.annotations or {})}
    template = replace(now, metadata=replace(now.metadata, annotations=notes))
    return cast("KubernetesObject", replace(obj, spec=replace(obj.spec, template=template)))


def as_known(obj: KubernetesObject, known: KubernetesObject) -> KubernetesObject:
    """A manifest as an update of what is there: it keeps the identity, and a number that it leaves to others."""
    metadata = replace(obj.metadata, uid=known.metadata.uid, creation_timestamp=known.metadata.creation_timestamp)
    updated = _with_notes_of(replace(obj, metadata=metadata), known)
    if isinstance(updated, _SCALED) and isinstance(known, _SCALED) and updated.spec.replicas is None:
        return replace(updated, spec=replace(updated.spec, replicas=known.spec.replicas))
    return updated


def counted_anew(old: KubernetesObject, obj: KubernetesObject) -> KubernetesObject:
    """A quota or budget with another spec as its controller has it at once, or has yet to count it."""
    if isinstance(obj, ResourceQuota) and isinstance(old, ResourceQuota) and obj.spec != old.spec:
        return replace(obj, status=replace(old.status, hard=None))
    if isinstance(obj, PodDisruptionBudget) and isinstance(old, PodDisruptionBudget) and obj.spec != old.spec:
        return replace(obj, status=PodDisruptionBudgetStatus())
    return obj


def _merged(value: Any, patch: Any) -> Any:
    if not isinstance(patch, Mapping):
        return patch
    result = dict(value) if isinstance(value, Mapping) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = _merged(result.get(key), change)
    return result


class _Remedy(msgspec.Struct):
    changes: list[Change] = []
    serves: int | None = None
    pending: int | None = None


class _Named(msgspec.Struct, frozen=True):
    namespace: str = ""
    workload: dict[str, str] | None = None


class _Pod(msgspec.Struct):
    remedies: list[_Remedy] = []
    pod: _Named = _Named()


class _Report(msgspec.Struct):
    """What is read of a report."""

    pods: list[_Pod]
    #: Those of which some pods are missing, or do not run.
    workloads: list[_Pod] = []


def changes_of(source: Source) -> list[tuple[Change, str]]:
    """The changes of a list of them, or of a report: those of the first remedy of each pod that has any, and of
    each workload, with which remedy that is. What serves all pods of a workload that wait is all that is done for it.

    Raises InputError where the document is neither.
    """
    from kexplain.load.published import decode_published  # noqa: PLC0415

    text = source.read()
    if _LIST.match(text):
        return [(each, "") for each in decode_published(source, text, list[Change])]
    found: list[tuple[Change, str]] = []
    served: list[_Named] = []
    report = decode_published(source, text, _Report)
    for each in (*report.pods, *report.workloads):
        having = ((number, remedy) for number, remedy in enumerate(each.remedies, 1) if remedy.changes)
        number, first = next(having, (0, _Remedy()))
        if each.pod not in served:
            found += ((change, f"remedy {number}: ") for change in _more([known for known, _ in found], first.changes))
        if each.pod.workload and first.serves and first.serves == first.pending:
            served.append(each.pod)
    return found


def _more(found: Sequence[Change], changes: Sequence[Change]) -> list[Change]:
    """The changes but for those that other pods of the report need as well: what one template has, all its pods get.

    Of an object that is to be changed already, only what nothing there touches is changed once more.
    """
    known = [*map(msgspec.json.encode, found)]
    touched = grouped((_key(each.target), path) for each in found for path in _paths(each))
    fresh = [each for each in changes if msgspec.json.encode(each) not in known]
    return [each for each in fresh if _paths(each).isdisjoint(touched.get(_key(each.target), ()))]


def _key(target: Target) -> tuple[str, str, str]:
    return target.kind, target.namespace, target.name


def _paths(change: Change) -> set[str]:
    """What of its object a change is about; everything where it is no JSON Patch."""
    if change.verb != PATCH or not isinstance(change.patch, list):
        return {""}
    return {str(operation.get("path")) for operation in change.operations}
