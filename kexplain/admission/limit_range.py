"""Admission plugin LimitRanger: default requests and limits of containers.

Source: `limitranger.PodMutateLimitFunc`, core/v1 `SetDefaults_LimitRangeItem`, release 1.36.
"""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from kexplain.admission.defaults import with_containers
from kexplain.objects.core import Container, LimitRange, LimitRangeItem, PodSpec, ResourceRequirements
from kexplain.objects.meta import ResourceList

CONTAINER = "Container"


def with_limit_ranges(spec: PodSpec, limit_ranges: Iterable[LimitRange]) -> PodSpec:
    """The spec with what the namespace's limit ranges give to containers that set nothing themselves.

    Of several limit ranges the first in order wins; upstream takes them in no particular order.
    """
    for limit_range in limit_ranges:
        spec = with_containers(spec, partial(_with_defaults, container_defaults(limit_range)))
    return spec


def container_defaults(limit_range: LimitRange) -> ResourceRequirements:
    """The requests and limits that a limit range gives to a container; later items override earlier ones."""
    requests: ResourceList = {}
    limits: ResourceList = {}
    for item in limit_range.spec.limits or ():
        if item.type == CONTAINER:
            defaults = _item_defaults(item)
            requests |= defaults.requests or {}
            limits |= defaults.limits or {}
    return ResourceRequirements(requests=requests, limits=limits)


def _item_defaults(item: LimitRangeItem) -> ResourceRequirements:
    """The defaults of one item, in turn defaulted: limits by the maximum, requests by limit and minimum."""
    limits = {**(item.max or {}), **(item.default or {})}
    requests = {**(item.min or {}), **limits, **(item.default_request or {})}
    return ResourceRequirements(requests=requests, limits=limits)


def _with_defaults(defaults: ResourceRequirements, container: Container) -> Container:
    own = container.resources or ResourceRequirements()
    requests = {**(defaults.requests or {}), **(own.requests or {})}
    limits = {**(defaults.limits or {}), **(own.limits or {})}
    return replace(container, resources=replace(own, requests=requests, limits=limits))
