from __future__ import annotations

from time import process_time

import pytest

from kexplain.api import build_scheduler
from kexplain.explain.causes import causes_of
from kexplain.explain.objections.resources import ResourceFact
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import PODS
from tests.explain.objections.asking import cause, key, proposals, texts, words
from tests.factories import cluster, node, pod

GI = 1 << 30


def short(requested: int = 2000, free: int = 920, allocatable: int = 3920, resource: str = "cpu") -> ResourceFact:
    return ResourceFact(
        resource=resource, requested=requested, free=free, allocatable=allocatable, used=allocatable - free
    )


FULL = short(1, 0, 110, PODS)


@pytest.mark.parametrize(
    ("fact", "says"),
    [
        pytest.param(short(), "cpu 2 > 920m free (3.92 allocatable − 3 requested)", id="cpu"),
        pytest.param(
            short(100, -80, 4000), "cpu 100m > -80m free (4 allocatable − 4.08 requested)", id="overcommitted"
        ),
        pytest.param(
            short(2 * GI, GI, 4 * GI, "memory"), "memory 2Gi > 1Gi free (4Gi allocatable − 3Gi requested)", id="memory"
        ),
        pytest.param(
            short(GI + 1, GI, 4 * GI, "memory"),
            "memory 1073741825 > 1073741824 free (4Gi allocatable − 3Gi requested)",
            id="one-byte-short",
        ),
        pytest.param(
            short(2, 1, 4, "nvidia.com/gpu"), "nvidia.com/gpu 2 > 1 free (4 allocatable − 3 requested)", id="extended"
        ),
        pytest.param(FULL, "pods 110 of 110 used", id="pods"),
    ],
)
def test_one_node(fact: ResourceFact, says: str) -> None:
    assert words(fact) == says
    assert key(fact) == fact.resource


def test_all_resources_of_a_node_in_one_line() -> None:
    assert words(FULL, short(2, 1, 1, "x/y")) == "pods 110 of 110 used; x/y 2 > 1 free (1 allocatable − 0 requested)"


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        pytest.param([short()], "cpu: needs 2, 920m free on n0", id="one-node"),
        pytest.param(
            [short(), short(free=500)], "cpu: needs 2; at most 920m free on one node (n0)", id="too-little-in-total"
        ),
        pytest.param(
            [short(free=1000), short(free=1500)],
            "cpu: needs 2; at most 1.5 free on one node (n1), 2.5 on all of them together",
            id="enough-in-total",
        ),
        pytest.param(
            [short(free=1500), short(free=-500), short(free=600)],
            "cpu: needs 2; at most 1.5 free on one node (n0), 2.1 on all of them together",
            id="overcommitted-nodes-count-as-none",
        ),
        pytest.param(
            [short(4000, 1000), short(4000, 2000)],
            "cpu: needs 4, more than any node's capacity (3.92); at most 2 free on one node (n1)",
            id="over-every-capacity",
        ),
        pytest.param(
            [short(4000)], "cpu: needs 4, more than the node's capacity (3.92), 920m free on n0", id="over-one"
        ),
        pytest.param([short(free=0), short(free=-5)], "cpu: needs 2, none free on any node", id="none-free"),
        pytest.param([short(free=0)], "cpu: needs 2, none free on n0", id="none-free-on-one"),
        pytest.param([short(1, 0, 0, "x/y")] * 2, "x/y: needs 1, these nodes have none", id="none-there"),
        pytest.param([short(1, 0, 0, "x/y")], "x/y: needs 1, the node has none", id="none-on-one"),
        pytest.param([FULL, FULL], "pods: every slot is taken", id="pods"),
    ],
)
def test_many_nodes(facts: list[ResourceFact], says: str) -> None:
    assert cause(*facts) == says


@pytest.mark.parametrize(
    ("facts", "helps"),
    [
        pytest.param(
            [short()], ["request at most 920m cpu (now 2)", "make room on n0, which lacks 1.08 cpu"], id="cpu"
        ),
        pytest.param(
            [short(4000)],
            ["request at most 920m cpu (now 4)", "add a node that can hold 4 cpu (none of these can)"],
            id="over-capacity",
        ),
        pytest.param(
            [short(free=-80)], ["request no cpu (now 2)", "make room on n0, which lacks 2.08 cpu"], id="overcommitted"
        ),
        pytest.param([FULL], ["make room on n0, which lacks a pod slot"], id="pods"),
        pytest.param(
            [short(), short(2 * GI, 5 * GI // 3, 4 * GI, "memory")],
            [
                "request at most 920m cpu (now 2) and at most 1706Mi memory (now 2Gi)",
                "make room on n0, which lacks 1.08 cpu and 341.333Mi memory",
            ],
            id="two-resources-and-whole-mebibytes",
        ),
    ],
)
def test_what_would_help(facts: list[ResourceFact], helps: list[str]) -> None:
    assert texts(*facts) == helps


def test_nodes_are_promised_but_for_a_new_one() -> None:
    assert [(each.action, each.nodes) for each in proposals(short(4000))] == [
        ("request-less", ("n0",)),
        ("add-node", ()),
    ]


def test_thousands_of_resources_are_told_in_linear_time() -> None:
    requests: ResourceList = {f"example.com/foo-{number}": "2" for number in range(4000)}
    asking = pod(further=requests)
    decision = build_scheduler().schedule(asking, cluster([node("n1"), node("n2")]))
    began = process_time()
    (cause,) = causes_of(decision)
    assert process_time() - began < 3
    assert cause.text.count("; ") == len(requests) - 1
