from __future__ import annotations

from typing import Any

import pytest

from kexplain.cel.selectors import Selectors
from kexplain.config.releases.release import features_of
from kexplain.objects.resource import CapacityRequirements, Counter, CounterSet, Device, DeviceAttribute, ResourceClaim
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.channels import dialect_of, is_plain, knows_sharing
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import Inventory
from tests.factories import node

from .makers import CLASS, DRIVER, claim, device, device_class, exactly, first_available, resource_slice

NO_SHARING = {"DRAConsumableCapacity": False}
NO_WAITING = {"DRADeviceBindingConditions": False}
NO_STATUS = {"DRAResourceClaimDeviceStatus": False, "DRAResourceClaimGranularStatusAuthorization": False}
PLAIN = {"DRAAdminAccess": False, "DRAPrioritizedList": False}
SHARED = "device.allowMultipleAllocations"
SLICE = resource_slice(device("a", {"numa": 0}, "10Gi"), device("b", {"numa": 0}, allowMultipleAllocations=True))


def given(release: str, gates: dict[str, bool], *claims: ResourceClaim, held: tuple[ResourceClaim, ...] = ()) -> str:
    """The devices given in 1.36 with these gates, or the error."""
    features = features_of(release, gates)
    state = AllocatedState.of(held, may_share=features.consumable_capacity)
    selectors = Selectors(see_sharing=knows_sharing(features))
    allocator = Allocator(Inventory([SLICE], features), {CLASS: device_class()}, state, selectors, features)
    try:
        results = allocator.allocate(node("n1"), claims)
    except AllocationError as fault:
        return str(fault)
    if results is None:
        return ""
    return " ".join(each.device for result in results for each in result.devices.results or ())


@pytest.mark.parametrize(
    ("release", "gates", "sharing", "plain"),
    [
        ("1.36", {}, True, False),
        ("1.36", NO_SHARING, True, False),
        ("1.36", NO_WAITING, True, False),
        ("1.36", NO_SHARING | NO_WAITING, False, False),
        ("1.36", NO_SHARING | NO_WAITING | NO_STATUS, False, False),
        ("1.35", {}, False, False),
        ("1.35", {"DRAAdminAccess": False}, False, False),
        ("1.35", PLAIN, False, True),
        ("1.35", {"DRADeviceBindingConditions": True}, True, False),
        ("1.35", {"DRAConsumableCapacity": True}, True, False),
        # There, the status of devices alone calls for the allocator that knows most.
        ("1.34", {}, True, False),
        ("1.34", {"DRAResourceClaimDeviceStatus": False}, False, False),
        ("1.34", PLAIN | {"DRAResourceClaimDeviceStatus": False}, False, True),
    ],
)
def test_which_one_answers(release: str, gates: dict[str, bool], sharing: bool, plain: bool) -> None:
    features = features_of(release, gates)
    assert (knows_sharing(features), is_plain(features)) == (sharing, plain)


AMOUNT = CapacityRequirements(requests={"memory": "20Gi"})
DISABLED = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
EMPTY = "empty constraint (unsupported constraint type?)"


@pytest.mark.parametrize(
    ("release", "gates", "asked", "expected"),
    [
        pytest.param("1.36", {}, claim(exactly(capacity=AMOUNT)), "", id="too-much"),
        pytest.param(
            "1.36", NO_SHARING, claim(exactly(capacity=AMOUNT)), f"claim default/c, request r0: {DISABLED}", id="known"
        ),
        pytest.param(
            "1.36",
            NO_SHARING,
            claim(first_available("r0", big={"capacity": AMOUNT})),
            f"claim default/c, subrequest big: {DISABLED}",
            id="known-of-an-alternative",
        ),
        pytest.param("1.36", NO_SHARING | NO_WAITING, claim(exactly(capacity=AMOUNT)), "a", id="ignored"),
        pytest.param("1.35", {}, claim(exactly(capacity=AMOUNT)), "a", id="ignored-in-1.35"),
        pytest.param("1.36", {}, claim(exactly(count=2), distinct=f"{DRIVER}/numa"), "", id="distinct"),
        pytest.param("1.36", NO_SHARING, claim(exactly(), distinct=f"{DRIVER}/numa"), "a", id="distinct-still-known"),
        pytest.param(
            "1.35", {}, claim(exactly(), distinct=f"{DRIVER}/x"), f"claim default/c, constraint #0: {EMPTY}", id="empty"
        ),
        pytest.param("1.36", NO_SHARING, claim(exactly("r0", SHARED)), "b", id="sees-what-is-shared"),
        pytest.param("1.35", {}, claim(exactly("r0", SHARED)), "", id="sees-nothing-shared"),
    ],
)
def test_what_it_knows(release: str, gates: dict[str, bool], asked: ResourceClaim, expected: str) -> None:
    assert given(release, gates, asked) == expected


