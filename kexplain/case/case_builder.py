"""Objects become pods to place and a cluster, both as an API server would store them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import (
    AdmissionObjects,
    WorkloadPods,
    admit,
    default_class,
    ephemeral_claims,
    generate_claims,
    group_with_priority,
    is_from_cluster,
    pods_of,
    stored,
)
from kexplain.admission.optional_plugins import AdmissionPlugin
from kexplain.admission.quotas import Excess, QuotaRoom
from kexplain.admission.refusals import missing_namespace, refusals, requests_above_limits
from kexplain.admission.storage import claim_of_template
from kexplain.case.daemon_pods import daemon_pods
from kexplain.case.notes import daemon_notes, node_notes, replica_notes
from kexplain.case.own_pods import OwnerChains, above
from kexplain.case.records import OwnPods, PodToPlace
from kexplain.case.unread import devices_unread, taken_to_exist
from kexplain.cluster import Cluster
from kexplain.errors import Fault, KexplainError
from kexplain.grouping import grouped
from kexplain.load import Loaded, check_quantities, fault
from kexplain.load.loaded import NOWHERE, Nowhere, Origin
from kexplain.objects.apps import DaemonSet, Deployment, StatefulSet
from kexplain.objects.batch import CronJob
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod, PodSpec
from kexplain.objects.custom_workloads import CustomWorkload, template_path_of
from kexplain.objects.events import TROUBLE, Event
from kexplain.objects.meta import Kinds, KubernetesObject
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claim
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import QuantityError
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.storage import StorageClass
from kexplain.objects.well_known import DEFAULT_NAMESPACE
from kexplain.scheduler.cycle import Scheduler

#: With each of more pods all nodes would be gone through, for one node each.
_MOST_PINNED = 200


class Contents(Struct, frozen=True):
    """The objects that a case is built of, and how.

    `loaded` knows where each was read; objects that name no namespace are in `namespace`; `plugins` are the optional
    admission plugins that are on. What was `added` says nothing of what else of its kind there is.
    """

    loaded: Loaded
    objects: Sequence[KubernetesObject]
    scheduler: Scheduler
    namespace: str = DEFAULT_NAMESPACE
    plugins: Collection[AdmissionPlugin] = ()
    added: Collection[KubernetesObject] = ()


class CaseBuilder:
    """Makes the pods to place first, then the cluster with all that controllers create along with them."""

    def __init__(self, contents: Contents) -> None:
        #: What everything is built of.
        self.contents = contents
        self._namespace = namespace = contents.namespace
        added = set(map(id, contents.added))
        self.admission = AdmissionObjects.of(
            [obj for obj in contents.objects if id(obj) not in added] if added else contents.objects,
            contents.added,
            listed=contents.loaded.listed,
            plugins=contents.plugins,
            namespace=namespace,
            release=contents.scheduler.release,
        )
        #: On the objects whose pods were asked for.
        self.notes: list[str] = []
        self._created: list[KubernetesObject] = []
        #: What was admitted last, before and after: replicas share their spec.
        self._latest: tuple[Pod, tuple[str, ...], PodToPlace] | None = None

    @cached_property
    def _objects(self) -> Objects:
        return Objects.these(self.contents.objects)

    def pods(self, obj: KubernetesObject, count: int | None) -> Iterator[PodToPlace]:
        """The pods of an object, admitted: one that stands for all, or a number of them."""
        return self._pods(obj, pods_of(obj, count, namespace=self._namespace), replica_notes(obj, count))

    def daemon_pods(self, obj: DaemonSet, node_name: str) -> Iterator[PodToPlace]:
        """The pods that a DaemonSet gets, or that of this node.

        Where it gets none, the one for any node says why; where it gets very many, that stands for all.
        """
        made = pods_of(obj, namespace=self._namespace)
        nodes = self._objects.of(Node)
        pods = {node.name: pod for node, pod in daemon_pods(made.pods[0], nodes)}
        pinned = [pod for key, pod in pods.items() if key == node_name or (len(pods) <= _MOST_PINNED and not node_name)]
        made = replace(made, pods=tuple(pinned), notes=()) if pinned else made
        self.notes += daemon_notes(obj, len(pods), len(nodes))
        return self._pods(obj, made, ())

    def _pods(self, obj: KubernetesObject, made: WorkloadPods, notes: Iterable[str]) -> Iterator[PodToPlace]:
        self._created += made.created
        notes = (*made.notes, *notes)
        for pod in made.pods:
            placed = self.admitted(pod, obj, notes)
            # What is running has its claims; if one is not there, that is for the report to say.
            if not is_from_cluster(pod):
                generated = generate_claims(placed.pod, self._claim_templates if pod.spec.resource_claims else {})
                placed = replace(placed, pod=generated.pod)
                self._created += [*ephemeral_claims(placed.pod), *generated.claims]
            yield placed

    @cached_property
    def _claim_templates(self) -> dict[str, ResourceClaimTemplate]:
        """The templates of claims on devices, by `namespace/name`: those that were read, and those taken to exist."""
        here = [obj.in_namespace(self._namespace) for obj in self._objects.others]
        read = [obj for obj in here if isinstance(obj, ResourceClaimTemplate)]
        return {each.key: each for each in (*read, *devices_unread(here, self.contents.loaded.listed))}

    @property
    def created_claims(self) -> frozenset[str]:
        """The keys of the claims that come along with the pods, and are not there yet."""
        made = {obj.key for obj in self._created if isinstance(obj, PersistentVolumeClaim)}
        return frozenset(made - self._existing_claims)

    def quota_room(self) -> QuotaRoom:
        return QuotaRoom(self.admission.quotas, self._in_namespaces())

    def _in_namespaces(self) -> Iterator[KubernetesObject]:
        """All objects, for who asks for the first of them."""
        yield from (obj.in_namespace(self._namespace) for obj in self._objects)

    def with_next_pod(self, own: OwnPods) -> OwnPods:
        """The workload with the quotas that the next pod it would make exceeds, if some are missing and it is due."""
        makers = [each for each in own.controllers if not isinstance(each, Deployment | CronJob)]
        if not own.missing or own.waits_for or not (makers or own.complaints):
            return own
        room = self.quota_room()
        excesses, by = self._as_refused(own, room)
        if makers and (pods := pods_of(makers[-1], None, namespace=self._namespace).pods):
            placed = self.admitted(pods[0], makers[-1])
            own = replace(own, problems=(*placed.refusals, *room.unnamed(placed.pod)))
            created = (placed.pod, *self._next_claims(own, makers[-1]))
            known = [each for obj in created for each in room.excesses(obj)]
            excesses, by = known or excesses, "" if known else by
        return replace(own, excesses=tuple(self._with_others(excesses, room, own)), raised_by=by)

    def _as_refused(self, own: OwnPods, room: QuotaRoom) -> tuple[list[Excess], str]:
        """The quotas that the next pod exceeds as an API server has it in the end, and what may have raised that."""
        found = [each for one in own.complaints for each in room.excesses_said(own.namespace, one.text)]
        above = (each for each in self._objects.of(OtherResource) if found and each.target == own.key)
        return found, next((f"{each.kind} {each.name}" for each in above), "")

    def _with_others(self, excesses: Sequence[Excess], room: QuotaRoom, own: OwnPods) -> Iterator[Excess]:
        """The same, each with the other workloads that use most of it."""
        shares: list[Counter[str]] = [Counter() for _ in excesses]
        mine, every = {pod.key for pod in own.pods}, self._in_namespaces() if excesses else ()
        for pod in every:
            if isinstance(pod, Pod) and not (pod.namespace != own.namespace or pod.key in mine or pod.is_terminated):
                *_, maker = (("Pod", pod.namespace, pod.name), *above(pod, pod.namespace, lambda _: None))
                for share, excess in zip(shares, excesses, strict=True):
                    share[f"{maker[0]} {maker[2]}"] += room.share(pod, excess)
        for share, excess in zip(shares, excesses, strict=True):
            first, then, *_ = (*share.most_common(2), ("", 0), ("", 0))
            yield replace(excess, others=first, then=then)

    def _next_claims(self, own: OwnPods, workload: KubernetesObject) -> Iterator[PersistentVolumeClaim]:
        """The claims of the pod that a stateful set makes next, but for those that are there."""
        if not isinstance(workload, StatefulSet):
            return
        taken = {pod.name for pod in own.pods}
        name = next(each for number in count(workload.start) if (each := f"{workload.name}-{number}") not in taken)
        templates = {f"{each.metadata.name}-{name}": each for each in workload.spec.volume_claim_templates or ()}
        for claim, template in templates.items():
            if f"{own.namespace}/{claim}" not in self._existing_claims:
                yield claim_of_template(claim, own.namespace, template)

    def claims_of(self, placed: PodToPlace) -> list[KubernetesObject]:
        """The claims that are made for a new pod, if there are not any of these names yet."""
        if not self._created:
            return []
        found = (pod_claim(placed.pod, volume) for volume in placed.pod.spec.volumes or ())
        keys = {f"{placed.pod.namespace}/{claim.name}" for claim in found if claim is not None}
        names = {each.resource_claim_name for each in placed.pod.status.resource_claim_statuses or ()}
        devices = (obj for obj in self._created if isinstance(obj, ResourceClaim) and obj.name in names)
        claims = {claim.key: claim for claim in self._claims_among(self._created) if claim.key in keys}
        return [*(claim for key, claim in claims.items() if key not in self._existing_claims), *devices]

    @cached_property
    def _existing_claims(self) -> frozenset[str]:
        """The keys of the claims on volumes that are there."""
        return frozenset(claim.key for claim in self._claims_among(self._objects.others))

    def _claims_among(self, objects: Iterable[KubernetesObject]) -> Iterator[PersistentVolumeClaim]:
        return (obj.in_namespace(self._namespace) for obj in objects if isinstance(obj, PersistentVolumeClaim))

    def drop_claims(self, placed: PodToPlace) -> None:
        """Nothing is made for a pod that is not created."""
        gone = {id(claim) for claim in self.claims_of(placed)}
        self._created = [obj for obj in self._created if id(obj) not in gone]

    def is_there(self, obj: KubernetesObject, pod: Pod) -> bool:
        """Whether a manifest is of a pod or workload whose pods exist, so that it creates none."""
        if obj.metadata.uid:
            return False
        if obj.kind == "Pod":
            alike = self._objects.pods_named({pod.name})
            return any(is_from_cluster(each) and each.key == pod.key for each in alike)
        return self.has_pods(obj, pod.namespace)

    def has_pods(self, workload: KubernetesObject, namespace: str = "") -> bool:
        """Whether a workload of that kind and name has pods."""
        namespace = namespace or workload.namespace or self._namespace
        chains = OwnerChains(self._objects, self._namespace)
        return bool(chains.own_pods(workload.kind, namespace, workload.name).pods)

    def fault(self, obj: KubernetesObject, problem: Problem) -> Fault:
        """What is wrong with a pod of an object, at its place in that."""
        path = (*(template_path_of(obj) if problem.path[0] == "spec" else ()), *problem.path)
        if isinstance(obj, CustomWorkload):
            path = obj.place(path) or obj.item
        found = fault(self.contents.loaded, obj, path, problem.message)
        # In a cluster there is no line to look up.
        return replace(found, path=f"{obj.kind} {obj.key} {found.path}") if obj.metadata.uid else found

    def cluster(self, without: Collection[int]) -> Cluster:
        """The cluster of all objects, without some by their ids; QuantityErrors become InputErrors that say where."""
        try:
            cluster = self._cluster(without)
        except QuantityError as error:
            raise self._not_a_quantity(error) from error
        if any(each.allocatable.is_below_zero or each.requested.is_below_zero for each in cluster.node_infos):
            # No API server stores such amounts, and scores of such nodes leave their range.
            check_quantities(self.contents.loaded)
        return cluster

    def _cluster(self, without: Collection[int]) -> Cluster:
        every = self._objects
        stored = every.stored and every.stored.without(without)
        loose = every.others_of(Pod)
        own = (pod for pod in loose if id(pod) not in without and not (stored and stored.is_loose(pod)))
        pods = [self._in_cluster(pod) for pod in own]
        nodes = (_named(node, place) for place, node in enumerate(every.of(Node)) if id(node) not in without)
        # Pods that run nowhere are looked up only for what is said of them.
        idle = (pod for pod in loose if (not pod.spec.node_name or pod.is_terminated) and is_from_cluster(pod))
        said = filter(attrgetter("is_of_node"), every.of(Event))
        others = [*self._others(obj for obj in every.but(Node, Pod, Event) if id(obj) not in without), *idle, *said]
        rules, listed = self.contents.scheduler.rules, frozenset(self.contents.loaded.listed)
        return Cluster.of(nodes, pods, others, rules=rules, listed=listed, stored=stored)

    def in_cluster(self, obj: KubernetesObject) -> KubernetesObject:
        """An object that is no event, as the cluster has it."""
        if isinstance(obj, Pod):
            return self._in_cluster(obj)
        return stored(self._other(obj), default_class(self._objects.of(StorageClass)))

    def admitted(self, pod: Pod, obj: KubernetesObject, notes: tuple[str, ...] = ()) -> PodToPlace:
        """A pod of an object, as it is stored; QuantityErrors become InputErrors that say where."""
        if self._latest is None or self._latest[1] != notes or not _is_replica(pod, obj, *self._latest[::2]):
            self._latest = pod, notes, self._admitted(pod, obj, notes)
            return self._latest[2]
        placed = self._latest[2]
        metadata = replace(pod.metadata, namespace=placed.pod.namespace)
        return replace(placed, pod=replace(placed.pod, metadata=metadata))

    def _admitted(self, pod: Pod, obj: KubernetesObject, notes: tuple[str, ...]) -> PodToPlace:
        origin = self._origin(obj)
        # In a dump nobody looks for the line, and finding it would mean to read the dump again.
        line, _, _, file = NOWHERE if is_from_cluster(pod) else origin.mark()
        try:
            admitted = admit(pod, self.admission)
        except QuantityError as error:
            raise self._not_a_quantity(error) from error
        is_running = bool(pod.spec.node_name) and is_from_cluster(pod) and not pod.is_terminated
        return PodToPlace(
            _to_place(admitted.pod, pod),
            file or origin.source,
            line,
            (*notes, *admitted.notes, *node_notes(pod)),
            obj,
            self._remake,
            running=pod if is_running else None,
            refusals=() if is_from_cluster(pod) else self.refusals(admitted.pod, pod.spec),
            manifest=origin if line else None,
        )

    def _not_a_quantity(self, error: QuantityError) -> KexplainError:
        # Only now is it worth walking everything.
        check_quantities(self.contents.loaded)
        return KexplainError(str(error))

    def refusals(self, admitted: Pod, written: PodSpec | None = None) -> tuple[Problem, ...]:
        """Why an API server would not create a pod, quotas aside; `written` is its spec before admission."""
        missing = missing_namespace(admitted.namespace, self.admission)
        try:
            return (*missing, *refusals(admitted, self.admission, written), *requests_above_limits(admitted))
        except QuantityError as error:
            raise self._not_a_quantity(error) from error

    def _origin(self, obj: KubernetesObject) -> Origin:
        """Where the object was read from; what was changed or made since then stands nowhere."""
        with suppress(KeyError):
            return self.contents.loaded.origin(obj)
        return Origin("", Nowhere(), ())

    def _remake(self, obj: KubernetesObject) -> Pod:
        """The first pod of an object, admitted; what its controller creates along with it is left out."""
        pod = pods_of(obj, None, namespace=self._namespace).pods[0]
        return _to_place(admit(pod, self.admission).pod, pod)

    def _in_cluster(self, pod: Pod) -> Pod:
        if pod.metadata.namespace and is_from_cluster(pod):
            return pod
        return admit(pod.in_namespace(self._namespace), self.admission).pod

    def _others(self, objects: Iterable[KubernetesObject]) -> list[KubernetesObject]:
        others = [self._other(obj) for obj in objects]
        others += self.taken_to_exist(self._objects.others)
        there = {obj.key for obj in others if isinstance(obj, PersistentVolumeClaim)}
        # A controller makes no claim that is there already.
        added = [obj for obj in self._created if not isinstance(obj, PersistentVolumeClaim) or obj.key not in there]
        class_name = default_class(others)
        if not any(isinstance(obj, PersistentVolumeClaim) and obj.is_new for obj in (*others, *added)):
            return [stored(obj, class_name) for obj in (*others, *added)]
        # Few clusters get new claims.
        from kexplain.case.immediate_binding import with_claims_bound  # noqa: PLC0415

        return with_claims_bound([*others, *added], class_name)

    def taken_to_exist(self, objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
        """What stands for storage that these objects name, and the input says nothing about."""
        here = [obj if obj.metadata.namespace else obj.in_namespace(self._namespace) for obj in objects]
        return [*taken_to_exist(here, self._created, self._known_kinds)]

    @cached_property
    def _known_kinds(self) -> Kinds:
        """The kinds of which the input has all that there are; nobody writes classes beside nodes but to tell them."""
        loaded = self.contents.loaded
        return {*loaded.listed, *({StorageClass} & loaded.beside_nodes)}

    @cached_property
    def _events_by_subject(self) -> Mapping[tuple[str | None, str | None], Sequence[Event]]:
        return grouped(((each.subject.kind, each.subject.name), each) for each in self._objects.of(Event))

    def _other(self, obj: KubernetesObject) -> KubernetesObject:
        here = obj.in_namespace(self._namespace)
        if isinstance(here, OtherResource):
            about = [each for each in self._events_by_subject.get((here.kind, here.name), ()) if each.is_about(here)]
            newest = max(about, key=lambda each: each.last_seen, default=None)
            return replace(here, said=newest.text) if newest and TROUBLE.search(newest.reason or "") else here
        return group_with_priority(here, self.admission.priority_classes) if isinstance(here, PodGroup) else here


def _is_replica(pod: Pod, obj: KubernetesObject, other: Pod, admitted: PodToPlace) -> bool:
    """Whether a new pod of an object is as another in all that admission reads: they may have other names."""
    is_alike = pod.spec is other.spec and pod.labels == other.labels and pod.namespace == other.namespace
    return is_alike and admitted.made_of is obj


def _to_place(admitted: Pod, pod: Pod) -> Pod:
    """The pod without the node that it was on."""
    spec = admitted.spec
    if spec.node_name and is_from_cluster(pod):
        spec = replace(spec, node_name=None)
    return replace(admitted, spec=spec)


def _named(node: Node, place: int) -> Node:
    """The node, which gets a name of its own where an API server would generate one."""
    if node.name:
        return node
    return replace(node, metadata=replace(node.metadata, name=f"{node.metadata.generate_name}{place}"))
