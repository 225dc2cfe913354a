"""Work that a queue has not let start, so that there are no pods of it yet."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.batch import Job
from kexplain.objects.queues import PodGroup, QueueObject, Workload
from kexplain.queues.groups import hold_of_group
from kexplain.queues.kueue import KUEUE, QUEUE_NAME, Workloads, held_workload, no_local_queue

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
        key = _key(workload)
        known.add(key)
        hold = held_workload(workload, workloads) if key[0] != "Pod" else None
        if hold is not None:
            yield WaitingWork(key, hold)
    for group in listers.every(PodGroup):
        hold = hold_of_group(group, listers)
        if hold is not None:
            yield WaitingWork(_key(group), hold)
    for job in listers.every(Job):
        key = ("Job", job.namespace, job.name)
        name = job.labels.get(QUEUE_NAME, "") if job.spec.suspend and key not in known else ""
        hold = (no_local_queue(name, job.namespace, listers) or _without_workload(name, listers)) if name else None
        if hold is not None:
            yield WaitingWork(key, hold)


def _key(obj: QueueObject) -> Key:
    """What the object is for: its controller, or itself."""
    owner = obj.metadata.controller or next(iter(obj.metadata.owner_references or ()), None)
    return (owner.kind or "", obj.namespace, owner.name or "") if owner else (obj.kind, obj.namespace, obj.name)


def _without_workload(queue: str, listers: Listers) -> Held | None:
    """That Kueue has not looked at a job that names a queue, where others have Workloads."""
    if not listers.every(Workload):
        return None
    return held_by(KUEUE, Kind.QUEUE_NOT_EVALUATED, told("no-workload"), queue=queue)
