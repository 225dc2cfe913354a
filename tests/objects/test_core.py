"""What the records say of themselves beyond their fields."""

from __future__ import annotations

import pytest

from kexplain.objects.core import Pod, Toleration
from kexplain.objects.core.pods import tells
from kexplain.objects.meta import Condition
from tests.factories import controlled_by, node, pod, taint


def test_pods_are_compared_by_identity() -> None:
    first, second = pod("p"), pod("p")
    assert first != second
    assert len({first, second, first}) == 2


def test_key_and_uid() -> None:
    assert pod("p", namespace="a").key == "a/p"
    assert pod("p", namespace="a").uid == "a/p"
    assert pod("p", namespace="a", uid="123").uid == "123"
    assert node("n").key == "/n"


@pytest.mark.parametrize(
    ("phase", "expected"),
    [(None, False), ("Pending", False), ("Running", False), ("Unknown", False), ("Succeeded", True), ("Failed", True)],
)
def test_terminated_pods(phase: str | None, expected: bool) -> None:
    assert pod(phase=phase).is_terminated is expected


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        ("Ready", "False", True),
        ("Ready", "True", False),
        ("Ready", "Unknown", False),
        ("ContainersReady", "False", False),
        ("DisruptionTarget", "True", True),
        ("DisruptionTarget", "False", True),
        ("PodResizePending", "True", True),
        ("PodResizeInProgress", "True", True),
    ],
)
def test_conditions_of_pods_in_trouble(kind: str, status: str, expected: bool) -> None:
    condition = Condition(type=kind, status=status)
    assert tells(condition) is expected
    other = Condition(type="PodScheduled", status="True")
    assert pod(phase="Running", node="n1", conditions=[other, condition]).may_be_stopped is expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(pod(phase="Running", node="n1"), False, id="runs"),
        pytest.param(pod(phase="Running", node="n1", deleting=True), True, id="is-being-deleted"),
        pytest.param(pod(phase="Pending", node="n1"), True, id="starts"),
        pytest.param(pod(phase="Pending"), False, id="waits-for-a-node"),
        pytest.param(pod(node="n1"), True, id="of-no-phase"),
        pytest.param(pod(phase="Succeeded", node="n1"), False, id="has-ended"),
        pytest.param(pod(phase="Failed", node="n1"), True, id="has-failed"),
        pytest.param(pod(phase="Failed"), True, id="has-failed-without-a-node"),
    ],
)
def test_pods_that_may_be_stopped(made: Pod, expected: bool) -> None:
    assert made.may_be_stopped is expected


@pytest.mark.parametrize(
    ("conditions", "is_ready", "unscheduled"),
    [
        ([], False, False),
        ([("Ready", "True")], True, False),
        ([("Ready", "False")], False, False),
        ([("ContainersReady", "True")], False, False),
        ([("PodScheduled", "True"), ("Ready", "True")], True, False),
        ([("PodScheduled", "False")], False, True),
    ],
)
def test_what_conditions_say(conditions: list[tuple[str, str]], is_ready: bool, unscheduled: bool) -> None:
    made = pod(conditions=[Condition(type=kind, status=status) for kind, status in conditions])
    assert (made.is_ready, made.unscheduled is not None) == (is_ready, unscheduled)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (pod(), False),
        (pod(mirror=True), True),
        (pod(owner=controlled_by("Node", "n1")), True),
        (pod(owner=controlled_by("ReplicaSet", "web")), False),
    ],
)
def test_pods_that_stand_for_static_ones(made: Pod, expected: bool) -> None:
    assert made.is_mirror is expected


def test_priority_defaults_to_zero() -> None:
    assert pod().priority == 0
    assert pod(priority=-5).priority == -5


@pytest.mark.parametrize("text", ["k:NoSchedule", "k=v:NoExecute", "example.com/k=v:PreferNoSchedule"])
def test_taint_reads_as_kubectl_writes_it(text: str) -> None:
    assert str(taint(text)) == text


def test_a_toleration_asks_for_the_same_where_fields_are_left_out_or_empty() -> None:
    assert Toleration().asked == Toleration(key="", operator="", value="", effect="").asked == ("", "", "", "")
    assert Toleration(key="a", operator="Equal", value="b", effect="NoSchedule", toleration_seconds=3).asked == (
        "a",
        "Equal",
        "b",
        "NoSchedule",
    )
