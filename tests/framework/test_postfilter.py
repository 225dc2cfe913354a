from __future__ import annotations

import pytest

from kexplain.framework.postfilter import NodeStatuses, fit_error, nodes_with_code
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from tests.factories import cluster, node

CPU, MEMORY = unschedulable("Insufficient cpu"), unschedulable("Insufficient memory")
BOTH = Status(Code.UNSCHEDULABLE, ("Insufficient cpu", "Insufficient memory"))
TAINTED = unresolvable("node(s) had untolerated taint(s)")


@pytest.mark.parametrize(
    ("number", "statuses", "message"),
    [
        pytest.param(1, NodeStatuses({"a": CPU}), "0/1 nodes are available: 1 Insufficient cpu.", id="one"),
        pytest.param(
            3, NodeStatuses({"a": CPU, "b": CPU, "c": TAINTED}),
            "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.", id="counted",
        ),
        pytest.param(
            2, NodeStatuses({"a": BOTH, "b": MEMORY}),
            "0/2 nodes are available: 1 Insufficient cpu, 2 Insufficient memory.", id="a-node-may-count-twice",
        ),
        pytest.param(
            12, NodeStatuses({**{f"n{i}": MEMORY for i in range(10)}, "x": CPU, "y": CPU}),
            "0/12 nodes are available: 10 Insufficient memory, 2 Insufficient cpu.", id="sorted-as-text-ten-before-two",
        ),
        pytest.param(
            2, NodeStatuses({"a": unschedulable("b reason"), "b": unschedulable("B reason")}),
            "0/2 nodes are available: 1 B reason, 1 b reason.", id="sorted-by-bytes-capitals-first",
        ),
        pytest.param(
            5, NodeStatuses({"a": CPU}, unresolvable("not looked at")),
            "0/5 nodes are available: 1 Insufficient cpu, 4 not looked at.", id="absent-nodes",
        ),
        pytest.param(
            3, NodeStatuses({"a": CPU}, CPU), "0/3 nodes are available: 3 Insufficient cpu.", id="absent-say-the-same",
        ),
        pytest.param(
            2, NodeStatuses({"a": CPU}), "0/2 nodes are available: 1 Insufficient cpu.", id="absent-say-nothing",
        ),
        pytest.param(3, NodeStatuses({}), "0/3 nodes are available:", id="no-reasons-at-all"),
    ],
)  # fmt: skip
def test_fit_error(number: int, statuses: NodeStatuses, message: str) -> None:
    assert fit_error(number, statuses) == message


def test_fit_error_of_the_pod_as_a_whole() -> None:
    statuses = NodeStatuses({"a": CPU})
    assert fit_error(1, statuses, pre_filter_message="no way") == "0/1 nodes are available: no way."


def test_post_filter_has_the_last_word() -> None:
    statuses = NodeStatuses({"a": CPU})
    message = fit_error(1, statuses, post_filter_message="preemption: no.")
    assert message == "0/1 nodes are available: 1 Insufficient cpu. preemption: no."
    message = fit_error(1, statuses, pre_filter_message="no way", post_filter_message="preemption: no.")
    assert message == "0/1 nodes are available: no way. preemption: no."


def test_nodes_with_code() -> None:
    made = cluster([node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")])
    statuses = NodeStatuses({"a2": CPU, "b1": TAINTED})
    unresolvable_nodes = nodes_with_code(made, statuses, Code.UNSCHEDULABLE_AND_UNRESOLVABLE)
    assert [info.name for info in unresolvable_nodes] == ["a1", "b1"]
    assert [info.name for info in nodes_with_code(made, statuses, Code.UNSCHEDULABLE)] == ["a2"]
    assert [info.name for info in nodes_with_code(made, NodeStatuses({}, CPU), Code.UNSCHEDULABLE)] == [
        "a1",
        "b1",
        "a2",
    ]


def test_status() -> None:
    assert CPU.by("P") == Status(Code.UNSCHEDULABLE, ("Insufficient cpu",), (), "P")
    assert BOTH.message == "Insufficient cpu, Insufficient memory"
    assert [status.is_rejection for status in (CPU, TAINTED, error("x"))] == [True, True, False]
