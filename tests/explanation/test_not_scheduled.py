from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, SchedulerSettings, build_scheduler, explain
from kexplain.explanation.records import PodExplanation
from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.groups import PodGroup
from kexplain.report.records import Report
from tests.factories import cluster, node, pod, pod_group

GATES = {"GenericWorkload": True, "GangScheduling": True}


@pytest.fixture(scope="module")
def report() -> Report:
    """Four pods that need a node each, of which one is free, and one more is cordoned."""
    members = [pod(f"g-{n}", cpu="3", group="g") for n in range(4)]
    there = [pod("busy", cpu="3500m", node="full")]
    nodes = [node("free"), node("full"), node("away", cordoned=True)]
    case = Case(cluster(nodes, there, pod_group("g", 4)), tuple(map(PodToPlace, members)))
    return explain(case, build_scheduler(SchedulerSettings(kubernetes_version="1.36", feature_gates=GATES)))


def helps(explained: PodExplanation) -> list[tuple[str, int | None, int | None]]:
    return [(each.text, each.serves, each.pending) for each in explained.remedies]


def test_what_helps_a_pod_of_a_group_is_tried_for_all_of_it_that_fit_nowhere(report: Report) -> None:
    found = helps(report.pods[1])
    assert ("uncordon away, once the reason for the cordon is known", 1, 3) in found
    assert ("add 3 more nodes like free", 3, 3) in found


def test_those_who_wait_for_others_of_their_group_are_told_once_what_helps_these(report: Report) -> None:
    found = helps(report.pods[0])
    assert ("for g-1, g-2, g-3: add 3 more nodes like free", 3, 3) in found
    assert len({text.partition(": ")[2] for text, *_ in found}) == len(found)


def test_a_group_says_how_many_a_remedy_serves(report: Report) -> None:
    group: PodGroup = max(report.groups, key=lambda each: len(each.remedies))
    served = {each.text: (each.serves, each.pods) for each in group.remedies}
    assert served["uncordon away, once the reason for the cordon is known"] == (1, 3)
    assert served["add 3 more nodes like free"] == (3, 3)
    apart = replace(report, groups=tuple(replace(each, alike=False) for each in report.groups))
    shown = [line.plain for line in render(apart, View()).lines(UNLIMITED)]
    assert "  → uncordon away, once the reason for the cordon is known (1 of 3 pods)" in shown
    assert "  → add 3 more nodes like free (3 pods)" in shown
