"""Searches for devices on one node, as upstream's allocators ended them.

The objects are those of their unit tests, or made up at random. Each search of a unit test was run with the gates as it
sets them, and with each gate the other way round, by the allocator that these gates call for; up to 1.33 the objects
are of the versions of that time. Searches that end one way or another by chance were left out.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.cel.selectors import Selectors
from kexplain.config.releases.release import features_of
from kexplain.framework.features import Features
from kexplain.objects import quantity
from kexplain.objects.core import Node
from kexplain.objects.resource import (
    AllocationResult,
    DeviceClass,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceSlice,
)
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator
from kexplain.plugins.devices.channels import knows_sharing
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import DeviceID, Inventory

from .corpora import Area
from .tally import Tally

#: What each gate sets; all others are as the release has them.
_FIELD_BY_GATE = {
    "DRAAdminAccess": "device_admin_access",
    "DRAConsumableCapacity": "consumable_capacity",
    "DRADeviceBindingConditions": "device_binding_conditions",
    "DRADeviceTaints": "device_taints",
    "DRAPartitionableDevices": "partitionable_devices",
    "DRAPrioritizedList": "device_alternatives",
    "DRAResourceClaimDeviceStatus": "device_status",
}


class End(msgspec.Struct, forbid_unknown_fields=True):
    """What each claim was given, None where there is no way to give all of them all, or the error."""

    results: list[AllocationResult] | None
    error: str


class Search(msgspec.Struct, forbid_unknown_fields=True):
    """What there is on the node and what is taken of it: devices as driver/pool/name, whole, shared, by amounts."""

    id: str
    gates: list[str]
    node: Node
    classes: list[DeviceClass]
    slices: list[ResourceSlice]
    claims: list[ResourceClaim]
    taken: list[str]
    shared: list[str]
    consumed: dict[str, dict[str, str]]
    expected: End


def run(area: Area, tally: Tally) -> None:
    """Search anew, and count what is as recorded. Raises CorpusError."""
    for search in area.rows(Search):
        with tally.decision(search.id) as case:
            got = _searched(search, area.corpus.release)
            case.compare("error", search.expected.error, got.error)
            case.compare("results", _plain(search.expected), _plain(got))


def _searched(search: Search, release: str) -> End:
    features = _features(release, search.gates)
    allocator = Allocator(
        Inventory(search.slices, features),
        {each.name: each for each in search.classes},
        _state(search),
        Selectors(see_sharing=knows_sharing(features)),
        features,
    )
    try:
        return End(allocator.allocate(search.node, search.claims), "")
    except AllocationError as fault:
        return End(None, str(fault))


def _features(release: str, gates: list[str]) -> Features:
    return replace(features_of(release), **{field: gate in gates for gate, field in _FIELD_BY_GATE.items()})


def _state(search: Search) -> AllocatedState:
    return AllocatedState(
        devices={_device(each) for each in search.taken},
        shared={_device(each) for each in search.shared},
        consumed={
            _device(each): {name: quantity.parse(raw) for name, raw in amounts.items()}
            for each, amounts in search.consumed.items()
        },
    )


def _device(text: str) -> DeviceID:
    driver, pool, name, *_ = text.split("/")
    return DeviceID(driver, pool, name)


def _plain(end: End) -> list[Any] | None:
    """The devices and the nodes that they are for; amounts as numbers."""
    if end.results is None:
        return None
    return [
        [[_given(each) for each in result.devices.results or ()], msgspec.to_builtins(result.node_selector)]
        for result in end.results
    ]


def _given(result: DeviceRequestAllocationResult) -> list[Any]:
    amounts = {name: quantity.parse(raw) for name, raw in (result.consumed_capacity or {}).items()}
    return [
        f"{result.request}: {result.driver}/{result.pool}/{result.device}",
        bool(result.admin_access),
        result.share_id is not None,
        amounts,
        list(result.binding_conditions or ()),
        list(result.binding_failure_conditions or ()),
    ]
