"""Which of several things is said first, and who of many does not run."""

from __future__ import annotations

from kexplain.bound.stopped import all_stopped
from kexplain.diagnosis.records import Kind
from tests.bound.made import event, made, why
from tests.factories import cluster, node


def test_what_is_over_comes_first() -> None:
    status = {"phase": "Failed", "reason": "OutOfcpu"}
    found = why(made(status), event("FailedMount"), event("Preempted"))
    assert found is not None
    assert found.kind is Kind.PREEMPTED


def test_who_of_many_does_not_run() -> None:
    pods = [made({"phase": "Running"}), made({"phase": "Failed", "reason": "NodePorts"}), made({"phase": "Pending"})]
    found = list(all_stopped(pods, cluster([node("n1")])))
    assert [held.kind for _, held in found] == [Kind.TURNED_AWAY]
