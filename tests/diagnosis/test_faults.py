"""Faults in clusters of several kinds, each named first whatever else is about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kexplain.api import build_scheduler
from kexplain.diagnosis.diagnose import diagnose

from .faults import FAULTS, Fault
from .worlds import World

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", FAULTS.values(), ids=FAULTS)
def test_the_fault_is_named_first(make: Callable[[World], Fault], seed: int) -> None:
    world = World(seed)
    fault = make(world)
    finding = diagnose(build_scheduler().schedule(fault.asking, world.cluster()))
    assert finding is not None
    found = finding.diagnosis
    assert found.kind is fault.kind, found.text
    assert [word for word in fault.words if word not in f"{found.text} {found.detail}"] == []
    if fault.nodes is not None:
        assert 2 * len({*found.nodes} & {*fault.nodes}) > len(found.nodes) > 0
    if finding.circles is not None:
        circles = finding.circles
        every = [*circles.candidates, *circles.reserved, *circles.elsewhere, *circles.out_of_service]
        assert sorted(every) == sorted(world.nodes)
