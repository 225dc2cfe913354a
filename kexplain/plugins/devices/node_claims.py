"""Claims on what a node has allocatable, such as CPU. Source: `dynamicresources/nodeallocatabledynamicresources.go`.

Behind gate DRANodeAllocatableResources. In 1.36 only claims that are being allocated count; from 1.37 on all do, and
devices have overheads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import Resource
from kexplain.framework.features import Features
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.status import Status, error, unresolvable
from kexplain.framework.trace import Decision
from kexplain.objects import quantity
from kexplain.objects.container_sums import add_to, sum_containers
from kexplain.objects.core import Container, Node, Pod
from kexplain.objects.core.pods import (
    ClaimedResource,
    NodeAllocatableMapping,
    NodeAllocatableResource,
    NodeAllocatableResourceClaimStatus,
)
from kexplain.objects.meta import RawQuantity
from kexplain.objects.requests import (
    HUGEPAGES_PREFIX,
    PODS,
    Nanos,
    RequestRules,
    claimed_of_node,
    is_pod_level_resource,
    nanos_of,
    pod_requests,
)
from kexplain.objects.resource import (
    AllocationResult,
    Device,
    DeviceRequestAllocationResult,
    ResourceClaim,
    ResourceSlice,
    ResourceSliceSpec,
)
from kexplain.plugins.devices.allocator import DevicesState
from kexplain.plugins.devices.claims import claim_name
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.group_claims import is_reserved_for
from kexplain.plugins.devices.inventory import is_for
from kexplain.plugins.resource_allocation import FitRequest, shortages, status_of_shortages

Statuses = tuple[NodeAllocatableResourceClaimStatus, ...]
#: What devices take of a resource: so much of it they are, for each pod, and for each container.
_QUANTITY, _OVERHEADS = "quantity", ("per_pod", "per_container")


class NodeClaims(Struct, frozen=True):
    """What has to be known of all devices; `of_others` are the claims, by index, that other pods keep to themselves.

    `named` are the names of claims by those under which the pod's containers use them.
    """

    slices: Sequence[ResourceSlice]
    rules: RequestRules
    has_overheads: bool
    named: Mapping[str, str | None]
    of_others: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        pod: Pod,
        claims: Sequence[ResourceClaim],
        slices: Sequence[ResourceSlice],
        cluster: Cluster,
        features: Features,
    ) -> NodeClaims:
        """For a pod with these claims, before any node is looked at."""
        named = {each.name: claim_name(pod, each) for each in pod.spec.resource_claims or ()}
        made = cls(slices, cluster.rules, features.node_claims_have_overheads, named)

        def is_of_others(claim: ResourceClaim) -> bool:
            if claim.key in cluster.groups.new_claims:
                return True
            reserved = claim.status.reserved_for
            return bool(reserved) and not is_reserved_for(pod, claim, of_groups=features.claims_of_groups)

        of_others = (index for index, claim in enumerate(claims) if is_of_others(claim) and made._has_mapping(claim))
        return replace(made, of_others=frozenset(of_others))

    def _has_mapping(self, claim: ResourceClaim) -> bool:
        taken = [self._taken_by(self._device(each, None)) for each in _results(claim.status.allocation)]
        return any(each.mapping is not None for by_name in taken for each in by_name.values())

    def in_use(self, pod: Pod, state: DevicesState, node_info: NodeInfo) -> str:
        """Why an allocated claim cannot be used beside the pods that use it; empty if all can."""
        for index, claim in enumerate(state.claims):
            nodes = state.nodes_by_claim.get(index)
            if claim.status.allocation is None or (nodes is not None and not nodes.matches(node_info.node)):
                continue
            named = f"node allocatable resource claim {claim.name}"
            if self.has_overheads:
                if index in self.of_others:
                    return f"{named} has a mapped device and cannot be shared across pods"
                continue
            users = {
                info.pod.uid
                for info in node_info.pods
                for each in info.pod.status.node_allocatable_resource_claim_statuses or ()
                if info.pod.namespace == pod.namespace and each.resource_claim_name == claim.name
            }
            if len(users) > 1:
                return f"{named} shared by multiple pods"
            if users - {pod.uid}:
                return f"{named} is already used by another pod"
        return ""

    def exceeding(
        self, pod: Pod, state: DevicesState, results: Sequence[AllocationResult], node_info: NodeInfo
    ) -> Status | None:
        """Why the node, or the pod as a whole, has too little for what claims would take; that is noted in `state`.

        `results` are what the claims without allocation would be given, in their order.
        """
        new, node = iter(results), node_info.node
        given = [
            (claim, next(new, None) if claim.status.allocation is None else claim.status.allocation)
            for claim in state.claims
            if claim.status.allocation is None or self.has_overheads
        ]
        counted = [
            (claim, _results(allocation))
            for claim, allocation in given
            if any(self._taken_by(self._device(each, node)) for each in _results(allocation))
        ]
        try:
            statuses = self._statuses(pod, counted, node)
        except AllocationError as fault:
            return error(str(fault))
        state.taken_by_node[node.name] = statuses
        if not counted:
            return None
        unused = next((each for each in statuses if not each.containers), None)
        if unused is not None and not self.has_overheads:
            text = "node-allocatable resource claim not referenced by any container within the pod"
            return unresolvable(f"claim {unused.resource_claim_name}: {text}")
        pod = _with(pod, statuses)
        return self._exceeded(pod) or self._not_fitting(pod, node_info)

    def _statuses(
        self, pod: Pod, counted: Sequence[tuple[ResourceClaim, Sequence[DeviceRequestAllocationResult]]], node: Node
    ) -> Statuses:
        used = [
            (container.name or "", self.named.get(each.name or ""))
            for container in pod.spec.every_container
            for each in (container.resources.claims if container.resources else None) or ()
        ]
        statuses = []
        for claim, results in counted:
            amounts: dict[str, Nanos] = {}
            for each in results:
                self._add_amounts(claim, each, node, amounts)
            if amounts:
                users = tuple(container for container, name in used if name == claim.name)
                statuses.append(self._status(claim, users, amounts))
        return tuple(sorted(statuses, key=lambda each: each.resource_claim_name))

    def _status(
        self, claim: ResourceClaim, users: tuple[str, ...], amounts: Mapping[str, Nanos]
    ) -> NodeAllocatableResourceClaimStatus:
        def written(*fields: str) -> tuple[ClaimedResource, ...]:
            found = {name: {each: f"{by[each]}n" for each in fields if each in by} for name, by in amounts.items()}
            return tuple(ClaimedResource(name=name, **found[name]) for name in sorted(found) if found[name])

        status = NodeAllocatableResourceClaimStatus(resource_claim_name=claim.name, containers=users)
        if self.has_overheads:
            return replace(status, mapping=written(_QUANTITY), overhead=written(*_OVERHEADS))
        return replace(status, resources={name: f"{each[_QUANTITY]}n" for name, each in amounts.items()})

    def _add_amounts(
        self, claim: ResourceClaim, result: DeviceRequestAllocationResult, node: Node, amounts: dict[str, Nanos]
    ) -> None:
        """What one device takes. Raises AllocationError. Source: `addDeviceMapping`, `addDeviceOverhead`."""
        device, whose = self._device(result, node), f"claim {claim.key}, device {result.device}"
        if device is None:
            where = f"not found in pool {result.pool} for driver {result.driver}"
            raise AllocationError(f"{whose}, driver {result.driver}: device {result.device} {where}")
        for name, taken in self._taken_by(device).items():
            found = {each: getattr(taken.overhead, each, None) for each in _OVERHEADS}
            if taken.mapping is not None:
                found[_QUANTITY] = self._amount(taken.mapping, result, name, whose)
            stated = {field: quantity.parse(raw) for field, raw in found.items() if raw is not None}
            if stated:
                add_to(amounts.setdefault(name, {}), stated)

    def _amount(
        self, mapping: NodeAllocatableMapping, result: DeviceRequestAllocationResult, name: str, whose: str
    ) -> RawQuantity | None:
        """How much of the resource the device is; None where what is consumed of it does not say."""
        if not mapping.capacity_key:
            return mapping.device_multiplier if self.has_overheads else mapping.allocation_multiplier or 0
        if result.consumed_capacity is None:
            field = f"NodeAllocatableResource{'s' if self.has_overheads else 'Mappings'}"
            text = f"Capacity key '{mapping.capacity_key}' is set in {field} for resource {name}"
            raise AllocationError(f"{whose}: ConsumedCapacity is nil, but {text}")
        consumed = result.consumed_capacity.get(mapping.capacity_key)
        by = quantity.parse(mapping.capacity_multiplier or mapping.allocation_multiplier or 1)
        return None if consumed is None else f"{-(-quantity.parse(consumed) * by // quantity.NANOS_PER_UNIT)}n"

    def _taken_by(self, device: Device | None) -> Mapping[str, NodeAllocatableResource]:
        """What a device takes by resource."""
        if device is None or self.has_overheads:
            return (device.node_allocatable_resources if device else None) or {}
        mappings = device.node_allocatable_resource_mappings or {}
        return {name: NodeAllocatableResource(mapping=each) for name, each in mappings.items()}

    def _device(self, result: DeviceRequestAllocationResult, node: Node | None) -> Device | None:
        """The device, on that node if one is given; in 1.36 the first of that name in any pool of that name."""
        for spec in (each.spec for each in self.slices):
            if spec.pool.name != result.pool or not self._is_meant(spec, result, node):
                continue
            found = next((device for device in spec.devices or () if device.name == result.device), None)
            if found is not None:
                is_checked = self.has_overheads and spec.per_device_node_selection
                return None if is_checked and node and not is_for(found, node) else found
        return None

    def _is_meant(self, spec: ResourceSliceSpec, result: DeviceRequestAllocationResult, node: Node | None) -> bool:
        if not self.has_overheads:
            return True
        is_there = node is None or bool(spec.per_device_node_selection) or is_for(spec, node)
        return spec.driver == result.driver and is_there

    def _not_fitting(self, pod: Pod, node_info: NodeInfo) -> Status | None:
        """Source: `nodeFitsResources`."""
        demand = Resource.of_nanos(pod_requests(pod, self.rules, counts_claims=True))
        demand.scalars = {name: amount for name, amount in demand.scalars.items() if name.startswith(HUGEPAGES_PREFIX)}
        lacking = [each for each in shortages(FitRequest(demand), node_info) if each[0] != PODS]
        return status_of_shortages(lacking) if lacking else None

    def _exceeded(self, pod: Pod) -> Status | None:
        """What the pod as a whole has too little of for its containers and claims.

        Source: `validatePodLevelRequestsCoverDRA`, since 1.37 `validatePodLevelResourcesCoverDRA`.
        """
        whole = pod.spec.resources
        if whole is None or not self.rules.pod_level_resources:
            return None
        bare = replace(pod, spec=replace(pod.spec, overhead=None))
        needed = pod_requests(bare, replace(self.rules, pod_level_resources=False), counts_claims=True)
        told = "is insufficient to cover the aggregated container and node-allocatable DRA"
        for name, nanos in nanos_of(whole.requests).items():
            if is_pod_level_resource(name) and needed.get(name, 0) > nanos:
                return unresolvable(f"pod level request for {name} {told} requests")
        limits, claimed = nanos_of(whole.limits) if self.has_overheads else {}, claimed_of_node(pod)

        def limits_of(container: Container, *, stays: bool = True) -> Nanos:  # noqa: ARG001 (as sums ask)
            nanos = nanos_of(container.limits)
            add_to(nanos, claimed.by_container.get(container.name or "", {}))
            return nanos

        needed = sum_containers(pod.spec, limits_of)
        add_to(needed, claimed.whole)
        for name, nanos in limits.items():
            if name.startswith(HUGEPAGES_PREFIX) and needed.get(name, 0) > nanos:
                return unresolvable(f"pod level limit for {name} {told} limits")
        return next((found for each in pod.spec.containers or () if (found := _over(pod, each, limits))), None)


def _over(pod: Pod, container: Container, limits: Nanos) -> Status | None:
    """Why a container, with all that the claims take which it uses, has more than the limits of the pod."""
    every = pod.status.node_allocatable_resource_claim_statuses or ()
    own = (each for each in every if container.name in (each.containers or ()))
    used = [replace(each, containers=(container.name or "",)) for each in own]
    claimed = claimed_of_node(_with(pod, tuple(used)))
    for name, nanos in nanos_of(container.limits).items():
        total = nanos + claimed.whole.get(name, 0) + claimed.by_container[container.name or ""].get(name, 0)
        if not name.startswith(HUGEPAGES_PREFIX) and total > limits.get(name, total):
            text = f"is insufficient to cover the limit and DRA overhead for container {container.name}"
            return unresolvable(f"pod level limit for {name} {text}")
    return None


def assumed(decision: Decision, node_name: str) -> Pod:
    """The pod as it counts on the node, with what its claims take there. Source: `assume` of `schedule_one.go`."""
    answer = decision.pre_filter.get("DynamicResources")
    state = answer.state if isinstance(answer, PreFiltered) else None
    return _with(decision.pod, state.taken_by_node.get(node_name) if isinstance(state, DevicesState) else None)


def _with(pod: Pod, statuses: Statuses | None) -> Pod:
    return replace(pod, status=replace(pod.status, node_allocatable_resource_claim_statuses=statuses))


def _results(allocation: AllocationResult | None) -> tuple[DeviceRequestAllocationResult, ...]:
    return (allocation.devices.results if allocation else None) or ()