def test_counters_of_a_slice_alone_before_pools_had_them() -> None:
    counters = CounterSet(name="s", counters={"slots": Counter(value="1")})
    uses = [{"counterSet": "s", "counters": {"slots": {"value": "1"}}}]
    slices = [
        resource_slice(device("a", consumesCounters=uses), name="1", pool="p", count=2, counters=[counters]),
        resource_slice(device("b", consumesCounters=uses), name="2", pool="p", count=2, counters=[counters]),
    ]
    features = features_of("1.34", {"DRAPartitionableDevices": True})
    allocator = Allocator(Inventory(slices, features), {CLASS: device_class()}, AllocatedState(), Selectors(), features)
    [given_there] = allocator.allocate(node("n1"), [claim(exactly(count=2))]) or []
    assert [each.device for each in given_there.devices.results or ()] == ["a", "b"]
    assert allocator.allocate(node("n1"), [claim(exactly(count=3))]) is None


@pytest.mark.parametrize(("release", "expected"), [("1.34", "b b"), ("1.35", "b b"), ("1.36", "")])
def test_a_request_that_is_given_a_shared_device_twice(release: str, expected: str) -> None:
    gates = {"DRAConsumableCapacity": True}
    assert given(release, gates, claim(exactly("r0", SHARED, count=2))) == expected


@pytest.mark.parametrize(
    ("release", "gates", "expected"),
    [("1.34", {"DRAConsumableCapacity": True}, "a b"), ("1.35", {"DRAConsumableCapacity": True}, "")],
)
def test_devices_with_distinct_attributes(release: str, gates: dict[str, bool], expected: str) -> None:
    assert given(release, gates, claim(exactly(count=2), distinct=f"{DRIVER}/numa")) == expected


def test_room_that_is_looked_for_beyond_the_slice() -> None:
    gates = {"DRAConsumableCapacity": True}
    wanted = claim(exactly(count=2), exactly("r1", SHARED, count=3))
    assert given("1.34", gates, wanted) == "runtime error: index out of range [2] with length 2"


GATE = {"DRAListTypeAttributes": True}
NUMA = f"{DRIVER}/numa"


@pytest.mark.parametrize(
    ("release", "gates", "lists", "wants", "expected"),
    [
        ("1.37", GATE, [(0, 1), (1, 2), (2, 3)], {"match": NUMA, "count": 2}, "d0 d1"),
        ("1.37", GATE, [(0, 1), (3,), (1, 2)], {"match": NUMA, "count": 2}, "d0 d2"),
        ("1.37", GATE, [(0, 1), (1, 2), (2, 3)], {"match": NUMA, "count": 3}, ""),
        ("1.37", GATE, [(0, 1), (0, 2), (1, 3), (1, 4)], {"match": NUMA, "count": 3}, "d0 d2 d3"),
        ("1.37", GATE, [(0, 1), (1, 2), (2, 3)], {"distinct": NUMA, "count": 2}, "d0 d2"),
        ("1.37", GATE, [(0,), (), (1,)], {"distinct": NUMA, "count": 2}, "d0 d2"),
        ("1.37", {}, [(0, 1), (1, 2)], {"match": NUMA, "count": 2}, ""),
        ("1.36", GATE, [(0, 1), (1, 2)], {"match": NUMA, "count": 2}, ""),
        ("1.36", GATE, [(0, 1), (1, 2)], {"match": NUMA, "count": 1}, "d0"),
    ],
)
def test_constraints_on_lists(
    release: str, gates: dict[str, bool], lists: list[tuple[int, ...]], wants: dict[str, Any], expected: str
) -> None:
    numas = [DeviceAttribute(int_values=each) for each in lists]
    made = [Device(name=f"d{place}", attributes={"numa": each}) for place, each in enumerate(numas)]
    count = wants.pop("count")
    features = features_of(release, gates)
    selectors = Selectors(dialect=dialect_of(features))
    inventory = Inventory([resource_slice(*made)], features)
    allocator = Allocator(inventory, {CLASS: device_class()}, AllocatedState(), selectors, features)
    results = allocator.allocate(node("n1"), [claim(exactly(count=count), **wants)]) or ()
    assert " ".join(each.device for result in results for each in result.devices.results or ()) == expected
