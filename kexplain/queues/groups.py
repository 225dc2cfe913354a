"""Groups of pods that other schedulers start together: those of Volcano, KAI-Scheduler and scheduler-plugins.

Source: Volcano `scheduling/v1beta1` (PodGroup phases and conditions, `NotEnoughPodsReason`), KAI-Scheduler
`scheduling/v2alpha2` (`SchedulingCondition`, `UnschedulableReason`), scheduler-plugins `scheduling/v1alpha1`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.case.own_pods import Key, owner_of, role_of
from kexplain.cluster import Cluster, Listers
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.records import Held, Kind, QuotaUse
from kexplain.grouping import grouped
from kexplain.objects.apps import Deployment, ReplicaSet, is_recreated
from kexplain.objects.core import Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.quantity import QuantityError, parse
from kexplain.objects.queues import KAI, VOLCANO, PodGroup, Queue
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.untrusted import WrittenCondition, at, conditions, entries, number, text, texts
from kexplain.queues.told import reasons, told_of
from kexplain.words import ask, did_you_mean, joined, near, plural
from kexplain.world.surge import deployment_bounds

#: By which label pods name their group. Source: scheduler-plugins `PodGroupLabel` of today and before.
_LABELS = ("scheduling.x-k8s.io/pod-group", "pod-group.scheduling.sigs.k8s.io")
_STARTED = ("Running", "Finished", "Completed", "Failed")
_VOLCANO_INCOMPLETE = ("NotEnoughTasks", "NotEnoughPods", "NotEnoughPodsOfTask")
_KAI_NAME, _KAI_QUEUE = "KAI-Scheduler", "kai.scheduler/queue"


def held_by_group(pod: Pod, listers: Listers) -> Held | None:
    """What keeps the pod's group from starting; None if it has none that was read, or the group has started."""
    group = group_of(pod, listers)
    return hold_of_group(group, listers) if group is not None else None


def hold_of_group(group: PodGroup, listers: Listers) -> Held | None:
    """What keeps a group from starting; None for one that has started, or of which nothing is said."""
    if text(group.status, "phase") in _STARTED:
        return None
    version = group.api_version or ""
    if version.startswith(VOLCANO):
        return _of_volcano(group, listers)
    return _of_kai(group, listers) if version.startswith(KAI) else _of_plugins(group)


def group_of(pod: Pod, listers: Listers) -> PodGroup | None:
    """The group that the pod names, or that is made for its owner; None if none was read."""
    annotations = pod.metadata.annotations
    names = [annotations.volcano_group, annotations.kai_group] if annotations is not None else []
    names += [pod.labels.get(label) for label in _LABELS]
    # Volcano and KAI-Scheduler make groups of their own for pods that name none.
    names += [f"podgroup-{owner.uid}" for owner in pod.metadata.owner_references or () if owner.uid]
    found = (listers.get(PodGroup, name, pod.namespace) for name in names if name)
    return next((group for group in found if group is not None), None)


def members(cluster: Cluster) -> Mapping[str, Sequence[Pod]]:
    """The pods that are there, with a node or without, by the key of the group that they are in."""
    placed = (info.pod for info, _ in cluster.placed_pods.matching(EVERYTHING, None))
    every = {pod.key: pod for pod in (*cluster.listers.every(Pod), *placed)}
    found = ((group_of(pod, cluster.listers), pod) for pod in every.values())
    return grouped((group.key, pod) for group, pod in found if group)


def needed(group: PodGroup) -> int:
    """How many of its pods must start together; 0 where that is not said."""
    return number(group.spec, "minMember") or 0


def _needs(group: PodGroup) -> str:
    wanted = needed(group)
    return f"{wanted} of its pods must start together" if wanted else "its pods must start together"


# ------------------------------------------------------------------------------------------------------------- Volcano


def _of_volcano(group: PodGroup, listers: Listers) -> Held:
    condition = conditions(group.status, "conditions").get("Unschedulable", WrittenCondition())
    name = text(group.spec, "queue") or "default"
    queue = listers.get(Queue, name)
    used, most = texts(queue and queue.status, "allocated"), texts(queue and queue.spec, "capability")
    quota = tuple(QuotaUse(resource=name, used=used.get(name, ""), allowed=amount) for name, amount in most.items())
    figures = [*_exceeded(group, quota)] or [each.figures for each in quota]
    state, fix = text(queue.status, "state") if queue is not None else "", ""
    if queue is None and listers.every(Queue):
        meant, new = near(name, [each.name for each in listers.every(Queue)]), f"create Queue {name}"
        kind, said = Kind.QUEUE_MISCONFIGURED, told("no-queue", queue=name, more=(ask(*meant),))
        fix = f"name {meant[0]} in spec.queue, or {new}" if meant else f"{new}, or name another in spec.queue"
    elif state in ("Closed", "Closing"):
        kind, said, quota = Kind.QUEUE_STOPPED, told("queue-closed", queue=name, state=state.lower()), ()
        fix = f"open Queue {name} again (a Command with action OpenQueue)"
    elif condition.reason in _VOLCANO_INCOMPLETE:
        kind, quota = Kind.GROUP_INCOMPLETE, ()
        said, fix = _rollout(group, listers) or _without_role(group, listers)
    elif text(group.status, "phase") in ("", "Pending"):
        kind = Kind.QUEUE_WAITING_FOR_QUOTA
        said = told("group-not-let-in", queue=name, group=group.name, more=figures)
        fix = next(_raised(group, quota, name), "")
    else:
        kind, said = Kind.GROUP_WAITING, told("group-let-in", group=group.name, needs=_needs(group), more=figures)
    return told_of(group, "Volcano", kind, said, condition, queue=text(group.spec, "queue"), quota=quota, fix=fix)


