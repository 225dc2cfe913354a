"""One world: a cluster, what changes in it, and what becomes of that until nothing moves any more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import default_class, is_from_cluster, stored
from kexplain.admission.updates import update_problems
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.immediate_binding import bound_in
from kexplain.case.loading import Inputs, load_contents
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.cluster.departing import freed
from kexplain.errors import UsageError
from kexplain.framework.trace import Decision
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.changes import Change
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.storage import StorageClass
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.scheduler.simulate import Settled
from kexplain.world.api_server import ApiServer, StandingRefusals
from kexplain.world.changed_cluster import changed_cluster
from kexplain.world.control_plane import ControlPlane
from kexplain.world.controllers import Controllers
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.members import Refused, Rollout

#: What controllers make.
_MADE = Pod | ReplicaSet | PersistentVolumeClaim | ResourceClaim


class Followed(Struct, frozen=True):
    """The end: who is where, and how far each workload got that took part.

    `pods` are those that waited or were made, also those that are gone again; `before` is the cluster as it was edited.
    """

    settled: Settled
    rollouts: tuple[Rollout, ...]
    pods: tuple[PodToPlace, ...]
    before: Cluster
    #: What tries pods that are not created: the scheduler, and how they would be stored.
    scheduler: Scheduler
    builder: CaseBuilder
    #: Objects that were not taken at all, and why.
    refused: tuple[tuple[KubernetesObject, Refused], ...] = ()
    #: What was not followed as it was asked for.
    notes: tuple[str, ...] = ()
    #: Those of deployments that took part, of the sizes that they have at the end.
    replica_sets: tuple[ReplicaSet, ...] = ()

    @property
    def cluster(self) -> Cluster:
        """The cluster at the end."""
        return self.settled.cluster

    @property
    def builder_at_the_end(self) -> CaseBuilder:
        """Makes pods of the objects as they are at the end, so that what happens next starts from there."""
        contents, every = self.builder.contents, self.cluster.listers.every
        sets = {each.key: each for each in (*every(ReplicaSet), *self.replica_sets)}
        placed = (_placed(each.pod, node.name) for node in self.cluster.node_infos for each in node.pods)
        pods = (*placed, *(each.pod for each in self.settled.waiting))
        made = (*pods, *sets.values(), *every(PersistentVolumeClaim), *every(ResourceClaim))
        others = (each for each in contents.objects if not isinstance(each, _MADE))
        return CaseBuilder(replace(contents, objects=[*others, *made]))

    def tried(self, workload: KubernetesObject) -> Decision:
        """What the scheduler would say at the end of a pod of the workload, were it created with its claims."""
        (placed,) = self.builder.pods(workload, None)
        class_name = default_class(self.cluster.listers.every(StorageClass))
        claims = [stored(each, class_name) for each in self.builder.claims_of(placed)]
        return self.scheduler.schedule(placed.pod, self.cluster.replacing(bound_in(claims, self.cluster)))

    @property
    def last_decisions(self) -> dict[str, Decision]:
        """What was last decided about each pod that is there at the end, by `namespace/name`."""
        there = {*self.settled.placed, *(each.pod.key for each in self.settled.waiting)}
        last = {attempt.decision.pod.key: attempt.decision for attempt in self.settled.attempts}
        return {key: decision for key, decision in last.items() if key in there}


def _placed(pod: Pod, node_name: str) -> Pod:
    return pod if pod.spec.node_name else replace(pod, spec=replace(pod.spec, node_name=node_name))


class World(Struct, frozen=True):
    """A cluster with all that acts in it: API server, controllers, scheduler, and the pods that wait.

    `contents` are its objects and who admits others; `cluster` is the same as schedulers see it, without the pods that
    wait; None where it is yet to be counted. Of a cluster of which a part matters, whose pods are as they are after the
    changes, `placed` are the pods on nodes that do.
    """

    contents: Contents
    cluster: Cluster | None = None
    placed: Sequence[Pod] | None = None
    _edited: EditedCluster | None = None

    @classmethod
    def of(cls, cluster: Sequence[str] | Inputs) -> World:
        """The world that these files describe, or a live cluster. Raises as `load_case` does."""
        return cls(load_contents(cluster))

    @property
    def edited(self) -> EditedCluster:
        """Its objects, with all that was done to them."""
        return self._edited or EditedCluster.of(self.contents)

    def after(self, changes: Iterable[Change | Edit]) -> World:
        """The world once these are made, before anybody reacts to them. Raises UsageError where one cannot be."""
        edited = self.edited.copy()
        for each in changes:
            if isinstance(each, Change):
                edited.apply(each)
            else:
                each(edited)
        return replace(self, _edited=edited)

    def settled(self, *, start_index: int = 0, listener: Callable[[int], None] | None = None) -> Followed:
        """What becomes of it until nothing moves any more; the listener hears how many pods have landed.

        Raises UsageError if no nodes are left.
        """
        contents, after = self.contents, self.edited
        added, gone = _differing(contents, after)
        builder = CaseBuilder(_contents_after(contents, after, added))
        known, new = _waiting(contents, after)
        cluster = self._changed(added, gone, builder, {id(pod) for pod in (*known, *new)})
        placed = [each for pod in known for each in builder.pods(pod, None)]
        server = ApiServer(builder, refused=StandingRefusals(contents).of)
        server.forget(_gone_pods(gone, added), cluster.listers)
        leaving = _Leaving.of(after, cluster)
        queue = Queue(contents.scheduler, leaving.cluster, start_index)
        plane = ControlPlane(queue, server, listener)
        on_nodes = cluster.pods if self.placed is None else self.placed
        controllers = Controllers(after, (*on_nodes, *(each.pod for each in placed)), builder, plane)
        again: list[Pod] = []
        # Who waits does so already when the first pod leaves, and each of those is gone before the next one is deleted.
        refused = () if leaving.on_nodes else tuple(_touch(after, controllers, server))
        plane.add([each.pod for each in placed])
        for pod in new:
            controllers.of_bare(pod).reconcile(plane)
        if leaving.on_nodes:
            again += (each for pod in leaving.on_nodes for each in _left(pod, controllers, plane))
            plane.gone((), leaving.nodes)
            refused = tuple(_touch(after, controllers, server))
        for scaled in after.scaled:
            controllers.of_scaled(scaled)
        again += _replaced(leaving.others, controllers, plane)
        plane.wake(controllers.eager(for_nodes=any(isinstance(obj, Node) for obj in added)))
        settled = plane.run()
        made = (*placed, *map(PodToPlace, again), *server.placed)
        notes, sets = tuple(after.notes), tuple(controllers.replica_sets(settled.cluster.listers))
        return Followed(settled, plane.rollouts(), made, cluster, contents.scheduler, builder, refused, notes, sets)

    def _changed(
        self,
        added: Sequence[KubernetesObject],
        gone: Iterable[KubernetesObject],
        builder: CaseBuilder,
        waiting: Collection[int],
    ) -> Cluster:
        """The cluster after all changes."""
        if self.cluster is None:
            cluster = builder.cluster(waiting)
        else:
            left = [obj.in_namespace(self.contents.namespace) for obj in gone if self._may_change(obj)]
            made = [builder.in_cluster(obj) for obj in added if self._may_change(obj)]
            cluster = changed_cluster(self.cluster, left, made)
        if not cluster.node_infos:
            raise UsageError("there are no nodes left to place pods on", "keep at least one")
        if self.placed is not None:
            return cluster
        return cluster.replacing(builder.taken_to_exist((*self.contents.objects, *added)))

    def _may_change(self, obj: KubernetesObject) -> bool:
        """Whether a change of it is to be made to the cluster, of whose pods those that matter are as they are then."""
        return self.placed is None or not isinstance(obj, Pod)


class _Leaving(Struct, frozen=True):
    """Pods that were deleted, in the cluster that they have not left yet; `others` are gone already."""

    cluster: Cluster
    on_nodes: tuple[Pod, ...] = ()
    others: tuple[Pod, ...] = ()
    #: Nodes as they are in the end, where they were cordoned when pods were deleted.
    nodes: tuple[Node, ...] = ()

    @classmethod
    def of(cls, after: EditedCluster, cluster: Cluster) -> _Leaving:
        """Those of an edited cluster. Where pods have no identity, an old one and a new one are not told apart."""
        there = cluster.node_info_by_name
        on_nodes = [pod for pod in after.lost if _is_leaving(pod, after, there)]
        cordoned = sorted(after.cordoned_then & there.keys()) if on_nodes else []
        nodes = [node for name in cordoned if not (node := there[name].node).spec.unschedulable]
        then = cluster.with_nodes(replace(each, spec=replace(each.spec, unschedulable=True)) for each in nodes)
        for pod in on_nodes:
            then = then.assume(pod, pod.spec.node_name or "")
        others = [pod for pod in after.lost if not _is_leaving(pod, after, there)]
        then = freed(then, others)
        return cls(then, tuple(on_nodes), tuple(others), tuple(nodes))


def _left(pod: Pod, controllers: Controllers, plane: ControlPlane) -> list[Pod]:
    """A deleted pod leaves its node. What comes in its place is returned where its controller is not known.

    Most controllers make another one at once, which is tried while the old one still counts; others wait until it is
    gone.
    """
    waits = _is_replaced_later(pod)
    again = [] if waits else _replaced([pod], controllers, plane)
    plane.go_on()
    plane.gone([pod], ())
    if waits:
        plane.go_on()
        again = _replaced([pod], controllers, plane)
    return again


def _is_leaving(pod: Pod, after: EditedCluster, nodes: Container[str]) -> bool:
    return pod.metadata.uid in after.leaving and pod.spec.node_name in nodes


def _is_replaced_later(pod: Pod) -> bool:
    """Whether its controller waits until it is gone, as another one has the same name, or the same node."""
    owner = pod.metadata.controller
    return owner is None or owner.kind in ("StatefulSet", "DaemonSet")


def _replaced(lost: Iterable[Pod], controllers: Controllers, plane: ControlPlane) -> list[Pod]:
    """Have controllers make others; of those that are not known, what comes in the place of their pods."""
    again = [pod for pod in lost if not controllers.lose(pod) and pod.metadata.controller is not None]
    return [*map(plane.make_again, again)]


def _waiting(contents: Contents, after: EditedCluster) -> tuple[list[Pod], list[Pod]]:
    """The pods without a node that a cluster knows, in the order in which they were created; and new ones."""
    old = {id(obj) for obj in contents.objects}
    waiting = [pod for pod in after.pods if not pod.spec.node_name]
    waiting.sort(key=lambda pod: (id(pod) not in old, pod.metadata.creation_timestamp or "~"))
    return [pod for pod in waiting if is_from_cluster(pod)], [pod for pod in waiting if not is_from_cluster(pod)]


def _touch(
    after: EditedCluster, controllers: Controllers, server: ApiServer
) -> Iterator[tuple[KubernetesObject, Refused]]:
    """Have the controllers of changed workloads act; those that an API server refuses as such are returned."""
    for obj in after.objects:
        if (key := after.key_of(obj)) in after.before:
            before = after.before[key]
            if before is None:
                refused = server.create_object(obj.in_namespace(after.namespace))
            else:
                refused = None if key in after.recreated else _update(before, obj)
            if refused is None:
                controllers.of_object(obj)
            else:
                yield obj, refused


def _update(before: KubernetesObject, obj: KubernetesObject) -> Refused | None:
    problems = tuple(update_problems(before, obj))
    return Refused(problems) if problems else None


def _differing(contents: Contents, after: EditedCluster) -> tuple[list[KubernetesObject], list[KubernetesObject]]:
    """The objects that changes have brought, and those that they have taken away or replaced."""
    old, new = set(map(id, contents.objects)), set(map(id, after.objects))
    return [obj for obj in after.objects if id(obj) not in old], [obj for obj in contents.objects if id(obj) not in new]


def _gone_pods(gone: Iterable[KubernetesObject], added: Iterable[KubernetesObject]) -> Iterator[Pod]:
    """The pods that are there no more, in whatever shape, and were counted."""
    kept = {obj.key for obj in added if isinstance(obj, Pod)}
    return (obj for obj in gone if isinstance(obj, Pod) and obj.key not in kept and not obj.is_terminated)


def _contents_after(contents: Contents, after: EditedCluster, added: list[KubernetesObject]) -> Contents:
    """The contents with what was edited, of which no text says where it stands; it is looked up first."""
    loaded = Loaded()
    loaded.add(Segment("", Nowhere(), added, [() for _ in added]))
    loaded.absorb(contents.loaded)
    return msgspec.structs.replace(contents, loaded=loaded, objects=after.objects, added=added)
