"""YuniKorn: what it has written about a pod into its condition, annotations and events."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.records import Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.queues.yunikorn import held_by_yunikorn
from tests.queues.made import read

WAITS = {"reason": "Scheduling", "message": "a/driver is queued and waiting for allocation"}


def _pod(annotations: dict[str, str], condition: str = "", scheduler: str = "yunikorn") -> Pod:
    said = {"type": "PodScheduled", "status": "False", "reason": condition, "message": "words"}
    (pod,) = read(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "driver", "namespace": "a", "uid": "u", "annotations": annotations},
            "spec": {"schedulerName": scheduler, "containers": [{"name": "c"}]},
            "status": {"phase": "Pending", "conditions": [said] if condition else []},
        }
    )
    assert isinstance(pod, Pod)
    return pod


@pytest.mark.parametrize(
    ("annotations", "condition", "event", "kind"),
    [
        pytest.param({}, "SchedulingSkipped", WAITS, Kind.QUEUE_WAITING_FOR_QUOTA, id="quota"),
        pytest.param({}, "Unschedulable", WAITS, Kind.QUEUE_WAITING, id="waits"),
        pytest.param({}, "", WAITS, Kind.QUEUE_WAITING, id="queued"),
        pytest.param({"yunikorn.apache.org/task-group-name": "executors"}, "", WAITS, Kind.GROUP_WAITING, id="gang"),
        pytest.param({}, "", {"reason": "ApplicationFailed", "message": "m"}, Kind.QUEUE_MISCONFIGURED, id="rejected"),
    ],
)
def test_what_it_waits_for(annotations: dict[str, str], condition: str, event: dict[str, str], kind: Kind) -> None:
    annotations |= {"yunikorn.apache.org/queue": "root.red", "yunikorn.apache.org/app-id": "spark-1"}
    said = Event(reporting_component="yunikorn", reason=event["reason"], message=event["message"])
    told = held_by_yunikorn(_pod(annotations, condition), [said])
    assert told
    found = told.hold
    assert (found.kind, found.by, found.queue) == (kind, "YuniKorn", "root.red")
    assert "application spark-1" in found.text
    assert found.message == ("words" if condition else event["message"])


def test_where_nothing_is_said_nothing_shows_that_it_runs() -> None:
    assert held_by_yunikorn(_pod({}), []) is None


def test_pods_of_other_schedulers_are_not_its_own() -> None:
    assert held_by_yunikorn(_pod({}, scheduler="default-scheduler"), []) is None