def _rollout(group: PodGroup, listers: Listers) -> tuple[Statement, str] | None:
    """That a rolling update makes fewer new pods at a time than must start together, and what mends that."""
    made_by, needs = group.metadata.controller, number(group.spec, "minMember") or 0
    new = listers.get(ReplicaSet, made_by.name or "", group.namespace) if made_by else None
    by = new.metadata.controller if new else None
    deployment = listers.get(Deployment, by.name or "", group.namespace) if by else None
    wanted = declared_replicas(deployment) or 0 if deployment else 0
    if not (deployment and new and (new.spec.replicas or 0) < needs <= wanted) or is_recreated(deployment):
        return None
    bounds = deployment_bounds(deployment, wanted)
    most = bounds.surge + bounds.unavailable
    if most >= needs:
        return None
    surge = f"set maxSurge of Deployment {deployment.key} to {needs - bounds.unavailable} (now {bounds.surge})"
    said = told("gang-against-rollout", group.name, needs, deployment.key, most, str(bounds))
    return said, f"{surge}, or let its groups start with {plural(most, 'pod')} (minMember, now {needs})"


def _without_role(group: PodGroup, listers: Listers) -> tuple[Statement, str]:
    """That pods are missing, those of a role that what makes the group may make only once the others run among them."""
    owner, whose, needs = group.metadata.controller, owner_of(group, ""), needed(group)
    roles = [each for each in listers.every(CustomWorkload) if (each.kind, each.namespace, each.metadata.name) == whose]
    pods = listers.derived(_pods_by_owner, Pod).get(whose, ()) if roles else ()
    there = {role.role for pod in pods if (role := role_of(pod, roles))}
    absent = [each.role for each in roles if each.spec.replicas and each.role not in there]
    if not (owner and absent and 0 < len(pods) < needs):
        return told("group-too-small", group=group.name, needs=_needs(group)), ""
    said = told("gang-without-role", group.name, needs, len(pods), absent, f"{owner.kind} {owner.name}")
    fewer = f"let the group start with {plural(len(pods), 'pod')} (minAvailable in the schedulingPolicy of"
    return said, f"{fewer} {owner.kind} {owner.name}, now {needs}), if its {joined(absent)} is made once these run"


def _pods_by_owner(listers: Listers) -> Mapping[Key | None, Sequence[Pod]]:
    return grouped((owner_of(each, ""), each) for each in listers.every(Pod))


def _exceeded(group: PodGroup, quota: Iterable[QuotaUse]) -> Iterator[str]:
    """Of what the queue has too little left for the group: how much it may use, uses, and is asked for."""
    for each, more in _beyond(group, quota):
        used = f"{each.used or '0'} of its capability of {each.allowed} {each.resource} is allocated"
        yield f"{used}, and it asks for {more}"


def _raised(group: PodGroup, quota: Iterable[QuotaUse], queue: str) -> Iterator[str]:
    """What a group needs that asks for more than the queue may ever use, which no waiting brings."""
    fewest = number(group.spec, "minMember")
    for each, more in _beyond(group, [replace(use, used="0") for use in quota]):
        capability = f"raise spec.capability of Queue {queue} to {more} {each.resource} (now {each.allowed})"
        yield f"{capability}, or let the group start with fewer pods (now {fewest})"


def _beyond(group: PodGroup, quota: Iterable[QuotaUse]) -> Iterator[tuple[QuotaUse, str]]:
    """Of what the queue has too little left for the group, with how much it asks for."""
    asked = texts(group.spec, "minResources")
    for each in quota:
        more = asked.get(each.resource, "")
        with suppress(QuantityError):
            if more and parse(each.used or "0") + parse(more) > parse(each.allowed):
                yield each, more


# ------------------------------------------------------------------------------------------------------- KAI-Scheduler


