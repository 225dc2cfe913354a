"""Whether a pod stays within the limit ranges of its namespace.

Source: `limitranger.PodValidateLimitFunc`, `PersistentVolumeClaimValidateLimitFunc`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kexplain.admission.validation.problem import Field
from kexplain.admission.validation.resources import aggregate, nanos, text
from kexplain.objects.core import LimitRange, LimitRangeItem
from kexplain.objects.meta import RawQuantity, ResourceList
from kexplain.objects.quantity import nanos_to_milli
from kexplain.objects.requests import is_pod_level_resource


class _Usage(NamedTuple):
    """What a container, a pod or a claim asks for, in nanos, and where it says so."""

    resources: Field
    requests: Mapping[str, int]
    limits: Mapping[str, int]
    #: Follows amounts in messages.
    suffix: str = ""


def check_limits(spec: Field, limit_ranges: Iterable[LimitRange]) -> None:
    """All containers, and the pod as a whole, against all limit ranges."""
    for item in _items(limit_ranges):
        if item.type == "Container":
            for of in ("containers", "initContainers"):
                for container in spec.child(of).items():
                    _check(item, _of_container(container))
        elif item.type == "Pod":
            _check(item, _Usage(spec.child("resources"), _of_pod(spec, "requests"), _of_pod(spec, "limits"), " in all"))


def check_claim_limits(spec: Field, limit_ranges: Iterable[LimitRange]) -> None:
    """The size of a claim against all limit ranges."""
    for item in _items(limit_ranges):
        if item.type == "PersistentVolumeClaim":
            requests = spec.child("resources").child("requests")
            for name, raw in (item.min or {}).items():
                _check_least(requests.key(name), name, _amount(requests.mapping.get(name)), raw)
            for name, raw in (item.max or {}).items():
                found = _amount(requests.mapping.get(name))
                _check_most(requests.key(name), name, found, raw)


def _items(limit_ranges: Iterable[LimitRange]) -> Iterable[LimitRangeItem]:
    return (item for limit_range in limit_ranges for item in limit_range.spec.limits or ())


def _of_container(container: Field) -> _Usage:
    resources = container.child("resources")
    return _Usage(resources, _amounts(resources.child("requests").mapping), _amounts(resources.child("limits").mapping))


def _of_pod(spec: Field, which: str) -> dict[str, int]:
    """What all containers ask for together, unless the pod as a whole says so; overhead does not count."""
    own = _amounts(spec.child("resources").child(which).mapping)
    return {**aggregate(spec, which), **{name: found for name, found in own.items() if is_pod_level_resource(name)}}


def _amounts(resources: ResourceList) -> dict[str, int]:
    return {name: found for name, raw in resources.items() if (found := nanos(raw)) is not None}


def _amount(raw: RawQuantity | None) -> int | None:
    return None if raw is None else nanos(raw)


def _check(item: LimitRangeItem, usage: _Usage) -> None:
    requests, limits = usage.resources.child("requests"), usage.resources.child("limits")
    for name, raw in (item.min or {}).items():
        _check_least(requests.key(name), name, usage.requests.get(name), raw, usage.suffix)
        if name in usage.requests and name in usage.limits:
            _check_least(limits.key(name), name, usage.limits[name], raw, usage.suffix)
    for name, raw in (item.max or {}).items():
        _check_most(limits.key(name), name, usage.limits.get(name), raw, usage.suffix)
        if name in usage.requests and name in usage.limits:
            _check_most(requests.key(name), name, usage.requests[name], raw, usage.suffix)
    for name, raw in (item.max_limit_request_ratio or {}).items():
        _check_ratio(usage, name, raw)


def _check_least(field: Field, name: str, found: int | None, least: RawQuantity, suffix: str = "") -> None:
    bound = nanos(least)
    if bound is None:
        return
    if found is None:
        field.reject(f"is required: a LimitRange asks for {text(least)} of {name} at least")
    elif nanos_to_milli(found) < nanos_to_milli(bound):
        field.reject(f"{_text(found)}{suffix} is less than the {text(least)} of {name} that a LimitRange asks for")


def _check_most(field: Field, name: str, found: int | None, most: RawQuantity, suffix: str = "") -> None:
    bound = nanos(most)
    if bound is None:
        return
    if found is None:
        field.reject(f"is required: a LimitRange allows {text(most)} of {name} at most")
    elif nanos_to_milli(found) > nanos_to_milli(bound):
        field.reject(f"{_text(found)}{suffix} is more than the {text(most)} of {name} that a LimitRange allows")


def _check_ratio(usage: _Usage, name: str, most: RawQuantity) -> None:
    bound, request, limit = nanos(most), usage.requests.get(name), usage.limits.get(name)
    if bound is None:
        return
    for field, found in (("requests", request), ("limits", limit)):
        if not found:
            usage.resources.child(field).key(name).reject("must not be 0: a LimitRange bounds limit by request")
            return
    if request and limit and nanos_to_milli(limit) / nanos_to_milli(request) * 1000 > nanos_to_milli(bound):
        times = f"{nanos_to_milli(limit) / nanos_to_milli(request):g}"
        usage.resources.child("limits").key(name).reject(
            f"is {times} times the request; a LimitRange allows {text(most)} times"
        )


def _text(found: int) -> str:
    return text(f"{found}n")
