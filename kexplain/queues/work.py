"""Work that a queue has not let start, so that there are no pods of it yet."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.batch import Job
from kexplain.objects.core import Namespace
from kexplain.objects.queues import LocalQueue, PodGroup, QueueObject, Workload
from kexplain.queues.groups import hold_of_group
from kexplain.queues.kueue import KUEUE, QUEUE_NAME, Workloads, held_workload, no_local_queue
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
    for job in listers.every(Job):
        key = ("Job", job.namespace, job.name)
        if not job.spec.suspend or key in known:
            continue
        if hold := _unread(job, listers) or _without_workload(job, listers):
            yield WaitingWork(key, hold)


def key_of(obj: QueueObject) -> Key:
    """What the object is for: its controller, or itself."""
    owner = obj.metadata.controller or next(iter(obj.metadata.owner_references or ()), None)
    return (owner.kind or "", obj.namespace, owner.name or "") if owner else (obj.kind, obj.namespace, obj.name)


def _unread(job: Job, listers: Listers) -> Held | None:
    """That it waits in a queue of which nothing was read; None if anything was, or it names none."""
    queue = job.labels.get(QUEUE_NAME, "")
    if not queue or any(issubclass(kind, QueueObject) for kind in listers.kinds):
        return None
    shows, said = (
        command("kubectl get workloads.kueue.x-k8s.io", namespace=job.namespace),
        told("workloads-not-read", queue),
    )
    return held_by(KUEUE, Kind.QUEUE_WAITING, said, queue=queue, reason=_NOT_READ, command=shows)


def _without_workload(job: Job, listers: Listers) -> Held | None:
    """Why Kueue has not looked at a suspended job, where others have Workloads; None where it may not be meant to."""
    queue, namespace, fix = job.labels.get(QUEUE_NAME, ""), job.namespace, ""
    if missing := no_local_queue(queue, namespace, listers):
        return missing
    managed = {each.namespace for each in listers.every(Workload)}
    own = [each.name for each in listers.every(LocalQueue) if each.namespace == namespace]
    if not managed or not (queue or (own and job.metadata.controller is None)):
        return None
    if not queue:
        said, fix = told("job-without-queue", QUEUE_NAME), f"label Job {job.key} with {QUEUE_NAME}={own[0]}"
    elif labels := _labels_lacking(namespace, managed, listers):
        said, fix = told("namespace-not-managed", namespace, labels), f"label namespace {namespace} with {labels}"
    else:
        said = told("no-workload")
    kind = Kind.QUEUE_MISCONFIGURED if fix else Kind.QUEUE_NOT_EVALUATED
    return held_by(KUEUE, kind, said, queue=queue, fix=fix and f"{fix}, and make the Job anew if it still is suspended")


def _labels_lacking(name: str, managed: Collection[str], listers: Listers) -> str:
    """The labels that this namespace lacks of all those whose jobs get Workloads; of a single one, those of Kueue."""
    found = {each.name: each.labels.items() for each in listers.every(Namespace)}
    if name in managed or name not in found:
        return ""
    common = set.intersection(*(set(found.get(each, ())) for each in managed)) - found[name]
    return joined(sorted(f"{key}={value}" for key, value in common if _MANAGED in key or len(managed) > 1))
