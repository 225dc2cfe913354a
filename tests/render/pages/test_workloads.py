"""What a page says of a workload that was named."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.case.records import ControllerMessage
from kexplain.cli.spelling import as_flag
from kexplain.diagnosis.records import Finding, Kind
from kexplain.parameters import parameters_spelled
from kexplain.render.pages.workloads import complaints, how_to_see_room, places, workload_verdict
from kexplain.report.not_running import NotRunning
from kexplain.report.workloads import PlacedPod, WorkloadReport

QUOTA = Finding(kind=Kind.QUOTA_USED_UP, text="quota q is used up", detail="cpu: 2 of 2 used")
REFUSED = Finding(kind=Kind.REFUSED, text="webhook x refuses it: no", detail="")
UNWELL = Finding(kind=Kind.NOT_READY, text="its containers are not ready", detail="words")
STOPPED = NotRunning(
    namespace="a", name="w-0", node="n1", kind="container-not-started", by="the kubelet", text="words", reason=""
)
UNREADY = replace(STOPPED, kind="not-ready")
SAID = ControllerMessage("ReplicaSet w-1", "no more pods")


def report(placed: int = 0, pending: int = 0, missing: int = 0, **more: Any) -> WorkloadReport:
    fields: dict[str, Any] = {
        "kind": "Deployment",
        "namespace": "a",
        "name": "w",
        "wanted": placed + pending + missing,
        "missing": missing,
        "placed": tuple(PlacedPod(name=f"w-{index}", node="n1") for index in range(placed)),
        "pending": tuple(f"p-{index}" for index in range(pending)),
        **more,
    }
    return WorkloadReport(**fields)


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        pytest.param(report(1), "the only pod has a node; all is well", id="one"),
        pytest.param(report(2), "all 2 pods have a node; all is well", id="two"),
        pytest.param(report(2, messages=(SAID,)), "all 2 pods have a node; no more could be created", id="no-more"),
        pytest.param(report(), "there are no pods, and none are wanted now", id="none"),
        pytest.param(report(diagnosis=QUOTA), "there are no pods: quota q is used up", id="none-for-a-reason"),
        pytest.param(report(1, 1), "1 of 2 pods is pending", id="one-is-pending"),
        pytest.param(report(3, 1, wanted=3), "the surge pod is pending", id="one-more-for-a-while"),
        pytest.param(report(4, 0, 2, wanted=4), "2 surge pods have not been created", id="two-more-for-a-while"),
        pytest.param(report(2, 2, wanted=3), "2 of 4 pods are pending", id="also-one-that-stays"),
        pytest.param(report(3, 1, wanted=3, kind="ReplicaSet"), "1 of 4 pods is pending", id="no-deployment"),
        pytest.param(report(0, 2, diagnosis=UNWELL), "2 of 2 pods are pending", id="all-are-pending"),
        pytest.param(report(0, 0, 1), "1 of 1 pod has not been created", id="one-is-missing"),
        pytest.param(report(1, 1, 2, diagnosis=QUOTA),
                     "2 of 4 pods have not been created; 1 is pending: quota q is used up", id="missing-and-pending"),
        pytest.param(report(0, 0, 1, leaving=1, diagnosis=UNWELL),
                     "1 of 1 pod has not gone yet: its containers are not ready", id="one-has-to-go-first"),
        pytest.param(report(1, 1, 3, leaving=2),
                     "2 of 5 pods have not gone yet; 1 has not been created; 1 is pending", id="two-have-to-go-first"),
        pytest.param(report(2, stopped=(STOPPED,)), "1 of 2 pods has a node and does not run", id="one-does-not-run"),
        pytest.param(report(3, stopped=(STOPPED, STOPPED), diagnosis=UNWELL),
                     "2 of 3 pods have a node and do not run: its containers are not ready", id="two-do-not-run"),
        pytest.param(report(2, stopped=(UNREADY,)), "1 of 2 pods runs and is not ready", id="one-is-not-ready"),
        pytest.param(report(2, stopped=(UNREADY, UNREADY)), "2 of 2 pods run and are not ready", id="none-is-ready"),
        pytest.param(report(2, stopped=(UNREADY, STOPPED)), "2 of 2 pods have a node and do not run, or are not ready",
                     id="one-is-not-ready-and-one-does-not-run"),
        pytest.param(report(2, stalled="late"), "the rollout gets no further", id="stalled"),
        pytest.param(report(2, stalled="late", stopped=(STOPPED,)), "1 of 2 pods has a node and does not run",
                     id="stalled-and-one-does-not-run"),
        pytest.param(report(1, 1, stopped=(STOPPED,)), "1 of 2 pods is pending", id="pending-comes-first"),
        pytest.param(report(0, 0, 2, refused=True), "an API server refuses 2 of 2 pods", id="refused"),
        pytest.param(report(0, 0, 1, refused=True, claims_refused=True),
                     "an API server refuses the claims of 1 of 1 pod", id="claims-refused"),
        pytest.param(report(0, 0, 1, refused=True, kind="Pod"), "an API server refuses it", id="a-pod-refused"),
        pytest.param(report(0, 0, 2, refused=True, kind="Pod"), "an API server refuses 2 of 2 pods", id="pods-refused"),
        pytest.param(report(1, 0, 1, waits_for="w-0"),
                     "1 of 2 pods is not created before w-0 is ready (podManagementPolicy OrderedReady)", id="in-turn"),
        pytest.param(report(0, 0, 2, waits_for="w-0"),
                     "2 of 2 pods are not created before w-0 is ready (podManagementPolicy OrderedReady)", id="later"),
    ],
)  # fmt: skip
def test_how_its_pods_stand(workload: WorkloadReport, expected: str) -> None:
    assert workload_verdict(workload) == f"a/w ({workload.kind}): {expected}"


ROOM = (
    "no scheduler sees a pod before it is created; whether the missing pods would have room: kexplain deployment/w "
    "-n a --cluster c --replicas {}"
)
NOBODY = (
    "no condition or event says why; look at kubectl describe deployment w -n a, and at the log of the controller "
    "manager"
)


@pytest.mark.parametrize(
    ("workload", "expected"),
    [
        pytest.param(report(1), [], id="well"),
        pytest.param(report(0, 0, 2), [NOBODY, ROOM.format(2)], id="nobody-says-why"),
        pytest.param(report(0, 0, 1, messages=(SAID,)), ["ReplicaSet w-1: no more pods", ROOM.format(1)], id="said"),
        pytest.param(report(0, 0, 1, messages=(ControllerMessage("ReplicaSet w-1", "no", 1, "t"),)),
                     ["ReplicaSet w-1: no (last at t)", ROOM.format(1)], id="said-once"),
        pytest.param(report(0, 0, 1, messages=(ControllerMessage("ReplicaSet w-1", "no", 2, "t"),)),
                     ["ReplicaSet w-1: no (2 times, last at t)", ROOM.format(1)], id="said-twice"),
        pytest.param(report(0, 0, 1, messages=(ControllerMessage("ReplicaSet w-1", "no", 2),)),
                     ["ReplicaSet w-1: no (2 times)", ROOM.format(1)], id="nobody-knows-when"),
        pytest.param(report(0, 0, 1, diagnosis=QUOTA, messages=(SAID,)), ["cpu: 2 of 2 used", ROOM.format(1)],
                     id="the-quota-says-it"),
        pytest.param(report(0, 0, 1, diagnosis=REFUSED, messages=(ControllerMessage("c", "denied: no"),)),
                     [ROOM.format(1)], id="the-webhook-says-it"),
        pytest.param(report(0, 0, 1, diagnosis=REFUSED, messages=(SAID,)),
                     ["ReplicaSet w-1: no more pods", ROOM.format(1)], id="the-webhook-says-less"),
        pytest.param(report(1, diagnosis=UNWELL, messages=(ControllerMessage("c", "words"),)), ["c: words"],
                     id="the-detail-is-said"),
        pytest.param(report(1, diagnosis=UNWELL), ["words"], id="the-detail"),
        pytest.param(report(2, 1, stopped=(STOPPED,), diagnosis=UNWELL),
                     ["besides, 1 has a node and does not run: its containers are not ready", "words"],
                     id="one-does-not-run-and-another-is-pending"),
        pytest.param(report(2, 1, 1, stopped=(STOPPED,), diagnosis=QUOTA),
                     ["cpu: 2 of 2 used", ROOM.format(1)], id="one-does-not-run-and-others-are-missing"),
        pytest.param(report(1, stalled="late"), ["late"], id="stalled"),
        pytest.param(report(0, 0, 1, refused=True, messages=(SAID,)), ["no more pods"], id="refused"),
        pytest.param(report(0, 0, 1, waits_for="w-0", messages=(SAID,)), ["no more pods"], id="in-turn"),
        pytest.param(report(0, 0, 1, waits_for="w-0"), [], id="in-turn-without-words"),
    ],
)  # fmt: skip
def test_what_its_controllers_say(workload: WorkloadReport, expected: list[str]) -> None:
    with parameters_spelled(as_flag):
        assert [*complaints(workload), *how_to_see_room(workload, ["--cluster", "c"])] == expected


def test_whoever_runs_no_command_hears_of_a_parameter() -> None:
    (line,) = how_to_see_room(report(0, 0, 2), None)
    assert line.endswith("whether the missing pods would have room: replicas=2")
    assert [*how_to_see_room(report(0, 0, 2, kind="DaemonSet"), None)] == []


@pytest.mark.parametrize(("count", "names"), [(4, "w-0, w-1, w-2, w-3"), (5, "w-0, w-1, w-2, w-3 and 1 more")])
def test_where_its_pods_are(count: int, names: str) -> None:
    placed = (*report(count).placed, PlacedPod(name="x", node="n0"))
    (sheet,) = places(report(placed=count))
    assert (sheet.title, sheet.rows) == ("", [("n1", names)])
    (sheet,) = places(replace(report(), placed=placed), "WHERE")
    assert (sheet.title, sheet.rows) == ("WHERE", [("n0", "x"), ("n1", names)])


def test_pods_that_do_not_run_are_not_among_the_others() -> None:
    some, all_ = places(report(2, stopped=(STOPPED,)), "WHERE"), places(report(1, stopped=(STOPPED,)), "WHERE")
    stopped = ("HAVE A NODE AND DO NOT RUN", [("n1", "w-0")])
    assert [(sheet.title, sheet.rows) for sheet in some] == [stopped, ("WHERE THE OTHERS RUN", [("n1", "w-1")])]
    assert [(sheet.title, sheet.rows) for sheet in all_] == [stopped]


def test_why_pods_do_not_run_is_said_by_node_where_no_headline_does() -> None:
    other = replace(STOPPED, name="w-1", text="other words")
    one, two = ("n1", "w-0", "words"), ("n1", "w-1", "other words")
    (pending, _), differing = places(report(2, 1, stopped=(STOPPED,))), places(report(2, stopped=(STOPPED, other)))
    assert pending.rows == [one]
    assert [sheet.rows for sheet in differing] == [[two, one]]


def test_pods_that_run_and_are_not_ready_are_headed_so() -> None:
    assert [sheet.title for sheet in places(report(1, stopped=(UNREADY,)))] == ["RUN AND ARE NOT READY"]
