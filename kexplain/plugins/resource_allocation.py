"""What plugins ask of what nodes have: how full one would be, and what it has too little of.

Source: `noderesources/resource_allocation.go`, and `fitsRequest` of `fit.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.node_info import amount_of
from kexplain.cluster.resource import Resource, is_scalar_resource_name
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.features import Features
from kexplain.framework.status import Code, Status
from kexplain.objects import quantity
from kexplain.objects.core import Pod
from kexplain.objects.requests import CPU, DEFAULT_REQUESTS, EPHEMERAL_STORAGE, MEMORY, PODS, RequestRules, pod_requests
from kexplain.plugins.devices.classes import backed_by_class, class_by_resource

if TYPE_CHECKING:
    from kexplain.plugins.devices.totals import DeviceTotals


class ResourceSpec(Struct, frozen=True):
    """A resource that counts in scoring, and how much."""

    name: str
    weight: int = 1


NANOS_PER_MILLI = quantity.NANOS_PER_UNIT // 1000
DEFAULT_RESOURCES = (ResourceSpec(CPU), ResourceSpec(MEMORY))


class Allocation(Struct, frozen=True):
    """One resource of a node: what it offers, what is taken, and what would be with the pod."""

    allocatable: int = 0
    allocated: int = 0
    requested: int = 0


class Taken(NamedTuple):
    """A resource by its weight, what a pod requests of it, and of each node what it offers and what is taken there."""

    weight: int
    request: int
    offered: Sequence[int]
    allocated: Sequence[int]


#: What of a node counts as taken where pods that ask for nothing count, too.
_NON_ZERO = {CPU: "non_zero_cpu_milli", MEMORY: "non_zero_memory_bytes"}


class ScoredRequests(Struct, frozen=True):
    """What the pod requests of each resource; `devices` counts those that stand for devices, if any does."""

    amounts: tuple[int, ...]
    devices: DeviceTotals | None = None

    @classmethod
    def of(
        cls,
        pod: Pod,
        resources: Sequence[ResourceSpec],
        cluster: Cluster,
        features: Features,
        *,
        use_defaults: bool,
        counts_overhead: bool = True,
    ) -> ScoredRequests:
        """What both plugins work out before they score."""

        def scored() -> tuple[int, ...]:
            spec = pod.spec if counts_overhead else replace(pod.spec, overhead=None)
            return scored_requests(replace(pod, spec=spec), resources, cluster.rules, use_defaults=use_defaults)

        read = (cluster.pod_info(pod).resource.key, tuple(resources), use_defaults, counts_overhead)
        amounts = cluster.fact((scored_requests, read), scored)
        return cls(amounts, _device_totals(cluster, [spec.name for spec in resources], features))

    def allocations(
        self, node_info: NodeInfo, resources: Sequence[ResourceSpec], *, use_defaults: bool
    ) -> list[Allocation]:
        return allocations(node_info, resources, self.amounts, use_defaults=use_defaults, devices=self.devices)

    def columns(
        self, node_infos: Sequence[NodeInfo], resources: Sequence[ResourceSpec], *, use_defaults: bool
    ) -> list[Taken]:
        """The same for many nodes, without what counts on none of them; nothing where nodes differ in what counts."""
        found: list[Taken] = []
        for spec, request in zip(resources, self.amounts, strict=True):
            if spec.name == PODS or (request == 0 and is_scalar_resource_name(spec.name)):
                continue
            offered = [*map(amount_of(spec.name, "allocatable"), node_infos)]
            if self.devices is not None or not all(offered):
                return []
            name = _NON_ZERO.get(spec.name) if use_defaults else None
            read = attrgetter(name) if name else amount_of(spec.name, "requested")
            found.append(Taken(spec.weight, request, offered, [*map(read, node_infos)]))
        return found


def _device_totals(cluster: Cluster, names: Iterable[str], features: Features) -> DeviceTotals | None:
    """The counts, if any of the resources stands for a class; None if not, and in 1.34, which does not count."""
    if features.extended_resources_are_claimed_by_container:
        return None
    by_resource = class_by_resource(cluster, features)
    if not backed_by_class(names, by_resource):
        return None
    from kexplain.plugins.devices.totals import DeviceTotals  # noqa: PLC0415 (few clusters have classes)

    return DeviceTotals(cluster, by_resource)


def scored_requests(
    pod: Pod, resources: Sequence[ResourceSpec], rules: RequestRules, *, use_defaults: bool
) -> tuple[int, ...]:
    """What the pod requests of each resource, in their order.

    Upstream's scoring strategies, which use defaults, are never told of pod-level resources or resizes:
    they see what the containers request, whatever the pod as a whole does.
    """
    defaults: Mapping[str, int] = DEFAULT_REQUESTS if use_defaults else {}
    if use_defaults:
        rules = replace(rules, pod_level_resources=False)
    nanos = pod_requests(pod, rules, use_status=not use_defaults, defaults=defaults)
    overhead = (pod.spec.overhead or {}).get(CPU)
    if overhead is not None and not rules.cpu_overhead_scores_in_millis:
        given = quantity.parse(overhead)
        nanos[CPU] += quantity.nanos_to_value(given) * NANOS_PER_MILLI - given
    return tuple(
        quantity.nanos_to_milli(nanos.get(spec.name, 0))
        if spec.name == CPU
        else quantity.nanos_to_value(nanos.get(spec.name, 0))
        for spec in resources
    )


def allocations(
    node_info: NodeInfo,
    resources: Sequence[ResourceSpec],
    requests: Sequence[int],
    *,
    use_defaults: bool,
    devices: DeviceTotals | None = None,
) -> list[Allocation]:
    """Each resource of the node; all zero where it does not count.

    That is where the node has none of it, or the pod does not ask for an extended one. `use_defaults` counts
    CPU and memory that pods did not ask for, too.
    """
    result = []
    for spec, request in zip(resources, requests, strict=True):
        # The number of pods is no resource that upstream scores.
        allocatable = 0 if spec.name == PODS else node_info.allocatable.amount(spec.name)
        if allocatable == 0 and request and devices is not None:
            offered, taken = devices.on(node_info.node, spec.name)
            if offered:
                result.append(Allocation(offered, taken, taken + request))
                continue
        if allocatable == 0 or (request == 0 and is_scalar_resource_name(spec.name)):
            result.append(Allocation())
            continue
        name = _NON_ZERO.get(spec.name) if use_defaults else None
        allocated: int = getattr(node_info, name) if name else node_info.requested.amount(spec.name)
        result.append(Allocation(allocatable, allocated, allocated + request))
    return result


#: What a node has too little of: the resource, what is requested and allocatable.
Shortage = tuple[str, int, int]


class FitRequest(Struct, frozen=True):
    """What a pod requests; what of it stands for devices counts only where the node itself reports it."""

    resource: Resource
    backed_by_class: frozenset[str] = frozenset()
    #: Whether a node that reports 0 of something reports it.
    zero_is_reported: bool = False
    #: Whether CPU, memory and ephemeral storage have to be left over even where none of them is requested.
    needs_all: bool = False
    #: What was said of nodes that lack the same.
    statuses: dict[tuple[Shortage, ...], Status] = field(default_factory=dict)

    @property
    def amounts(self) -> list[tuple[str, int]]:
        """All that has to be left over, in upstream's order."""
        least, requested = 0 if self.needs_all else 1, self.resource
        native = [(CPU, requested.cpu_milli), (MEMORY, requested.memory_bytes)]
        return [(PODS, 1), *(each for each in native if each[1] >= least), *_further_amounts(requested, least)]


