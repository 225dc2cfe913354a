from __future__ import annotations

import pytest

from kexplain.explain.records import Verdict
from kexplain.explanation.records import PodReference
from kexplain.framework.trace import Outcome
from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.difference import (
    DifferenceReport,
    NodeDifference,
    NodeStanding,
    PluginShift,
    PodDifference,
    Side,
    Standing,
)
from kexplain.report.release_changes import ReleaseChange


def pod(name: str, *changed: str, totals: tuple[int, int]) -> PodDifference:
    """A pod that keeps its node, which has other points then."""
    before, after = (NodeStanding(Verdict.FEASIBLE, rank=1, total=total) for total in totals)
    shift = PluginShift("NodeResourcesFit", totals[1] - totals[0], *totals)
    nodes = (NodeDifference("n1", before, after, (shift,)),) if totals[0] != totals[1] else ()
    was, stands = (Standing(Outcome.SCHEDULED, node="n1", best=("n1",), total=total) for total in totals)
    return PodDifference(PodReference("default", name, 0), changed, was, stands, nodes=nodes, changed_nodes=len(nodes))


def lines(*pods: PodDifference, verbose: bool = False) -> list[str]:
    report = DifferenceReport(before=Side("1.34"), after=Side("1.36"), pods=pods)
    return [line.plain for line in render(report, View(verbose=verbose)).lines(UNLIMITED)]


@pytest.mark.parametrize(
    ("pods", "says"),
    [
        ([pod("a", totals=(7, 7))], ["✓ nothing changes for 1 pod  "]),
        (
            [pod("a", totals=(7, 9)), pod("b", totals=(7, 7))],
            ["✓ nothing changes for 2 pods; points differ  ", "1 pod keeps its ranks, but points differ: default/a ("],
        ),
        (
            [pod("a", totals=(7, 9)), pod("b", "rank", totals=(7, 9))],
            [
                "1 of 2 pods changes only in ranks or reasons; verdicts and nodes stay  ",
                "1 pod keeps its verdict, but ranks or reasons differ: default/b (",
                "1 pod keeps its ranks, but points differ: default/a (",
            ],
        ),
    ],
)
def test_points_that_differ_are_said_where_nothing_else_does(pods: list[PodDifference], says: list[str]) -> None:
    text = "\n".join(lines(*pods))
    assert [each for each in says if each not in text] == []
    assert text.count("points differ") == "".join(says).count("points differ")


def test_all_that_is_asked_for_has_the_nodes_whose_points_differ() -> None:
    shown = lines(pod("a", totals=(7, 9)), verbose=True)
    assert "  default/a still lands on n1" in shown
    assert "  n1    rank 1 (7)  rank 1 (9)  NodeResourcesFit +2" in shown


def test_objects_that_are_not_named_are_counted() -> None:
    change = ReleaseChange(
        name="r",
        effect="e",
        release="1.35",
        on=True,
        objects="5 nodes have taints",
        then="t",
        examples=("a", "b"),
        count=5,
    )
    report = DifferenceReport(before=Side("1.34"), after=Side("1.36"), pods=(), releases=(change,))
    shown = "\n".join(line.plain for line in render(report, View()).lines(UNLIMITED))
    assert "5 nodes have taints: a, b and 3 more" in shown
