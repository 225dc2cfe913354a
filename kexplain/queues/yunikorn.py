"""YuniKorn, which keeps its queues in its own configuration: what it says of a pod in annotations and events.

Source: yunikorn-k8shim `pkg/common/constants` (labels and annotations), `pkg/cache/context.go` and `task.go` (events).
"""

from collections.abc import Iterable

from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Pod
from kexplain.objects.core.pods import PodAnnotations
from kexplain.objects.events import Event
from kexplain.objects.meta import Condition
from kexplain.shell import command

YUNIKORN = "YuniKorn"
_SCHEDULER = "yunikorn"
#: By which labels pods name their application and their queue, where annotations do not.
_APPLICATION = ("yunikorn.apache.org/app-id", "spark-app-selector", "applicationId")
_QUEUE = ("yunikorn.apache.org/queue", "queue")
#: The condition's reason where the queue's quota is in use, and reasons of events where an application is over.
_SKIPPED = "SchedulingSkipped"
_REJECTED = ("TaskRejected", "ApplicationFailed", "ApplicationRejected")


def held_by_yunikorn(pod: Pod, events: Iterable[Event]) -> Held | None:
    """What YuniKorn last said of a pod of its own that has no node; None if the pod is another scheduler's."""
    annotations = pod.metadata.annotations or PodAnnotations()
    said = [each for each in events if each.reporter == _SCHEDULER]
    if pod.spec.node_name or not (said or _is_seen_by_it(pod, annotations)):
        return None
    queue = annotations.yunikorn_queue or _first(pod, _QUEUE)
    application = annotations.yunikorn_app or _first(pod, _APPLICATION)
    group, condition = annotations.yunikorn_task_group or "", pod.unscheduled
    last = max(said, key=lambda each: each.last_seen, default=Event())
    kind = _kind(said, condition, group)
    reason, message = (condition.reason, condition.message) if condition else (last.reason, last.text)
    where, whose = f"queue {queue}" if queue else "its queue", f"it is of application {application}"
    return held_by(
        YUNIKORN,
        kind,
        told(_STATEMENTS.get(kind, kind.value), queue=where, group=group, more=(whose if application else "",)),
        object=f"Pod {pod.key}",
        queue=queue,
        since=last.first_seen,
        reason=reason or "",
        message=message or "",
        command=command("kubectl logs -n yunikorn deploy/yunikorn-scheduler"),
    )


_STATEMENTS = {Kind.QUEUE_MISCONFIGURED: "application-rejected", Kind.GROUP_WAITING: "application-waits"}


def _kind(said: Iterable[Event], condition: Condition | None, group: str) -> Kind:
    """By the pod's condition, then by a rejection among the events, else whether the pod starts with others."""
    if condition is not None and condition.reason == _SKIPPED:
        return Kind.QUEUE_WAITING_FOR_QUOTA
    if any(each.reason in _REJECTED for each in said):
        return Kind.QUEUE_MISCONFIGURED
    return Kind.GROUP_WAITING if group else Kind.QUEUE_WAITING


def _is_seen_by_it(pod: Pod, annotations: PodAnnotations) -> bool:
    """Whether a pod that is its own is known to be in a queue; else nothing shows that it runs at all."""
    marks = (pod.unscheduled, annotations.yunikorn_queue, annotations.yunikorn_app, _first(pod, _APPLICATION + _QUEUE))
    return pod.scheduler_name == _SCHEDULER and any(marks)


def _first(pod: Pod, labels: Iterable[str]) -> str:
    return next((pod.labels[label] for label in labels if pod.labels.get(label)), "")
