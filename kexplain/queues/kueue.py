"""Kueue: from a pod to its Workload, LocalQueue and ClusterQueue, and what they say.

Source: `apis/kueue/v1beta2` (`workload_types.go`, `clusterqueue_types.go`, `localqueue_types.go`), whose `spec.cohort`
is called `cohortName` since v1beta2; `pkg/controller/constants` for labels.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from kexplain.cluster import Listers
from kexplain.diagnosis.records import Hold, Kind, QuotaUse
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.quantity import QuantityError, canonical, parse
from kexplain.objects.queues import ClusterQueue, LocalQueue, Workload
from kexplain.objects.untrusted import WrittenCondition, conditions, entries, number, text
from kexplain.queues.told import told_by
from kexplain.shell import command
from kexplain.words import clauses, plural, verb

KUEUE = "Kueue"
QUEUE_NAME = "kueue.x-k8s.io/queue-name"
POD_GROUP = "kueue.x-k8s.io/pod-group-name"
_GATES = "kueue.x-k8s.io/"
#: Our own word for a queue that is named and does not exist.
NO_LOCAL_QUEUE = "LocalQueueNotFound"

#: What the reasons of condition QuotaReserved mean; those of releases before 0.19 are the last ones.
_KINDS: Mapping[str, Kind] = {
    "NoMatchingFlavor": Kind.QUEUE_NO_MATCHING_FLAVOR,
    "WaitingForQuota": Kind.QUEUE_WAITING_FOR_QUOTA,
    "ExceedsMaxQuota": Kind.QUEUE_EXCEEDS_QUOTA,
    "TopologyPlacementFailed": Kind.QUEUE_TOPOLOGY_FULL,
    "WaitingForPreemptedWorkloads": Kind.QUEUE_WAITING_FOR_PREEMPTED,
    "Misconfigured": Kind.QUEUE_MISCONFIGURED,
    "Suspended": Kind.QUEUE_STOPPED,
    "PendingEvaluation": Kind.QUEUE_NOT_EVALUATED,
    "WaitingForPodsReady": Kind.QUEUE_WAITING_FOR_PODS_READY,
    "Waiting": Kind.QUEUE_WAITING_FOR_PODS_READY,
    "Inadmissible": Kind.QUEUE_MISCONFIGURED,
    "OnHold": Kind.QUEUE_STOPPED,
}
#: The one reason of releases before 0.19, and what tells these apart then: how the message goes on.
_PENDING = "Pending"
_BY_MESSAGE: Mapping[str, Kind] = {
    "insufficient unused quota": Kind.QUEUE_WAITING_FOR_QUOTA,
    "insufficient quota": Kind.QUEUE_EXCEEDS_QUOTA,
    "borrowing limit": Kind.QUEUE_WAITING_FOR_QUOTA,
}
_TEXTS: Mapping[Kind, str] = {
    Kind.QUEUE_NO_MATCHING_FLAVOR: "no flavor of {queue} suits such pods",
    Kind.QUEUE_WAITING_FOR_QUOTA: "the quota of {queue} is in use",
    Kind.QUEUE_EXCEEDS_QUOTA: "it asks for more than {queue} may ever use",
    Kind.QUEUE_TOPOLOGY_FULL: "no part of the topology of {queue} has room for all its pods",
    Kind.QUEUE_WAITING_FOR_PREEMPTED: "{queue} evicts others for it, which are not gone yet",
    Kind.QUEUE_MISCONFIGURED: "{queue} cannot take it",
    Kind.QUEUE_STOPPED: "{queue} is stopped, or the workload is deactivated",
    Kind.QUEUE_NOT_EVALUATED: "{queue} has not looked at it yet",
    Kind.QUEUE_WAITING_FOR_PODS_READY: "{queue} waits until what it admitted before is ready",
    Kind.QUEUE_WAITING: "it waits in {queue}",
}


class Workloads:
    """The Workloads of a cluster, by whom they are for, and in the order in which those without quota are tried."""

    def __init__(self, listers: Listers) -> None:
        self.listers = listers
        self._by_name: dict[tuple[str, str, str], Workload] = {}
        self._waiting: dict[str, list[tuple[int, str, str]]] = {}
        for workload in listers.every(Workload):
            self._by_name["", workload.namespace, workload.name] = workload
            for owner in workload.metadata.owner_references or ():
                self._by_name[owner.kind or "", workload.namespace, owner.name or ""] = workload
            queue = _cluster_queue_name(self.local_queue(workload))
            if queue and workload.spec.active is not False and not _has_quota(workload):
                self._waiting.setdefault(queue, []).append(_order(workload))
        for orders in self._waiting.values():
            orders.sort()

    def local_queue(self, workload: Workload) -> LocalQueue | None:
        """The LocalQueue that the workload is in; None if it was not read."""
        return self.listers.get(LocalQueue, text(workload.spec.queue_name), workload.namespace)

    def of(self, pod: Pod, owner: KubernetesObject | None) -> Workload | None:
        """The Workload that Kueue made for the pod, for its group, or for what owns it."""
        owners = [(each.kind or "", each.name or "") for each in pod.metadata.owner_references or ()]
        if owner is not None:
            owners.append((owner.kind, owner.name))
            owners += ((each.kind or "", each.name or "") for each in owner.metadata.owner_references or ())
        keys = (("", pod.labels.get(POD_GROUP, "")), ("Pod", pod.name), *owners)
        found = (self._by_name.get((kind, pod.namespace, name)) for kind, name in keys if name)
        return next((workload for workload in found if workload is not None), None)

    def ahead(self, workload: Workload, queue: str) -> int:
        """How many wait for the same ClusterQueue and come first: by priority, then by age."""
        return bisect_left(self._waiting.get(queue, ()), _order(workload))


def held_by_kueue(pod: Pod, workloads: Workloads, owner: KubernetesObject | None) -> Hold | None:
    """What keeps Kueue from letting the pod run; None if Kueue has no say in it, or has let it run."""
    workload = workloads.of(pod, owner)
    if workload is not None:
        return _of_workload(workload, pod, workloads)
    name, listers = _queue_name(pod, owner), workloads.listers
    if name and listers.every(LocalQueue) and listers.get(LocalQueue, name, pod.namespace) is None:
        return Hold(
            kind=Kind.QUEUE_MISCONFIGURED,
            by=KUEUE,
            text=f"LocalQueue {name}, which label {QUEUE_NAME} names, does not exist in namespace {pod.namespace}",
            queue=name,
            reason=NO_LOCAL_QUEUE,
            command=command("kubectl get localqueues.kueue.x-k8s.io", namespace=pod.namespace),
        )
    return None


def _queue_name(pod: Pod, owner: KubernetesObject | None) -> str:
    return (owner.labels.get(QUEUE_NAME) if owner is not None else "") or pod.labels.get(QUEUE_NAME, "")


def _of_workload(workload: Workload, pod: Pod, workloads: Workloads) -> Hold | None:
    listers = workloads.listers
    found = conditions(workload.status, "conditions")
    if _is(found, "Finished"):
        return None
    if _is(found, "Admitted"):
        waits = "its Workload is admitted, and Kueue has not removed its gate yet"
        is_gated = any(gate.name.startswith(_GATES) for gate in pod.spec.scheduling_gates or ())
        return told_by(workload, KUEUE, Kind.QUEUE_ADMITTED, waits, found["Admitted"]) if is_gated else None
    reserved = found.get("QuotaReserved", WrittenCondition())
    if reserved.status == "True":
        return _checked(workload, found.get("Admitted", WrittenCondition()), reserved)
    local = workloads.local_queue(workload)
    queue = listers.get(ClusterQueue, _cluster_queue_name(local))
    name = queue.name if queue is not None else text(workload.spec.queue_name)
    where = f"ClusterQueue {name}" if queue is not None else f"LocalQueue {name}" if name else "its queue"
    stopped = _stopped(workload, local, queue)
    kind = Kind.QUEUE_STOPPED if stopped else _kind(reserved)
    quota = tuple(_quota(queue, pod, listers)) if queue is not None else ()
    ahead = workloads.ahead(workload, queue.name) if queue is not None else None
    words = clauses(stopped or _TEXTS[kind].format(queue=where), *_figures(quota, ahead))
    return told_by(workload, KUEUE, kind, words, reserved, queue=name, quota=quota, ahead=ahead)


def _kind(reserved: WrittenCondition) -> Kind:
    """What keeps it from quota, by the condition's reason, or by its message where all have one reason."""
    said = [kind for words, kind in _BY_MESSAGE.items() if reserved.reason == _PENDING and words in reserved.message]
    unknown = Kind.QUEUE_WAITING if reserved.reason else Kind.QUEUE_NOT_EVALUATED
    return said[0] if said else _KINDS.get(reserved.reason, unknown)


