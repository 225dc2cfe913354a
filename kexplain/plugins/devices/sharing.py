"""Devices that several claims share by amounts. Source: allocator `consumable_capacity.go`, `schedulerapi`."""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.objects import quantity
from kexplain.objects.meta import ResourceList
from kexplain.objects.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, Device, DeviceCapacity

#: Amounts by the name of a capacity, in nanos.
Amounts = dict[str, int]


def fits(device: Device, requested: ResourceList | None, consumed: Mapping[str, int], more: Mapping[str, int]) -> bool:
    """Whether the device has that much left, `consumed` and `more` being taken already, and gives such amounts.

    Source: `CmpRequestOverCapacity`; where that is an error, the device is passed over just the same.
    """
    capacity = device.capacity or {}
    if requested and any(name not in capacity for name in requested):
        return False
    for name, each in capacity.items():
        amount = _amount(None if requested is None else requested.get(name), each)
        if _violates(amount, each.request_policy):
            return False
        if consumed.get(name, 0) + amount + more.get(name, 0) > quantity.parse(each.value):
            return False
    return True


def shares(device: Device, requested: ResourceList | None) -> Amounts:
    """What a request takes of each capacity. Source: `GetConsumedCapacityFromRequest`."""
    return {
        name: _amount(None if requested is None else requested.get(name), each)
        for name, each in (device.capacity or {}).items()
    }


def _amount(requested: str | float | None, capacity: DeviceCapacity) -> int:
    policy = capacity.request_policy
    if requested is None:
        default = policy.default if policy else None
        return quantity.parse(capacity.value if default is None else default)
    nanos = quantity.parse(requested)
    if policy is None:
        return nanos
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return _rounded_up(nanos, policy.valid_range)
    for valid in policy.valid_values or ():
        if nanos <= quantity.parse(valid):
            return quantity.parse(valid)
    return nanos


def _rounded_up(nanos: int, valid: CapacityRequestPolicyRange) -> int:
    minimum = quantity.parse(valid.min or 0)
    if nanos < minimum:
        return minimum
    if valid.step is None:
        return nanos
    # Upstream counts steps in whole units.
    step, least = quantity.value(valid.step), quantity.value(valid.min or 0)
    steps = -(-(quantity.nanos_to_value(nanos) - least) // step)
    return (least + step * steps) * quantity.NANOS_PER_UNIT


def _violates(nanos: int, policy: CapacityRequestPolicy | None) -> bool:
    if policy is None or (policy.default is not None and nanos == quantity.parse(policy.default)):
        return False
    valid = policy.valid_range
    if valid is not None:
        if valid.max is not None and nanos > quantity.parse(valid.max):
            return True
        if valid.step is None:
            return False
        beyond = quantity.nanos_to_value(nanos) - quantity.value(valid.min or 0)
        return beyond % quantity.value(valid.step) != 0
    values = policy.valid_values or ()
    return bool(values) and all(quantity.parse(value) != nanos for value in values)
