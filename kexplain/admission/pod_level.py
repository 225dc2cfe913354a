"""Defaults of the resources that are set for a pod as a whole.

Source: `defaultHugePagePodLimits`, `defaultPodRequests` (core/v1 defaults), component-helpers
`resource.AggregateContainerRequests` and `AggregateContainerLimits`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from kexplain.admission.amounts import Amount
from kexplain.objects.core import PodSpec, ResourceRequirements
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import CPU, HUGEPAGES_PREFIX, MEMORY, is_pod_level_resource

_Amounts = dict[str, Amount]


def pod_level_resources(spec: PodSpec) -> ResourceRequirements | None:
    """The pod's own resources, filled up from its containers, whose requests must be defaulted already.

    Requests that are not rounded to milli yet are summed as they are.
    """
    own = spec.resources
    if own is None or not (own.limits or own.requests):
        return own
    limits = _with_hugepage_limits(spec, own)
    if not limits:
        return own
    return replace(own, limits=limits, requests=_with_requests(spec, own.requests or {}, limits))


def _with_hugepage_limits(spec: PodSpec, own: ResourceRequirements) -> ResourceList:
    """A page size that only containers limit is limited for the pod as well, unless the pod requests it."""
    limits = dict(own.limits or {})
    for name, amount in _aggregate(spec, lambda resources: resources.limits).items():
        if name.startswith(HUGEPAGES_PREFIX) and name not in (own.requests or {}):
            limits.setdefault(name, amount.raw)
    return limits


def _with_requests(spec: PodSpec, own: ResourceList, limits: ResourceList) -> ResourceList:
    """What containers request of CPU and memory, and for what is then still open, the pod's limit."""
    requests = dict(own)
    for name, amount in _aggregate(spec, lambda resources: resources.requests).items():
        if name in (CPU, MEMORY):
            requests.setdefault(name, amount.raw)
    for name, raw in limits.items():
        if is_pod_level_resource(name):
            requests.setdefault(name, raw)
    return requests


def _aggregate(spec: PodSpec, select: Callable[[ResourceRequirements], ResourceList | None]) -> Mapping[str, Amount]:
    """Containers and sidecars summed, at least each init container beside the sidecars started before it."""

    def amounts_of(resources: ResourceRequirements | None) -> _Amounts:
        raw_by_name = select(resources) if resources else None
        return {name: Amount.of(raw) for name, raw in (raw_by_name or {}).items()}

    total: _Amounts = {}
    for container in spec.containers or ():
        _add(total, amounts_of(container.resources))
    sidecars: _Amounts = {}
    peak: _Amounts = {}
    for container in spec.init_containers or ():
        amounts = amounts_of(container.resources)
        if container.restarts_always:
            _add(total, amounts)
            _add(sidecars, amounts)
            _raise_to(peak, sidecars)
        else:
            _add(amounts, sidecars)
            _raise_to(peak, amounts)
    _raise_to(total, peak)
    return total


def _add(total: _Amounts, other: _Amounts) -> None:
    for name, amount in other.items():
        total[name] = total[name].plus(amount) if name in total else amount


def _raise_to(total: _Amounts, other: _Amounts) -> None:
    for name, amount in other.items():
        if name not in total or amount.nanos > total[name].nanos:
            total[name] = amount
