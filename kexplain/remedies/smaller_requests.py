"""Pods that request less."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from msgspec.structs import replace

from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.explain.wording import at_most
from kexplain.objects import quantity
from kexplain.objects.core import Container, Pod, ResourceRequirements
from kexplain.objects.meta import RawQuantity, ResourceList
from kexplain.objects.requests import CPU, resource_units
from kexplain.remedies.pod_edits import Edit, at, in_containers, in_turn


def requesting_less(pod: Pod, free_by_resource: Mapping[str, int]) -> Edit:
    """The edit after which the pod, which is as admitted, requests no more of each resource than is free.

    The largest request is cut first; what is left for each container is worked out here, so that the edit does the
    same to a manifest in which admission has filled requests in.
    """
    left = {resource: _left(pod, resource, free) for resource, free in free_by_resource.items()}

    cuts = (partial(_cut, resource=resource, amounts=amounts) for resource, (amounts, _) in left.items())
    of_containers = [in_containers("", cut) for cut in cuts]
    totals = ((resource, total) for resource, (_, total) in left.items() if total is not None)
    of_pod = [at("spec.resources", partial(_requesting, resource=resource, left=total)) for resource, total in totals]
    return in_turn(*of_containers, *of_pod)


def _left(pod: Pod, resource: str, free: int) -> tuple[Mapping[str, int], int | None]:
    """How much each container by name may request that has to request less, and the pod as a whole if it does."""
    spec = pod.spec
    left = max(free - resource_units(resource, (spec.overhead or {}).get(resource, 0)), 0)
    first = spec.init_containers or ()
    sidecars = [each for each in first if each.restarts_always]
    before = {each.name or "": _amount(each, resource) for each in (*(spec.containers or ()), *first)}
    after = before | _cut_to(left, {name: before[name] for name in _names((*(spec.containers or ()), *sidecars))})
    beside = 0
    for name in _names(first):
        if name in _names(sidecars):
            beside += after[name]
        else:
            after[name] = min(before[name], max(left - beside, 0))
    smaller = {name: value for name, value in after.items() if value < before[name]}
    return smaller, left if resource in spec.requests else None


def _names(containers: Iterable[Container]) -> list[str]:
    return [container.name or "" for container in containers]


def _cut_to(left: int, amounts: Mapping[str, int]) -> dict[str, int]:
    """Amounts that come to no more than what is left, the largest cut first."""
    after, surplus = dict(amounts), sum(amounts.values()) - left
    for name in sorted(amounts, key=lambda name: -amounts[name]):
        cut = max(min(surplus, amounts[name]), 0)
        after[name] -= cut
        surplus -= cut
    return after


def _amount(container: Container, resource: str) -> int:
    resources = container.resources or ResourceRequirements()
    requests, limits = resources.requests or {}, resources.limits or {}
    return resource_units(resource, requests.get(resource, limits.get(resource, 0)))


def _cut(container: Container, resource: str, amounts: Mapping[str, int]) -> Container:
    name = container.name or ""
    if name not in amounts:
        return container
    return replace(container, resources=_requesting(container.resources, resource, amounts[name]))


def _requesting(resources: ResourceRequirements | None, resource: str, left: int) -> ResourceRequirements:
    text = quantity.canonical(f"{left}m") if resource == CPU else at_most(resource, left)
    resources = resources or ResourceRequirements()
    requests, limits = resources.requests or {}, resources.limits or {}
    # What cannot be had in part has a limit that is the request, and one that is left out follows from it.
    is_limited = is_scalar_resource_name(resource) and resource in limits
    if is_limited:
        resources = replace(resources, limits={**limits, resource: _as_written(limits[resource], text)})
    if is_limited and resource not in requests:
        return resources
    return replace(resources, requests={**requests, resource: _as_written(requests.get(resource, ""), text)})


def _as_written(before: RawQuantity, text: str) -> RawQuantity:
    """The amount as a number where there was one before."""
    return int(text) if isinstance(before, int) and text.isdecimal() else text


def requesting_as(other: Pod, resource: str) -> Edit:
    """The pod whose containers request, and are limited to, as much of a resource as those of the same name there."""
    containers = (*(other.spec.containers or ()), *(other.spec.init_containers or ()))
    there = {each.name: each.resources for each in containers}

    def edit(container: Container) -> Container:
        own, theirs = container.resources or ResourceRequirements(), there.get(container.name)
        if theirs is None:
            return container
        requests, limits = _with(own.requests, theirs.requests, resource), _with(own.limits, theirs.limits, resource)
        return replace(container, resources=replace(own, requests=requests, limits=limits))

    return in_containers("", edit)


def _with(own: ResourceList | None, theirs: ResourceList | None, resource: str) -> ResourceList | None:
    """The amounts with that of one resource as it is there."""
    kept = {name: amount for name, amount in (own or {}).items() if name != resource}
    return {**kept, **({resource: theirs[resource]} if theirs and resource in theirs else {})} or None


def requesting_amount(resource: str, wrong: RawQuantity, right: str) -> Edit:
    """The pod whose containers have the right amount of a resource wherever they have the wrong one."""

    def corrected(amounts: ResourceList) -> ResourceList:
        is_wrong = resource in amounts and quantity.parse(amounts[resource]) == quantity.parse(wrong)
        return {**amounts, resource: right} if is_wrong else amounts

    return _with_amounts(corrected)


def requesting_instead(wrong: str, right: str) -> Edit:
    """The pod whose containers name another resource wherever they name the wrong one."""
    return _with_amounts(lambda amounts: {right if name == wrong else name: amount for name, amount in amounts.items()})


def _with_amounts(change: Callable[[ResourceList], ResourceList]) -> Edit:
    """The pod whose containers have their requests and limits changed."""
    kinds = ("resources.requests", "resources.limits")
    return in_turn(*(in_containers(kind, lambda amounts: amounts and change(amounts)) for kind in kinds))
