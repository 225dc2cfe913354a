"""Changes that would help: as they are tried on the cluster's objects, and as anyone can apply them.

A change is written as a JSON Patch (RFC 6902) that touches only what it is about, so that it applies to the object
as it stands in a file or a cluster, with all the fields that scheduling does not read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kexplain.case.own_pods import Key
from kexplain.load.json_patch import differences, pointer
from kexplain.load.record_types import versions_of
from kexplain.objects.changes import JSON_PATCH, PATCH, Change, Target
from kexplain.objects.core import Node, Pod, PodMeta, PodSpec
from kexplain.objects.custom_workloads import CustomWorkload, template_path_of
from kexplain.objects.meta import KubernetesObject
from kexplain.world.edited_cluster import EditedCluster

#: Kinds of which what is changed here cannot change.
_IMMUTABLE = ("PersistentVolumeClaim", "ResourceClaim", "ResourceClaimTemplate", "Job", "StorageClass")
_CORDONED = "/spec/unschedulable"
_CLAIM_TEMPLATES = "/spec/volumeClaimTemplates"
_ADDED_TOLERATIONS = ("/spec/tolerations", "/spec/tolerations/-")


class Step(Struct, frozen=True):
    """What is done to one object of the cluster, or, without a name, to the pod that is to be placed.

    That one is changed through what it is made of.

    `edit` makes the changed object of the old one, `created` is a new one; without either the object is deleted.
    `command` is a shorter way to do it than a patch.
    """

    kind: type[KubernetesObject]
    namespace: str
    name: str
    edit: Callable[[Any], Any] | None = None
    created: KubernetesObject | None = None
    command: str = ""
    #: Whether it comes by itself with another step, as a DaemonSet's pod comes with a node.
    follows: bool = False
    #: Whether it is of one piece with the step before it, so that neither is done without the other.
    joins: bool = False
    #: Whether people do it elsewhere, so that there is no change of an object to publish.
    is_by_hand: bool = False

    @property
    def is_of_pod(self) -> bool:
        """Whether it is done to the pod that is to be placed."""
        return not self.name

    @property
    def key(self) -> Key:
        """What the object is known by."""
        return self.kind.__name__, self.namespace, self.name

    def __call__(self, edited: EditedCluster) -> None:
        """Done to the object where it stands, if it is there; pods leave a node that they do not bear any more.

        Raises LookupError where it is nowhere yet.
        """
        old = edited.find(*self.key)
        if self.created is not None:
            edited.put(self.created)
        elif old is not None and self.edit is None:
            edited.remove(old)
        elif isinstance(old, Pod) and not old.spec.node_name:
            # A replica that was only just placed here is made of what changes.
            raise LookupError(old.name)
        elif old is not None and self.edit is not None:
            new = self.edit(old)
            if isinstance(old, Node):
                edited.replace(old, new)
            else:
                edited.put(new)


def of_pod(edit: Callable[[Pod], Pod]) -> Step:
    """What is done to the pod that is to be placed."""
    return Step(Pod, "", "", edit)


def deletion(pod_key: str) -> Step:
    """The end of a pod, by `namespace/name`."""
    namespace, _, name = pod_key.partition("/")
    return Step(Pod, namespace, name)


def edited(obj: Any, edit: Callable[[Pod], Pod]) -> Any:
    """A pod, or a workload by its template, with the spec of its pods changed.

    Raises LookupError if the workload has no template.
    """
    data = as_json(obj)
    holder = _template(data, obj)
    pod = Pod(metadata=PodMeta(namespace=obj.namespace), spec=msgspec.convert(holder.get("spec", {}), PodSpec))
    holder["spec"] = as_json(edit(pod).spec)
    return msgspec.convert(data, type(obj))


def makes(workload: KubernetesObject, pod: Pod) -> bool:
    """Whether the template of the workload is what the pod was made of: it has its containers."""
    try:
        template = _template(as_json(workload), workload)
    except LookupError:
        return False
    names = {each.get("name") for each in template.get("spec", {}).get("containers", ())}
    return bool(names) and names <= {container.name for container in pod.spec.containers or ()}


def _template(data: Any, obj: KubernetesObject) -> Any:
    for key in template_path_of(obj):
        data = data[key]
    return data


def as_json(record: msgspec.Struct) -> dict[str, Any]:
    """A record as JSON has it."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return plain


