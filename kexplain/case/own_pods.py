"""The pods that a workload has in the cluster, and what its controllers say of those that are missing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.admission.workloads import template_of
from kexplain.case.records import ControllerMessage, OwnPods, is_held
from kexplain.cluster import Cluster, Listers
from kexplain.cluster.placed_pods import maker
from kexplain.grouping import grouped
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet, is_recreated
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod, ReplicationController
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.events import FAILED_KILL, REPLICA_SET_FAILED, Event, said_of
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_service import lost
from kexplain.objects.well_known import POD_TEMPLATE_HASH, ROLLOUTS_POD_TEMPLATE_HASH
from kexplain.patterns import regex

#: A controller by its kind, namespace and name.
Key = tuple[str, str, str]

#: The kinds that make pods, or what does.
CONTROLLERS = (Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController, Job, CronJob)
_KINDS = {kind.__name__: kind for kind in CONTROLLERS}
_MAKER_BY_LABEL = {POD_TEMPLATE_HASH: "Deployment", ROLLOUTS_POD_TEMPLATE_HASH: "Rollout"}
#: A cron job names its jobs after the minute at which each is due, counted from 1970.
_JOB_OF_CRON_JOB = regex(r"(?P<cron_job>.+)-\d{8}")
#: What events begin with and conditions do not; the first where one event stands for several.
_PREFIXES = ("(combined from similar events): ", "Error creating: ")


class OwnerChains:
    """The pods that have not finished, by all controllers above each; those that are being deleted stand apart.

    Where a ReplicaSet or Job was not read, its owner follows from its name, as controllers make it.
    """

    def __init__(self, objects: Iterable[KubernetesObject], namespace: str) -> None:
        self._namespace = namespace
        known = (obj for obj in objects if isinstance(obj, (Pod, *CONTROLLERS)))
        self._objects = {(obj.kind, obj.namespace or namespace, obj.name): obj for obj in known}
        self._pods_by_owner: dict[Key, list[Pod]] = {}
        self._leaving_by_owner: dict[Key, list[Pod]] = {}
        self._made: dict[Key | None, list[KubernetesObject]] = {}
        roles = _roles_by_resource(objects, namespace)
        self._names = [*self._objects, *(key_of(each, namespace) for found in roles.values() for each in found)]
        for obj in self._objects.values():
            if not isinstance(obj, Pod):
                self._made.setdefault(owner_of(obj, self._namespace), []).append(obj)
            elif not obj.is_terminated or obj.is_held_by_finalizer:
                by_owner = self._leaving_by_owner if obj.metadata.deletion_timestamp else self._pods_by_owner
                for key in above(obj, namespace, self._objects.get):
                    by_owner.setdefault(key, []).append(obj)
                    if (role := role_of(obj, roles.get(key, ()))) and role.role:
                        by_owner.setdefault(key_of(role, namespace), []).append(obj)

    def names(self, kind: str) -> Iterator[tuple[str, str]]:
        """Namespace and name of all controllers of a kind, also of those that only their pods speak of."""
        for each, namespace, name in dict.fromkeys((*self._names, *self._pods_by_owner)):
            if each == kind:
                yield namespace, name

    def own_pods(self, kind: str, namespace: str, name: str) -> OwnPods:
        """The pods of a controller, how many it wants, and how many of them are missing."""
        key = (kind, namespace, name)
        obj = self._objects.get(key)
        older, newest = _by_revision(obj, self._made.get(key, ()))
        outdated = [key_of(each, self._namespace) for each in older]
        pods = sorted(self._pods_by_owner.get(key, ()), key=lambda each: owner_of(each, self._namespace) in outdated)
        # What earlier templates lack is not needed any more where the newest one has its pods, which replace theirs.
        idle = [] if any(map(self._lack, newest)) else [*filter(self._lack, older)]
        # Those that want more pods come last, as it is the next pod of the last one that is asked about.
        made = [*sorted(older, key=self._lack), *sorted(newest, key=self._lack)]
        controllers = [each for each in (obj, *made) if each is not None and each not in idle]
        makers = [each for each in controllers if not isinstance(each, Deployment | CronJob | Pod)]
        wanted = sum(map(wanted_now, makers)) if obj is None or isinstance(obj, CronJob) else wanted_now(obj)
        needed = wanted - sum(map(self._lack, idle)) - len(pods)
        return OwnPods(
            kind=kind,
            namespace=namespace,
            name=name,
            pods=tuple(pods),
            wanted=wanted if makers or obj else None,
            missing=max(needed, sum(map(self._lack, makers))),
            controllers=tuple(each for each in controllers if not isinstance(each, Pod)),
            leaving=tuple(self._leaving_by_owner.get(key, ())),
        )

    def short(self) -> Iterator[Key]:
        """The workloads that want more pods than they have, each by its topmost controller."""
        short = (obj for obj in self._objects.values() if not isinstance(obj, Pod | CronJob) and self._is_short(obj))
        yield from dict.fromkeys(owner_of(obj, self._namespace) or key_of(obj, self._namespace) for obj in short)

    def _is_short(self, controller: KubernetesObject) -> bool:
        if isinstance(controller, Deployment):
            # Its replica sets are what wants pods; a paused one makes no first one.
            idle = is_held(controller) or key_of(controller, self._namespace) not in self._made
            return idle and controller.spec.replicas != 0 and not self._count(controller)
        return self._lack(controller) > 0

    def _lack(self, controller: KubernetesObject) -> int:
        return max(wanted_now(controller) - self._count(controller), 0)

    def _count(self, controller: KubernetesObject) -> int:
        return len(self._pods_by_owner.get(key_of(controller, self._namespace), ()))


def _by_revision(
    obj: KubernetesObject | None, made: Sequence[KubernetesObject]
) -> tuple[Sequence[KubernetesObject], Sequence[KubernetesObject]]:
    """The replica sets that a rolling update replaces, where one of the newest template has begun, and all others."""
    alive = [each for each in made if isinstance(each, ReplicaSet) and each.spec.replicas != 0]
    if len(alive) < 2 or not isinstance(obj, Deployment) or is_held(obj):
        return (), made
    from kexplain.admission.revisions import same_template  # noqa: PLC0415 (few deployments are updated)

    older = [each for each in alive if not same_template(each.spec.template, obj.spec.template)]
    return (older, [each for each in made if each not in older]) if len(older) < len(alive) else ((), made)


def above(pod: Pod, namespace: str, find: Callable[[Key], KubernetesObject | None]) -> Iterator[Key]:
    """The controllers above a pod, the next one first; `find` gives those that were read."""
    key, seen = owner_of(pod, namespace), set[Key]()
    # Nothing keeps owners from naming each other in a circle.
    while key is not None and key not in seen:
        yield key
        seen.add(key)
        owner = find(key)
        key = owner_of(owner, namespace) if owner is not None else implied_owner(key, pod)


def _roles_by_resource(objects: Iterable[KubernetesObject], namespace: str) -> dict[Key, list[CustomWorkload]]:
    """What custom resources stand for, by how pods name them as their owners."""
    workloads = Objects.these(objects).of(CustomWorkload)
    return grouped(((each.kind, each.namespace or namespace, each.metadata.name or ""), each) for each in workloads)


def role_of(pod: Pod, roles: Sequence[CustomWorkload]) -> CustomWorkload | None:
    """Which of the workloads of a custom resource a pod is of: its labels say so, or its name."""

    def is_labelled(role: CustomWorkload) -> bool:
        template = role.spec.template
        return template is not None and (template.metadata.labels or {}).items() <= pod.labels.items()

    def likeness(role: CustomWorkload) -> tuple[bool, int]:
        labels = role.spec.template.metadata.labels if role.spec.template else None
        return f"-{role.role.lower()}-" in f"{pod.name}-", len(labels or ())

    return max(filter(is_labelled, roles), key=likeness, default=None)


def read_controller(listers: Listers, key: Key) -> KubernetesObject | None:
    """The controller, if it is of a kind that makes pods and was read."""
    kind, namespace, name = key
    return listers.get(_KINDS[kind], name, namespace) if kind in _KINDS else None


def key_of(obj: KubernetesObject, namespace: str) -> Key:
    """What an object is known by; one that names no namespace is in this one."""
    return obj.kind, (obj.namespace or namespace) if obj.is_namespaced else "", obj.name


def owner_of(obj: KubernetesObject, namespace: str) -> Key | None:
    """What its controller is known by; None if it has none."""
    owner = obj.metadata.controller
    return (owner.kind or "", obj.namespace or namespace, owner.name or "") if owner else None


def owners_of(obj: KubernetesObject, namespace: str) -> Iterator[Key]:
    """What all that own it are known by."""
    for owner in obj.metadata.owner_references or ():
        yield owner.kind or "", obj.namespace or namespace, owner.name or ""


def read_maker(obj: KubernetesObject | None, listers: Listers) -> KubernetesObject | None:
    """The controller of an object, as far as it was read."""
    key = owner_of(obj, obj.namespace) if obj is not None else None
    return read_controller(listers, key) if key else None


def updating(manifest: KubernetesObject | None, pod: Pod, cluster: Cluster) -> KubernetesObject | None:
    """The manifest that a new pod was made of, if it is of a workload whose pods are there; None otherwise."""
    if manifest is None or manifest.is_stored or template_of(manifest) is None:
        return None
    known, own = cluster.listers.get(type(manifest), manifest.name, pod.namespace), maker(pod)
    is_there = known is not None and known.is_stored and own is not None and cluster.placed_pods.made_by(own)
    return manifest.in_namespace(pod.namespace) if is_there else None


def maker_kind(obj: KubernetesObject) -> str:
    """The kind of its controller; empty if it has none."""
    owner = obj.metadata.controller
    return (owner.kind or "") if owner else ""


def ordinal_of(name: str) -> int | None:
    """The number at the end of a name, as a stateful set gives it; None if there is none."""
    number = name.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdecimal() else None


def implied_owner(key: Key, pod: Pod) -> Key | None:
    """What made a controller that was not read, as its name says; None if it says nothing."""
    kind, namespace, name = key
    for label, kind_above in _MAKER_BY_LABEL.items() if kind == "ReplicaSet" else ():
        template_hash = pod.labels.get(label)
        if template_hash and name.endswith(f"-{template_hash}"):
            return kind_above, namespace, name.removesuffix(f"-{template_hash}")
    match = _JOB_OF_CRON_JOB.fullmatch(name) if kind == "Job" else None
    return ("CronJob", namespace, match["cron_job"]) if match else None


def wanted_now(obj: KubernetesObject) -> int:
    """How many pods a controller wants at this moment."""
    match obj:
        case DaemonSet():
            return obj.status.desired_number_scheduled or 0
        case Job():
            return 0 if obj.status.condition("Suspended") else wanted_of_job(obj)
        case _:
            return declared_replicas(obj) or 0


def is_read_whole(obj: KubernetesObject, pods: int) -> bool:
    """Whether so many pods are all that a controller says it has; False where it says nothing."""
    match obj:
        case DaemonSet():
            there = obj.status.current_number_scheduled
        case Job():
            there = obj.status.active or 0
        case ReplicaSet() | ReplicationController() | StatefulSet():
            there = obj.status.replicas
        case _:
            return False
    return there is not None and there <= pods


def has_ended(job: Job) -> bool:
    """Whether it is over, one way or the other."""
    return bool(job.status.condition("Complete", "Failed"))


def wanted_of_job(job: Job) -> int:
    """How many pods a job has running now: none once it has ended; where any success ends it, no new ones after that.

    Source: kube-controller-manager `job.manageJob`, release 1.36.
    """
    succeeded = job.status.succeeded or 0
    if job.spec.suspend or has_ended(job):
        return 0
    declared = declared_replicas(job) or 0
    if job.spec.completions is None:
        return 0 if succeeded else declared
    return max(min(declared, job.spec.completions - succeeded), 0)


def waits_for_leaving(own: OwnPods) -> bool:
    """Whether its controller makes no pod in place of one that is being deleted; a replica set makes it at once."""
    if own.kind not in ("Deployment", "ReplicaSet", "ReplicationController"):
        return True
    return any(isinstance(each, Deployment) and is_recreated(each) for each in own.controllers)


def with_stuck(own: OwnPods, nodes: Mapping[str, Node]) -> OwnPods:
    """The same with the first of its leaving pods that stays, if others wait for it.

    Nobody stops it, as its node is lost, or it has ended, and somebody else is to let go of it.
    """
    for pod in own.leaving if waits_for_leaving(own) else ():
        # Of a node that is gone, the garbage collector takes the pods.
        node = nodes.get(pod.spec.node_name or "")
        if node is not None and (trouble := lost(node)):
            return replace(own, stuck=(pod,), stuck_as=trouble)
        said = [event.text for event in said_of(pod, own.events) if event.reason == FAILED_KILL]
        if pod.is_held_by_finalizer or said:
            return replace(own, stuck=(pod,), stuck_said=said[-1] if said else "")
    return own


# ------------------------------------------------------------------------------------------------- complaints


def with_complaints(own: OwnPods, events: Iterable[Event]) -> OwnPods:
    """The same with what its controllers say of pods that they cannot create: each the newest event or condition.

    Events stay for an hour, so that they count only while pods are missing, and not while the next pod is not due.
    """
    said = list(events)
    own = replace(own, events=tuple(_about_its_pods(own, said)))
    if waits := dict(_ordered(own)) if own.missing else {}:
        return replace(own, complaints=tuple(waits.values()), waits_for=next(iter(waits)))
    failures = [event for event in said if event.is_failed_create] if own.missing else []
    complaints = [(each, _complaint(each, failures) or _condition(each, own)) for each in own.controllers]
    # A Deployment only repeats what its ReplicaSets say.
    found = [complaint for each, complaint in complaints if complaint and not isinstance(each, Deployment)]
    return replace(own, complaints=tuple(found or [complaint for _, complaint in complaints if complaint]))


def _about_its_pods(own: OwnPods, events: Iterable[Event]) -> Iterator[Event]:
    """What is said of its pods that do not serve."""
    unready = {pod.name: pod for pod in own.pods if not pod.is_ready} | {pod.name: pod for pod in own.leaving}
    for event in events if unready else ():
        pod = unready.get(event.subject.name or "")
        if pod is not None and said_of(pod, (event,)):
            yield event


def _complaint(controller: KubernetesObject, failures: Sequence[Event]) -> ControllerMessage | None:
    about = [event for event in failures if event.subject.kind == controller.kind and event.is_about(controller)]
    if not about:
        return None
    newest = max(about, key=lambda event: event.last_seen)
    times = sum(event.times for event in about)
    text = newest.text
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    return ControllerMessage(_named(controller), text, times, newest.last_seen)


def _condition(controller: KubernetesObject, own: OwnPods) -> ControllerMessage | None:
    """What its status says; that pods were refused also remains of an earlier template, when no pod is missing."""
    if not isinstance(controller, Deployment | ReplicaSet | ReplicationController):
        return None
    failed = (each for each in controller.status.conditions or () if each.reason == REPLICA_SET_FAILED)
    refused = controller.status.condition("ReplicaFailure") if own.missing else None
    condition = refused or next(failed, None)
    return ControllerMessage(_named(controller), condition.message or condition.reason or "") if condition else None


def _ordered(own: OwnPods) -> Iterator[tuple[str, ControllerMessage]]:
    """That a StatefulSet makes its pods one after the other, if it waits for one, by the pod that it waits for."""
    for each in own.controllers:
        if isinstance(each, StatefulSet) and each.spec.pod_management_policy != "Parallel":
            unready = sorted((pod.name for pod in own.pods if not pod.is_ready), key=lambda name: ordinal_of(name) or 0)
            there = {ordinal_of(pod.name) for pod in (*own.pods, *own.leaving)}
            if unready and there.issuperset(range(each.start, ordinal_of(unready[0]) or 0)):
                rule = "each pod is created only when those before it are (podManagementPolicy OrderedReady)"
                yield unready[0], ControllerMessage(_named(each), f"{unready[0]} is not ready, and {rule}")


def _named(controller: KubernetesObject) -> str:
    return f"{controller.kind} {controller.name}"
