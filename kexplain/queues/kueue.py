"""Kueue: from a pod to its Workload, LocalQueue and ClusterQueue, and what they say.

Source: `apis/kueue/v1beta2` (`workload_types.go`, `clusterqueue_types.go`, `localqueue_types.go`), whose `spec.cohort`
is called `cohortName` since v1beta2; `pkg/controller/constants` for labels.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from kexplain.case.own_pods import owners_of
from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, QuotaUse, held_by
from kexplain.explain.wording import amount
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.quantity import QuantityError, parse
from kexplain.objects.queues import ClusterQueue, LocalQueue, Workload
from kexplain.objects.requests import CPU
from kexplain.objects.untrusted import WrittenCondition, conditions, entries, number, text, texts
from kexplain.patterns import regex
from kexplain.queues.kueue_queues import (
    MILLI,
    NANO,
    QUEUE_NAME,
    STRICT,
    InTheWay,
    blocked_by,
    cluster_queue_name,
    holders,
    unsuited,
    unusable,
)
from kexplain.queues.told import reasons, told_of
from kexplain.shell import command
from kexplain.words import clauses, did_you_mean, plural, some, verb

KUEUE = "Kueue"
POD_GROUP = "kueue.x-k8s.io/pod-group-name"
_GATES = "kueue.x-k8s.io/"
#: Our own word for a queue that is named and does not exist.
NO_LOCAL_QUEUE = "LocalQueueNotFound"

#: What may wait for quota of others in the cohort.
_WAITS = (Kind.QUEUE_WAITING, Kind.QUEUE_WAITING_FOR_QUOTA)
#: What Kueue says of a resource of which something is left.
_LACKS = regex(r"insufficient unused quota for (\S+) in flavor (\S+),")
#: So many are named that hold the quota.
_HOLDERS = 3
#: The one reason of releases before 0.19; how the message goes on tells them apart then.
_PENDING = "Pending"


class Workloads:
    """The Workloads of a cluster, by whom they are for, and in the order in which those without quota are tried."""

    def __init__(self, listers: Listers) -> None:
        self.listers = listers
        self._by_name: dict[tuple[str, str, str], Workload] = {}
        self._waiting: dict[str, list[tuple[int, str, str]]] = {}
        for workload in listers.every(Workload):
            self._by_name["", workload.namespace, workload.name] = workload
            self._by_name |= dict.fromkeys(owners_of(workload, ""), workload)
            queue = cluster_queue_name(self.local_queue(workload))
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

    def head(self, workload: Workload, queue: ClusterQueue) -> Workload | None:
        """Who comes first in a queue that lets nobody else by; None if that is the workload, or others may pass."""
        waiting = self._waiting.get(queue.name, ())
        if text(queue.spec, "queueingStrategy") != STRICT or not waiting or waiting[0] == _order(workload):
            return None
        namespace, _, name = waiting[0][2].partition("/")
        return self._by_name.get(("", namespace, name))

    def ahead(self, workload: Workload, queue: str) -> int:
        """How many wait for the same ClusterQueue and come first: by priority, then by age."""
        return bisect_left(self._waiting.get(queue, ()), _order(workload))


def held_by_kueue(pod: Pod, workloads: Workloads, owner: KubernetesObject | None) -> Held | None:
    """What keeps Kueue from letting the pod run; None if Kueue has no say in it, or has let it run."""
    workload = workloads.of(pod, owner)
    if workload is not None:
        is_gated = any(gate.name.startswith(_GATES) for gate in pod.spec.scheduling_gates or ())
        asked = {name for each in pod.spec.every_container for name in (*each.requests, *each.limits)}
        return held_workload(workload, workloads, asked | {"pods"}, is_gated=is_gated)
    named = (owner.labels.get(QUEUE_NAME) if owner is not None else "") or pod.labels.get(QUEUE_NAME, "")
    return no_local_queue(named, pod.namespace, workloads.listers)


def no_local_queue(name: str, namespace: str, listers: Listers) -> Held | None:
    """That the queue of that name does not exist; None if it does, nobody is named, or queues were not read."""
    every = listers.every(LocalQueue)
    if not name or not every or listers.get(LocalQueue, name, namespace) is not None:
        return None
    known = [each.name for each in every if each.namespace == namespace]
    return held_by(
        KUEUE,
        Kind.QUEUE_MISCONFIGURED,
        told("no-local-queue", queue=name, label=QUEUE_NAME, namespace=namespace, more=(did_you_mean(name, known),)),
        queue=name,
        reason=NO_LOCAL_QUEUE,
        command=command("kubectl get localqueues.kueue.x-k8s.io", namespace=namespace),
    )


def held_workload(
    workload: Workload, workloads: Workloads, asked: Collection[str] = (), *, is_gated: bool = False
) -> Held | None:
    """What keeps a Workload waiting, with the figures of what it, or its pod, asks for; None if nothing does."""
    listers = workloads.listers
    found = conditions(workload.status, "conditions")
    if _is(found, "Finished"):
        return None
    if _is(found, "Admitted"):
        waits = told("gate-left")
        return told_of(workload, KUEUE, Kind.QUEUE_ADMITTED, waits, found["Admitted"]) if is_gated else None
    reserved = found.get("QuotaReserved", WrittenCondition())
    if _waits_for_checks(found):
        return _checked(workload, found.get("Admitted", WrittenCondition()), reserved)
    local = workloads.local_queue(workload)
    wrong = unusable(workload, local, listers)
    if wrong is not None:
        return told_of(workload, KUEUE, wrong.kind, wrong.said, reserved, queue=wrong.queue, fix=wrong.fix)
    queue = listers.get(ClusterQueue, cluster_queue_name(local))
    name = queue.name if queue is not None else text(workload.spec.queue_name)
    where = f"ClusterQueue {name}" if queue is not None else f"LocalQueue {name}" if name else "its queue"
    kind = _kind(reserved)
    used = _quota(queue, {*asked, *_of_pod_sets(workload)}, listers) if queue is not None else ()
    quota, short = _by_need(used, reserved.message)
    ahead = workloads.ahead(workload, queue.name) if queue is not None else None
    found_in = _in_the_way(workload, workloads, queue, kind, quota) if queue is not None else None
    said, fix = (found_in.said, found_in.fix) if found_in else (told(kind.value, queue=where), "")
    if kind is not Kind.QUEUE_WAITING_FOR_PODS_READY:
        # Quota is not what it waits for there.
        holding = _held_by(queue, short, listers) if kind in _WAITS else ()
        said = said.with_more(*_figures(short or quota, ahead), *holding)
    return told_of(workload, KUEUE, kind, said, reserved, queue=name, quota=quota, ahead=ahead, fix=fix)


def _in_the_way(
    workload: Workload, workloads: Workloads, queue: ClusterQueue, kind: Kind, quota: Collection[QuotaUse]
) -> InTheWay | None:
    """Who blocks the queue, or those of the cohort that might lend to it, or which flavors do not take the pods."""
    is_short = kind in _WAITS and any(map(_is_used_up, quota))
    for each in (queue, *(_lenders(queue, {use.resource for use in quota}, workloads.listers) if is_short else ())):
        head = workloads.head(workload, each)
        if head is not None:
            return blocked_by(head, each, queue)
    return unsuited(workload, queue, workloads.listers) if kind is Kind.QUEUE_NO_MATCHING_FLAVOR else None


def _lenders(queue: ClusterQueue, asked: Collection[str], listers: Listers) -> list[ClusterQueue]:
    """The other queues of the cohort that have anything unused of these resources."""
    return [each for each in _cohort(queue, listers) if not all(map(_is_used_up, _quota(each, asked, listers)))]


def _kind(reserved: WrittenCondition) -> Kind:
    """What keeps it from quota, by the condition's reason, or by its message where all have one reason."""
    told = reasons()["kinds_by_message"].items() if reserved.reason == _PENDING else ()
    said = [kind for words, kind in told if words in reserved.message]
    unknown = Kind.QUEUE_WAITING if reserved.reason else Kind.QUEUE_NOT_EVALUATED
    return Kind(said[0] if said else reasons()["kinds"].get(reserved.reason, unknown))


