"""Nodes that another scheduler makes for its pods."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.diagnosis.reservations import makers_of
from kexplain.objects.core import Pod
from tests.factories import cluster, node, pod

TAINT = "example.com/kind=micro:NoSchedule"
OTHER = pod("shop", node="m1", scheduler_name="micro")


@pytest.mark.parametrize(
    ("pods", "slots", "who"),
    [([OTHER], 1, ["micro"]), ([OTHER], 2, []), ([], 1, []), ([pod("shop", node="m1")], 1, [])],
)
def test_who_made_a_node_for_its_pod(pods: list[Pod], slots: int, who: list[str]) -> None:
    around = cluster([node("m1", pods=slots, taints=[TAINT])], pods)
    assert makers_of(around.node_info_by_name["m1"]) == who


def test_they_are_kept_for_others_beside_nodes_that_pods_share() -> None:
    nodes = [node("m1", pods=1, taints=[TAINT]), node("n1", cpu=2)]
    (found,) = explain(Case(cluster(nodes, [OTHER]), (PodToPlace(pod("big", cpu=3)),))).pods
    assert found.circles is not None
    assert (found.circles.reserved, found.circles.candidates) == (("m1",), ("n1",))
    assert not any("m1" in remedy.text for remedy in found.remedies)
