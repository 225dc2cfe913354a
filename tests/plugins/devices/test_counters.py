"""Which devices may draw on the same counters, with the gate for compatibility groups on and off."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from kexplain.cel.selectors import Selectors
from kexplain.config.releases.release import features_of
from kexplain.objects.resource import CounterSet, Device
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.inventory import Inventory
from tests.factories import node

from .makers import CLASS, claim, device, device_class, exactly, resource_slice

GATE = "DRADeviceCompatibilityGroups"


def given(offered: Sequence[Device], wanted: int, held: Sequence[str], *, is_on: bool) -> list[str] | None:
    """The devices that a claim gets beside those that somebody has; there are counters enough."""
    sets = [{"name": name, "counters": {"c": {"value": "9"}}} for name in ("s", "t")]
    slices = [
        resource_slice(*offered, count=2, name="devices"),
        resource_slice(count=2, name="counters", counters=msgspec.convert(sets, tuple[CounterSet, ...])),
    ]
    features = features_of("1.37", {GATE: is_on})
    state = AllocatedState.of([claim(exactly(), name="held", allocated=[f"n1/{name}" for name in held])])
    allocator = Allocator(Inventory(slices, features), {CLASS: device_class()}, state, Selectors(), features)
    results = allocator.allocate(node("n1"), [claim(exactly(count=wanted))])
    return None if results is None else [each.device for each in results[0].devices.results or ()]


def drawing(name: str, groups: str = "", of: str = "s") -> Device:
    """A device that draws on a counter set, in groups of one letter each."""
    drawn = {"counterSet": of, "counters": {"c": {"value": "1"}}} | (
        {"compatibilityGroups": [*groups]} if groups else {}
    )
    return device(name, consumesCounters=[drawn])


@pytest.mark.parametrize(
    ("offered", "wanted", "held", "expected"),
    [
        pytest.param([drawing("a", "x"), drawing("b", "xy")], 2, [], ["a", "b"], id="one-in-common"),
        pytest.param([drawing("a", "x"), drawing("b", "y")], 2, [], None, id="none-in-common"),
        pytest.param([drawing("a", "x"), drawing("b")], 2, [], None, id="one-without-groups"),
        pytest.param([drawing("a"), drawing("b", "x")], 2, [], None, id="a-group-beside-one-without"),
        pytest.param([drawing("a"), drawing("b")], 2, [], ["a", "b"], id="both-without"),
        pytest.param(
            [drawing("a", "xy"), drawing("b", "yz"), drawing("c", "xz")], 3, [], None, id="all-three-must-agree"
        ),
        pytest.param(
            [drawing("a", "x"), drawing("b", "y"), drawing("c", "x")], 2, [], ["a", "c"], id="the-next-will-do"
        ),
        pytest.param([drawing("a", "x"), drawing("b", "y", of="t")], 2, [], ["a", "b"], id="each-set-for-itself"),
        pytest.param([drawing("a", "x"), drawing("b", "y"), drawing("c", "x")], 1, ["a"], ["c"], id="what-others-have"),
        pytest.param([drawing("a"), drawing("b", "y")], 1, ["a"], None, id="others-without"),
    ],
)
def test_devices_on_the_same_counters(
    offered: list[Device], wanted: int, held: list[str], expected: list[str] | None
) -> None:
    assert given(offered, wanted, held, is_on=True) == expected


@pytest.mark.parametrize(("groups", "expected"), [("", ["a"]), ("x", None)])
def test_without_the_gate_slices_with_groups_are_passed_over(groups: str, expected: list[str] | None) -> None:
    assert given([drawing("a", groups)], 1, [], is_on=False) == expected
