"""Who would have to leave a node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.cluster import Cluster
from kexplain.diagnosis.scene import Scene
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS
from kexplain.remedies.moved_pods import (
    FEW_MOVED,
    FEW_NODES,
    MOST_MOVED,
    evictable,
    first_to_go,
    making_room,
    moving,
    named,
)
from kexplain.remedies.records import Rank
from tests.factories import affinity, budget, cluster, controlled_by, node, pod, selector, term
from tests.storage_factories import claim, persistent_volume, uses

ASKING = pod("new", cpu="2", owner=controlled_by("ReplicaSet", "new"))


def running(name: str, cpu: str = "1", memory: str = "1Gi", **more: object) -> Pod:
    return pod(name, cpu=cpu, memory=memory, node="n1", **more)  # type: ignore[arg-type]


def leaving(pods: Sequence[Pod], missing: Mapping[str, int], *others: object, nodes: int = 1) -> list[str]:
    every = [node(f"n{number}", cpu="9", memory="9Gi") for number in range(1, nodes + 1)]
    there: Cluster = cluster(every, pods, *others)  # type: ignore[arg-type]
    first, home = there.node_info_by_name["n1"], Scene(ASKING, there)
    return [step.name for each in making_room(first, missing, home) for step in each.steps]


@pytest.mark.parametrize(
    ("pods", "missing", "expected"),
    [
        pytest.param([running("a"), running("b", "3")], {"cpu": 1000}, ["a"], id="the-smallest-that-is-enough"),
        pytest.param([running("a", priority=5), running("b", "3")], {"cpu": 1000}, ["b"], id="the-least-important"),
        pytest.param([running(name) for name in "abc"], {"cpu": 2000}, ["a", "b"], id="two"),
        pytest.param([running("a"), running("b", "1", "4Gi")], {"cpu": 2000, "memory": 1 << 30}, ["a", "b"],
                     id="two-resources"),
        pytest.param([running("a"), running("b")], {"cpu": 9000}, [], id="not-enough"),
        pytest.param([running("a")], {PODS: 1}, ["a"], id="a-slot"),
        pytest.param([running(f"p{index}") for index in range(9)], {"cpu": (MOST_MOVED + 1) * 1000}, [], id="too-many"),
        pytest.param([running("a", owner=controlled_by("ReplicaSet", "new"))], {"cpu": 1000}, [], id="siblings-stay"),
        pytest.param([running("a", owner=controlled_by("DaemonSet", "d"))], {"cpu": 1000}, [], id="daemons-stay"),
    ],
)  # fmt: skip
def test_the_fewest_and_least_important_leave(pods: list[Pod], missing: dict[str, int], expected: list[str]) -> None:
    assert leaving(pods, missing) == expected


def test_fewer_leave_where_there_are_many_nodes() -> None:
    pods, missing = [running(f"p{index}") for index in range(9)], {"cpu": (FEW_MOVED + 1) * 1000}
    assert len(leaving(pods, missing, nodes=FEW_NODES)) == FEW_MOVED + 1
    assert leaving(pods, missing, nodes=FEW_NODES + 1) == []


def test_budgets_are_respected() -> None:
    guarded = [running("a", labels={"app": "db"}), running("b", "2")]
    assert leaving(guarded, {"cpu": 1000}, budget("db", selector({"app": "db"}), 0)) == ["b"]
    there = cluster([node("n1")], guarded, budget("db", selector({"app": "db"}), 0))
    assert not evictable(guarded, there)
    assert evictable(guarded[1:], there)


def test_pods_by_name_are_all_there_and_may_go() -> None:
    there = cluster([node("n1")], [running("a"), running("b", owner=controlled_by("DaemonSet", "d"))])
    assert [pod.name for pod in named(["default/a"], there) or ()] == ["a"]
    assert named(["default/a", "default/gone"], there) is None
    assert named(["default/b"], there) is None


def test_the_least_important_that_hold_something_go_first() -> None:
    there = cluster([node("n1")], [running("a", priority=9), running("b"), running("c", priority=1)])
    found = first_to_go(there.node_infos[0], 2, lambda pod: True, there)
    assert [pod.name for pod in found or ()] == ["b", "c"]
    assert first_to_go(there.node_infos[0], 4, lambda pod: True, there) is None


def test_moving_names_everybody() -> None:
    proposal = moving(["ns/a", "ns/b"], " away from n1")
    assert proposal.text == "move ns/a and ns/b away from n1"
    assert [(step.namespace, step.name) for step in proposal.steps] == [("ns", "a"), ("ns", "b")]


def test_who_the_pod_must_be_near_stays() -> None:
    asking = pod("new", cpu="2", affinity=affinity(near=[term(selector({"app": "a"}))]))
    first = running("a", labels={"app": "a"})
    there = cluster([node("n1", cpu="9")], [first, running("b")])
    proposals = making_room(there.node_info_by_name["n1"], {"cpu": 1000}, Scene(asking, there))
    assert [step.name for each in proposals for step in each.steps] == ["b"]


def test_a_node_is_no_help_where_the_volume_cannot_be() -> None:
    uses_it, around = uses("data"), [claim("data", volume="v"), persistent_volume("v", reserved="default/data")]
    near = affinity(near=[term(selector({"app": "a"}))])
    asking = pod("new", cpu="2", affinity=near, volumes=uses_it, phase="Pending")
    first = running("a", "4", labels={"app": "a"}, volumes=uses_it)
    there = cluster([node("n1", cpu="4"), node("n2", cpu="4")], [first], *around)
    (found,) = explain(Case(there, (PodToPlace(asking),)), last_resorts=True).pods
    relaxed = next(each for each in found.remedies if each.action == "relax-affinity")
    assert relaxed.rank == Rank.LAST_RESORT
