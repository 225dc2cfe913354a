"""Whether a pod, or a claim, stays within the limit ranges of its namespace.

Source: `limitranger.PodValidateLimitFunc`, `PersistentVolumeClaimValidateLimitFunc`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from kexplain.objects.container_sums import sum_containers
from kexplain.objects.core import Container, LimitRange, LimitRangeItem, PersistentVolumeClaimSpec, PodSpec
from kexplain.objects.meta import RawQuantity
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import NANOS_PER_UNIT, canonical, nanos_to_milli, parse
from kexplain.objects.requests import Nanos, amount_text, is_pod_level_resource, nanos_of


class _Usage(Struct, frozen=True):
    """What a container, a pod or a claim asks for, in nanos, and the path that says so; `suffix` follows amounts."""

    path: tuple[str | int, ...]
    requests: Mapping[str, int]
    limits: Mapping[str, int]
    suffix: str = ""


def limit_problems(spec: PodSpec, limit_ranges: Iterable[LimitRange]) -> Iterator[Problem]:
    """What is out of bounds, of all containers and of the pod as a whole; the spec is as admitted."""
    for name, item in _items(limit_ranges):
        if item.type == "Container":
            for at, container in spec.placed_containers():
                amounts = nanos_of(container.requests), nanos_of(container.limits)
                yield from _problems(name, item, _Usage(("spec", *at, "resources"), *amounts))
        elif item.type == "Pod":
            whole = _Usage(("spec", "resources"), summed(spec, "requests"), summed(spec, "limits"), " in all")
            yield from _problems(name, item, whole)


def claim_limit_problems(spec: PersistentVolumeClaimSpec, limit_ranges: Iterable[LimitRange]) -> Iterator[Problem]:
    """The same of the size of a claim."""
    usage = _Usage(("spec", "resources"), nanos_of(spec.requests), {})
    for by, item in _items(limit_ranges):
        if item.type == "PersistentVolumeClaim":
            for name, raw in (item.min or {}).items():
                yield from _out_of_bounds(by, usage, "requests", name, raw, least=True)
            for name, raw in (item.max or {}).items():
                yield from _out_of_bounds(by, usage, "requests", name, raw, least=False)


def _items(limit_ranges: Iterable[LimitRange]) -> Iterable[tuple[str, LimitRangeItem]]:
    """Each item of limit ranges, with what messages call its range."""
    return ((f"LimitRange {each.name}", item) for each in limit_ranges for item in each.spec.limits or ())


def summed(spec: PodSpec, which: str) -> Nanos:
    """The `requests` or `limits` of all containers, unless the pod as a whole says so; overhead does not count."""

    def amounts(container: Container, *, stays: bool) -> Nanos:  # noqa: ARG001 (limits are those of the spec)
        return nanos_of(getattr(container, which))

    own = nanos_of(getattr(spec, which))
    return sum_containers(spec, amounts) | {name: nanos for name, nanos in own.items() if is_pod_level_resource(name)}


def _problems(by: str, item: LimitRangeItem, usage: _Usage) -> Iterator[Problem]:
    # A minimum must be requested, a maximum be a limit; what else is there is held to it too.
    for least, bounds, must in ((True, item.min, "requests"), (False, item.max, "limits")):
        for name, raw in (bounds or {}).items():
            both = name in usage.requests and name in usage.limits
            for which in ("requests", "limits") if both else (must,):
                yield from _out_of_bounds(by, usage, which, name, raw, least=least)
    for name, raw in (item.max_limit_request_ratio or {}).items():
        yield from _ratio(by, usage, name, raw)


def _out_of_bounds(by: str, usage: _Usage, side: str, name: str, raw: RawQuantity, *, least: bool) -> Iterator[Problem]:
    path = (*usage.path, side, name)
    found = (usage.requests if side == "requests" else usage.limits).get(name)
    told = f"the {canonical(raw)} of {name} that {by} {'asks for' if least else 'allows'}"
    if found is None:
        yield Problem(path, f"is required, to be held against {told}")
        return
    amount, bound, milli = f"{amount_text(name, found)}{usage.suffix}", parse(raw), nanos_to_milli(found)
    # What all containers ask for together is no field of one of them.
    would_do = None if usage.suffix else canonical(raw)
    if least and milli < nanos_to_milli(bound):
        yield Problem(path, f"{amount} is less than {told}", would_do=would_do)
    elif not least and milli > nanos_to_milli(bound):
        yield Problem(path, f"{amount} is more than {told}", would_do=would_do)


def _ratio(by: str, usage: _Usage, name: str, most: RawQuantity) -> Iterator[Problem]:
    request, limit = usage.requests.get(name), usage.limits.get(name)
    for field, found in (("requests", request), ("limits", limit)):
        if not found:
            yield Problem((*usage.path, field, name), f"must not be 0: {by} bounds limit by request")
            return
    if request and limit and nanos_to_milli(limit) / nanos_to_milli(request) * 1000 > nanos_to_milli(parse(most)):
        times = f"{nanos_to_milli(limit) / nanos_to_milli(request):g}"
        said = f"is {times} times the request; {by} allows {canonical(most)} times"
        least = None if usage.suffix else canonical(f"{request * parse(most) // NANOS_PER_UNIT}n")
        yield Problem((*usage.path, "limits", name), said, would_do=least)
