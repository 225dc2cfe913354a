"""Resizes that do not come."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.records import Kind
from tests.bound.made import made, why


@pytest.mark.parametrize(
    ("kind", "reason", "expected"),
    [
        ("PodResizePending", "Deferred", Kind.RESIZE_DEFERRED),
        ("PodResizePending", "Infeasible", Kind.RESIZE_INFEASIBLE),
        ("PodResizeInProgress", "Error", Kind.RESIZE_FAILED),
    ],
)
def test_resizes(kind: str, reason: str, expected: Kind) -> None:
    condition = {"type": kind, "status": "True", "reason": reason, "message": "words"}
    found = why(made({"phase": "Running", "conditions": [condition]}))
    assert found is not None
    assert (found.kind, found.reason, found.message) == (expected, reason, "words")


def test_a_resize_in_progress_is_fine() -> None:
    condition = {"type": "PodResizeInProgress", "status": "True"}
    assert why(made({"phase": "Running", "conditions": [condition]})) is None
