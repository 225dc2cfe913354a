"""A cluster's objects while they are edited. What controllers do about it is for `kexplain.world` to say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from kexplain.admission import declared_replicas
from kexplain.admission.workloads import template_of
from kexplain.case.case_builder import Contents
from kexplain.case.daemon_pods import pods_of_daemon_sets
from kexplain.case.own_pods import CONTROLLERS, Key, OwnerChains, key_of
from kexplain.case.stand_ins import made_again, stand_in
from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import DaemonSet, StatefulSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.batch import Job
from kexplain.objects.changes import CREATE, DELETE, PATCH, Change, Target
from kexplain.objects.core import Node, Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_pools import comes_along, free_name, newcomer
from kexplain.objects.persistent_volumes import AVAILABLE, PersistentVolume, PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim, ResourceSlice
from kexplain.objects.selectors import Selector
from kexplain.objects.storage import CSINode, VolumeAttachment
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.scheduler.pod_copies import anew
from kexplain.words import did_you_mean, joined, plural, some, verb
from kexplain.world.changes import as_known, counted_anew, created, never_seen, patched
from kexplain.world.members import Resized, Scaled
from kexplain.world.sources import Difference, Source, lets_go, turned_out

_Object = TypeVar("_Object", bound=KubernetesObject)
_OWNERS_AND_OWNED: tuple[type[KubernetesObject], ...] = (Pod, *CONTROLLERS, CustomWorkload)

#: An edit of a cluster's objects.
Edit = Callable[["EditedCluster"], None]


class EditedCluster(Struct):
    """The objects of a cluster while they are edited: those of a source, but for some that are others now, or gone."""

    source: Source
    #: What was touched, as it is now, or None where it is gone.
    _after: dict[Key, KubernetesObject | None] = msgspec.field(default_factory=dict)
    #: Those of them that come behind all others: they are new, or there once more.
    _added: dict[Key, None] = msgspec.field(default_factory=dict)
    #: New objects without names.
    _unnamed: list[KubernetesObject] = msgspec.field(default_factory=list)
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
    resized: list[Resized] = msgspec.field(default_factory=list)
    #: What was not done as it was asked for.
    notes: list[str] = msgspec.field(default_factory=list)

    def copy(self) -> EditedCluster:
        """The same, to be edited by itself."""
        return EditedCluster(self.source, *map(copy, astuple(self)[1:]))

    @property
    def namespace(self) -> str:
        """Where objects are that name no namespace."""
        return self.source.namespace

    def key_of(self, obj: KubernetesObject) -> Key:
        """What an object is known by."""
        return key_of(obj, self.namespace)

    # ---------------------------------------------------------------------------------------------- what is there

    def find(self, kind: str, namespace: str, name: str) -> KubernetesObject | None:
        """The object of that kind and name, if it is there; kinds without namespaces have an empty one."""
        key = kind, namespace, name
        return self._after[key] if key in self._after else self.source.find(key)

    def known(self, obj: KubernetesObject) -> KubernetesObject | None:
        """The object of its kind and name, if there is one."""
        return self.find(*self.key_of(obj)) if obj.name else None

    def of(self, *kinds: type[_Object]) -> Iterator[_Object]:
        """All objects of these kinds; new ones come last."""
        return self._edited(self.source.of(*kinds), kinds)

    def _edited(self, objects: Iterable[_Object], kinds: tuple[type[_Object], ...]) -> Iterator[_Object]:
        """These of the source's objects as they are now, and behind them those of the kinds that are new."""
        after, done = {key: obj for key, obj in self._after.items() if key not in self._added}, set[Key]()
        names = {name for _, _, name in self._after}
        for obj in objects:
            key = self.key_of(obj) if obj.name in names else None
            if key is None or key not in self._after:
                yield obj
            elif key not in done and isinstance(found := after.get(key), kinds):
                yield found
            done |= {key} if key else set()
        yield from (each for each in (*map(self._after.get, self._added), *self._unnamed) if isinstance(each, kinds))

    @property
    def pods(self) -> list[Pod]:
        """The pods that are not finished."""
        return [pod for pod in self.of(Pod) if not pod.is_terminated]

    @property
    def nodes(self) -> list[Node]:
        return [*self.of(Node)]

    def on_node(self, name: str) -> list[Pod]:
        """The pods of a node that have not finished."""
        there = self._edited(self.source.on_node(name), (Pod,))
        return [pod for pod in there if pod.spec.node_name == name and not pod.is_terminated]

    def pods_of_name(self, kind: str, name: str, namespace: str = "") -> list[Pod]:
        """The pods of a workload, which need not be there itself, by itself or through controllers below it."""
        home = namespace or self.namespace
        there = [*self._edited(self.source.within(home, _OWNERS_AND_OWNED), _OWNERS_AND_OWNED)]
        return [*OwnerChains(there, self.namespace).own_pods(kind, home, name).pods]

    @property
    def owner_chains(self) -> OwnerChains:
        """All pods by their controllers."""
        return OwnerChains([*self.of(*_OWNERS_AND_OWNED)], self.namespace)

    @property
    def differences(self) -> list[Difference]:
        """Each object that was touched, in the order of touches."""
        pairs = [(self.source.find(key), obj) for key, obj in self._after.items()]
        return [*((old, new) for old, new in pairs if old is not new), *((None, each) for each in self._unnamed)]

    @property
    def namespaces(self) -> set[str]:
        """Those of what was touched."""
        return {namespace for _, namespace, _ in self._after if namespace}

    def contents(self, *, before: bool = False) -> Contents:
        """All that bears on what was touched, with everything that was edited, or as it was before."""
        known = self.source.contents(self.namespaces)
        if before:
            return known
        new = [obj for _, obj in self.differences if obj is not None]
        # No text says where they stand; they are looked up first.
        loaded = Loaded()
        loaded.add(Segment("", Nowhere(), new, [() for _ in new]))
        loaded.absorb(known.loaded)
        return replace(known, loaded=loaded, objects=[*self._edited(known.objects, (KubernetesObject,))], added=new)

    # --------------------------------------------------------------------------------------------------- changes

    def apply(self, change: Change) -> None:
        """One change as an API server takes it. Raises UsageError."""
        match change.verb:
            case "patch" if pods := self._only_pods_of(change):
                self._remake(pods, change)
            case "patch" if roles := [*self._roles_of(change.target)]:
                for role in roles:
                    after = patched(role, change)
                    if isinstance(after, CustomWorkload) and after.spec != role.spec:
                        self.replace(role, after)
            case "patch":
                old = self.target(change.target)
                if change.recreate and isinstance(old, Job | StatefulSet):
                    self._recreate(old, patched(old, change))
                elif change.recreate and isinstance(old, PersistentVolumeClaim):
                    self.replace(old, never_seen(patched(old, change)))
                else:
                    self.replace(old, patched(old, change))
            case "create":
                for obj in created([change.object]):
                    self.add(obj)
            case "delete":
                self.remove(self.target(change.target))
            case _:
                raise UsageError(f'"{change.verb}" is not a verb of a change', f"use {PATCH}, {CREATE} or {DELETE}")

    def target(self, target: Target) -> KubernetesObject:
        """The object that is meant. Raises UsageError, which says what is near."""
        home, kind, name = target.namespace or self.namespace, target.kind, target.name
        found = self.find(kind, home, name) or self.find(kind, "", name) or next(self._roles_of(target), None)
        if found is None:
            alike = (each for each in self.of(KubernetesObject) if each.kind == kind)
            raise _no_such(target, home, (self.key_of(each)[1:] for each in alike))
        return found

    def _roles_of(self, target: Target) -> Iterator[CustomWorkload]:
        """What a custom resource stands for: all roles are changed with it."""
        home = target.namespace or self.namespace
        for each in self.of(CustomWorkload):
            if (each.kind, each.namespace or self.namespace, each.metadata.name) == (target.kind, home, target.name):
                yield each

    def _recreate(self, old: Job | StatefulSet, new: KubernetesObject) -> None:
        """A job goes with its pods; those of a stateful set stay, and are the new one's."""
        if isinstance(old, StatefulSet):
            self.replace(old, new)
            self.recreated.add(self.key_of(new))
        else:
            self.remove(old)
            self.put(new)
            self.before[self.key_of(new)] = None

    def _only_pods_of(self, change: Change) -> list[Pod]:
        """The pods of a workload that was not read itself."""
        target = change.target
        if target.kind not in WORKLOAD_KIND_BY_NAME:
            return []
        is_read = self.find(target.kind, target.namespace or self.namespace, target.name) is not None
        return [] if is_read else self.pods_of_name(target.kind, target.name, target.namespace)

    def _remake(self, pods: Sequence[Pod], change: Change) -> None:
        """Those of the pods that have no node are made anew; the others change where they are, if they look alike."""
        target = change.target
        self.notes.append(f"{target.kind} {target.name} was not read: its pods change where they are")
        for pod in pods:
            before = stand_in(target.kind, target.namespace or self.namespace, target.name, pod)
            again = pod
            with suppress(UsageError):
                again = made_again(pod, before, patched(before, change))
            self._discard(pod)
            self.put(again)
            if again.metadata.uid != pod.metadata.uid:
                self._hand_on_claims(pod, again)

    def _hand_on_claims(self, pod: Pod, again: Pod) -> None:
        """The claims that were made for a pod are made for the one in its place, and are alike."""
        for claim in [*self.of(PersistentVolumeClaim, ResourceClaim)]:
            owner = claim.metadata.controller
            if owner is not None and owner.kind == "Pod" and owner.uid == pod.metadata.uid:
                owners = (replace(owner, uid=again.metadata.uid),)
                self.put(replace(claim, metadata=replace(claim.metadata, owner_references=owners)))

    def add(self, obj: KubernetesObject) -> None:
        """A new object, or one in place of that of its kind and name."""
        if (known := self.known(obj)) is not None:
            self.replace(known, as_known(obj, known))
            return
        self.put(obj)
        if isinstance(obj, HorizontalPodAutoscaler):
            self._autoscale(obj)
        elif template_of(obj) is not None and obj.metadata.controller is None:
            self.before[self.key_of(obj)] = None

    def put(self, obj: KubernetesObject) -> None:
        """An object is there, in place of that of its kind and name, and nobody does anything about it."""
        key = self.key_of(obj)
        if not obj.name:
            self._unnamed.append(obj)
            return
        if self.find(*key) is None:
            self._after.pop(key, None)
            self._added[key] = None
        if isinstance(obj, Node) and self.leaving and key not in self._after:
            # It stood like this when the pods were deleted.
            self.cordoned_then |= _cordoned([self.source.find(key)])
        self._after[key] = obj

    def replace(self, old: KubernetesObject, obj: KubernetesObject) -> None:
        """The object in place of another one, and what follows from that."""
        obj = counted_anew(old, obj)
        if isinstance(obj, PersistentVolume) and obj.spec.claim_ref is None:
            obj = self._offered(obj)
        self.put(obj)
        if isinstance(obj, Pod) and isinstance(old, Pod):
            self._repod(old, obj)
        elif isinstance(obj, Node) and isinstance(old, Node):
            self._leave([*turned_out(old, obj, self.on_node(obj.name))], detached=obj.name if lets_go(obj) else "")
        elif isinstance(obj, HorizontalPodAutoscaler):
            self._autoscale(obj)
        elif template_of(obj) is not None:
            self.before.setdefault(self.key_of(obj), old)

    def remove(self, obj: KubernetesObject) -> None:
        """The object goes, and with it what cannot be without it."""
        if isinstance(obj, Pod):
            self.lost.append(obj)
            self.leaving |= {obj.metadata.uid} if obj.metadata.uid else set()
            self.cordoned_then |= _cordoned(self._after.values())
        self._discard(obj)
        if isinstance(obj, Node):
            self._leave(self.on_node(obj.name), detached=obj.name)
        elif template_of(obj) is not None and not isinstance(obj, Pod):
            self.before.pop(self.key_of(obj), None)
            self._discard(*self.pods_of_name(obj.kind, obj.name, obj.namespace))

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
        self._discard(*gone)
        self.lost += gone

    def add_like(self, models: Sequence[Node], count: int) -> None:
        """So many fresh nodes, each like the next of these, with all that comes along with a node of its pool.

        Where the cluster has no such node, its DaemonSets are asked which of their pods would run there.
        """
        taken = {node.name for node in self.nodes}
        found: list[CSINode | ResourceSlice] = [*self.of(CSINode), *self.of(ResourceSlice)]
        reports = grouped((each.name if isinstance(each, CSINode) else each.spec.node_name, each) for each in found)
        companions = {
            like.name: self.on_node(like.name)
            if like.name in taken
            else pods_of_daemon_sets(like, self.of(DaemonSet), self.pods)
            for like in models[:count]
        }
        for number in range(count):
            like = models[number % len(models)]
            name = free_name(like.name, taken, number // len(models) + 1)
            new = newcomer(like, name, companions[like.name], reports.get(like.name, ()))
            taken.add(name)
            for obj in (new.node, *new.reports, *new.pods):
                self.put(obj)

    # -------------------------------------------------------------------------------------------- what goes with it

    def _repod(self, old: Pod, new: Pod) -> None:
        """A pod that is changed where it runs is made again; one that is pending just changes."""
        if old.spec.node_name and old.spec != new.spec:
            self._discard(new)
            self.put(anew(new))

    def _autoscale(self, autoscaler: HorizontalPodAutoscaler) -> None:
        """Its workload gets no fewer, and no more, replicas than it says."""
        for workload in [each for each in self.of(*CONTROLLERS) if autoscaler.scales(each)]:
            now: Any = workload
            count = declared_replicas(now)
            kept = autoscaler.kept(count or 0)
            if count and kept != count:
                self.replace(now, replace(now, spec=replace(now.spec, replicas=kept)))
                scaled = f"{workload.kind} {workload.name} to {kept}"
                self.notes.append(f"HorizontalPodAutoscaler {autoscaler.name} scales {scaled}")

    def _offered(self, volume: PersistentVolume) -> PersistentVolume:
        """A volume that was given free is there for the claims that wait, which its controller looks at again."""
        for claim in [each for each in self.of(PersistentVolumeClaim) if not each.volume_name]:
            self.put(never_seen(claim))
        return replace(volume, status=replace(volume.status, phase=AVAILABLE))

    def _leave(self, pods: Sequence[Pod], detached: str) -> None:
        """Pods leave their node; where nobody serves there any more, its volumes are `detached` by force.

        What a driver is to detach already, and does not, stays. Source: kube-controller-manager `attachdetach`, 1.36.
        """
        attached = (each for each in self.of(VolumeAttachment) if each.spec.node_name == detached)
        self._discard(*pods, *(each for each in attached if not each.metadata.deletion_timestamp))
        self.lost += [pod for pod in pods if not comes_along(pod)]

    def _discard(self, *objects: KubernetesObject) -> None:
        for key in map(self.key_of, objects):
            self._added.pop(key, None)
            self._after[key] = None


def _cordoned(objects: Iterable[KubernetesObject | None]) -> set[str]:
    return {each.name for each in objects if isinstance(each, Node) and each.spec.unschedulable}


def _no_such(target: Target, home: str, known: Iterable[tuple[str, str]]) -> UsageError:
    """The error for an object that is not there: where there is one of that name, or which name is near."""
    homes = sorted({namespace for namespace, name in known if name == target.name})
    if homes:
        elsewhere = f"namespace {joined(homes)} has one of that name"
        return UsageError(f"there is no {target} to change in namespace {home}", elsewhere)
    names = [name for _, name in known]
    there = f"there {verb(len(names), 'is')} {some(names, 5)}" if names else f"no {target.kind} was read"
    return UsageError(f"there is no {target} to change", did_you_mean(target.name, names) or there)
