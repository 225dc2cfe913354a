"""Sentences about many pods."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.case import Searched
from kexplain.explanation.records import Agreement, PodExplanation, ReasonDifference, SchedulingEvent
from kexplain.render.pages.paragraphs import Paragraph, event_lines, nothing_pending
from kexplain.report.groups import groups
from kexplain.report.not_running import NotRunning
from kexplain.report.records import Report
from kexplain.report.workloads import WorkloadReport
from tests.factories import cluster, node, pod

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


def differing(name: str, now: int) -> PodExplanation:
    """A pod with an event of which a reason is on as many nodes now."""
    (found,) = explain(Case(cluster([node("n1", cpu="1")]), (PodToPlace(pod(name, cpu="2")),))).pods
    reasons = (ReasonDifference(reason="node(s) had a taint", there=0, here=now),)
    event = SchedulingEvent(
        message="", reported_by="", first_seen="", last_seen="", times=1, agreement=Agreement.DIFFERENT,
        differences=reasons,
    )  # fmt: skip
    return replace(found, event=event)


@pytest.mark.parametrize(
    ("now", "said"), [((2, 2), [": node(s) had a taint: event 0, now 2"]), ((2, 3), ["", "default/b"])]
)
def test_events_that_differ_alike_are_told_at_once(now: tuple[int, int], said: list[str]) -> None:
    pods = [differing(name, count) for name, count in zip("bc", now, strict=True)]
    (group,) = groups(pods, by_message=True)
    first, *others = event_lines(Paragraph(pods, group, 0))
    assert first == f"events of 2 pods differ{said[0]}"
    assert [each.partition(":")[0] for each in others] == said[1:]
