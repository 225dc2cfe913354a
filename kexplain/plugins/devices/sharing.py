"""Devices that several claims share by amounts. Source: allocator `consumable_capacity.go`, `schedulerapi`."""

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from kexplain.objects import quantity
from kexplain.objects.meta import ResourceList
from kexplain.objects.resource import CapacityRequestPolicy, CapacityRequestPolicyRange, Device, DeviceCapacity

_Each = TypeVar("_Each")
#: Amounts by the name of a capacity, in nanos.
Amounts = dict[str, int]

_WHOLE = quantity.NANOS_PER_UNIT
_THOUSANDTH = _WHOLE // 1000
#: The most whole units that 64 bits hold in thousandths.
_MOST_IN_THOUSANDTHS = (2**63 - 1) // 1000


class Sharing(NamedTuple):
    """How amounts are counted: in thousandths where a range calls for it and gate DRAFractionalCapacityRange is on.

    Where capacities go by their names `in_full`, those without a domain are in the driver's.
    """

    in_thousandths: bool = False
    in_full: bool = False

    def fits(
        self,
        device: Device,
        driver: str,
        requested: ResourceList | None,
        consumed: Mapping[str, int],
        more: Mapping[str, int],
    ) -> bool:
        """Whether the device has that much left, `consumed` and `more` being taken already, and gives such amounts.

        Source: `CmpRequestOverCapacity`; where that is an error, the device is passed over just the same.
        """
        capacity = self._named(device.capacity or {}, driver)
        asked = self._named(requested or {}, driver)
        consumed, more = self._named(consumed, driver), self._named(more, driver)
        if any(name not in capacity for name in asked):
            return False
        for name, each in capacity.items():
            amount = self._amount(asked.get(name), each)
            if self._violates(amount, each.request_policy):
                return False
            if consumed.get(name, 0) + amount + more.get(name, 0) > quantity.parse(each.value):
                return False
        return True

    def shares(self, device: Device, driver: str, requested: ResourceList | None) -> Amounts:
        """What a request takes of each capacity, as it is published. Source: `GetConsumedCapacityFromRequest`."""
        asked = self._named(requested or {}, driver)
        return {
            name: self._amount(asked.get(self._name(name, driver)), each)
            for name, each in (device.capacity or {}).items()
        }

    def _name(self, name: str, driver: str) -> str:
        return f"{driver}/{name}" if self.in_full and "/" not in name else name

    def _named(self, every: Mapping[str, _Each], driver: str) -> Mapping[str, _Each]:
        """Each by its name; of a name that is there both in full and without its domain, the former wins."""
        if not self.in_full:
            return every
        return {self._name(name, driver): each for name, each in sorted(every.items(), key=lambda item: "/" in item[0])}

    def _amount(self, requested: str | float | None, capacity: DeviceCapacity) -> int:
        policy = capacity.request_policy
        if requested is None:
            default = policy.default if policy else None
            return quantity.parse(capacity.value if default is None else default)
        nanos = quantity.parse(requested)
        if policy is None:
            return nanos
        if policy.valid_range is not None and policy.valid_range.min is not None:
            return self._rounded_up(nanos, policy.valid_range)
        return next((valid for valid in map(quantity.parse, policy.valid_values or ()) if nanos <= valid), nanos)

    def _rounded_up(self, nanos: int, valid: CapacityRequestPolicyRange) -> int:
        minimum = quantity.parse(valid.min or 0)
        if nanos < minimum:
            return minimum
        if valid.step is None:
            return nanos
        unit = self._unit(valid)
        step, least = _units(valid.step, unit), _units(valid.min, unit)
        steps = -(-(_rounded(nanos, unit) - least) // step)
        return (least + step * steps) * unit

    def _violates(self, nanos: int, policy: CapacityRequestPolicy | None) -> bool:
        if policy is None or (policy.default is not None and nanos == quantity.parse(policy.default)):
            return False
        valid = policy.valid_range
        if valid is not None:
            if valid.max is not None and nanos > quantity.parse(valid.max):
                return True
            if valid.step is None:
                return False
            unit = self._unit(valid)
            return (_rounded(nanos, unit) - _units(valid.min, unit)) % _units(valid.step, unit) != 0
        values = policy.valid_values or ()
        return bool(values) and all(quantity.parse(value) != nanos for value in values)

    def _unit(self, valid: CapacityRequestPolicyRange) -> int:
        """What upstream counts steps in, in nanos. Source: `useMilli`."""
        stated = [quantity.parse(each) for each in (valid.min, valid.max, valid.step) if each is not None]
        is_fractional = any(_rounded(each, _THOUSANDTH) * _THOUSANDTH % _WHOLE for each in stated)
        has_step = valid.step is None or _units(valid.step, _THOUSANDTH) >= 1
        if self.in_thousandths and is_fractional and has_step and max(stated) <= _MOST_IN_THOUSANDTHS * _WHOLE:
            return _THOUSANDTH
        return _WHOLE


def _units(raw: str | float | None, unit: int) -> int:
    return _rounded(quantity.parse(raw or 0), unit)


def _rounded(nanos: int, unit: int) -> int:
    return quantity.nanos_to_milli(nanos) if unit == _THOUSANDTH else quantity.nanos_to_value(nanos)
