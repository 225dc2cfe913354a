from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.explain.group_records import GroupStanding
from kexplain.explain.records import NodeCounts
from kexplain.explanation.records import (
    Agreement,
    Choice,
    Margin,
    PodExplanation,
    PodReference,
    ReasonDifference,
    SchedulingEvent,
)
from kexplain.framework.trace import Outcome, Sampling
from kexplain.render.pages.sentences import advice, counts, event_line, verdict, waits_for, why_chosen

POD = PodExplanation(
    pod=PodReference(namespace="shop", name="web", priority=0),
    scheduler_name="default-scheduler",
    outcome=Outcome.UNSCHEDULABLE,
    message="0/3 nodes are available: 3 Insufficient cpu.",
    nodes=NodeCounts(total=3, feasible=0, rejected=3, excluded=0, not_evaluated=0),
)
EVENT = SchedulingEvent(
    message="0/2 nodes are available: 2 Insufficient cpu.",
    reported_by="default-scheduler",
    first_seen="2026-01-01T00:00:00.123Z",
    last_seen="2026-01-01T00:05:00Z",
    times=1,
    agreement=Agreement.SAME,
)
CHOICE = Choice(node="n1", best=("n1",), total=90)
PLACED = replace(POD, outcome=Outcome.SCHEDULED, message="", choice=CHOICE)


@pytest.mark.parametrize(
    ("pod", "text"),
    [
        pytest.param(PLACED, "shop/web fits and lands on n1", id="fits"),
        pytest.param(POD, "shop/web does not fit on any of 3 nodes", id="fits nowhere"),
        pytest.param(
            replace(POD, nodes=replace(POD.nodes, total=1)), "shop/web does not fit on the only node", id="one node"
        ),
        pytest.param(
            replace(POD, outcome=Outcome.GATED, message="gated"), "shop/web is not scheduled yet: gated", id="gated"
        ),
        pytest.param(
            replace(POD, outcome=Outcome.NO_PROFILE, scheduler_name="volcano"),
            'shop/web is left to scheduler "volcano"',
            id="another scheduler",
        ),
        pytest.param(
            replace(POD, outcome=Outcome.DELETING), "shop/web is not scheduled: it is being deleted", id="deleting"
        ),
        pytest.param(
            replace(POD, outcome=Outcome.ERROR, message="no"), "shop/web cannot be scheduled: no", id="an error"
        ),
    ],
)
def test_verdicts(pod: PodExplanation, text: str) -> None:
    assert verdict(pod) == text


@pytest.mark.parametrize(
    ("pod", "text"),
    [
        pytest.param(POD, "", id="nodes were tried"),
        pytest.param(
            replace(POD, outcome=Outcome.GATED),
            "it enters the queue once spec.schedulingGates is empty; "
            "the controller that set the gates must remove them",
            id="gates",
        ),
        pytest.param(
            replace(POD, outcome=Outcome.GATED, gated_by="DynamicResources"),
            "it enters the queue once all claims that it refers to exist and belong to it",
            id="claims",
        ),
        pytest.param(
            replace(POD, outcome=Outcome.NO_PROFILE, scheduler_name="x", profiles=("a", "b")),
            "it stays pending unless a scheduler of that name runs; the profiles here are a, b",
            id="several profiles",
        ),
    ],
)
def test_advice(pod: PodExplanation, text: str) -> None:
    assert advice(pod) == text


def test_counts() -> None:
    nodes = NodeCounts(total=130, feasible=100, rejected=2, excluded=1, not_evaluated=27)
    sampling = Sampling(start_index=5, next_start_index=108, nodes_to_find=100, evaluated=103)
    assert counts(replace(POD, nodes=nodes, sampling=sampling)) == (
        "fits on 100 of 130 nodes, 2 rejected, 1 excluded by name, "
        "27 not looked at (the search ended once 100 fit; kexplain trace shows its order)"
    )


@pytest.mark.parametrize(
    ("choice", "lines"),
    [
        pytest.param(Choice(node="n1", best=("n1",)), ["the only node that fits, so none is scored"], id="alone"),
        pytest.param(CHOICE, ["90 points, the same as every node that fits"], id="all alike"),
        pytest.param(
            replace(CHOICE, best=("n1", "n2")),
            ["90 points, tied with n2; the scheduler picks one of the 2 at random"],
            id="tied",
        ),
        pytest.param(
            replace(
                CHOICE, runner_up="n2", runner_up_total=80, margins=(Margin(plugin="NodeResourcesFit", weighted=10),)
            ),
            ["90 points, 10 more than n2: NodeResourcesFit +10"],
            id="ahead",
        ),
    ],
)
def test_why_a_node_is_chosen(choice: Choice, lines: list[str]) -> None:
    assert why_chosen(choice) == lines


@pytest.mark.parametrize(
    ("event", "text"),
    [
        pytest.param(EVENT, "the event of 2026-01-01T00:05:00Z says the same", id="the same"),
        pytest.param(
            replace(EVENT, times=3, agreement=Agreement.SAME_REASONS),
            "the event of 2026-01-01T00:05:00Z (3 times since 2026-01-01T00:00:00Z) "
            "gives the same reasons, each for as many nodes",
            id="the same reasons",
        ),
        pytest.param(
            replace(
                EVENT,
                reported_by="other",
                agreement=Agreement.DIFFERENT,
                nodes=2,
                differences=(ReasonDifference(reason="Insufficient cpu", there=2, here=3),),
            ),
            "the event of 2026-01-01T00:05:00Z by other differs: nodes: event 2, now 3; "
            "Insufficient cpu: event 2, now 3",
            id="other counts",
        ),
        pytest.param(
            replace(EVENT, agreement=Agreement.OTHER_OUTCOME),
            "the event of 2026-01-01T00:05:00Z disagrees: 0/2 nodes are available: 2 Insufficient cpu.",
            id="another outcome",
        ),
    ],
)
def test_the_event_beside_the_verdict(event: SchedulingEvent, text: str) -> None:
    assert event_line(replace(POD, event=event)) == text


def test_what_another_scheduler_says_is_no_disagreement() -> None:
    left = replace(POD, outcome=Outcome.NO_PROFILE, event=replace(EVENT, agreement=Agreement.OTHER_OUTCOME))
    assert event_line(left) == "the event of 2026-01-01T00:05:00Z says: 0/2 nodes are available: 2 Insufficient cpu."


@pytest.mark.parametrize(
    ("needs", "fitting", "text"),
    [
        (None, 2, "2 of 3 pods of group a/g fit"),
        (2, 1, "1 of the 2 pods that group a/g needs at once fit"),
        (2, 2, "2 pods of group a/g fit, and it needs 2 at once"),
        (1, 1, "1 pod of group a/g fits, and it needs 1 at once"),
    ],
)
def test_how_far_a_group_is_from_running(needs: int | None, fitting: int, text: str) -> None:
    assert waits_for(GroupStanding(group="a/g", there=True, needs=needs, exist=3, fitting=fitting)) == text
