"""What the records say of themselves beyond their fields."""

from __future__ import annotations

import pytest

from tests.factories import node, pod, taint


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


def test_priority_defaults_to_zero() -> None:
    assert pod().priority == 0
    assert pod(priority=-5).priority == -5


@pytest.mark.parametrize("text", ["k:NoSchedule", "k=v:NoExecute", "example.com/k=v:PreferNoSchedule"])
def test_taint_reads_as_kubectl_writes_it(text: str) -> None:
    assert str(taint(text)) == text
