"""The controllers of a cluster's workloads, each made when something touches one of its pods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import filterfalse
from operator import attrgetter
from types import MappingProxyType
from typing import TypeVar

from msgspec.structs import replace

from kexplain.admission import pods_of
from kexplain.admission.revisions import is_made_of, same_template
from kexplain.admission.workloads import stateful_pods, template_of
from kexplain.bounds import MAX_COPIES
from kexplain.case.case_builder import CaseBuilder
from kexplain.case.daemon_pods import DaemonNodes, pinned_node
from kexplain.case.own_pods import (
    CONTROLLERS,
    Key,
    OwnerChains,
    implied_owner,
    is_read_whole,
    key_of,
    ordinal_of,
    owner_of,
    wanted_now,
    wanted_of_job,
)
from kexplain.cluster import Listers
from kexplain.grouping import grouped
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_service import lost
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH, POD_TEMPLATE_GENERATION
from kexplain.scheduler.pod_copies import anew
from kexplain.world.control_plane import Controller, ControlPlane
from kexplain.world.daemon_sets import DaemonSetController
from kexplain.world.deployments import DeploymentController, Revision
from kexplain.world.jobs import JobController, losses_left
from kexplain.world.members import Member, Pods, Refused, Scaled
from kexplain.world.replica_sets import Replicas, ReplicasController
from kexplain.world.stateful_sets import StatefulSetController

Owned = TypeVar("Owned", bound=KubernetesObject)
_IS_LEAVING = attrgetter("metadata.deletion_timestamp")


class Workloads:
    """The workloads of a cluster, and whose each pod is before controllers act."""

    def __init__(self, builder: CaseBuilder, pods: Iterable[Pod]) -> None:
        """`pods` are those in the cluster and in the queue."""
        self.builder, self.namespace = builder, builder.contents.namespace
        every = [each for each in builder.contents.objects if isinstance(each, (*CONTROLLERS, CustomWorkload))]
        self.objects: dict[Key, KubernetesObject] = {key_of(each, self.namespace): each for each in every}
        self.sets_by_owner = self._by_owner(each for each in every if isinstance(each, ReplicaSet))
        pods = [*pods]
        there = [pod for pod in pods if not pod.is_terminated]
        self.pods_by_owner = self._by_owner(filterfalse(_IS_LEAVING, there))
        self.leaving_by_owner = self._by_owner(filter(_IS_LEAVING, there))
        if custom := [key for key, obj in self.objects.items() if isinstance(obj, CustomWorkload)]:
            chains = OwnerChains([*builder.contents.objects, *pods], self.namespace)
            self.pods_by_owner |= {key: [*chains.own_pods(*key).pods] for key in custom}

    def _by_owner(self, objects: Iterable[Owned]) -> dict[Key, list[Owned]]:
        pairs = ((owner_of(each, self.namespace), each) for each in objects)
        return grouped((owner, each) for owner, each in pairs if owner is not None)


class Controllers:
    """All controllers of a cluster, whom the plane asks.

    Workloads that were changed are as they were `before`, or None if they are new.
    """

    def __init__(
        self,
        workloads: Workloads,
        plane: ControlPlane,
        before: Mapping[Key, KubernetesObject | None] = MappingProxyType({}),
    ) -> None:
        self._builder, self._namespace = workloads.builder, workloads.namespace
        self._known = workloads
        self._before = before
        #: What is not followed as it was asked for.
        self.notes: list[str] = []
        self._plane = plane
        self._made: dict[Key, Controller | None] = {}
        #: The pods of a maker, and whether one of them is of the template that this one makes pods of now.
        self._watched: dict[Key, tuple[Pods, Callable[[Pod], bool]]] = {}
        plane.ask(self.of_pod)

    # -------------------------------------------------------------------------------------------------- whose

    def of_pod(self, pod: Pod) -> Controller | None:
        """The controller of a pod, which looks after it from now on; None where it is not known."""
        key = owner_of(pod, self._namespace)
        return self.of_key(key, pod) if key is not None else None

    def lose(self, pod: Pod) -> bool:
        """A pod is gone, and its controller is to make another; whether that is known."""
        key = owner_of(pod, self._namespace)
        if key is None or self.of_pod(pod) is None or key not in self._watched:
            return False
        home, is_new = self._watched[key]
        home.lose(_member(pod, is_new=is_new(pod)))
        return True

    def of_key(self, key: Key, pod: Pod | None = None) -> Controller | None:
        """The controller of that kind and name, or the one above it."""
        obj = self._known.objects.get(key)
        above = owner_of(obj, self._namespace) if obj else self._implied(key, pod) if pod else None
        # A cron job leaves the pods of its jobs to them.
        top = above if above in self._known.objects and (obj is None or key[0] != "Job") else key
        if top not in self._made:
            self._made[top] = self._make(top)
        return self._made[top]

    def eager(self, *kinds: type[KubernetesObject], for_nodes: bool) -> Iterator[Controller | None]:
        """Controllers that act of their own accord: those that lack pods; of daemon sets all, where nodes changed."""
        for key, obj in [*self._known.objects.items()]:
            pods = len(self._known.pods_by_owner.get(key, ()))
            is_whole = isinstance(obj, kinds) and is_read_whole(
                obj, pods + len(self._known.leaving_by_owner.get(key, ()))
            )
            if is_whole and ((for_nodes and isinstance(obj, DaemonSet)) or wanted_now(obj) > pods):
                yield self.of_key(key)

    def replica_sets(self, listers: Listers) -> Iterator[ReplicaSet]:
        """The replica sets of deployments that took part, of the sizes that they have by now."""
        for key, each in self._made.items():
            for revision in each.revisions if isinstance(each, DeploymentController) else ():
                if found := listers.get(ReplicaSet, revision.replicas.name, key[1]):
                    yield revision.noted_on(found)

    def of_bare(self, pod: Pod) -> Controller:
        """What makes a new pod of its own; nobody makes it again."""
        first = self._first_pod(pod)
        replicas = Replicas(first.name, 1, lambda _: first, pod, is_controlled=False)
        controller = ReplicasController(("Pod", first.namespace or self._namespace, first.name), replicas)
        self._plane.watch(controller, replicas.pods)
        return controller

    def of_scaled(self, scaled: Scaled) -> Controller:
        """What makes copies of a pod, as its workload was not read."""
        names = {pod.key for pod in scaled.pods}
        pods = [pod for each in self._known.pods_by_owner.values() for pod in each if pod.key in names]
        wanted = self._wanted(None, scaled.replicas, len(pods))
        replicas = Replicas(scaled.name, wanted, _copies(scaled.pods[0]), scaled.pods[0], _members(pods))
        controller = ReplicasController((scaled.kind, scaled.namespace, scaled.name), replicas)
        self._watch(controller, (scaled.kind, scaled.namespace, scaled.name), replicas.pods, _always)
        return controller

    def _implied(self, key: Key, pod: Pod) -> Key | None:
        """What made a controller that was not read: its name is that of a deployment that was, and a hash."""
        kind, namespace, name = key
        deployment = ("Deployment", namespace, name.rpartition("-")[0])
        is_known = kind == "ReplicaSet" and deployment in self._known.objects
        return implied_owner(key, pod) or (deployment if is_known else None)

    def _watch(self, controller: Controller, key: Key, home: Pods, is_new: Callable[[Pod], bool]) -> None:
        """The pods of one maker, whose kind, namespace and name the key has."""
        self._watched[key] = home, is_new
        self._plane.watch(controller, home)

    # --------------------------------------------------------------------------------------- one function a kind

    def _make(self, key: Key) -> Controller | None:
        obj = self._known.objects.get(key)
        if obj is None or template_of(obj) is None:
            return None
        home = obj.in_namespace(self._namespace)
        before = self._before.get(key, obj)
        match home:
            case Deployment():
                return self._deployment(home, before, key)
            case StatefulSet():
                return self._stateful_set(home, before, key)
            case DaemonSet():
                return self._daemon_set(home, before, key)
            case Job():
                return self._job(home, wanted_of_job(home), key)
            case CronJob():
                # It leaves the jobs alone that it has made; of a new one, one run is followed.
                return self._job(home, wanted_now(home), key) if before is None else None
            case _:
                return self._replica_set(home, before, key)

    def _wanted(self, obj: KubernetesObject | None, wanted: int, present: int = 0) -> int:
        """How many pods to follow: of hostile numbers no more than tell all there is to tell."""
        if wanted <= present + MAX_COPIES:
            return wanted
        of = f" of {obj.kind.lower()}/{obj.name}" if obj else ""
        said = f"of {wanted - present} more pods{of}, {MAX_COPIES} are placed: more than enough to tell"
        self.notes.append(said)
        return present + MAX_COPIES

    def _first_pod(self, obj: KubernetesObject) -> Pod:
        return pods_of(obj, 1, namespace=self._namespace).pods[0]

    def _replicas(self, obj: KubernetesObject, wanted: int, pods: Sequence[Pod]) -> Replicas:
        first = self._first_pod(obj)
        make = _numbered(first, f"{obj.name}-new", 1) if pods else _numbered(first, first.name.removesuffix("-0"))
        return Replicas(obj.name, self._wanted(obj, wanted, len(pods)), make, obj, _members(pods))

    def _replica_set(self, obj: KubernetesObject, before: KubernetesObject | None, key: Key) -> Controller:
        replicas = self._replicas(obj, wanted_now(obj), self._known.pods_by_owner.get(key, ()))
        is_changed = before is not None and not same_template(template_of(before), template_of(obj))
        for member in replicas.members:
            member.is_new = not is_changed
        controller = ReplicasController(key, replicas)
        self._watch(controller, key, replicas.pods, lambda _: not is_changed)
        return controller

    def _job(self, obj: Job | CronJob, wanted: int, key: Key) -> Controller:
        replicas = self._replicas(obj, wanted, self._known.pods_by_owner.get(key, ()))
        is_suspended = isinstance(obj, Job) and bool(obj.spec.suspend)
        controller = JobController(key, replicas, is_suspended, losses_left(obj))
        self._watch(controller, key, replicas.pods, _always)
        return controller

    def _deployment(self, deployment: Deployment, before: KubernetesObject | None, key: Key) -> Controller:
        made = pods_of(deployment, 1, namespace=self._namespace)
        sets = [each for each in self._known.sets_by_owner.get(key, ()) if template_of(each) is not None]
        revisions = [self._revision(deployment, each) for each in sets]
        # Templates may differ in what is not read; of equal ones upstream takes the oldest.
        matching = [each for each in revisions if each.replicas.is_new]
        matching.sort(key=lambda each: (-each.number, each.created))
        for each in matching[1:]:
            each.replicas.is_new = False
        revisions += self._implied_revisions(deployment, before, key, made.pods[0])
        for each in revisions:
            for member in each.replicas.members:
                member.is_new = each.replicas.is_new

        def start(plane: ControlPlane) -> Revision | Refused:
            refused = plane.create_object(made.created[0])
            if refused is not None:
                return refused
            name = made.created[0].name
            return Revision(Replicas(name, 0, _numbered(made.pods[0], name), deployment), created="~")

        present = sum(len(each.replicas.members) for each in revisions)
        wanted = self._wanted(deployment, wanted_now(deployment), present)
        controller = DeploymentController(deployment, wanted, revisions, start)
        for each in revisions:
            is_new = _always if each.replicas.is_new else _never
            self._watch(controller, ("ReplicaSet", key[1], each.replicas.name), each.replicas.pods, is_new)
        # One without any replica set yet is to be reconciled, too.
        self._plane.watch(controller, Pods())
        return controller

    def _revision(self, deployment: Deployment, replica_set: ReplicaSet) -> Revision:
        wanted = 1 if replica_set.spec.replicas is None else replica_set.spec.replicas
        pods = self._known.pods_by_owner.get(key_of(replica_set, self._namespace), ())
        home = replica_set.in_namespace(self._namespace)
        is_new = same_template(replica_set.spec.template, deployment.spec.template)
        make = _numbered(self._first_pod(home), f"{home.name}-new", 1)
        replicas = Replicas(home.name, wanted, make, home, _members(pods), is_new=is_new)
        noted = replica_set.metadata.annotations
        return Revision(
            replicas,
            created=replica_set.metadata.creation_timestamp or "",
            number=_number(noted.revision if noted else None) or 0,
            desired=_number(noted.desired_replicas if noted else None),
            most=_number(noted.max_replicas if noted else None),
        )

    def _implied_revisions(
        self, deployment: Deployment, before: KubernetesObject | None, key: Key, made: Pod
    ) -> Iterator[Revision]:
        """Replica sets of which only the pods were read; one is the newest if its pods look as they would now."""
        sets = {owner: pods for owner, pods in self._known.pods_by_owner.items() if owner not in self._known.objects}
        found = {owner: pods for owner, pods in sets.items() if self._implied(owner, pods[0]) == key}
        newest = max(found, key=lambda owner: found[owner][0].metadata.creation_timestamp or "", default=None)
        is_changed = before is None or (
            isinstance(before, Deployment) and not same_template(before.spec.template, deployment.spec.template)
        )
        stored = self._builder.admitted(made, deployment).pod if found and is_changed else None
        for owner, pods in found.items():
            is_new = owner == newest if stored is None else is_made_of(pods[0], stored)
            replicas = Replicas(owner[2], len(pods), _copies(pods[0]), pods[0], _members(pods), is_new=is_new)
            yield Revision(replicas, created=pods[0].metadata.creation_timestamp or "")

    def _stateful_set(self, obj: StatefulSet, before: KubernetesObject | None, key: Key) -> Controller:
        pods = [pod for pod in self._known.pods_by_owner.get(key, ()) if ordinal_of(pod.name) is not None]
        make_new = stateful_pods(obj)
        make_old = stateful_pods(before.in_namespace(self._namespace)) if isinstance(before, StatefulSet) else make_new
        is_updated = self._is_updated(obj, before, pods)
        members = [_member(pod, is_new=is_updated(pod), slot=str(ordinal_of(pod.name))) for pod in pods]
        controller = StatefulSetController(
            obj,
            self._wanted(obj, wanted_now(obj), len(pods)),
            lambda ordinal, is_new: (make_new if is_new else make_old)(ordinal),
            Pods(members, stuck=self._stuck(key)),
            has_older=_has_older(obj, before),
        )
        self._watch(controller, key, controller.pods, is_updated)
        return controller

    def _stuck(self, key: Key) -> list[Member]:
        """The pods of a set that are being deleted where nobody stops them."""
        leaving = self._known.leaving_by_owner.get(key, ())
        lost_nodes = {node.name for node in self._plane.nodes if lost(node)} if leaving else set()
        stuck = (pod for pod in leaving if pod.spec.node_name in lost_nodes)
        return [Member(pod, slot=str(ordinal_of(pod.name))) for pod in stuck]

    def _daemon_set(self, obj: DaemonSet, before: KubernetesObject | None, key: Key) -> Controller:
        is_updated = self._is_updated(obj, before, self._known.pods_by_owner.get(key, ()))
        own = self._known.pods_by_owner.get(key, ())
        members = [_member(pod, is_new=is_updated(pod), slot=pinned_node(pod)) for pod in own]
        controller = DaemonSetController(obj, DaemonNodes(self._first_pod(obj), self._plane.nodes), Pods(members))
        self._watch(controller, key, controller.pods, is_updated)
        return controller

    def _is_updated(
        self, obj: StatefulSet | DaemonSet, before: KubernetesObject | None, pods: Sequence[Pod]
    ) -> Callable[[Pod], bool]:
        """Whether a pod is of the newest template: by the revision that its controller noted, else by its looks.

        What goes back to an earlier template finds its pods, if some are left.
        """
        if isinstance(before, StatefulSet | DaemonSet) and same_template(before.spec.template, obj.spec.template):
            return _is_newest_of(before)
        is_old = _is_newest_of(before) if isinstance(before, StatefulSet | DaemonSet) else _never
        others = [pod for pod in pods if not is_old(pod)]
        stored = self._builder.admitted(self._first_pod(obj), obj).pod if others else Pod()
        alike = {pod.uid for pod in others if is_made_of(_bare(pod), _bare(stored))}
        return lambda pod: pod.uid in alike


# ------------------------------------------------------------------------------------------------------- pods


def _member(pod: Pod, *, is_new: bool = True, slot: str = "") -> Member:
    node = pod.spec.node_name or ""
    says = any(each.type == "Ready" for each in pod.status.conditions or ())
    return Member(pod, is_new, node, bool(node) and (pod.is_ready or not says), slot)


def _members(pods: Iterable[Pod]) -> Pods:
    return Pods([_member(pod) for pod in pods])


def _numbered(first: Pod, stem: str, start: int = 0) -> Callable[[int], Pod]:
    """Pods like the first one, numbered from some number on."""
    return lambda number: replace(first, metadata=replace(first.metadata, name=f"{stem}-{start + number}"))


def _copies(pod: Pod) -> Callable[[int], Pod]:
    """Pods like one that is there."""
    made = anew(pod)
    stem = made.metadata.generate_name or f"{made.name}-"
    bare = replace(made.metadata, uid=None)
    return lambda number: replace(made, metadata=replace(bare, name=f"{stem}new-{number + 1}"))


def _is_newest_of(before: StatefulSet | DaemonSet) -> Callable[[Pod], bool]:
    """Whether a pod is of the newest template of what is there; of all pods it is thought where nothing is noted."""
    if isinstance(before, StatefulSet):
        newest = before.status.update_revision
        return lambda pod: newest in (None, pod.labels.get(CONTROLLER_REVISION_HASH))
    noted = before.metadata.annotations
    generation = noted.template_generation if noted else None
    return lambda pod: generation in (None, pod.labels.get(POD_TEMPLATE_GENERATION))


def _has_older(stateful_set: StatefulSet, before: KubernetesObject | None) -> bool:
    """Whether its pods may be of a template before this one: those of a new one, or of one that is done, are not."""
    if not isinstance(before, StatefulSet):
        return False
    status = before.status
    is_updating = status.current_revision != status.update_revision
    return is_updating or not same_template(before.spec.template, stateful_set.spec.template)


def _always(_: Pod) -> bool:
    return True


def _never(_: Pod) -> bool:
    return False


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdecimal() else None


def _bare(pod: Pod) -> Pod:
    """The pod without what differs from node to node, or from number to number."""
    return replace(pod, spec=replace(pod.spec, affinity=None, tolerations=None, volumes=None))
