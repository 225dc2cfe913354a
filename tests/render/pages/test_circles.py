from __future__ import annotations

import pytest

from kexplain.diagnosis.records import NodeCircles
from kexplain.explain.records import Cause
from kexplain.render.pages.circles import Circles


def cause(*nodes: str) -> Cause:
    return Cause(plugin=nodes[0], text="it does not match", count=len(nodes), nodes=nodes, preemption_may_help=False)


CIRCLES = NodeCircles(candidates=("a", "b"), reserved=("c",), elsewhere=("d",), out_of_service=("e",))


@pytest.mark.parametrize(
    ("nodes", "where"),
    [
        (("a", "b"), "candidates"),
        (("a",), "candidate"),
        (("c",), "reserved"),
        (("a", "d"), "1 candidate, 1 ruled out"),
        (("d", "a", "b", "e"), "2 candidates, 1 ruled out, 1 out of service"),
        (("x",), ""),
        (("a", "x"), "1 candidate, 1 other"),
    ],
)
def test_where_a_cause_is(nodes: tuple[str, ...], where: str) -> None:
    assert Circles(CIRCLES).in_order([cause(*nodes)]) == [(where, cause(*nodes))]


def test_causes_on_candidates_come_first() -> None:
    causes = [cause(name) for name in "edcbx"]
    assert [each.plugin for _, each in Circles(CIRCLES).in_order(causes)] == ["b", "c", "d", "e", "x"]
    others = [each for each in causes if each.plugin != "b"]
    assert [each.plugin for _, each in Circles(CIRCLES).in_order(others, about=("e",))] == ["e", "c", "d", "x"]


def test_without_circles_nobody_is_anywhere() -> None:
    assert Circles(None).in_order([cause("a", "b")]) == [("", cause("a", "b"))]
