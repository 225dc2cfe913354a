"""Which of several things is said first, and who of many does not run."""

from __future__ import annotations

import pytest

from kexplain.bound.stopped import all_stopped
from kexplain.diagnosis.records import Kind
from kexplain.objects.meta import Condition
from tests.bound.made import event, made, why
from tests.factories import cluster, node, pod


def test_what_is_over_comes_first() -> None:
    status = {"phase": "Failed", "reason": "OutOfcpu"}
    found = why(made(status), event("FailedMount"), event("Preempted"))
    assert found is not None
    assert found.kind is Kind.PREEMPTED


def test_who_of_many_does_not_run() -> None:
    pods = [made({"phase": "Running"}), made({"phase": "Failed", "reason": "NodePorts"}), made({"phase": "Pending"})]
    found = list(all_stopped(pods, cluster([node("n1")])))
    assert [held.kind for _, held in found] == [Kind.TURNED_AWAY]


@pytest.mark.parametrize(
    ("deleting", "phase", "is_listed"), [(True, "Running", False), (True, "Failed", True), (False, "Running", True)]
)
def test_who_was_told_to_go_and_is_on_its_way_is_none_of_them(deleting: bool, phase: str, is_listed: bool) -> None:
    told = Condition(type="DisruptionTarget", status="True", reason="EvictionByEvictionAPI")
    unready = Condition(type="Ready", status="False")
    gone = pod("a", node="n1", phase=phase, deleting=deleting, conditions=[told, unready])
    assert bool([*all_stopped([gone], cluster([node("n1")]))]) is is_listed
