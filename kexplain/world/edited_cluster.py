"""A cluster's objects while they are edited. What controllers do about it is for `kexplain.world` to say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from kexplain.admission.workloads import template_of
from kexplain.case.case_builder import Contents
from kexplain.case.own_pods import Key, OwnerChains, key_of
from kexplain.case.stand_ins import made_again, stand_in
from kexplain.cluster.departing import given_back
from kexplain.errors import UsageError
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.changes import CREATE, DELETE, PATCH, Change, Target
from kexplain.objects.core import Node, Pod, ReplicationController, ResourceQuota
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_pools import comes_along, free_name, fresh_node, newcomer
from kexplain.objects.persistent_volumes import (
    AVAILABLE,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimStatus,
)
from kexplain.objects.resource import ResourceClaim, ResourceSlice
from kexplain.objects.selectors import Selector
from kexplain.objects.storage import CSINode, StorageClass
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.scheduler.pod_copies import anew
from kexplain.words import did_you_mean, joined, plural
from kexplain.world.changed_cluster import turned_out
from kexplain.world.changes import created, patched
from kexplain.world.daemon_pods import daemon_pods

_SCALED = Deployment | ReplicaSet | StatefulSet | ReplicationController

#: An edit of a cluster's objects.
Edit = Callable[["EditedCluster"], None]


class Scaled(Struct, frozen=True):
    """A number of pods for a workload of which only the pods were read."""

    kind: str
    namespace: str
    name: str
    pods: tuple[Pod, ...]
    replicas: int


class EditedCluster(Struct):
    """The objects of a cluster while they are edited; new pods come last."""

    objects: list[KubernetesObject]
    namespace: str
    #: Workloads that were changed as they were before, or None for new ones.
    before: dict[Key, KubernetesObject | None] = msgspec.field(default_factory=dict)
    #: Pods that were deleted, and that nothing has made again yet.
    lost: list[Pod] = msgspec.field(default_factory=list)
    #: Those of them, by uid, that count until others have been made, and the nodes that were cordoned meanwhile.
    leaving: set[str] = msgspec.field(default_factory=set)
    cordoned_then: set[str] = msgspec.field(default_factory=set)
    #: Workloads that were made once more with what no update changes.
    recreated: set[Key] = msgspec.field(default_factory=set)
    scaled: list[Scaled] = msgspec.field(default_factory=list)
    #: Where each object is by namespace and name, kind by kind; none once objects were taken out.
    _places: dict[str, dict[tuple[str, str], int]] = msgspec.field(default_factory=dict)
    #: What was not done as it was asked for.
    notes: list[str] = msgspec.field(default_factory=list)

    @classmethod
    def of(cls, contents: Contents) -> EditedCluster:
        return cls([*contents.objects], contents.namespace)

    def copy(self) -> EditedCluster:
        """The same, to be edited by itself."""
        edited = EditedCluster(*map(copy, astuple(self)))
        edited._places = {}
        return edited

    def key_of(self, obj: KubernetesObject) -> Key:
        """What an object is known by."""
        return key_of(obj, self.namespace)

    # --------------------------------------------------------------------------------------------------- changes

    def apply(self, change: Change) -> None:
        """One change as an API server takes it. Raises UsageError."""
        match change.verb:
            case "patch" if pods := self._only_pods_of(change):
                self._remake(pods, change)
            case "patch" if roles := [*self._roles_of(change.target)]:
                for index, role in roles:
                    after = patched(role, change)
                    if isinstance(after, CustomWorkload) and after.spec != role.spec:
                        self.replace(index, after)
            case "patch":
                index = self.index_of(change.target)
                old = self.objects[index]
                if change.recreate and isinstance(old, Job | StatefulSet):
                    self._recreate(index, old, patched(old, change))
                elif change.recreate and isinstance(old, PersistentVolumeClaim):
                    self.replace(index, _never_seen(patched(old, change)))
                else:
                    self.replace(index, patched(old, change))
            case "create":
                for obj in created([change.object]):
                    self.add(obj)
            case "delete":
                self.remove(self.objects[self.index_of(change.target)])
            case _:
                raise UsageError(f'"{change.verb}" is not a verb of a change', f"use {PATCH}, {CREATE} or {DELETE}")

    def _roles_of(self, target: Target) -> Iterator[tuple[int, CustomWorkload]]:
        """What a custom resource stands for, each with its index."""
        home = target.namespace or self.namespace
        for index, each in enumerate(self.objects):
            known = each.kind, each.namespace or self.namespace, each.metadata.name
            if isinstance(each, CustomWorkload) and known == (target.kind, home, target.name):
                yield index, each

    def _recreate(self, index: int, old: Job | StatefulSet, new: KubernetesObject) -> None:
        """A job goes with its pods; those of a stateful set stay, and are the new one's."""
        if isinstance(old, StatefulSet):
            self.replace(index, new)
            self.recreated.add(self.key_of(new))
        else:
            self.remove(old)
            self.objects.append(new)
            self.before[self.key_of(new)] = None

    def _only_pods_of(self, change: Change) -> list[Pod]:
        """The pods of a workload that was not read itself."""
        target = change.target
        is_read = any(each.kind == target.kind and each.name == target.name for each in self.objects)
        if is_read or target.kind not in WORKLOAD_KIND_BY_NAME:
            return []
        return self.pods_of_name(target.kind, target.name, target.namespace)

    def _remake(self, pods: Sequence[Pod], change: Change) -> None:
        """Those of the pods that have no node are made anew; the others change where they are, if they look alike."""
        target = change.target
        self.notes.append(f"{target.kind} {target.name} was not read: its pods change where they are")
        self._discard(pods)
        for pod in pods:
            before = stand_in(target.kind, target.namespace or self.namespace, target.name, pod)
            again = pod
            with suppress(UsageError):
                again = made_again(pod, before, patched(before, change))
            self.objects.append(again)
            if again.metadata.uid != pod.metadata.uid:
                self._hand_on_claims(pod, again)

    def _hand_on_claims(self, pod: Pod, again: Pod) -> None:
        """The claims that were made for a pod are made for the one in its place, and are alike."""
        for index, obj in enumerate(self.objects):
            owner = obj.metadata.controller if isinstance(obj, PersistentVolumeClaim | ResourceClaim) else None
            if owner is not None and owner.kind == "Pod" and owner.uid == pod.metadata.uid:
                owners = (replace(owner, uid=again.metadata.uid),)
                self.objects[index] = replace(obj, metadata=replace(obj.metadata, owner_references=owners))

    def add(self, obj: KubernetesObject) -> None:
        """A new object, or one in place of that of its kind and name."""
        index = self.known(obj)
        if index is not None:
            self.replace(index, _as_known(obj, self.objects[index]))
            return
        self.objects.append(obj)
        if (kind := obj.kind) in self._places:
            self._places[kind][self._identity(obj)] = len(self.objects) - 1
        if template_of(obj) is not None and obj.metadata.controller is None:
            self.before[self.key_of(obj)] = None

    def known(self, obj: KubernetesObject) -> int | None:
        """The index of the object of its kind and name, if there is one."""
        return self._of_kind(obj.kind).get(self._identity(obj)) if obj.name else None

    def index_of(self, target: Target) -> int:
        """The index of the object that is meant. Raises UsageError, which says what is near."""
        home, kind, name = target.namespace or self.namespace, target.kind, target.name
        # One object is found sooner than all of its kind are listed.
        for index, each in enumerate(self.objects):
            if each.name == name and each.kind == kind and self._identity(each)[0] in (home, ""):
                return index
        # All roles of a custom resource are changed with it.
        for index, _ in self._roles_of(target):
            return index
        raise _no_such(target, home, self._of_kind(kind))

    def _of_kind(self, kind: str) -> dict[tuple[str, str], int]:
        if kind not in self._places:
            places = self._places[kind] = {}
            for index, each in enumerate(self.objects):
                if each.kind == kind:
                    places.setdefault(self._identity(each), index)
        return self._places[kind]

    def _identity(self, obj: KubernetesObject) -> tuple[str, str]:
        return (obj.namespace or self.namespace) if obj.is_namespaced else "", obj.name

    def replace(self, index: int, obj: KubernetesObject) -> None:
        """The object in place of the one at an index."""
        old = self.objects[index]
        if isinstance(obj, ResourceQuota) and isinstance(old, ResourceQuota) and obj.spec != old.spec:
            # Its controller takes over what is new in the spec at once.
            obj = replace(obj, status=replace(old.status, hard=None))
        self.objects[index] = obj
        if isinstance(obj, Pod):
            assert isinstance(old, Pod)  # noqa: S101 - it has the kind of what it replaces
            self._repod(old, obj)
        elif isinstance(obj, Node):
            assert isinstance(old, Node)  # noqa: S101 - it has the kind of what it replaces
            self._leave([*turned_out(old, obj, (pod for pod in self.pods if pod.spec.node_name == obj.name))])
        elif isinstance(obj, PersistentVolume) and obj.spec.claim_ref is None:
            self._offer(index, obj)
        elif template_of(obj) is not None:
            self.before.setdefault(self.key_of(obj), old)

    def remove(self, obj: KubernetesObject) -> None:
        """The object goes, and with it what cannot be without it."""
        self._discard([obj])
        if isinstance(obj, Pod):
            self.lost.append(obj)
            self.leaving |= {obj.metadata.uid} if obj.metadata.uid else set()
            self.cordoned_then |= {node.name for node in self.nodes if node.spec.unschedulable}
        elif isinstance(obj, Node):
            self._leave([pod for pod in self.pods if pod.spec.node_name == obj.name])
        elif template_of(obj) is not None:
            self.before.pop(self.key_of(obj), None)
            self._go(self.pods_of(obj))

    def keep_cordoned(self, nodes: Collection[str]) -> None:
        """These nodes took no pods when pods were deleted."""
        self.cordoned_then |= {*nodes}

    def delete_pods(self, selector: Selector, text: str, within: str = "") -> None:
        """All pods that a selector takes in a namespace, or in any, go; those with a controller are made again.

        Raises UsageError if there are none.
        """
        found = [pod for pod in self.pods if selector.matches(pod.labels)]
        gone = [pod for pod in found if within in ("", pod.namespace or self.namespace)]
        if not gone:
            where = f" in namespace {within}" if within else ""
            homes = sorted({pod.namespace or self.namespace for pod in found})
            elsewhere = f"namespace {joined(homes)} has {plural(len(found), 'such pod')}" if homes else None
            raise UsageError(f"no pod{where} has the labels {text}", elsewhere)
        self._go(gone)
        self.lost += gone

    def add_like(self, models: Sequence[Node], count: int) -> None:
        """So many fresh nodes, each like the next of these, with all that comes along with a node of its pool.

        Where the cluster has no such node, its DaemonSets are asked which of their pods would run there.
        """
        self._places.clear()
        taken = {node.name for node in self.nodes}
        reports: dict[str, list[CSINode | ResourceSlice]] = {}
        for obj in self.objects:
            if isinstance(obj, CSINode | ResourceSlice):
                of_node = obj.name if isinstance(obj, CSINode) else obj.spec.node_name or ""
                reports.setdefault(of_node, []).append(obj)
        companions = {
            like.name: [pod for pod in self.pods if pod.spec.node_name == like.name]
            if like.name in taken
            else self._daemons_of(like)
            for like in models[:count]
        }
        for number in range(count):
            like = models[number % len(models)]
            name = free_name(like.name, taken, number // len(models) + 1)
            new = newcomer(like, name, companions[like.name], reports.get(like.name, ()))
            taken.add(name)
            self.objects += [new.node, *new.reports, *new.pods]

    def _daemons_of(self, node: Node) -> list[Pod]:
        """A pod of each DaemonSet that would run on the node.

        A running pod is pinned to its own node: which others it may run on, the template of its DaemonSet says.
        """
        templates = {obj.key: obj.spec.template for obj in self.objects if isinstance(obj, DaemonSet)}
        pods: dict[str, Pod] = {}
        for pod in self.pods:
            owner = pod.metadata.controller
            if owner is not None and owner.kind == "DaemonSet":
                pods.setdefault(f"{pod.namespace}/{owner.name}", pod)
        found = []
        for key, pod in pods.items():
            template = templates.get(key)
            affinity = template.spec.affinity if template else None
            free = replace(pod, spec=replace(pod.spec, affinity=affinity, node_name=None))
            found += [pod for _ in daemon_pods(free, [fresh_node(node, node.name)])]
        return found

    # ----------------------------------------------------------------------------------------------- what is there

    @property
    def pods(self) -> list[Pod]:
        """The pods that are not finished."""
        return [obj for obj in self.objects if isinstance(obj, Pod) and not obj.is_terminated]

    @property
    def nodes(self) -> list[Node]:
        return [obj for obj in self.objects if isinstance(obj, Node)]

    def pods_of(self, workload: KubernetesObject) -> list[Pod]:
        """The pods that a workload has, by itself or through controllers below it."""
        return self.pods_of_name(workload.kind, workload.name, workload.namespace)

    def pods_of_name(self, kind: str, name: str, namespace: str = "") -> list[Pod]:
        """The same where the workload itself need not be there."""
        return [*OwnerChains(self.objects, self.namespace).own_pods(kind, namespace or self.namespace, name).pods]

    # -------------------------------------------------------------------------------------------- what goes with it

    def scale(self, kind: str, name: str, pods: Sequence[Pod], replicas: int) -> None:
        """So many pods of a workload of which only its pods were read."""
        self.scaled.append(Scaled(kind, pods[0].namespace or self.namespace, name, tuple(pods), replicas))

    def _repod(self, old: Pod, new: Pod) -> None:
        """A pod that is changed where it runs is made again; one that is pending just changes."""
        if old.spec.node_name and old.spec != new.spec:
            self._go([new])
            self.objects.append(anew(new))

    def _offer(self, index: int, volume: PersistentVolume) -> None:
        """A volume that was given free is there for the claims that wait, which its controller looks at again."""
        self.objects[index] = replace(volume, status=replace(volume.status, phase=AVAILABLE))
        for at, each in enumerate(self.objects):
            if isinstance(each, PersistentVolumeClaim) and not each.volume_name:
                self.objects[at] = _never_seen(each)

    def _leave(self, pods: Sequence[Pod]) -> None:
        self._go(pods)
        self.lost += [pod for pod in pods if not comes_along(pod)]

    def _go(self, pods: Sequence[Pod]) -> None:
        """Pods are gone, and what only they used of claims is free."""
        self._discard(pods)
        classes = [obj for obj in self.objects if isinstance(obj, StorageClass)]
        freed = {(type(each), each.key): each for each in given_back(self.objects, pods, classes)}
        if freed:
            self.objects = [freed.get((type(obj), obj.key), obj) for obj in self.objects]

    def _discard(self, objects: Iterable[KubernetesObject]) -> None:
        gone = {id(obj) for obj in objects}
        self._places.clear()
        self.objects = [obj for obj in self.objects if id(obj) not in gone]


def _no_such(target: Target, home: str, known: Iterable[tuple[str, str]]) -> UsageError:
    """The error for an object that is not there: where there is one of that name, or which name is near."""
    homes = sorted({namespace for namespace, name in known if name == target.name})
    if homes:
        elsewhere = f"namespace {joined(homes)} has one of that name"
        return UsageError(f"there is no {target} to change in namespace {home}", elsewhere)
    near = did_you_mean(target.name, [name for _, name in known])
    return UsageError(f"there is no {target} to change", near or None)


def _never_seen(claim: Any) -> PersistentVolumeClaim:
    """The claim as one that no controller has looked at yet."""
    metadata = replace(claim.metadata, uid=None, creation_timestamp=None)
    return cast("PersistentVolumeClaim", replace(claim, metadata=metadata, status=PersistentVolumeClaimStatus()))


def _with_notes_of(obj: Any, known: KubernetesObject) -> KubernetesObject:
    """The workload with what was noted on its template since, as `rollout restart` does, and no manifest has."""
    was, now = template_of(known), template_of(obj)
    if was is None or now is None or not was.metadata.annotations or isinstance(obj, CronJob):
        return cast("KubernetesObject", obj)
    notes = {**was.metadata.annotations, **(now.metadata.annotations or {})}
    template = replace(now, metadata=replace(now.metadata, annotations=notes))
    return cast("KubernetesObject", replace(obj, spec=replace(obj.spec, template=template)))


def _as_known(obj: KubernetesObject, known: KubernetesObject) -> KubernetesObject:
    """A manifest as an update of what is there: it keeps the identity, and a number that it leaves to others."""
    metadata = replace(obj.metadata, uid=known.metadata.uid, creation_timestamp=known.metadata.creation_timestamp)
    updated = _with_notes_of(replace(obj, metadata=metadata), known)
    if isinstance(updated, _SCALED) and isinstance(known, _SCALED) and updated.spec.replicas is None:
        return replace(updated, spec=replace(updated.spec, replicas=known.spec.replicas))
    return updated
