from __future__ import annotations

import pytest

from kexplain.cluster import Cluster
from kexplain.objects.core import Node, Pod
from kexplain.report.cluster_figures import LargestPod, cluster_figures, compared_figures
from tests.factories import cluster, controlled_by, node, pod

GIB = 1 << 30


EMPTY = node("n2", cpu="4", memory="8Gi")


def two_nodes(*pods: Pod, second: Node = EMPTY) -> Cluster:
    return cluster([node("n1", cpu="4", memory="8Gi"), second], pods)


def test_how_full_nodes_are() -> None:
    found = cluster_figures(two_nodes(pod("a", node="n1", cpu="3", memory="2Gi")), pending=7)
    assert (found.nodes, found.used, found.pods, found.pending) == (2, 1, 1, 7)
    cpu, memory = found.resources
    assert (cpu.allocatable, cpu.requested) == (8000, 3000)
    assert (cpu.mean, cpu.spread, cpu.highest, cpu.highest_on) == (37.5, 37.5, 75.0, "n1")
    assert cpu.nodes_by_tenth == (1, 0, 0, 0, 0, 0, 0, 1, 0, 0)
    assert (memory.mean, memory.highest) == (12.5, 25.0)


def test_a_full_node_is_in_the_last_tenth() -> None:
    cpu, _ = cluster_figures(two_nodes(pod("a", node="n1", cpu="4"))).resources
    assert cpu.nodes_by_tenth == (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)


def test_pods_of_daemon_sets_use_no_node() -> None:
    assert cluster_figures(two_nodes(pod("a", node="n1", owner=controlled_by("DaemonSet", "agent")))).used == 0


@pytest.mark.parametrize(
    ("second", "largest"),
    [
        pytest.param(EMPTY, [(4000, 8 * GIB, "n2"), (2000, 8 * GIB, "n2"), (1000, 8 * GIB, "n2")], id="empty"),
        pytest.param(node("n2", cordoned=True), [(1000, 2 * GIB, "n1"), (1000, 4 * GIB, "n1")], id="cordoned"),
        pytest.param(node("n2", pods=0), [(1000, 2 * GIB, "n1"), (1000, 4 * GIB, "n1")], id="no-slot"),
    ],
)
def test_the_largest_pod(second: Node, largest: list[tuple[int, int, str]]) -> None:
    found = cluster_figures(two_nodes(pod("a", node="n1", cpu="3", memory="2Gi"), second=second)).largest
    assert [(each.amounts["cpu"], each.amounts["memory"], each.node) for each in found][: len(largest)] == largest


def test_other_resources_have_a_largest_piece() -> None:
    *_, gpus = cluster_figures(two_nodes(second=node("n2", further={"nvidia.com/gpu": 4}))).largest
    assert gpus == LargestPod(shape="nvidia.com/gpu", amounts={"nvidia.com/gpu": 4}, node="n2")


def test_where_nothing_fits_there_is_no_node() -> None:
    found = cluster_figures(cluster([node("n1", cpu="4", cordoned=True)])).largest
    assert {each.node for each in found} == {""}


def test_pods_that_moved_are_those_of_both_sides() -> None:
    before = two_nodes(pod("a", node="n1"), pod("b", node="n1"), pod("gone", node="n1"))
    after = two_nodes(pod("a", node="n2"), pod("b", node="n1"), pod("new", node="n2"))
    found = compared_figures(before, after, (1, 2))
    assert (found.moved, found.before.pending, found.after.pending) == (1, 1, 2)