def _of_kai(group: PodGroup, listers: Listers) -> Held | None:
    name = text(group.spec, "queue")
    queue = listers.get(Queue, name)
    told_here = [each for each in entries(group.status, "schedulingConditions") if text(each, "status") in ("", "True")]
    if not told_here:
        return _held_by_queue(queue, listers) if queue is not None else _without_queue(group, name, listers)
    newest = told_here[-1]
    first = next(entries(newest, "reasons"), newest)
    reason = text(first, "reason") or text(newest, "reason")
    message = text(first, "message") or text(newest, "message")
    state = WrittenCondition(text(newest, "type"), "True", reason, message.strip(), text(newest, "lastTransitionTime"))
    kind = Kind(reasons()["kai_kinds"].get(reason, Kind.GROUP_WAITING))
    quota = tuple(_kai_uses(queue)) if queue is not None else ()
    pool, figures = text(newest, "nodePool"), [each.figures for each in quota]
    is_of_pool = f" (node pool {pool})" if pool and pool != "default" else ""
    of_kind = reasons()["kai_statements"].get(reason, "group-does-not-fit")
    said = told(of_kind, queue=name, group=group.name, needs=_needs(group), of_pool=is_of_pool, more=figures)
    return told_of(group, _KAI_NAME, kind, said, state, queue=name, quota=quota)


def _held_by_queue(queue: Queue, listers: Listers) -> Held | None:
    """What is wrong with a queue from which no group starts, beside those from which groups do, and what mends it."""
    queues = {each.name: texts(each.spec) for each in listers.every(Queue)}
    in_use = {text(each.spec, "queue") for each in listers.every(PodGroup) if _has_started(each)} & queues.keys()
    spec, parent, others = queues[queue.name], text(queue.spec, "parentQueue"), sorted(in_use)
    first = queues[others[0]] if others and queue.name not in in_use else {}
    lacks = [each for each in first if each not in spec and all(each in queues[other] for other in others)]
    if parent and parent not in queues:
        said = told("queue-without-parent", queue.name, parent, more=(did_you_mean(parent, queues),))
        fix = f"create Queue {parent}, or correct spec.parentQueue of Queue {queue.name}"
    elif lacks:
        said = told("queue-unlike-others", queue.name, lacks[0], Few.of(others))
        fix = f"set spec.{lacks[0]} of Queue {queue.name} (Queue {others[0]} has {first[lacks[0]]})"
    else:
        return None
    return told_of(queue, _KAI_NAME, Kind.QUEUE_MISCONFIGURED, said, WrittenCondition(), queue=queue.name, fix=fix)


def _without_queue(group: PodGroup, name: str, listers: Listers) -> Held | None:
    """That the queue of a group does not exist, while its pods name one in another label; None without any queues."""
    known = {each.name for each in listers.every(Queue)}
    pods = (each for each in listers.every(Pod) if group_of(each, listers) is group)
    labels = (label for pod in pods for label in pod.labels.items())
    other, meant = next(((key, value) for key, value in labels if "queue" in key and value in known), ("", ""))
    fix = f"label its pods {_KAI_QUEUE}={meant}, in their template" if meant else f"create Queue {name}"
    more = (f"its pods name queue {meant} in label {other}, and {_KAI_NAME} reads {_KAI_QUEUE}" if meant else "",)
    said = told("no-queue-of-group", queue=name, of_pool="", more=more)
    kind = Kind.QUEUE_MISCONFIGURED
    return told_of(group, _KAI_NAME, kind, said, WrittenCondition(), queue=name, fix=fix) if known else None


def _has_started(group: PodGroup) -> bool:
    return text(group.status, "phase") in _STARTED or bool(texts(group.status, "resourcesStatus", "allocated"))


def _kai_uses(queue: Queue) -> Iterator[QuotaUse]:
    """What the queue has, against its limit or its quota; -1 is no bound."""
    allocated = texts(queue.status, "allocated")
    for resource, name in (("gpu", "nvidia.com/gpu"), ("cpu", "cpu"), ("memory", "memory")):
        for field in ("limit", "quota"):
            allowed = text(at(queue.spec, "resources"), resource, field)
            if allowed not in ("", "-1", "-1.0"):
                used = allocated.get(name) or allocated.get(resource, "")
                yield QuotaUse(resource=f"{name} ({field})", used=used, allowed=allowed)


# --------------------------------------------------------------------------------------------------- scheduler-plugins


def _of_plugins(group: PodGroup) -> Held:
    phase = text(group.status, "phase")
    # Releases differ in what they count, and none counts zero.
    scheduled = number(group.status, "scheduled") or ""
    said = told("group-waits", group=group.name, needs=_needs(group), scheduled=scheduled)
    by, queue = "Coscheduling (scheduler-plugins)", text(group.spec, "queue")
    return told_of(group, by, Kind.GROUP_WAITING, said, WrittenCondition(reason=phase), queue=queue)
