"""What is wrong with queues of Kueue themselves, and who stands in the way in them.

Source: Kueue `pkg/cache/scheduler/clusterqueue.go` (`inactiveReason`), `pkg/cache/queue` (StrictFIFO).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from kexplain.admission.limit_range import container_defaults
from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.records import Kind, QuotaUse
from kexplain.explain.wording import amount
from kexplain.objects.batch import Job
from kexplain.objects.core import LimitRange, Namespace
from kexplain.objects.quantity import QuantityError, parse
from kexplain.objects.queues import ClusterQueue, LocalQueue, ResourceFlavor, Workload
from kexplain.objects.requests import CPU
from kexplain.objects.selectors import PREFER_NO_SCHEDULE
from kexplain.objects.untrusted import WrittenCondition, at, conditions, entries, text, texts
from kexplain.patterns import regex
from kexplain.words import ask, joined, near, verb

STRICT = "StrictFIFO"
QUEUE_NAME = "kueue.x-k8s.io/queue-name"
_UNCOVERED = regex(r"resource (\S+) unavailable in ClusterQueue")
#: What quantities, which are read in nanos, are counted in.
NANO, MILLI = 1_000_000_000, 1_000_000


class InTheWay(Struct, frozen=True):
    """What is in the way of a workload, the queue that it is about, and what would mend that."""

    kind: Kind
    said: Statement
    queue: str = ""
    fix: str = ""


def cluster_queue_name(local: LocalQueue | None) -> str:
    """The ClusterQueue behind a LocalQueue."""
    return text(local.spec, "clusterQueue") if local is not None else ""


def unusable(workload: Workload, local: LocalQueue | None, listers: Listers) -> InTheWay | None:
    """What keeps the queue from looking at the workload at all; None if nothing does."""
    if workload.spec.active is False:
        said = told("workload-deactivated", workload=workload.name)
        return InTheWay(Kind.QUEUE_STOPPED, said, fix=f"set spec.active of Workload {workload.name} to true")
    if not text(workload.spec.queue_name) and listers.every(LocalQueue):
        return unqueued(_owner(workload), workload.namespace, listers)
    name = cluster_queue_name(local)
    queue = listers.get(ClusterQueue, name)
    if local is not None and queue is None and name and listers.every(ClusterQueue):
        known = ask(*near(name, [each.name for each in listers.every(ClusterQueue)]))
        missing = told("no-cluster-queue", queue=name, local_queue=local.name, more=(known,))
        fix = f"create ClusterQueue {name}, or correct spec.clusterQueue of LocalQueue {local.key}"
        return InTheWay(Kind.QUEUE_MISCONFIGURED, missing, name, fix)
    # What is behind comes first: a LocalQueue only repeats it.
    found = (each for obj in (queue, local) if obj is not None for each in _of_queue(obj, listers))
    first = next(found, None)
    if first or queue is None:
        return first
    return _unselected(workload.namespace, queue, listers) or _uncovered(workload, queue, listers)


def unqueued(owner: str, namespace: str, listers: Listers) -> InTheWay:
    """That work of this owner names no queue, and what mends that: who made a Job makes the next one as it was."""
    own = next((each.name for each in listers.every(LocalQueue) if each.namespace == namespace), "")
    job = listers.get(Job, owner.rpartition("/")[2], namespace) if owner.startswith("Job ") else None
    above = job.metadata.controller if job else None
    made = f"the template of {above.kind} {above.name}, and for now {owner}," if above else owner
    label = f"{QUEUE_NAME}={own}" if own else f"{QUEUE_NAME} and the name of a LocalQueue, which the namespace lacks"
    fix = f"label {made} with {label}"
    return InTheWay(Kind.QUEUE_MISCONFIGURED, told("job-without-queue", QUEUE_NAME), own, fix)


def _uncovered(workload: Workload, queue: ClusterQueue, listers: Listers) -> InTheWay | None:
    """The resources that no flavor of the queue is for, as Kueue says, so that it never lets the pods in."""
    said = conditions(workload.status, "conditions").get("QuotaReserved", WrittenCondition()).message
    names = list(dict.fromkeys(_UNCOVERED.findall(said)))
    if not names:
        return None
    what = f"ClusterQueue {queue.name}"
    fix = f"add {joined(names)} to what {what} covers, with a quota"
    ranges = [each for each in listers.every(LimitRange) if each.namespace == workload.namespace]
    if giving := [each.name for each in ranges if {*names} & {*(container_defaults(each).requests or ())}]:
        fix += f", or take it out of LimitRange {giving[0]}, which gives it to containers that ask for none"
    return InTheWay(Kind.QUEUE_MISCONFIGURED, told("not-covered", names, what), queue.name, fix)


def _unselected(namespace: str, queue: ClusterQueue, listers: Listers) -> InTheWay | None:
    """The labels that a queue asks of namespaces, and this one lacks; None where it has them, or was not read."""
    read, path = listers.get(Namespace, namespace), ("namespaceSelector", "matchLabels")
    labels = texts(queue.spec, *path).items() - (read.labels if read else {}).items()
    if read is None or not labels:
        return None
    lacks = joined(sorted(f"{key}={value}" for key, value in labels))
    said = told("namespace-not-selected", queue=f"ClusterQueue {queue.name}", labels=lacks, namespace=namespace)
    fix = f"label namespace {namespace} with {lacks}, or widen namespaceSelector of ClusterQueue {queue.name}"
    return InTheWay(Kind.QUEUE_MISCONFIGURED, said, queue.name, fix)


def _of_queue(queue: ClusterQueue | LocalQueue, listers: Listers) -> Iterator[InTheWay]:
    what = f"{queue.kind} {queue.name}"
    policy = text(queue.spec, "stopPolicy")
    if policy not in ("", "None"):
        fix = f"set stopPolicy of {what} to None"
        yield InTheWay(Kind.QUEUE_STOPPED, told("queue-policy", queue=what, policy=policy), queue.name, fix)
    if missing := _missing_flavors(queue, listers):
        flavors = [each.name for each in listers.every(ResourceFlavor)]
        meant = ask(*dict.fromkeys(each for name in missing for each in near(name, flavors)))
        names = _in_words(missing)
        gone = told("flavors-missing", queue=what, flavors=names, does=verb(len(missing), "does"), more=(meant,))
        fix = f"create {names}, or correct the names of the flavors in {what}"
        yield InTheWay(Kind.QUEUE_MISCONFIGURED, gone, queue.name, fix)
    active = conditions(queue.status, "conditions").get("Active", WrittenCondition())
    if active.status == "False":
        why = f": {active.message}" if active.message else ""
        yield InTheWay(Kind.QUEUE_STOPPED, told("queue-inactive", queue=what, why=why), queue.name)


def _missing_flavors(queue: ClusterQueue | LocalQueue, listers: Listers) -> list[str]:
    """The flavors that a queue refers to and that do not exist; none where no flavors were read."""
    known = {each.name for each in listers.every(ResourceFlavor)}
    return [name for name in _flavors(queue) if name not in known] if known else []


def _flavors(queue: ClusterQueue | LocalQueue) -> dict[str, None]:
    groups = entries(queue.spec, "resourceGroups")
    return dict.fromkeys(text(each, "name") for group in groups for each in entries(group, "flavors"))


def blocked_by(head: Workload, queue: ClusterQueue, own: ClusterQueue) -> InTheWay:
    """The workload at the head of a queue that lets nobody pass, nor lends a workload's own queue what it has left."""
    condition = conditions(head.status, "conditions").get("QuotaReserved", WrittenCondition())
    why = f" ({condition.message})" if condition.message else ""
    owner = next((f"{each.kind} {each.name}" for each in head.metadata.owner_references or ()), f"Workload {head.name}")
    about = {"owner": owner, "strategy": STRICT, "queue": queue.name, "why": why}
    said = told("head-of-queue", **about) if queue is own else told("head-of-lender", **about, own=own.name)
    less = f"let {owner} ask for less or take it out of ClusterQueue {queue.name}"
    fix = f"{less}, or set queueingStrategy BestEffortFIFO"
    return InTheWay(Kind.QUEUE_WAITING, said, queue.name, fix)


