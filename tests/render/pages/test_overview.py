from __future__ import annotations

from kexplain.api import Case, PodToPlace, explain
from kexplain.case import Searched
from kexplain.objects.core import Pod
from kexplain.render.pages.overview import pending
from tests.factories import cluster, controlled_by, node, pod


def of_workloads(count: int) -> list[Pod]:
    """A pod of each of so many workloads, each of another size, the last with a selector that no node meets."""
    sizes = [pod(f"p{n}", cpu=f"{n + 2}", owner=controlled_by("ReplicaSet", f"w{n}")) for n in range(count - 1)]
    return [*sizes, pod("odd", node_selector={"disk": "ssd"})]


def rows(count: int) -> list[tuple[int, str]]:
    there = cluster([node("n1", cpu="64", labels={"pool": "a"})], [pod("full", cpu="63", node="n1")])
    case = Case(there, tuple(map(PodToPlace, of_workloads(count))), searched=Searched(count, 1))
    return [(len(each.places), each.why) for each in pending(explain(case))]


def test_few_workloads_have_a_row_each() -> None:
    assert len(rows(4)) == 4


def test_many_workloads_have_a_row_for_each_diagnosis() -> None:
    assert rows(20) == [(19, "no room on node n1"), (1, "no node has a label disk")]
