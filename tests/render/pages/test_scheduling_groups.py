from __future__ import annotations

import pytest

from kexplain.explain.group_records import GroupMemberReport, MemberState, PlacementOutcome, SchedulingGroup
from kexplain.framework.trace import Outcome
from kexplain.render.pages.scheduling_groups import title

NAMED = "group train/g, which needs 3 pods at once,"


def members(**counts: int) -> tuple[GroupMemberReport, ...]:
    states = [MemberState(state) for state, count in counts.items() for _ in range(count)]
    return tuple(GroupMemberReport(pod=f"p-{place}", state=state) for place, state in enumerate(states))


def group(outcome: Outcome | None, zones: tuple[int, ...] = (), message: str = "", **counts: int) -> SchedulingGroup:
    placements = tuple(PlacementOutcome(f"z{fitting}", 2, fitting, fitting > 2) for fitting in zones)
    return SchedulingGroup(
        name="g",
        namespace="train",
        there=True,
        needs=3,
        exist=sum(counts.values()),
        outcome=outcome,
        message=message,
        members=members(**counts),
        topology_key="zone" if zones else "",
        placements=placements,
    )


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (group(Outcome.SCHEDULED, Fits=3), f"{NAMED} can run"),
        (group(Outcome.SCHEDULED, Placed=2, Fits=1), f"{NAMED} can run"),
        (
            group(Outcome.SCHEDULED, Fits=2, DoesNotFit=1),
            "group train/g asks for 3 pods at once, to which it is not held here: 2 can run",
        ),
        (group(None, NotTried=1), f"{NAMED} was not tried; 1 exists"),
        (group(Outcome.UNSCHEDULABLE, Fits=2, DoesNotFit=1), f"{NAMED} cannot run: 2 fit"),
        (group(Outcome.UNSCHEDULABLE, DoesNotFit=3), f"{NAMED} cannot run: none fits"),
        (
            group(Outcome.UNSCHEDULABLE, Placed=1, Fits=1, DoesNotFit=1),
            f"{NAMED} cannot run: 1 has a node, and 1 more pod fits",
        ),
        (
            group(Outcome.UNSCHEDULABLE, (1, 2), Fits=1, DoesNotFit=2),
            f"{NAMED} cannot run: at most 2 fit together, in zone=z2",
        ),
        (
            group(Outcome.UNSCHEDULABLE, message="pod group is unschedulable, a plugin asked to wait", Fits=3),
            f"{NAMED} cannot run: a plugin asked to wait",
        ),
        (group(Outcome.ERROR, message="priorities differ", NotTried=3), f"{NAMED} cannot run: priorities differ"),
    ],
)
def test_how_many_fit_and_how_many_there_must_be(told: SchedulingGroup, says: str) -> None:
    assert title(told) == says