def _is(found: Mapping[str, WrittenCondition], kind: str) -> bool:
    return kind in found and found[kind].status == "True"


def _checked(workload: Workload, admitted: WrittenCondition, reserved: WrittenCondition) -> Hold:
    """Quota is there, and another controller's check is not passed."""
    checks = [each for each in entries(workload.status, "admissionChecks") if text(each, "state") not in ("", "Ready")]
    names = [f"{text(each, 'name')} is {text(each, 'state')}" for each in checks]
    what = clauses(*names) if names else "something else must be ready first"
    message = next((text(each, "message") for each in checks if text(each, "message")), "") or admitted.message
    since = next((text(each, "lastTransitionTime") for each in checks), "") or reserved.since
    condition = WrittenCondition(reason=admitted.reason, message=message, since=since)
    words = f"its quota is reserved, and an admission check has not passed: {what}"
    return told_by(workload, KUEUE, Kind.QUEUE_ADMISSION_CHECK, words, condition)


def _stopped(workload: Workload, local: LocalQueue | None, queue: ClusterQueue | None) -> str:
    """What keeps the queue from looking at the workload at all; empty if nothing does."""
    if workload.spec.active is False:
        return f"Workload {workload.name} is deactivated (spec.active)"
    for each in (local, queue):
        if each is None:
            continue
        if text(each.spec, "stopPolicy") not in ("", "None"):
            return f"{each.kind} {each.name} is stopped (stopPolicy {text(each.spec, 'stopPolicy')})"
        active = conditions(each.status, "conditions").get("Active", WrittenCondition())
        if active.status == "False":
            why = f": {active.message}" if active.message else ""
            return f"{each.kind} {each.name} takes no workloads at the moment{why}"
    return ""


