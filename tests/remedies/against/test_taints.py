from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.core import Node
from tests.factories import HOSTNAME, cluster, controlled_by, node, pod, spread, toleration

TAINT = "node-role.kubernetes.io/control-plane:NoSchedule"
PLANE = node("cp", taints=[TAINT])


@pytest.mark.parametrize(
    ("others", "first"),
    [
        pytest.param([], f"remove the taint {TAINT} from cp", id="nothing but control planes"),
        pytest.param([node("n1", cpu="1")], "request at most 1 cpu (now 2)", id="a worker that is too small"),
    ],
)
def test_control_planes_are_opened_where_there_is_nothing_else(others: list[Node], first: str) -> None:
    (explained,) = explain(Case(cluster([PLANE, *others]), (PodToPlace(pod(cpu="2")),))).pods
    assert explained.remedies[0].text == first


def test_a_taint_gets_the_value_back_that_pods_there_tolerate() -> None:
    tolerant = [toleration("dedicated", "databases", effect="NoSchedule")]
    running = pod("old", node="n1", owner=controlled_by("ReplicaSet", "db"), tolerations=tolerant)
    tainted = node("n1", taints=["dedicated=db:NoSchedule"])
    wanting = pod("new", owner=controlled_by("ReplicaSet", "db"), tolerations=tolerant)
    (explained,) = explain(Case(cluster([tainted], [running]), (PodToPlace(wanting),))).pods
    first = explained.remedies[0]
    assert (first.action, first.text) == ("remove-taint", "set dedicated=databases:NoSchedule again on n1, as it was")
    assert first.commands == ("kubectl taint node n1 dedicated=databases:NoSchedule --overwrite",)


def test_a_pool_that_is_cordoned_and_ails_is_repaired_as_well() -> None:
    pressed = [node(f"n{n}", cordoned=True, taints=["node.kubernetes.io/disk-pressure:NoSchedule"]) for n in (1, 2)]
    (explained,) = explain(Case(cluster(pressed), (PodToPlace(pod()),))).pods
    first = explained.remedies[0]
    assert first.action == "mend-node"
    assert first.text == "repair and uncordon n1 and n2 (under disk pressure); n1 alone is enough"


def test_reserved_nodes_that_count_for_a_spread_are_left_out_first() -> None:
    owner, labels = controlled_by("ReplicaSet", "web"), {"app": "web"}
    there = ("n1", "n2", "n3")
    nodes = [
        *map(node, there),
        node("n4", cordoned=True, taints=["node.kubernetes.io/unschedulable:NoSchedule"]),
        node("g1", taints=["gpu=true:NoSchedule"]),
    ]
    spreading = [spread(HOSTNAME, labels)]
    running = [pod(f"web-{name}", node=name, labels=labels, owner=owner, spread=spreading) for name in there]
    asking = pod("web-new", labels=labels, owner=owner, spread=spreading)
    (found,) = explain(Case(cluster(nodes, running), (PodToPlace(asking),))).pods
    assert found.remedies[0].action == "honor-taints"
