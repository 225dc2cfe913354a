"""Work that a queue has not let start, so that there are no pods of it yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from kexplain.admission import declared_replicas
from kexplain.case.own_pods import owner_of, owners_of, read_controller
from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.never_created import is_refusal
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.batch import Job
from kexplain.objects.core import Namespace
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.queues import PodGroup, QueueObject, Workload
from kexplain.queues.groups import hold_of_group
from kexplain.queues.kueue import KUEUE, Workloads, held_workload, no_local_queue
from kexplain.queues.kueue_queues import QUEUE_NAME, unqueued
from kexplain.shell import command
from kexplain.words import joined

#: What is in the keys of labels by which namespaces are Kueue's.
_MANAGED = "kueue"
_NOT_READ = "WorkloadsNotRead"
#: A controller by its kind, namespace and name.
Key = tuple[str, str, str]


class WaitingWork(Struct, frozen=True):
    """What a queue holds back, by what it is for, and why."""

    key: Key
    hold: Held


def waiting_work(listers: Listers) -> Iterator[WaitingWork]:
    """All of it, each once: groups of pods that exist stand for themselves."""
    workloads = Workloads(listers)
    known = set[Key]()
    for workload in listers.every(Workload):
        key = key_of(workload)
        known.add(key)
        hold = held_workload(workload, workloads) if key[0] != "Pod" else None
        if hold is not None:
            yield WaitingWork(key, hold)
    for group in listers.every(PodGroup):
        hold = hold_of_group(group, listers)
        if hold is not None:
            yield WaitingWork(key_of(group), hold)
    yield from _of_others(listers)
    for job in listers.every(Job):
        key = ("Job", job.namespace, job.name)
        # What made it may be that which Kueue has a Workload for.
        if not job.spec.suspend or not known.isdisjoint((key, *owners_of(job, ""))):
            continue
        if hold := _unread(job, listers) or _without_workload(job, listers):
            yield WaitingWork(key, hold)


def _of_others(listers: Listers) -> Iterator[WaitingWork]:
    for other in (each for each in listers.every(OtherResource) if each.metadata.namespace):
        if found := _kept(other, listers) or _waiting(other):
            yield WaitingWork((other.kind, other.namespace, other.name), found)
        elif found := _unscaled(other, listers):
            yield WaitingWork(other.target, found)


def not_followed(changed: Iterable[KubernetesObject | None], listers: Listers) -> Iterator[str]:
    """What queues would make of changes: what they let start, which jobs they stop again; `listers` are as before."""
    held = {each.key: each.hold.hold.by for each in waiting_work(listers)}
    jobs = [f"{namespace}/{name}" for kind, namespace, name in held if kind == Job.__name__]
    for obj in changed:
        if isinstance(obj, QueueObject):
            yield str(told("queue-not-followed", obj.kind, obj.name, Few.of(jobs)))
        elif isinstance(obj, Job) and not obj.spec.suspend and (by := held.get(("Job", obj.namespace, obj.name))):
            yield str(told("job-stopped-again", obj.name, by))


def key_of(obj: QueueObject) -> Key:
    """What the object is for: its controller, or itself."""
    return owner_of(obj, "") or next(owners_of(obj, ""), (obj.kind, obj.namespace, obj.name))


def _kept(other: OtherResource, listers: Listers) -> Held | None:
    """That it is to go, and stays until somebody lets go of it."""
    if not other.finalizers:
        return None
    patch = ("-p", '{"metadata":{"finalizers":null}}', "--type", "merge")
    resource = f"{other.kind.lower()}s.{(other.api_version or '').partition('/')[0]}"
    line = command("kubectl patch", resource, other.name, namespace=other.namespace, flags=patch)
    since, kept = other.metadata.deletion_timestamp, joined(other.finalizers)
    there = listers.get(Namespace, other.namespace)
    with_it = other.namespace if there and there.metadata.deletion_timestamp else ""
    said = told("kept-by-finalizer", with_it, since, kept, other.said)
    fix = f"remove finalizer {kept} from {other.kind} {other.name}, once what it stands for is done, if by hand"
    about = {"object": other.key, "message": other.said, "fix": fix, "command": line}
    return held_by("its finalizer", Kind.STUCK_TERMINATING, said, **about)


def _waiting(other: OtherResource) -> Held | None:
    """That it says itself what it waits for."""
    said, by = other.complaint, f"{other.kind}'s controller"
    if said is None or not other.is_waiting(said) or is_refusal(said.message):
        return None
    words = told("says-it-waits", said.message)
    return held_by(by, Kind.QUEUE_WAITING, words, object=other.key, reason=said.reason, message=said.message)


def _unscaled(other: OtherResource, listers: Listers) -> Held | None:
    """That it is for a workload which it should scale, is not as it should be, and leaves that without any pod."""
    said, target = other.complaint, read_controller(listers, other.target)
    if said is None or target is None or declared_replicas(target) != 0:
        return None
    by, words = f"{other.kind} {other.name}", told("says-it-waits", said.message)
    fix, about = f"see to what {by} says: {said.message}", {"reason": said.reason, "message": said.message}
    return held_by(by, Kind.QUEUE_MISCONFIGURED, words, object=other.key, fix=fix, **about)


def _unread(job: Job, listers: Listers) -> Held | None:
    """That it waits in a queue of which nothing was read; None if anything was, or it names none."""
    queue = job.labels.get(QUEUE_NAME, "")
    if not queue or any(issubclass(kind, QueueObject) for kind in listers.kinds):
        return None
    shows = command("kubectl get workloads.kueue.x-k8s.io", namespace=job.namespace)
    said = told("workloads-not-read", queue)
    return held_by(KUEUE, Kind.QUEUE_WAITING, said, queue=queue, reason=_NOT_READ, command=shows)


def _without_workload(job: Job, listers: Listers) -> Held | None:
    """Why Kueue has not looked at a suspended job, where others have Workloads; None where it may not be meant to."""
    queue, managed = job.labels.get(QUEUE_NAME, ""), {each.namespace for each in listers.every(Workload)}
    missing = no_local_queue(queue, job.namespace, listers)
    said, fix = _unmanaged(job.namespace, managed, listers) if queue else _unqueued(job, listers)
    if missing or not managed or not said:
        return missing
    kind = Kind.QUEUE_MISCONFIGURED if fix else Kind.QUEUE_NOT_EVALUATED
    return held_by(KUEUE, kind, said, queue=queue, fix=fix and f"{fix}, and make the Job anew if it still is suspended")


def _unqueued(job: Job, listers: Listers) -> tuple[Statement | None, str]:
    """That a job names no queue where there are some, and what mends that; another controller's is in its queue."""
    found = unqueued(f"Job {job.key}", job.namespace, listers)
    return (found.said, found.fix) if found.queue and job.metadata.controller is None else (None, "")


def _unmanaged(name: str, managed: Collection[str], listers: Listers) -> tuple[Statement, str]:
    """The labels that a namespace lacks of all those whose jobs get Workloads; of a single one, those of Kueue."""
    found = {each.name: each.labels.items() for each in listers.every(Namespace)}
    common = [set(found.get(each, ())) - set(found.get(name, ())) for each in managed] if name in found else []
    lacks = set.intersection(*common) if common and name not in managed else set[tuple[str, str]]()
    labels = joined(sorted(f"{key}={value}" for key, value in lacks if _MANAGED in key or len(managed) > 1))
    if not labels:
        return told("no-workload"), ""
    return told("namespace-not-managed", name, labels), f"label namespace {name} with {labels}"