def _cluster_queue_name(local: LocalQueue | None) -> str:
    return text(local.spec, "clusterQueue") if local is not None else ""


# ------------------------------------------------------------------------------------------------------------- numbers


def _quota(queue: ClusterQueue, pod: Pod, listers: Listers) -> Iterator[QuotaUse]:
    """What the queue uses of the resources that the pod asks for, flavor by flavor."""
    asked = _asked_for(pod)
    used = _used(queue)
    others = _cohort(queue, listers)
    for flavor, resource, nominal, _ in _nominal(queue):
        if resource not in asked:
            continue
        total, borrowed = used.get((flavor, resource), ("0", ""))
        yield QuotaUse(
            resource=resource,
            used=total,
            allowed=nominal,
            flavor=flavor,
            borrowed=borrowed if borrowed != "0" else "",
            unused_in_cohort=_unused(others, flavor, resource) if others else "",
        )


def _asked_for(pod: Pod) -> set[str]:
    containers = (*(pod.spec.containers or ()), *(pod.spec.init_containers or ()))
    lists = [(each.resources.requests, each.resources.limits) for each in containers if each.resources is not None]
    return {name for pair in lists for each in pair if each for name in each} | {"pods"}


def _nominal(queue: ClusterQueue) -> Iterator[tuple[str, str, str, str]]:
    """Flavor, resource, nominal quota and lending limit."""
    for group in entries(queue.spec, "resourceGroups"):
        for flavor in entries(group, "flavors"):
            for each in entries(flavor, "resources"):
                limits = text(each, "nominalQuota"), text(each, "lendingLimit")
                yield text(flavor, "name"), text(each, "name"), *limits


def _used(queue: ClusterQueue) -> dict[tuple[str, str], tuple[str, str]]:
    """What is reserved, or, where nothing says so, used: total and borrowed by flavor and resource."""
    field = "flavorsReservation" if any(entries(queue.status, "flavorsReservation")) else "flavorsUsage"
    return {
        (text(flavor, "name"), text(each, "name")): (text(each, "total"), text(each, "borrowed"))
        for flavor in entries(queue.status, field)
        for each in entries(flavor, "resources")
    }


def _cohort(queue: ClusterQueue, listers: Listers) -> list[ClusterQueue]:
    """The other queues of the cohort."""
    name = _cohort_name(queue)
    return [each for each in listers.every(ClusterQueue) if name and each is not queue and _cohort_name(each) == name]


def _cohort_name(queue: ClusterQueue) -> str:
    return text(queue.spec, "cohortName") or text(queue.spec, "cohort")


def _unused(others: list[ClusterQueue], flavor: str, resource: str) -> str:
    """What these queues may lend of a resource and do not use; empty if an amount cannot be read."""
    unused = 0
    try:
        for queue in others:
            used = _used(queue).get((flavor, resource), ("0", ""))[0]
            for each, name, nominal, lending in _nominal(queue):
                if (each, name) == (flavor, resource):
                    left = max(parse(nominal or "0") - parse(used or "0"), 0)
                    unused += min(left, parse(lending)) if lending else left
        return canonical(str(unused // _NANO)) if unused % _NANO == 0 else canonical(f"{unused // _MILLI}m")
    except QuantityError:
        return ""


_NANO, _MILLI = 1_000_000_000, 1_000_000


def _figures(quota: tuple[QuotaUse, ...], ahead: int | None) -> Iterator[str]:
    """Of what is used up, or of everything, how much that is, and how many come first."""
    yield from (each.figures for each in [each for each in quota if _is_used_up(each)] or quota)
    if ahead:
        yield f"behind {plural(ahead, 'workload')} that {verb(ahead, 'comes')} first"


def _is_used_up(use: QuotaUse) -> bool:
    try:
        return parse(use.used or "0") >= parse(use.allowed or "0")
    except QuantityError:
        return False


def _order(workload: Workload) -> tuple[int, str, str]:
    created = workload.metadata.creation_timestamp or ""
    return -(number(workload.spec.priority) or 0), created, workload.key


def _has_quota(workload: Workload) -> bool:
    found = conditions(workload.status, "conditions")
    return _is(found, "QuotaReserved") or _is(found, "Finished")
