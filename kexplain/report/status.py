"""Pods by their own status and events, where the cluster around them may not be read; JSON under `kexplain/v1`."""

from collections.abc import Iterable

from kexplain.case.own_status import OwnStatus
from kexplain.explain.output import Output
from kexplain.explain.records import Document
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.report.event import ExplainedEvent, explain_message
from kexplain.report.workload_reports import workload_report
from kexplain.report.workloads import WorkloadReport


class PodStatusReport(Output, frozen=True):
    """A pod; `said` is what its scheduler last said about it, taken apart, and null where it has said nothing.

    `node` is empty for a pod without one. `times` and `lastSeen` are those of the event, and 0 and empty where only
    the pod's condition says it.
    """

    namespace: str
    name: str
    node: str
    said: ExplainedEvent | None
    reported_by: str = ""
    nominated_node: str = ""
    times: int = 0
    last_seen: str = ""


class StatusReport(Document, frozen=True, kw_only=True):
    """What the API server holds of pods in one namespace: nothing in it was worked out by scheduling them."""

    kind: str = "StatusReport"
    namespace: str
    pods: tuple[PodStatusReport, ...]
    workloads: tuple[WorkloadReport, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_well(self) -> bool:
        """Whether all pods that are asked for have a node."""
        return all(pod.node for pod in self.pods) and all(workload.is_complete for workload in self.workloads)


def status_report(status: OwnStatus, notes: Iterable[str]) -> StatusReport:
    """The report on these pods."""
    return StatusReport(
        namespace=status.namespace,
        pods=tuple(_pod(pod, events) for pod, events in status.pods),
        workloads=tuple(map(workload_report, status.workloads)),
        notes=(*notes, *status.notes),
    )


def _pod(pod: Pod, events: tuple[Event, ...]) -> PodStatusReport:
    condition = pod.unscheduled
    newest = events[-1] if events else None
    # An event goes after an hour; the condition stays, and is never older.
    message = (condition.message if condition else None) or (newest.text if newest else "")
    is_of_event = newest is not None and newest.text == message
    return PodStatusReport(
        namespace=pod.namespace,
        name=pod.name,
        node=pod.spec.node_name or "",
        said=explain_message(message, pod.key) if message and not pod.spec.node_name else None,
        reported_by=_reporter(pod, newest),
        nominated_node=pod.status.nominated_node_name or "",
        times=newest.times if newest and is_of_event else 0,
        last_seen=newest.last_seen if newest and is_of_event else "",
    )


def _reporter(pod: Pod, newest: Event | None) -> str:
    """Who says it, or would: the condition of a gated pod is the API server's."""
    condition = pod.unscheduled
    if condition is not None and condition.reason == "SchedulingGated":
        return "kube-apiserver"
    return (newest.reporter if newest else "") or pod.scheduler_name
