from __future__ import annotations

from pathlib import Path

import pytest

from kexplain import Inputs, SchedulerSettings, load_case
from kexplain.api import decided
from kexplain.case import under
from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.decision_difference import Compared, difference
from kexplain.report.difference import DifferenceReport, Side

FIXTURES = Path(__file__).parents[3] / "fixtures"
GROUPS, GANGS, PLACES = "GenericWorkload", "GangScheduling", "TopologyAwareWorkloadScheduling"


def compared(fixture: str, before: set[str], after: set[str]) -> DifferenceReport:
    one, other = (SchedulerSettings(feature_gates=dict.fromkeys(gates, True)) for gates in (before, after))
    case = load_case([], Inputs([str(FIXTURES / fixture / "cluster.yaml")], settings=one))
    sides = (Compared(Side("1.36"), decided(each)) for each in (case, under(case, other)))
    return difference(*sides)


@pytest.mark.parametrize(
    ("fixture", "before", "after", "says"),
    [
        pytest.param(
            "group-in-no-zone",
            {GROUPS, GANGS},
            {GROUPS, GANGS, PLACES},
            [
                "4 of 4 pods get another verdict: group train/workers has to wait now",
                "before: group train/workers, which needs 4 pods at once, can run",
                "after: group train/workers, which needs 4 pods at once, cannot run: at most 3 fit together, in zone=b",
                "worker-3  lands on a-2 (399)  does not fit            cpu: needs 4, none free on any node",
                "ZONE, AFTER",
            ],
            id="waits",
        ),
        pytest.param(
            "group-in-no-zone",
            {GROUPS, GANGS, PLACES},
            set(),
            [
                "4 of 4 pods get another verdict: group train/workers can run now",
                "after: each pod is placed by itself: 4 of 4 pods fit",
                "worker-0  fits on a-1, and waits  lands on b-1 (436)",
                "ZONE, BEFORE",
            ],
            id="each-by-itself",
        ),
        pytest.param(
            "group-picks-a-zone",
            {GROUPS, GANGS},
            {GROUPS, GANGS, PLACES},
            ["group train/workers runs elsewhere now", "can run in zone=c"],
            id="elsewhere",
        ),
        pytest.param(
            "group-preempts",
            {GROUPS, GANGS},
            {GROUPS, GANGS, "WorkloadAwarePreemption"},
            [
                "group train/workers evicts train/batch-1, train/batch-0 now",
                "can run once train/batch-1, train/batch-0 have",
            ],
            id="preempts",
        ),
        pytest.param(
            "gang-one-pod-short",
            {GROUPS},
            {GROUPS, GANGS},
            ["to which it is not held here: 3 can run", "cannot run: 3 fit", "group train/readers has to wait now"],
            id="two-groups",
        ),
    ],
)
def test_a_group_is_said_once(fixture: str, before: set[str], after: set[str], says: list[str]) -> None:
    report = compared(fixture, before, after)
    lines = [line.plain for line in render(report, View()).lines(UNLIMITED)]
    text = "\n".join(lines)
    assert [each for each in says if each not in text] == []
    assert "STOPPED BY\n" not in text
    assert text.count("FITS ON") == 0


def test_a_group_for_which_nothing_changes_is_not_said() -> None:
    report = compared("group-in-no-zone", {GROUPS, GANGS}, {GROUPS, GANGS})
    assert [group.scheduling_group for group in report.scheduling_groups] == ["train/workers"]
    assert next(render(report, View()).lines(UNLIMITED)).plain.startswith("✓ nothing changes for 4 pods")
