"""Attributes that claims derive from those of devices, for constraints; as upstream's tests of 1.37 have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.cel.selectors import Selectors
from kexplain.config.releases.release import features_of
from kexplain.objects.core import Node
from kexplain.objects.resource import (
    AllocationResult,
    DeviceConstraint,
    DeviceDerivedAttribute,
    DeviceRequest,
    ResourceClaim,
)
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.channels import dialect_of, knows_sharing
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import Inventory
from tests.factories import node

from .makers import claim, device, device_class, exactly, first_available, resource_slice

SHARED = "derived/numa"
GPUS = resource_slice(
    device("g1", {"x.io/numa": "numa-0"}), device("g2", {"x.io/numa": "numa-1"}), pool="g", driver="g"
)
NICS = resource_slice(
    device("e1", {"x.io/node": "numa-1"}), device("e2", {"x.io/node": "numa-2"}), pool="e", driver="e"
)


def deriving(name: str, driver: str, expression: str, attribute: str = SHARED, **fields: Any) -> DeviceRequest:
    derived = (DeviceDerivedAttribute(attribute, expression),)
    return exactly(name, f"device.driver == '{driver}'", derived_attributes=derived, **fields)


def given(*requests: DeviceRequest, is_on: bool = True, distinct: bool = False, lists: bool = False) -> object:
    """The devices that a claim gets whose requests have to agree, or not to; None if there are none."""
    asked: ResourceClaim = claim(*requests)
    constraint = DeviceConstraint(distinct_attribute=SHARED) if distinct else DeviceConstraint(match_attribute=SHARED)
    devices = replace(asked.spec.devices, constraints=(constraint,))
    asked = replace(asked, spec=replace(asked.spec, devices=devices))
    features = features_of("1.37", {"DRADerivedAttributes": is_on, "DRAListTypeAttributes": lists})
    selectors = Selectors(see_sharing=knows_sharing(features), dialect=dialect_of(features))
    allocator = Allocator(
        Inventory([GPUS, NICS], features),
        {"gpu": device_class()},
        AllocatedState.of([], may_share=True),
        selectors,
        features,
    )
    there: Node = node("n1")
    found = allocator.allocate(there, [asked])
    return None if found is None else [each.device for each in found[0].devices.results or ()]


GPU = deriving("r0", "g", 'device.attributes["x.io"].numa')
NIC = deriving("r1", "e", 'device.attributes["x.io"].node')


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        pytest.param([GPU, NIC], ["g2", "e1"], id="of-two-drivers"),
        pytest.param(
            [deriving("r0", "g", 'device.attributes["x.io"].numa.split("-")[0]'), NIC], None, id="of-part-of-a-text"
        ),
        pytest.param(
            [deriving("r0", "g", 'device.attributes["x.io"].numa == "numa-1"'), deriving("r1", "e", "true")],
            ["g2", "e1"],
            id="booleans",
        ),
        pytest.param([deriving("r0", "g", "1"), deriving("r1", "e", '"1"')], None, id="of-other-kinds"),
        pytest.param(
            [deriving("r0", "g", 'semver("1.2.3")'), deriving("r1", "e", 'semver("1.2.3")')],
            ["g1", "e1"],
            id="versions",
        ),
        pytest.param([GPU, exactly("r1", "device.driver == 'e'")], None, id="one-derives-none"),
    ],
)
def test_devices_agree_in_what_is_derived(requests: Sequence[DeviceRequest], expected: list[str] | None) -> None:
    assert given(*requests) == expected


def test_devices_differ_in_what_is_derived() -> None:
    same = deriving("r0", "g", '"one"', count=2)
    assert given(same, distinct=True) is None
    assert given(deriving("r0", "g", 'device.attributes["x.io"].numa', count=2), distinct=True) == ["g1", "g2"]


def test_lists_have_a_value_in_common() -> None:
    many = deriving("r0", "g", '[device.attributes["x.io"].numa, "none"]')
    assert given(many, NIC, lists=True) == ["g2", "e1"]
    assert given(many, NIC) is None


def test_what_is_derived_hides_what_the_device_has() -> None:
    own = 'device.attributes["x.io"].numa == "numa-0" ? "numa-1" : "numa-9"'
    named = "x.io/numa"
    asked = claim(
        deriving("r0", "g", own, named), deriving("r1", "e", 'device.attributes["x.io"].node', named), match=named
    )
    features = features_of("1.37", {"DRADerivedAttributes": True})
    state = AllocatedState.of([], may_share=True)
    selectors = Selectors(see_sharing=True, dialect=dialect_of(features))
    found = Allocator(Inventory([GPUS, NICS], features), {"gpu": device_class()}, state, selectors, features)
    (result,) = found.allocate(node("n1"), [asked]) or [AllocationResult()]
    assert [each.device for each in result.devices.results or ()] == ["g1", "e1"]


def test_without_the_gate_nothing_is_derived() -> None:
    assert given(GPU, NIC, is_on=False) is None


def test_alternatives_derive_for_themselves() -> None:
    derived = {"derived_attributes": (DeviceDerivedAttribute(SHARED, '"numa-2"'),)}
    assert given(
        first_available("r0", a={"selectors": GPU.exactly.selectors, **derived} if GPU.exactly else {}), NIC
    ) == ["g1", "e2"]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('device.attributes["x.io"].model', "no such key: model"),
        ("1.5", "unsupported CEL return type"),
        ('["a", 1]', "unsupported list element type"),
    ],
)
def test_what_cannot_be_derived_ends_the_attempt(expression: str, text: str) -> None:
    with pytest.raises(AllocationError, match=f"request r0: derived attribute derived/numa.*{text}"):
        given(deriving("r0", "g", expression), NIC)
