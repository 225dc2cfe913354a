"""Whether a pod stays within the limit ranges of its namespace.

Source: `limitranger.PodValidateLimitFunc`, `PersistentVolumeClaimValidateLimitFunc`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from kexplain.objects.core import LimitRange, LimitRangeItem
from kexplain.objects.meta import RawQuantity, ResourceList
from kexplain.objects.quantity import nanos_to_milli
from kexplain.objects.requests import is_pod_level_resource
from kexplain.validation.problem import Field
from kexplain.validation.resources import aggregate, nanos, text


class _Usage(Struct, frozen=True):
    """What a container, a pod or a claim asks for, in nanos, and where it says so; `suffix` follows amounts."""

    resources: Field
    requests: Mapping[str, int]
    limits: Mapping[str, int]
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
    usage = _of_container(spec)
    for item in _items(limit_ranges):
        if item.type == "PersistentVolumeClaim":
            for name, raw in (item.min or {}).items():
                _check_bound(usage, "requests", name, raw, least=True)
            for name, raw in (item.max or {}).items():
                _check_bound(usage, "requests", name, raw, least=False)


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


def _check(item: LimitRangeItem, usage: _Usage) -> None:
    # A minimum must be requested, a maximum be a limit; what else is there is held to it too.
    for least, bounds, must in ((True, item.min, "requests"), (False, item.max, "limits")):
        for name, raw in (bounds or {}).items():
            both = name in usage.requests and name in usage.limits
            for which in ("requests", "limits") if both else (must,):
                _check_bound(usage, which, name, raw, least=least)
    for name, raw in (item.max_limit_request_ratio or {}).items():
        _check_ratio(usage, name, raw)


def _check_bound(usage: _Usage, which: str, name: str, raw: RawQuantity, *, least: bool) -> None:
    bound = nanos(raw)
    if bound is None:
        return
    field = usage.resources.child(which).key(name)
    found = (usage.requests if which == "requests" else usage.limits).get(name)
    told = f"the {text(raw)} of {name} that a LimitRange {'asks for' if least else 'allows'}"
    if found is None:
        field.reject(f"is required, to be held against {told}")
        return
    amount = f"{text(f'{found}n')}{usage.suffix}"
    if least and nanos_to_milli(found) < nanos_to_milli(bound):
        field.reject(f"{amount} is less than {told}")
    elif not least and nanos_to_milli(found) > nanos_to_milli(bound):
        field.reject(f"{amount} is more than {told}")


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