def target_of(obj: KubernetesObject) -> Target:
    """How an object is addressed."""
    version = obj.api_version or versions_of(type(obj))[0]
    # Of a custom resource each role is an object here.
    return Target(api_version=version, kind=obj.kind, namespace=obj.namespace, name=obj.metadata.name or "")


def change(before: KubernetesObject | None, after: KubernetesObject | None, *, is_stored: bool = True) -> Change | None:
    """The change that makes the one object of the other; None if they are alike.

    `is_stored` is whether the object stands in a cluster already, rather than in a manifest. Raises LookupError where
    a custom resource does not hold what is changed.
    """
    if before is None and after is not None:
        target = target_of(after)
        whole = {"apiVersion": target.api_version, "kind": target.kind, **as_json(after)}
        return Change(target=target, verb="create", object=whole)
    if before is None:
        return None
    if after is None:
        return Change(target=target_of(before), verb="delete")
    patch: list[dict[str, Any]] = list(differences(as_json(before), as_json(after)))
    if isinstance(before, CustomWorkload):
        patch = [{**each, "path": _in_resource(before, each["path"])} for each in patch]
    if not patch:
        return None
    return Change(
        target=target_of(before),
        verb="patch",
        patch_type=JSON_PATCH,
        patch=patch,
        recreate=is_stored and _is_refused(before.kind, patch),
        in_manifest=not is_stored,
    )


def setting(target: Target, value_by_path: Mapping[str, object]) -> Change:
    """The change that puts these values at their places in an object."""
    patch = [{"op": "add", "path": path, "value": value} for path, value in value_by_path.items()]
    return Change(target=target, verb=PATCH, patch_type=JSON_PATCH, patch=patch)


def _in_resource(workload: CustomWorkload, path: str) -> str:
    """Where a value of a workload stands in its custom resource. Raises LookupError if it is made of others."""
    steps = [each.replace("~1", "/").replace("~0", "~") for each in path.split("/")[1:]]
    place = workload.place([int(each) if each.isdecimal() else each for each in steps])
    if place is None:
        raise LookupError(path)
    return pointer(place)


def _is_refused(kind: str, patch: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an object that stands in a cluster cannot be changed like that.

    Source: `ValidatePodUpdate`, which lets tolerations be added, and the update strategies of the other kinds.
    """
    if kind == "Pod":
        return not all(each["op"] == "add" and each["path"] in _ADDED_TOLERATIONS for each in patch)
    if kind == "StatefulSet":
        return any(each["path"].startswith(_CLAIM_TEMPLATES) for each in patch)
    return kind in _IMMUTABLE


def units(steps: Iterable[Step]) -> list[list[Step]]:
    """The steps one by one, each with those that follow it."""
    found: list[list[Step]] = []
    for step in steps:
        if found and (step.follows or step.joins):
            found[-1].append(step)
        else:
            found.append([step])
    return found


def by_change(every: Sequence[Sequence[Step]]) -> list[Sequence[Step]]:
    """The units by what they change: all that is done to the pod is one change."""
    own = [step for unit in every for step in unit if step.is_of_pod]
    return [*([own] if own else []), *(unit for unit in every if not unit[0].is_of_pod)]


def flat(every: Iterable[Sequence[Step]]) -> list[Step]:
    """The steps of all units."""
    return [step for unit in every for step in unit]


# ------------------------------------------------------------------------------------------------- out of the way


def meanwhile_cordoned(changes: Sequence[Change], nodes: Sequence[str]) -> tuple[Change, ...]:
    """The changes while these nodes take no pods, so that what is deleted there comes back elsewhere."""
    targets = [Target(api_version="v1", kind="Node", namespace="", name=name) for name in nodes]
    return (*(_patched(each, "add") for each in targets), *changes, *(_patched(each, "remove") for each in targets))


def _patched(target: Target, operation: str) -> Change:
    value = {"value": True} if operation == "add" else {}
    patch = [{"op": operation, "path": _CORDONED, **value}]
    return Change(target=target, verb="patch", patch_type=JSON_PATCH, patch=patch)


def cordons(change: Change) -> bool:
    """Whether a node takes no pods from then on."""
    is_about = change.target.kind == "Node" and isinstance(change.patch, list)
    return is_about and any(each["op"] == "add" and each["path"] == _CORDONED for each in change.operations)
