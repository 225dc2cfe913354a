from __future__ import annotations

import pytest

from kexplain.objects.core import Pod
from kexplain.plugins.victims import Victim, Victims, by_importance, pods_of, start_time
from tests.factories import cluster, node, pod, pod_group

MORNING, NOON, EVENING = "2026-05-01T06:00:00Z", "2026-05-01T12:00:00Z", "2026-05-01T18:00:00Z"


def low(name: str, priority: int = 0, started: str | None = NOON, group: str | None = None, on: str = "n1") -> Pod:
    return pod(name, node=on, priority=priority, started=started, group=group, uid=name)


def victims(*pods: Pod) -> list[Victim]:
    made = cluster([node("n1")])
    return [Victim(((made.pod_info(each), "n1"),), (each,), each.priority, start_time(each)) for each in pods]


@pytest.mark.parametrize(
    ("pods", "order"),
    [
        pytest.param([low("a", priority=1), low("b", priority=3), low("c", priority=2)], "b c a", id="priority"),
        pytest.param([low("a", started=NOON), low("b", started=MORNING)], "b a", id="start"),
        pytest.param([low("a", started=NOON), low("b", started="2026-05-01T13:00:00+02:00")], "b a", id="time-zones"),
        pytest.param([low("a"), low("b"), low("c")], "a b c", id="equal"),
        pytest.param([low("a", started=None), low("b", started=EVENING)], "b a", id="started-before-not-started"),
        pytest.param([low("a", started=None), low("b", started=None)], "b a", id="not-started-are-turned-around"),
        pytest.param(
            [low("a", priority=1, started=EVENING), low("b", started=MORNING)], "a b", id="priority-before-start",
        ),
    ],
)  # fmt: skip
def test_importance(pods: list[Pod], order: str) -> None:
    found = by_importance(victims(*pods), reads_clock_once=False)
    assert [each.name for each in pods_of(found)] == order.split()


def test_pods_that_have_not_started_keep_their_order_where_the_clock_is_read_once() -> None:
    names = [f"p{place}" for place in range(20)]
    found = by_importance(victims(*(low(name, started=None) for name in names)), reads_clock_once=True)
    assert [each.name for each in pods_of(found)] == names


def test_start_time() -> None:
    assert start_time(low("a", started="1970-01-01T00:01:00Z")) == 60
    assert start_time(low("a", started=None)) == float("inf")
    assert start_time(low("a", started="yesterday")) == float("inf")


# ---------------------------------------------------------------------------------------------------- groups

WHOLE = pod_group("whole", mode="All", priority=3)
SINGLE = pod_group("single", mode="Single", priority=2)
RUNNING = [low("a", 9, group="whole"), low("b", 9, group="whole", on="n2"), low("c", 8, group="single"), low("d", 7)]


@pytest.mark.parametrize(
    ("by_group", "all_by_group", "expected"),
    [
        pytest.param(True, True, [("a b", 3), ("c", 2), ("d", 7)], id="groups-have-one-priority"),
        pytest.param(True, False, [("a b", 3), ("c", 8), ("d", 7)], id="only-those-that-leave-as-a-whole"),
        pytest.param(False, True, [("a", 9), ("c", 8), ("d", 7), ("b", 9)], id="groups-do-not-count"),
    ],
)
def test_who_leaves_together(by_group: bool, all_by_group: bool, expected: list[tuple[str, int]]) -> None:
    made = cluster([node("n1"), node("n2")], RUNNING, WHOLE, SINGLE)
    found = Victims(made, by_group=by_group, all_by_group=all_by_group).everywhere()
    assert [(" ".join(each.name for each in victim.pods), victim.priority) for victim in found] == expected


def test_groups_matter_more_than_pods_and_larger_ones_more_than_smaller() -> None:
    made = cluster(
        [node("n1")],
        [low("pod", started=MORNING), low("c", group="one"), low("a", group="two"), low("b", group="two")],
        pod_group("one", mode="All"),
        pod_group("two", mode="All"),
    )
    found = by_importance(Victims(made, by_group=True).everywhere(), reads_clock_once=True)
    assert [each.name for each in pods_of(found)] == ["a", "b", "c", "pod"]