def shortages_by_place(asked: FitRequest, cluster: Cluster) -> tuple[Sequence[int], dict[int, tuple[Shortage, ...]]]:
    """The same as `shortages` of every node: their numbers, in order, and what each number stands for.

    Nothing must be backed by a class, as that asks more of nodes than how much they have.
    """
    numbers, span = [0] * len(cluster.node_infos), 1
    digits: list[tuple[str, int, Sequence[int], int]] = []
    for name, amount in asked.amounts:
        offered, kinds, _, free = cluster.room_by_place(name)
        if amount > min(free, default=amount):
            numbers = [
                own if amount <= left else own + span + span * kind
                for own, kind, left in zip(numbers, kinds, free, strict=True)
            ]
            digits.append((name, amount, offered, span))
            span *= 1 + len(offered)
    lacking = {
        number: tuple(
            [
                (name, amount, offered[kind - 1])
                for name, amount, offered, span in digits
                if (kind := number // span % (1 + len(offered)))
            ]
        )
        for number in set(numbers)
    }
    return numbers, lacking


def shortages(asked: FitRequest, node_info: NodeInfo) -> tuple[Shortage, ...]:
    """Everything of which the node has too little left, in upstream's order.

    What is backed by a class, and of what the node reports nothing, is left to DynamicResources. Where the request
    `needs_all`, a pod does not fit where CPU, memory or ephemeral storage is overcommitted, requested or not.
    """
    requested = asked.resource
    allocatable, used = node_info.allocatable, node_info.requested
    lacking: tuple[Shortage, ...] = ()
    if len(node_info.pods) + 1 > allocatable.allowed_pods:
        lacking = ((PODS, 1, allocatable.allowed_pods),)
    least = 0 if asked.needs_all else 1
    cpu, memory = requested.cpu_milli, requested.memory_bytes
    if cpu >= least and cpu > allocatable.cpu_milli - used.cpu_milli:
        lacking += ((CPU, cpu, allocatable.cpu_milli),)
    if memory >= least and memory > allocatable.memory_bytes - used.memory_bytes:
        lacking += ((MEMORY, memory, allocatable.memory_bytes),)
    if not requested.scalars and requested.ephemeral_storage_bytes < least:
        return lacking
    for name, amount in _further_amounts(requested, least):
        have = allocatable.amount(name)
        is_reported = have > 0 or (asked.zero_is_reported and name in allocatable.scalars)
        if not is_reported and name in asked.backed_by_class:
            continue
        if amount > have - used.amount(name):
            lacking += ((name, amount, have),)
    return lacking


def status_of_shortages(lacking: Sequence[Shortage], *, oversized_is_unresolvable: bool = True) -> Status:
    """The rejection; nothing helps where more is requested than the node has in all."""
    unresolvable = oversized_is_unresolvable and any(
        requested > allocatable for resource, requested, allocatable in lacking if resource != PODS
    )
    code = Code.UNSCHEDULABLE_AND_UNRESOLVABLE if unresolvable else Code.UNSCHEDULABLE
    reasons = tuple([_reason(resource) for resource, *_ in lacking])
    return Status(code, reasons, tuple([InsufficientResource(*each) for each in lacking]))


def _further_amounts(requested: Resource, least: int) -> list[tuple[str, int]]:
    """What is requested beside CPU and memory."""
    storage = requested.ephemeral_storage_bytes
    return [(EPHEMERAL_STORAGE, storage)] * (storage >= least) + list(requested.scalars.items())


@cache
def _reason(resource: str) -> str:
    return "Too many pods" if resource == PODS else f"Insufficient {resource}"
