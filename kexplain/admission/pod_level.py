"""Defaults of the resources that are set for a pod as a whole.

Source: `defaultHugePagePodLimits`, `defaultPodRequests` (core/v1 defaults), component-helpers
`resource.AggregateContainerRequests` and `AggregateContainerLimits`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from kexplain.admission.amounts import Amount
from kexplain.objects.container_sums import sum_containers
from kexplain.objects.core import Container, PodSpec, ResourceRequirements
from kexplain.objects.meta import ResourceList
from kexplain.objects.requests import CPU, HUGEPAGES_PREFIX, MEMORY, is_pod_level_resource


def pod_level_resources(spec: PodSpec) -> ResourceRequirements | None:
    """The pod's own resources, filled up from its containers, whose requests must be defaulted already.

    Requests that are not rounded to milli yet are summed as they are.
    """
    own = spec.resources
    if own is None or not (own.limits or own.requests):
        return own
    # A page size that only containers limit is limited for the pod as well, unless the pod requests it.
    limits = dict(own.limits or {})
    for name, amount in _aggregate(spec, "limits").items():
        if name.startswith(HUGEPAGES_PREFIX) and name not in (own.requests or {}):
            limits.setdefault(name, amount.raw)
    return own if not limits else replace(own, limits=limits, requests=_with_requests(spec, own.requests or {}, limits))


def _with_requests(spec: PodSpec, own: ResourceList, limits: ResourceList) -> ResourceList:
    """What containers request of CPU and memory, and for what is then still open, the pod's limit."""
    requests = dict(own)
    for name, amount in _aggregate(spec, "requests").items():
        if name in (CPU, MEMORY):
            requests.setdefault(name, amount.raw)
    for name, raw in limits.items():
        if is_pod_level_resource(name):
            requests.setdefault(name, raw)
    return requests


def _aggregate(spec: PodSpec, which: str) -> Mapping[str, Amount]:
    def amounts_of(container: Container, *, stays: bool) -> dict[str, Amount]:  # noqa: ARG001 (all count alike)
        return {name: Amount.of(raw) for name, raw in getattr(container, which).items()}

    return sum_containers(spec, amounts_of)
