"""Slices: the devices that a driver offers on nodes.

Source: resource/validation `ValidateResourceSlice` and what it calls, release 1.36 with its default feature gates.
DRAListTypeAttributes and DRANodeAllocatableResources are off, so their fields are dropped before.
"""

import re

from kexplain.objects.json_values import shown
from kexplain.objects.quantity import nanos_to_value
from kexplain.patterns import regex
from kexplain.validation import rows
from kexplain.validation.device_claims import check_qualified_name
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.names import dns_label, dns_subdomain
from kexplain.validation.resources import nanos
from kexplain.validation.rows import judge

_MOST_DEVICES, _MOST_ADVANCED_DEVICES = 128, 64
_MOST_PROPERTIES = 32
_NUMBER, _LETTERS = r"(?:0|[1-9]\d*)", r"\d*[a-zA-Z-][0-9a-zA-Z-]*"
_PRE_RELEASE = rf"(?:{_NUMBER}|{_LETTERS})"
_SEMVER = regex(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_PRE_RELEASE}(?:\.{_PRE_RELEASE})*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)


def _check_contents(spec: Field) -> None:
    devices = spec.child("devices")
    terms = spec.descend("nodeSelector", "nodeSelectorTerms")
    terms.reject_if(spec.child("nodeSelector").is_set and len(terms.items()) != 1, "needs exactly one term")
    advanced = any(each.child(name).items() for each in devices.items() for name in ("taints", "consumesCounters"))
    if devices.no_more_than(_MOST_ADVANCED_DEVICES if advanced else _MOST_DEVICES):
        for device in devices.items():
            _check_device(device, selects_nodes=spec.child("perDeviceNodeSelection").flag)
        rows.unique("name")(devices)


def _check_pool_name(name: Field) -> None:
    name.no_longer_than(253)
    for part in name.string.split("/"):
        name.judge(part, dns_subdomain)


def _check_nodes(where: Field, *names: str) -> None:
    """Which nodes can reach it: said in one way only."""
    ways = 0
    for name in names:
        field = where.child(name)
        if not field.is_set:
            continue
        if field.value in ("", False):
            field.reject("must have a value, or be left out")
            continue
        ways += 1
        if name == "nodeName":
            field.obey(dns_subdomain)
        elif name == "nodeSelector":
            judge(field, "labels.node_selector")
    if ways != 1:
        where.reject(f"needs exactly one of {', '.join(names)}")


# ---------------------------------------------------------------------------------------------------- devices


def _check_device(device: Field, *, selects_nodes: bool) -> None:
    device.child("name").obey(dns_label)
    attributes, capacity = device.child("attributes"), device.child("capacity")
    if len(attributes.mapping) + len(capacity.mapping) > _MOST_PROPERTIES:
        device.reject(f"has more than {_MOST_PROPERTIES} attributes and capacities")
    for name, attribute in attributes.entries():
        check_qualified_name(name, attribute.written(attributes))
        judge(attribute, "device_slices.attribute")
    is_shared = device.child("allowMultipleAllocations").flag
    for name, amount in capacity.entries():
        check_qualified_name(name, amount.written(capacity))
        _check_request_policy(amount, is_shared=is_shared)
    judge(device, "device_slices.taints_and_counters")
    names = ("nodeName", "nodeSelector", "allNodes")
    if selects_nodes:
        _check_nodes(device, *names)
    elif any(device.child(name).is_set for name in names):
        device.reject(f"can set {', '.join(names)} only where perDeviceNodeSelection is true")
    _check_conditions(device)


def _version(text: str) -> str | None:
    return None if _SEMVER.fullmatch(text) else "is not a version such as 1.2.3 (semver.org)"


def _check_counter_names(counters: Field) -> None:
    for counter, value in counters.entries():
        value.written(counters).judge(counter, dns_label)


def _check_conditions(device: Field) -> None:
    """What must become true before a pod is bound, and what ends the waiting."""
    wanted, failures = device.child("bindingConditions"), device.child("bindingFailureConditions")
    judge(device, "device_slices.conditions")
    for condition in failures.items():
        if condition.string in wanted.strings:
            condition.reject(f"{shown(condition.string)} is also in bindingConditions")
    judge(device, "device_slices.paired_conditions")


# ------------------------------------------------------------------------------ how capacity can be requested


def _check_request_policy(capacity: Field, *, is_shared: bool) -> None:
    policy = capacity.child("requestPolicy")
    if not policy.is_set:
        return
    values, bounds = policy.child("validValues"), policy.child("validRange")
    if not is_shared:
        policy.reject("needs allowMultipleAllocations: true")
    elif values.items() and bounds.is_set:
        policy.reject("takes either validValues or validRange")
    elif not policy.child("default").is_set:
        if values.items() or bounds.is_set:
            policy.child("default").reject("is required where the requests that are valid are limited")
    else:
        total, default = _amount(capacity.child("value")), _amount(policy.child("default"))
        if values.items():
            _check_valid_values(values, total, default)
        elif bounds.is_set:
            _check_valid_range(bounds, total, default)


def _amount(field: Field) -> int:
    return nanos(field.value) or 0


def _check_valid_values(values: Field, total: int, default: int) -> None:
    amounts = [_amount(value) for value in values.items()]
    for index, value in enumerate(values.items()):
        value.reject_if(index and amounts[index - 1] > amounts[index], "must not be less than the one before it")
    if values.no_more_than(10):
        for value, amount in zip(values.items(), amounts, strict=True):
            value.reject_if(amount > total, "is more than the capacity")
        # An API server compares them as whole numbers.
        reject_repeated((nanos_to_value(_amount(value)), value) for value in values.items())
    values.reject_if(default not in amounts, "must hold the default")


def _check_valid_range(bounds: Field, total: int, default: int) -> None:
    least, most, step = (bounds.child(name) for name in ("min", "max", "step"))
    if not least.require_set():
        return
    low = _amount(least)
    wrong: list[tuple[Field, bool, str]] = [
        (least, low > total, "is more than the capacity"),
        (least, default < low, "is more than the default"),
    ]
    if most.is_set:
        high = _amount(most)
        wrong += [
            (most, low > high, "is less than min"),
            (most, high > total, "is more than the capacity"),
            (most, default > high, "is less than the default"),
        ]
    if step.is_set:
        wrong.append((step, low + _amount(step) > total, "is more than the capacity leaves above min"))
        ends = [default, *([_amount(most)] if most.is_set else [])]
        wrong += [
            (step, not _reaches(low, _amount(step), end), "does not lead from min to default and max") for end in ends
        ]
    for field, is_wrong, message in wrong:
        field.reject_if(is_wrong, message)


def _reaches(start: int, step: int, end: int) -> bool:
    size = nanos_to_value(step)
    return not size or (nanos_to_value(end) - nanos_to_value(start)) % size == 0