def holders(queue: ClusterQueue, used_up: QuotaUse, listers: Listers) -> list[str]:
    """Who holds what is used up of a queue, with how much, those first that hold most."""
    held = Counter[str]()
    for each in listers.every(Workload):
        finished = conditions(each.status, "conditions").get("Finished", WrittenCondition()).status == "True"
        if text(each.status, "admission", "clusterQueue") == queue.name and not finished:
            held[_owner(each)] += sum(_held(each, used_up))
    resource = used_up.resource
    return [f"{who} ({amount(resource, count)} {resource})" for who, count in held.most_common() if count]


def _held(workload: Workload, used_up: QuotaUse) -> Iterator[int]:
    unit = MILLI if used_up.resource == CPU else NANO
    for each in entries(workload.status, "admission", "podSetAssignments"):
        usage = text(each, "resourceUsage", used_up.resource)
        if usage and text(each, "flavors", used_up.resource) == used_up.flavor:
            with suppress(QuantityError):
                yield parse(usage) // unit


def _owner(workload: Workload) -> str:
    """`Job ml/train`; the Workload itself where nothing owns it."""
    owners = workload.metadata.owner_references or ()
    kind, name = next(((each.kind, each.name) for each in owners), ("Workload", workload.name))
    return f"{kind} {workload.namespace}/{name}"


def unsuited(workload: Workload, queue: ClusterQueue, listers: Listers) -> InTheWay | None:
    """The flavors whose taints the pods of a workload do not tolerate; None where none is known to be kept so."""
    sets = [at(each, "template", "spec") for each in entries(workload.spec.pod_sets)]
    tolerated = {text(each, "key") for spec in sets for each in entries(spec, "tolerations")}
    flavors = (listers.get(ResourceFlavor, name) for name in _flavors(queue))
    kept = {
        flavor.name: f"{text(taint, 'key')}={text(taint, 'value')}:{text(taint, 'effect')}".replace("=:", ":")
        for flavor in flavors
        if flavor is not None and "" not in tolerated
        for taint in entries(flavor.spec, "nodeTaints")
        if text(taint, "key") not in tolerated and text(taint, "effect") != PREFER_NO_SCHEDULE
    }
    if not kept:
        return None
    tainted = joined([f"flavor {name} has the taint {taint}" for name, taint in kept.items()])
    taints = joined(list(dict.fromkeys(kept.values())))
    fix = f"tolerate {taints} in the pods, or add that to spec.tolerations of {_in_words(list(kept))}"
    return InTheWay(Kind.QUEUE_NO_MATCHING_FLAVOR, told("flavors-tainted", tainted=tainted), queue.name, fix)


def _in_words(flavors: list[str]) -> str:
    return f"{'ResourceFlavor' if len(flavors) == 1 else 'ResourceFlavors'} {joined(flavors)}"