def _is(found: Mapping[str, WrittenCondition], kind: str) -> bool:
    return kind in found and found[kind].status == "True"


def _waits_for_checks(found: Mapping[str, WrittenCondition]) -> bool:
    is_evicted = _is(found, "Evicted") and found["Evicted"].reason == "AdmissionCheck"
    return is_evicted or _is(found, "QuotaReserved")


def _checked(workload: Workload, admitted: WrittenCondition, reserved: WrittenCondition) -> Held:
    """Quota is there, or was until then, and another controller's check is not passed."""
    checks = [each for each in entries(workload.status, "admissionChecks") if text(each, "state") not in ("", "Ready")]
    names = [f"{text(each, 'name')} is {text(each, 'state')}" for each in checks]
    what = clauses(*names) if names else "something else must be ready first"
    said = (text(each, "message").rpartition("Previously: ")[2] for each in checks)
    message = next(filter(None, said), "") or admitted.message
    since = next((text(each, "lastTransitionTime") for each in checks), "") or reserved.since
    condition = WrittenCondition(reason=admitted.reason, message=message, since=since)
    waits = told("check-not-passed", checks=what, reserved=reserved.status)
    return told_of(workload, KUEUE, Kind.QUEUE_ADMISSION_CHECK, waits, condition)


# ------------------------------------------------------------------------------------------------------------- numbers


