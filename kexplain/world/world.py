"""One world: a cluster, what changes in it, and what becomes of that until nothing moves any more."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import default_class, is_from_cluster, pods_of, stored
from kexplain.admission.updates import update_problems
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.immediate_binding import bound_in
from kexplain.case.loading import Inputs, load_contents
from kexplain.case.own_pods import maker_kind
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.cluster.departing import freed
from kexplain.errors import UsageError
from kexplain.framework.trace import Decision
from kexplain.objects.apps import DaemonSet, ReplicaSet
from kexplain.objects.changes import Change
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.storage import StorageClass
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import REPLACED_LATER
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.scheduler.simulate import Settled
from kexplain.world.api_server import ApiServer, StandingRefusals
from kexplain.world.control_plane import ControlPlane
from kexplain.world.controllers import Controllers, Workloads
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.members import Refused, Resized, Rollout
from kexplain.world.sources import ReadObjects, Source, changed_pods

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
    #: Pods that were resized where they run, or were to be.
    resized: tuple[Resized, ...] = ()
    #: What was changed, each object as it is then, if it is still there.
    changed: tuple[KubernetesObject | None, ...] = ()

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


def applied(manifest: KubernetesObject, after: EditedCluster) -> None:
    """Apply it to a cluster that may have what its controller is taken to have made of it."""
    for made in pods_of(manifest, 1, namespace=after.namespace).created:
        if (known := after.known(made)) and not known.is_stored:
            after.remove(known)
    after.add(manifest)


class World(Struct, frozen=True):
    """A cluster with all that acts in it: API server, controllers, scheduler, and the pods that wait."""

    source: Source
    _edited: EditedCluster | None = None

    @classmethod
    def of(cls, cluster: Sequence[str] | Inputs) -> World:
        """The world that these files describe, or a live cluster. Raises as `load_case` does."""
        return cls(ReadObjects(load_contents(cluster)))

    @property
    def edited(self) -> EditedCluster:
        """Its objects, with all that was done to them."""
        return self._edited or EditedCluster(self.source)

    def after(self, changes: Iterable[Change | Edit]) -> World:
        """The world once these are made, before anybody reacts to them. Raises UsageError where one cannot be."""
        edited = self.edited.copy()
        for each in changes:
            if isinstance(each, Change):
                edited.apply(each)
            else:
                each(edited)
        return replace(self, _edited=edited)

    @property
    def cluster(self) -> Cluster:
        """The cluster as it is then, without the pods that wait."""
        return self.source.changed(self.edited.differences, lambda: CaseBuilder(self.edited.contents()))

    def settled(self, *, start_index: int = 0, listener: Callable[[int], None] | None = None) -> Followed:
        """What becomes of it until nothing moves any more; the listener hears how many pods have landed.

        Raises UsageError if no nodes are left.
        """
        after = self.edited
        contents = after.contents()
        builder = CaseBuilder(contents)
        cluster = self.source.changed(after.differences, lambda: builder)
        if not cluster.node_infos:
            raise UsageError("there are no nodes left to place pods on", "keep at least one")
        known, new = _waiting(contents)
        placed = [each for pod in known for each in builder.pods(pod, None)]
        standing = StandingRefusals(after.contents(before=True))
        server = ApiServer(builder, refused=standing.of, before=self.source.cluster)
        server.forget(_gone_pods(after), cluster.listers)
        server.resize(changed_pods(after.differences))
        leaving = _Leaving.of(after, cluster)
        plane = ControlPlane(Queue(contents.scheduler, leaving.cluster, start_index), server, listener)
        on_nodes = self.source.pods_around(cluster, after.namespaces)
        workloads = Workloads(builder, (*on_nodes, *(each.pod for each in placed)))
        controllers = Controllers(workloads, plane, after.before)
        again: list[Pod] = []
        # Who waits does so already when the first pod leaves, and each of those is gone before the next one is deleted.
        refused = () if leaving.on_nodes else tuple(_touch(contents.objects, after, controllers, server))
        _start_daemons(after, controllers, plane)
        plane.add([each.pod for each in placed])
        for pod in new:
            controllers.of_bare(pod).reconcile(plane)
        if leaving.on_nodes:
            again += (each for pod in leaving.on_nodes for each in _left(pod, controllers, plane))
            plane.gone((), leaving.nodes)
            refused = tuple(_touch(contents.objects, after, controllers, server))
        for scaled in after.scaled:
            controllers.of_scaled(scaled)
        again += _replaced(leaving.others, controllers, plane)
        plane.wake(controllers.eager(KubernetesObject, for_nodes=any(isinstance(obj, Node) for obj in contents.added)))
        settled = plane.run()
        made = (*placed, *map(PodToPlace, again), *server.placed)
        notes = (*after.notes, *controllers.notes, *standing.notes)
        sets = tuple(controllers.replica_sets(settled.cluster.listers))
        resized, changed = tuple(after.resized), tuple(new for _, new in after.differences)
        rollouts, scheduler = plane.rollouts(), contents.scheduler
        return Followed(settled, rollouts, made, cluster, scheduler, builder, refused, notes, sets, resized, changed)


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


def _start_daemons(after: EditedCluster, controllers: Controllers, plane: ControlPlane) -> None:
    """A new node is tainted until it is ready, which pods of DaemonSets tolerate: they are there first."""
    if any(old is None and isinstance(node, Node) for old, node in after.differences):
        plane.wake(controllers.eager(DaemonSet, for_nodes=True))
        plane.go_on()


def _left(pod: Pod, controllers: Controllers, plane: ControlPlane) -> list[Pod]:
    """A deleted pod leaves its node. What comes in its place is returned where its controller is not known.

    Most controllers make another one at once, which is tried while the old one still counts; others wait until it is
    gone.
    """
    # Another one has the same name, or the same node.
    waits = maker_kind(pod) in ("", *REPLACED_LATER)
    again = [] if waits else _replaced([pod], controllers, plane)
    plane.go_on()
    plane.gone([pod], ())
    if waits:
        plane.go_on()
        again = _replaced([pod], controllers, plane)
    return again


def _is_leaving(pod: Pod, after: EditedCluster, nodes: Container[str]) -> bool:
    return pod.metadata.uid in after.leaving and pod.spec.node_name in nodes


def _replaced(lost: Iterable[Pod], controllers: Controllers, plane: ControlPlane) -> list[Pod]:
    """Have controllers make others; of those that are not known, what comes in the place of their pods."""
    again = [pod for pod in lost if not controllers.lose(pod) and pod.metadata.controller is not None]
    return [*map(plane.make_again, again)]


def _waiting(contents: Contents) -> tuple[list[Pod], list[Pod]]:
    """The pods without a node that a cluster knows, in the order in which they were created; and new ones."""
    changed = {*map(id, contents.added)}
    pods = (obj for obj in contents.objects if isinstance(obj, Pod))
    waiting = [pod for pod in pods if not (pod.spec.node_name or pod.is_terminated)]
    waiting.sort(key=lambda pod: (id(pod) in changed, pod.metadata.creation_timestamp or "~"))
    return [pod for pod in waiting if is_from_cluster(pod)], [pod for pod in waiting if not is_from_cluster(pod)]


def _touch(
    objects: Iterable[KubernetesObject], after: EditedCluster, controllers: Controllers, server: ApiServer
) -> Iterator[tuple[KubernetesObject, Refused]]:
    """Have the controllers of changed workloads act; those that an API server refuses as such are returned."""
    for obj in objects if after.before else ():
        if (key := after.key_of(obj)) in after.before:
            before = after.before[key]
            if before is None:
                refused = server.create_object(obj.in_namespace(after.namespace))
            else:
                refused = None if key in after.recreated else _update(before, obj)
            if refused is None:
                controllers.of_key(key)
            else:
                yield obj, refused


def _update(before: KubernetesObject, obj: KubernetesObject) -> Refused | None:
    problems = tuple(update_problems(before, obj))
    return Refused(problems) if problems else None


def _gone_pods(after: EditedCluster) -> Iterator[Pod]:
    """The pods that are there no more, in whatever shape, and were counted."""
    return (old for old, new in after.differences if new is None and isinstance(old, Pod) and not old.is_terminated)
