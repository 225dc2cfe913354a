"""Where nodes stand for one pod."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.diagnosis.circles import Circles, circles
from kexplain.diagnosis.wishes import Wish
from kexplain.objects.core import Node, NodeCondition, Pod, Toleration
from tests.factories import cluster, controlled_by, node, pod, toleration

GPU, SPOT = "nvidia.com/gpu", "spot"
SPOT_TAINT, GPU_TAINT = "spot=true:NoSchedule", f"{GPU}=present:NoSchedule"
TOLERATES_SPOT = toleration(SPOT, "true", effect="NoSchedule")
CORDON = "node.kubernetes.io/unschedulable:NoSchedule"


def general(name: str, **more: object) -> Node:
    return node(name, labels={"pool": "general"}, **more)  # type: ignore[arg-type]


def spot(name: str) -> Node:
    return node(name, labels={"pool": "spot"}, taints=[SPOT_TAINT])


def gpu(name: str) -> Node:
    return node(name, labels={"pool": "gpu"}, taints=[GPU_TAINT], further={GPU: "2"})


def running(name: str, on: str, *tolerations: Toleration, kind: str = "ReplicaSet", **more: object) -> Pod:
    return pod(name, node=on, owner=controlled_by(kind, name), tolerations=tolerations, **more)  # type: ignore[arg-type]


def sorted_for(asking: Pod, nodes: Sequence[Node], pods: Sequence[Pod] = ()) -> Circles:
    return circles(build_scheduler().schedule(asking, cluster(nodes, pods)))


def stand(found: Circles) -> dict[str, str]:
    """The names of each circle that has any."""
    every = {"candidates": found.candidates, "reserved": found.reserved, "elsewhere": found.elsewhere,
             "out": found.out_of_service, "lapsed": found.lapsed}  # fmt: skip
    return {circle: " ".join(names) for circle, names in every.items() if names}


BIG = pod(cpu="64")
POOLS = [general("g1"), general("g2"), spot("s1"), gpu("x1")]
CORDONED = general("g1", cordoned=True, taints=[CORDON])
ETL = running("etl", "s1", TOLERATES_SPOT)
ETL_2 = running("etl-2", "s1", TOLERATES_SPOT)


@pytest.mark.parametrize(
    ("asking", "nodes", "pods", "expected"),
    [
        pytest.param(BIG, POOLS, [ETL], {"candidates": "g1 g2", "reserved": "s1 x1"}, id="others-have-taints"),
        pytest.param(pod(cpu="64", tolerations=[TOLERATES_SPOT]), POOLS, [ETL],
                     {"candidates": "g1 g2 s1", "reserved": "x1"}, id="tolerated"),
        pytest.param(pod(further={GPU: "1"}), POOLS, [ETL], {"candidates": "x1", "elsewhere": "g1 g2 s1"},
                     id="a-resource-asks-for-its-pool"),
        pytest.param(pod(node_selector={"pool": "spot"}), POOLS, [ETL], {"candidates": "s1", "elsewhere": "g1 g2 x1"},
                     id="a-selector-asks-for-its-pool"),
        pytest.param(pod(node_selector={"pool": "zzz"}), POOLS, [ETL], {"candidates": "g1 g2", "reserved": "s1 x1"},
                     id="a-wish-that-nobody-meets"),
        pytest.param(pod(cpu="64", owner=controlled_by("ReplicaSet", "etl")), POOLS, [ETL],
                     {"candidates": "g1 g2 s1", "reserved": "x1"}, id="siblings-run-there"),
        pytest.param(BIG, [CORDONED, general("g2"), spot("s1")], [ETL],
                     {"candidates": "g2", "reserved": "s1", "out": "g1", "lapsed": "g1"}, id="out-of-service"),
        pytest.param(pod(node_selector={"pool": "spot"}), [CORDONED, spot("s1")], [],
                     {"candidates": "s1", "out": "g1"}, id="out-of-service-and-not-asked-for"),
    ],
)  # fmt: skip
def test_circles(asking: Pod, nodes: list[Node], pods: list[Pod], expected: dict[str, str]) -> None:
    assert stand(sorted_for(asking, nodes, pods)) == expected


MAINTENANCE = "maintenance=true:NoSchedule"


def away(name: str, **more: Any) -> Node:
    """A node that became ready on a later day than it was made."""
    made = node(name, **more)
    ready = NodeCondition(type="Ready", status="True", last_transition_time="2026-11-24T11:00:00Z")
    metadata = replace(made.metadata, creation_timestamp="2026-11-02T11:00:00Z")
    return replace(made, metadata=metadata, status=replace(made.status, conditions=(ready,)))


TAINTED = [general("g1", taints=[MAINTENANCE]), general("g2", taints=[MAINTENANCE]), spot("s1")]


@pytest.mark.parametrize(
    ("nodes", "pods", "expected"),
    [
        pytest.param(TAINTED, [running("web", "g1"), ETL], "g1 g2", id="it-came-later"),
        pytest.param(TAINTED, [running("agent", "g1", kind="DaemonSet"), ETL], "g1 g2", id="daemons-say-nothing-of-it"),
        pytest.param([general("g1"), general("g2", taints=[MAINTENANCE])], [], "g1 g2", id="part-of-a-pool"),
        pytest.param([general("g1"), spot("s1")], [running("old", "s1"), ETL, ETL_2], "g1",
                     id="a-pod-from-before-the-reservation"),
        pytest.param([general("g1", taints=["moving=now:NoExecute"]), gpu("x1"), spot("s1")],
                     [running("agent", "g1", kind="DaemonSet"), ETL], "g1", id="everybody-was-evicted"),
        pytest.param([away("a", taints=[MAINTENANCE]), node("b")], [], "a b", id="left-on-a-node-that-was-away"),
        pytest.param([node("a", taints=[MAINTENANCE]), node("b")], [], "b", id="on-a-node-that-was-never-away"),
        pytest.param([away("a", taints=["example.com/dedicated=db:NoSchedule"]), node("b")], [], "b",
                     id="that-says-what-for"),
        pytest.param([away("a", labels={"for": "db"}, taints=[MAINTENANCE]), node("b")], [], "b",
                     id="on-a-node-with-a-label-of-its-own"),
        pytest.param([away("a", taints=[MAINTENANCE]), node("b")],
                     [running("patcher", "b", Toleration(key="maintenance", operator="Exists"))], "b",
                     id="that-somebody-tolerates"),
        pytest.param([node("a", taints=[MAINTENANCE]), node("b", taints=[MAINTENANCE])], [], "a b", id="all-alike"),
    ],
)  # fmt: skip
def test_a_taint_that_came_later_reserves_nothing(nodes: list[Node], pods: list[Pod], expected: str) -> None:
    assert " ".join(sorted_for(BIG, nodes, pods).candidates) == expected


@pytest.mark.parametrize(
    ("nodes", "pods", "expected"),
    [
        pytest.param([spot("s1"), node("d1", taints=["for=db:NoSchedule"]), node("i1", taints=["for=ci:NoSchedule"])],
                     [ETL], "s1 d1 i1", id="idle-pools-are-kept-too"),
        pytest.param([spot("s1"), node("a1", labels={"arch": "arm64"}, taints=["arch=arm64:NoSchedule"])], [ETL],
                     "s1 a1", id="a-taint-that-repeats-a-label"),
        pytest.param([node("cp", labels={"node-role.kubernetes.io/control-plane": ""},
                           taints=["node-role.kubernetes.io/control-plane:NoSchedule"])], [],
                     "", id="who-has-nothing-else-uses-the-control-plane"),
    ],
)  # fmt: skip
def test_all_nodes_may_be_kept_for_others(nodes: list[Node], pods: list[Pod], expected: str) -> None:
    assert " ".join(sorted_for(BIG, nodes, pods).reserved) == expected


def test_where_no_node_has_the_labels_the_taint_that_it_tolerates_says_where_it_belongs() -> None:
    asking = pod(node_selector={"disk": "ssd"}, tolerations=[TOLERATES_SPOT])
    assert stand(sorted_for(asking, POOLS)) == {"candidates": "s1", "elsewhere": "g1 g2 x1"}


def test_where_no_node_has_the_labels_what_was_probably_meant_says_where_it_belongs() -> None:
    found = sorted_for(pod(node_selector={"pool": "spott"}), POOLS)
    assert stand(found) == {"candidates": "s1", "elsewhere": "g1 g2 x1"}


def test_nodes_of_one_shape_are_no_pool_if_only_some_have_a_taint() -> None:
    nodes = [node("a"), node("b", taints=["dedicated=db:NoSchedule"])]
    asking = pod(cpu="64", owner=controlled_by("ReplicaSet", "web"))
    assert stand(sorted_for(asking, nodes, [running("web", "a")])) == {"candidates": "a", "reserved": "b"}


def test_wishes_that_no_node_meets_are_the_fault() -> None:
    assert sorted_for(pod(node_selector={"pool": "x"}), POOLS).unmet == Wish.LABELS
    assert sorted_for(pod(further={"example.com/fpga": "1"}), POOLS).unmet == Wish.OFFER
    assert sorted_for(BIG, POOLS).unmet == Wish.SIZE
    assert sorted_for(pod(cpu="3"), POOLS, [pod("a", cpu="3", node="g1"), pod("b", cpu="3", node="g2")]).unmet == Wish(
        0
    )


def test_nodes_that_are_too_small_are_elsewhere() -> None:
    found = sorted_for(pod(cpu="6"), [general("g1"), node("large", cpu="8")], [pod("a", cpu="7", node="large")])
    assert stand(found) == {"candidates": "large", "elsewhere": "g1"}
