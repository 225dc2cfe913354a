"""Slices: the devices that a driver offers on nodes.

Source: resource/validation `ValidateResourceSlice` and what it calls, release 1.36 with its default feature gates.
DRAListTypeAttributes and DRANodeAllocatableResources are off, so their fields are dropped before.
"""

from kexplain.objects.quantity import nanos_to_value
from kexplain.validation.field import Field, nanos, reject_repeated
from kexplain.validation.names import dns_subdomain

_MOST_PROPERTIES = 32


def _check_size(device: Field) -> None:
    if len(device.child("attributes").mapping) + len(device.child("capacity").mapping) > _MOST_PROPERTIES:
        device.reject(f"has more than {_MOST_PROPERTIES} attributes and capacities")


def _check_pool_name(name: Field) -> None:
    name.no_longer_than(253)
    for part in name.string.split("/"):
        name.judge(part, dns_subdomain)


# ------------------------------------------------------------------------------ how capacity can be requested


def _amount(field: Field) -> int:
    return nanos(field.value) or 0


def _check_valid_values(values: Field) -> None:
    policy = values.holder()
    total, default = _amount(policy.holder().child("value")), _amount(policy.child("default"))
    amounts = [_amount(value) for value in values.items()]
    for index, value in enumerate(values.items()):
        value.reject_if(index and amounts[index - 1] > amounts[index], "must not be less than the one before it")
    if values.no_more_than(10):
        for value, amount in zip(values.items(), amounts, strict=True):
            value.reject_if(amount > total, "is more than the capacity")
        # An API server compares them as whole numbers.
        reject_repeated((nanos_to_value(_amount(value)), value) for value in values.items())
    values.reject_if(default not in amounts, "must hold the default")


def _check_step(bounds: Field) -> None:
    policy, most, step = bounds.holder(), bounds.child("max"), bounds.child("step")
    low, size = _amount(bounds.child("min")), nanos_to_value(_amount(step))
    total = _amount(policy.holder().child("value"))
    step.reject_if(low + _amount(step) > total, "is more than the capacity leaves above min")
    for end in (policy.child("default"), *([most] if most.is_set else [])):
        is_missed = size and (nanos_to_value(_amount(end)) - nanos_to_value(low)) % size
        step.reject_if(is_missed, "does not lead from min to default and max")