def _of_pod_sets(workload: Workload) -> set[str]:
    """The resources that the pods of a Workload ask for."""
    found = (each for one in entries(workload.spec.pod_sets) for each in entries(one, "template", "spec", "containers"))
    return {name for each in found for name in texts(each, "resources", "requests")} | {"pods"}


def _quota(queue: ClusterQueue, asked: Collection[str], listers: Listers) -> Iterator[QuotaUse]:
    """What the queue uses of these resources, flavor by flavor."""
    used = _used(queue)
    others = _cohort(queue, listers)
    for flavor, resource, nominal, _ in _nominal(queue):
        # Without a status nobody knows what is used.
        if resource not in asked or not used:
            continue
        total, borrowed = used.get((flavor, resource), ("0", ""))
        borrowed, unused = borrowed if borrowed != "0" else "", _unused(others, flavor, resource) if others else ""
        yield QuotaUse(
            resource=resource, used=total, allowed=nominal, flavor=flavor, borrowed=borrowed, unused_in_cohort=unused
        )


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
    used = ((text(one, "name"), each) for one in entries(queue.status, field) for each in entries(one, "resources"))
    return {(flavor, text(each, "name")): (text(each, "total"), text(each, "borrowed")) for flavor, each in used}


def _cohort(queue: ClusterQueue, listers: Listers) -> list[ClusterQueue]:
    """The other queues of the cohort."""
    name = _cohort_name(queue)
    return [each for each in listers.every(ClusterQueue) if name and each is not queue and _cohort_name(each) == name]


def _cohort_name(queue: ClusterQueue) -> str:
    return text(queue.spec, "cohortName") or text(queue.spec, "cohort")


def _unused(others: list[ClusterQueue], flavor: str, resource: str) -> str:
    """What these queues may lend of a resource and do not use; empty if an amount cannot be read."""
    unused = 0
    with suppress(QuantityError):
        for queue in others:
            used = _used(queue).get((flavor, resource), ("0", ""))[0]
            for each, name, nominal, lending in _nominal(queue):
                if (each, name) == (flavor, resource):
                    left = max(parse(nominal or "0") - parse(used or "0"), 0)
                    unused += min(left, parse(lending)) if lending else left
        return amount(resource, unused // (MILLI if resource == CPU else NANO))
    return ""


def _by_need(quota: Iterable[QuotaUse], said: str) -> tuple[Sequence[QuotaUse], Sequence[QuotaUse]]:
    """All of it, what is used up or short as Kueue has said first; and that alone."""
    lacks, every = _LACKS.findall(said), [*quota]
    short = [use for use in every if _is_used_up(use) or (use.resource, use.flavor) in lacks]
    return tuple(short + [use for use in every if use not in short]), short


def _figures(quota: Sequence[QuotaUse], ahead: int | None) -> Iterator[str]:
    """How much of these is used, and how many come first."""
    yield from (each.figures for each in quota)
    if ahead:
        yield f"behind {plural(ahead, 'workload')} that {verb(ahead, 'comes')} first"


def _held_by(queue: ClusterQueue | None, short: Sequence[QuotaUse], listers: Listers) -> Iterator[str]:
    """Who holds the first of what is short."""
    if queue and short and (held := holders(queue, short[0], listers)):
        yield f"held by {some(held, _HOLDERS)}"


def _is_used_up(use: QuotaUse) -> bool:
    with suppress(QuantityError):
        return parse(use.used or "0") >= parse(use.allowed or "0")
    return False


def _order(workload: Workload) -> tuple[int, str, str]:
    created = workload.metadata.creation_timestamp or ""
    return -(number(workload.spec.priority) or 0), created, workload.key


def _has_quota(workload: Workload) -> bool:
    found = conditions(workload.status, "conditions")
    return _is(found, "QuotaReserved") or _is(found, "Finished")
