from __future__ import annotations

import pytest

from kexplain.framework.status import Status
from kexplain.plugins.scheduling_gates import SchedulingGates
from tests.factories import cluster, pod

from .asking import UNRESOLVABLE, rejection


@pytest.mark.parametrize(
    ("gates", "verdict"),
    [
        pytest.param([], None, id="no-gates"),
        pytest.param(["a"], rejection(UNRESOLVABLE, "waiting for scheduling gates: [a]"), id="one"),
        pytest.param(["b", "a"], rejection(UNRESOLVABLE, "waiting for scheduling gates: [b a]"), id="in-their-order"),
    ],
)
def test_pre_enqueue(gates: list[str], verdict: Status | None) -> None:
    assert SchedulingGates().pre_enqueue(pod(gates=gates), cluster([])) == verdict
