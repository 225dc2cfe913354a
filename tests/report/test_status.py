"""What is known of pods where the cluster around them may not be read."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.case.own_status import OwnStatus
from kexplain.case.records import OwnPods
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, EventSource
from kexplain.objects.meta import Condition, ObjectMeta
from kexplain.objects.workload_status import WorkloadStatus
from kexplain.report.status import PodStatusReport, StatusReport, status_report
from tests.factories import pod

NO_ROOM = "0/1 nodes are available: 1 Insufficient cpu."
NO_NODES = "no nodes available to schedule pods"


def waiting(message: str | None = None, reason: str = "Unschedulable", status: str = "False", **of: Any) -> Pod:
    """A pod with a condition, if it says anything."""
    made = pod("web", **of)
    said = Condition(type="PodScheduled", status=status, reason=reason, message=message)
    return replace(made, status=replace(made.status, conditions=(said,)))


def event(message: str, times: int = 1, by: str = "default-scheduler") -> Event:
    return Event(
        message=message,
        count=times,
        reason="FailedScheduling",
        last_timestamp="2026-11-01T10:00:00Z",
        source=EventSource(component=by) if by else None,
    )


def report(made: Pod, *events: Event, workloads: tuple[OwnPods, ...] = ()) -> StatusReport:
    return status_report(OwnStatus("default", ((made, events),), workloads, ("a note",)), ["an earlier note"])


def said(found: PodStatusReport) -> tuple[str, str, int, str]:
    message = found.said.message if found.said else ""
    return message, found.reported_by, found.times, found.last_seen


AT = "2026-11-01T10:00:00Z"


@pytest.mark.parametrize(
    ("made", "events", "expected"),
    [
        pytest.param(pod("web"), [], ("", "default-scheduler", 0, ""), id="nobody has tried it"),
        pytest.param(pod("web", scheduler_name="batch"), [], ("", "batch", 0, ""), id="another is to"),
        pytest.param(waiting(NO_ROOM), [], (NO_ROOM, "default-scheduler", 0, ""), id="the event is gone"),
        pytest.param(
            waiting(NO_ROOM), [event(NO_ROOM, 7)], (NO_ROOM, "default-scheduler", 7, AT), id="condition and event"
        ),
        pytest.param(
            waiting(NO_NODES), [event(NO_ROOM, 7)], (NO_NODES, "default-scheduler", 0, ""), id="an older event"
        ),
        pytest.param(
            pod("web"), [event(NO_ROOM), event(NO_NODES, 2, by="batch")], (NO_NODES, "batch", 2, AT), id="event alone"
        ),
        pytest.param(
            waiting(), [event(NO_ROOM, by="")], (NO_ROOM, "default-scheduler", 1, AT), id="a condition without words"
        ),
        pytest.param(
            waiting("gated", "SchedulingGated"), [event(NO_ROOM)], ("gated", "kube-apiserver", 0, ""), id="gated"
        ),
        pytest.param(
            waiting("as it was", status="True", node="n1"),
            [event(NO_ROOM)],
            ("", "default-scheduler", 0, ""),
            id="placed",
        ),
    ],
)
def test_what_was_said_last(made: Pod, events: list[Event], expected: tuple[str, str, int, str]) -> None:
    (found,) = report(made, *events).pods
    if made.spec.node_name:
        assert (found.said, found.node) == (None, "n1")
    else:
        assert (said(found), found.node) == (expected, "")


FAILED = Condition(type="Failed", status="True", reason="BackoffLimitExceeded")


def test_a_job_that_has_given_up_is_well_no_more() -> None:
    done = OwnPods("Job", "default", "etl", (), 0, 0)
    job = Job(metadata=ObjectMeta(name="etl", namespace="default"), status=WorkloadStatus(conditions=(FAILED,)))
    placed = pod("web", node="n1")
    for own, kind in ((done, None), (replace(done, controllers=(job,)), "job-failed")):
        (workload,) = report(placed, workloads=(own,)).workloads
        assert (workload.diagnosis.kind if workload.diagnosis else None) == kind


@pytest.mark.parametrize(
    ("node", "missing", "expected"),
    [("n1", 0, True), ("", 0, False), ("n1", 1, False)],
    ids=["all", "pending", "missing"],
)
def test_whether_all_is_well(node: str, missing: int, expected: bool) -> None:
    found = report(pod("web", node=node), workloads=(OwnPods("ReplicaSet", "default", "web", (), 1, missing),))
    assert found.is_well is expected
    assert found.notes == ("an earlier note", "a note")
    assert found.namespace == "default"
