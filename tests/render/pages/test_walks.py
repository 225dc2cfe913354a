"""The search over the nodes, in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.explain.records import Verdict
from kexplain.explanation.walk import Ending, Walk, WalkedNode
from kexplain.parameters import parameter
from kexplain.render.pages.walks import missed, strip, walk_lines, walked_lines

WALK = Walk(
    start_index=7,
    first="n7",
    total=500,
    nodes_to_find=230,
    percentage=46,
    is_by_formula=True,
    least=100,
    is_one_enough=False,
    evaluated=240,
    feasible=230,
    ending=Ending.ENOUGH,
    last="n247",
    next_start_index=247,
    next_first="n248",
)
ALL = replace(WALK, ending=Ending.ALL, evaluated=500, feasible=1)
ROUND = "it goes round 500 nodes, from n7 on (start index 7, where the search before ended), until"
BY_FORMULA = f"{ROUND} 230 fit (50 - 500/125, and no less than 5: 46 % of 500)"
EARLY = "it ended at n247: 230 fit, 10 were turned down, 260 were never looked at"
OF_241 = (
    "it goes round 241 nodes, from n7 on (start index 0, as for a scheduler's first pod; "
    f"{parameter('start_index')} sets another), "
    "until 100 fit (percentageOfNodesToScore: 20 % of 241, which is 48, and never fewer than 100)"
)
FROM = "from n7 on (index 7)"
NEXT = "the next pod's search begins with n248 (index 247)"


def _node(turn: int, verdict: Verdict = Verdict.FEASIBLE, plugin: str = "") -> WalkedNode:
    return WalkedNode(turn=turn, node=f"n{turn}", zone="", verdict=verdict, plugin=plugin)


@pytest.mark.parametrize(
    ("walk", "lines"),
    [
        (WALK, [BY_FORMULA, f"{EARLY}; {NEXT}"]),
        (
            replace(WALK, total=241, percentage=20, is_by_formula=False, nodes_to_find=100, start_index=0),
            [OF_241, f"it ended at n247: 230 fit, 10 were turned down, 1 was never looked at; {NEXT}"],
        ),
        (replace(ALL, nodes_to_find=500), [f"all of 500 nodes, {FROM}: 1 fits, 499 were turned down; {NEXT}"]),
        (
            replace(ALL, feasible=0, zones=("a", "b"), nodes_to_find=500),
            [f"all of 500 nodes, one of each zone in turn (a, b), {FROM}: none fits, 500 were turned down; {NEXT}"],
        ),
        (
            replace(ALL, feasible=500, narrowed_by=("NodeAffinity",), nodes_to_find=500),
            [f"all of the 500 nodes that NodeAffinity leaves, {FROM}: 500 fit, none was turned down; {NEXT}"],
        ),
        (ALL, [BY_FORMULA, f"it looked at all: 1 fits, 499 were turned down; {NEXT}"]),
        (
            replace(WALK, is_one_enough=True, nodes_to_find=1, preferred=("n300",)),
            [
                f"{ROUND} one fits, as no plugin ranks nodes",
                f"{EARLY}; {NEXT}",
                "1 node that it prefers was never looked at: n300",
            ],
        ),
        (replace(WALK, ending=Ending.NOT_TRIED), ["no node was looked at"]),
        (replace(WALK, total=0), ["no node was looked at"]),
    ],
)
def test_how_the_search_went(walk: Walk, lines: list[str]) -> None:
    assert walk_lines(walk) == lines


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        (Ending.NOMINATED, "the node that is kept for the pod is tried first, and fits: no other was looked at"),
        (Ending.PRE_FILTER, "no node was looked at: PreFilter turned the pod down"),
        (Ending.ERROR, "the attempt ended with an error"),
    ],
)
def test_why_it_ended_early(ending: Ending, said: str) -> None:
    assert walk_lines(replace(WALK, ending=ending))[1] == f"{said}; {NEXT}"


def test_nodes_that_fare_alike_are_told_together() -> None:
    rejected, unseen = Verdict.REJECTED, Verdict.NOT_EVALUATED
    nodes = (
        _node(1),
        _node(2, rejected, "NodePorts"),
        _node(3, rejected, "NodePorts"),
        _node(4),
        _node(5),
        _node(6, unseen),
    )
    told = strip(replace(WALK, nodes=nodes))
    assert told == "in their order: 1 fits, 2 NodePorts, 2 fit, 1 not looked at"


def test_many_runs_are_a_line_of_signs() -> None:
    nodes = tuple(_node(turn, Verdict.REJECTED, f"P{turn}") for turn in range(14))
    assert strip(replace(WALK, nodes=nodes)).startswith(f"in their order, a sign for 1 node: {'x' * 14} (# all fit")
    assert strip(replace(WALK, nodes=nodes[:12])).endswith("1 P11")


def test_a_sign_stands_for_several_nodes_that_were_looked_at() -> None:
    fates = [*["fits"] * 90, *["fits", "P"] * 45, *["P"] * 60, *["unseen"] * 240]
    verdicts = {"fits": Verdict.FEASIBLE, "P": Verdict.REJECTED, "unseen": Verdict.NOT_EVALUATED}
    nodes = tuple(_node(turn, verdicts[fate]) for turn, fate in enumerate(fates, 1))
    signs = strip(replace(WALK, nodes=nodes)).removeprefix("in their order, a sign for 8 nodes: ").split()[0]
    assert signs == "#" * 11 + "+" * 12 + "x" * 7 + "." * 30


def test_one_node_in_the_search() -> None:
    unseen = replace(_node(300, Verdict.NOT_EVALUATED), would_get=70)
    assert [*walked_lines(replace(WALK, nodes=(unseen,), preferred=("n300",)))] == [
        "number 300 of 500 in the search, which began with n7",
        "the search ended at n247, as 230 fit",
        "had all been looked at, it would have got 70 points, more than the one picked",
    ]
    assert [*walked_lines(replace(WALK, nodes=(_node(3),)))] == ["number 3 of 500 in the search, which began with n7"]


def test_what_was_missed() -> None:
    unseen = _node(300, Verdict.NOT_EVALUATED)
    assert missed(unseen, is_preferred=False) == ""
    assert (
        missed(replace(unseen, would_get=7), is_preferred=False) == "had all been looked at, it would have got 7 points"
    )
    turned_down = replace(unseen, would_be_turned_down_by="NodePorts")
    assert missed(turned_down, is_preferred=False) == "had all been looked at, NodePorts would have turned it down"
