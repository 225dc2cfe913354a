"""Sentences about many pods."""

from __future__ import annotations

import pytest

from kexplain.case import Searched
from kexplain.render.pages.paragraphs import nothing_pending
from kexplain.report.not_running import NotRunning
from kexplain.report.records import Report
from kexplain.report.workloads import WorkloadReport

STOPPED = NotRunning(
    namespace="a", name="w-0", node="n1", kind="image-not-pulled", by="the kubelet", text="words", reason=""
)
WORKLOAD = WorkloadReport(kind="Deployment", namespace="a", name="w", wanted=0, missing=0, placed=(), pending=())


@pytest.mark.parametrize(
    ("search", "idle", "expected"),
    [
        (Searched(0, 0), 0, "no pods found"),
        (Searched(0, 0, "a"), 0, "no pods found in namespace a"),
        (Searched(1, 1), 0, "nothing is pending in 1 namespace: the only pod has a node or has finished"),
        (Searched(1, 1, "a"), 1, "1 of 1 pod in namespace a has a node and does not run; none is pending"),
        (Searched(2, 2), 0, "nothing is pending in 2 namespaces: all 2 pods have a node or have finished"),
        (Searched(3, 2), 1,
         "1 of 3 pods in 2 namespaces has a node and does not run; none is pending"),
        (Searched(3, 1, "a"), 2,
         "2 of 3 pods in namespace a have a node and do not run; none is pending"),
        (None, 1, ""),
    ],
)  # fmt: skip
def test_nothing_is_pending(search: Searched | None, idle: int, expected: str) -> None:
    report = Report(kubernetes_version="1.36", pods=(), search=search, not_running=(STOPPED,) * idle)
    assert nothing_pending(report) == expected


def test_of_a_workload_that_was_named_more_is_said() -> None:
    assert (
        nothing_pending(Report(kubernetes_version="1.36", pods=(), search=Searched(1, 1), workloads=(WORKLOAD,))) == ""
    )
