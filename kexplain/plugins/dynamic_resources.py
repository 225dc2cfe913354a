"""Devices are allocated to claims. Source: `plugins/dynamicresources` from 1.31 on.

What knows devices is imported for pods that claim some: few do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, cast

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import Resource, is_extended_resource_name
from kexplain.framework.evidence.devices import MissingDeviceClass
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import (
    SKIP,
    BindingStep,
    ExtensionPoint,
    PreFiltered,
    Skip,
    normalize_to_maximum,
    share_of_maximum,
)
from kexplain.framework.plugin_errors import score_error
from kexplain.framework.postfilter import PostFiltered
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import Pod
from kexplain.objects.requests import pod_requests
from kexplain.objects.resource import DeviceClass, ResourceClaim
from kexplain.plugins.devices.claims import claims_of, sign_claims
from kexplain.plugins.devices.classes import backed_by_class, class_by_resource, is_device_resource_name
from kexplain.plugins.devices.extended import IN_MEMORY_NAME, claim_of_earlier_attempt, new_claim

if TYPE_CHECKING:
    from kexplain.framework.post_filtering import PostFilterHandle
    from kexplain.plugins.devices.allocator import DevicesState, NodeAllocation
    from kexplain.plugins.devices.answering import Devices

#: Of so many alternatives the first scores most. Source: `FirstAvailableDeviceRequestMaxSize`.
ALTERNATIVES_MAX = 8


class UnscoredDynamicResources:
    """Finds the nodes from which devices for all claims of a pod can be used; in 1.34 that was all."""

    name = "DynamicResources"
    missing_state = "not found"
    binding_points = (ExtensionPoint.RESERVE, ExtensionPoint.PRE_BIND)

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._features = features
        self._refuses_controllers = features.claims_can_have_controllers and not features.device_controllers

    @cached_property
    def _devices(self) -> Devices:
        from kexplain.plugins.devices.answering import Devices  # noqa: PLC0415 (few pods claim devices)

        return Devices(self._features)

    def pre_enqueue(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None if every claim that the pod refers to is there."""
        claims = claims_of(pod, cluster, self._features) if pod.spec.resource_claims else ()
        return unresolvable(claims) if isinstance(claims, str) else None

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[DevicesState] | Skip | Status:
        """The claims with all that is known about devices; SKIP without claims."""
        claims = claims_of(pod, cluster, self._features) if pod.spec.resource_claims else ()
        if isinstance(claims, str):
            return unresolvable(claims)
        by_resource = class_by_resource(cluster, self._features)
        scalars = Resource.of_nanos(pod_requests(pod, cluster.rules)).scalars if by_resource else {}
        extended = None
        named = (name for name, amount in scalars.items() if amount and self._may_be_devices(name))
        if backed_by_class(named, by_resource):
            extended = claim_of_earlier_attempt(pod, cluster.listers.every(ResourceClaim)) or new_claim(pod)
            claims = (*claims, extended)
        if not claims:
            return SKIP
        for claim in claims:
            if claim.spec.controller and self._refuses_controllers:
                return unresolvable("resourceclaim depends on disabled DRAControlPlaneController feature")
            if claim.status.allocation is None and claim is not extended:
                rejection = _check_classes(claim, cluster, self._features)
                if rejection is not None:
                    return rejection
        return PreFiltered(self._devices.state(pod, claims, extended, scalars, by_resource, cluster))

    def _may_be_devices(self, name: str) -> bool:
        """Whether a resource may be backed by a class."""
        by_container = self._features.extended_resources_are_claimed_by_container
        return is_extended_resource_name(name) if by_container else is_device_resource_name(name)

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        """What the pod's claims ask for; None where they are missing or used, or one is made for the pod.

        Nor has a pod one whose claims can take what a node has allocatable, as its containers matter then.
        """
        unlike_others = cluster.rules.node_allocatable_claims and pod.spec.resource_claims
        return None if unlike_others else sign_claims(pod, cluster, self._features)

    def is_signed_upstream(self, pod: Pod) -> bool:
        """Not with claims."""
        return not pod.spec.resource_claims

    def filter(self, pod: Pod, state: DevicesState, node_info: NodeInfo) -> Status | None:
        """None if all claims are available, or can be allocated, on the node."""
        name = node_info.name
        if name not in state.answer_by_node or state.node_claims is not None:
            state.answer_by_node[name] = self._devices.answer(pod, state, node_info)
        return state.answer_by_node[name]

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
        """Always unschedulable; the text says which claim would lose its allocation for the next attempt.

        Where several could, upstream draws one of them; the text is the same.
        """
        if self._features.pods_without_claims_are_passed_over and not pod.spec.resource_claims:
            return PostFiltered(Status(Code.UNSCHEDULABLE))
        state = cast("DevicesState | Status | None", handle.state(self.name))
        if state is None or isinstance(state, Status):
            return self._idle("no new claims to deallocate")
        for index in sorted(state.unavailable):
            claim = state.claims[index]
            users = claim.status.reserved_for or ()
            if claim is not state.extended and (not users or [user.uid for user in users] == [pod.uid]):
                return PostFiltered(unschedulable("deallocation of ResourceClaim completed"), deallocates=claim.key)
        if state.extended is not None and state.extended.name != IN_MEMORY_NAME:
            return PostFiltered(unschedulable("deletion of ResourceClaim completed"))
        if self._features.claims_of_groups:
            from kexplain.plugins.devices.group_claims import freed_of_group  # noqa: PLC0415

            freed = freed_of_group(pod, handle.cluster)
            if freed is not None:
                return PostFiltered(freed)
        return self._idle("still not schedulable")

    def _idle(self, message: str) -> PostFiltered:
        return PostFiltered(
            unschedulable(message) if self._features.idle_claims_are_told else Status(Code.UNSCHEDULABLE)
        )

    def reserve(self, pod: Pod, state: DevicesState, cluster: Cluster, node_name: str) -> Cluster:
        """The cluster with the devices allocated, and the claims reserved for the pod or its group."""
        # Few pods have claims.
        from kexplain.plugins.devices.reserving import reserved  # noqa: PLC0415

        return reserved(pod, state, cluster, node_name, of_groups=self._features.claims_of_groups)

    def binding_steps(
        self, pod: Pod, state: DevicesState | None, cluster: Cluster, node_name: str
    ) -> Iterator[BindingStep]:
        """Which claims it would allocate, create and reserve."""
        if state is not None:
            from kexplain.plugins.devices.reserving import steps  # noqa: PLC0415

            yield from steps(pod, state, cluster, node_name, of_groups=self._features.claims_of_groups)


class DynamicResources(UnscoredDynamicResources):
    """The same, and ranks nodes by which alternatives they have."""

    def score(self, pod: Pod, state: DevicesState | None, node_info: NodeInfo) -> int:
        """More for earlier alternatives of requests that have any."""
        allocation = state.allocation_by_node.get(node_info.name) if state else None
        if state is None or allocation is None:
            return 0
        if self._features.only_new_claims_are_scored and len(allocation.results) < len(state.claims):
            few = f"number of allocations {len(allocation.results)} is smaller than number of claims"
            raise score_error(self.name, few)
        return sum(ALTERNATIVES_MAX - place for _, place in _alternatives(state, allocation))

    def working(self, state: DevicesState | None, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """Which alternative of each request it would get, and what that is worth."""
        allocation = state.allocation_by_node.get(node_info.name) if state else None
        given = [*_alternatives(state, allocation)] if state and allocation else []
        said = [f"{name} is number {place + 1}, so {ALTERNATIVES_MAX - place}" for name, place in given]
        share = share_of_maximum(raw[node_info.name], raw)
        return f"{', '.join(said) or 'no request with alternatives'}; {share}" if any(raw.values()) else ""

    def scores_node_by_node(self, state: DevicesState | None) -> bool:
        """Nothing bears on the score of a pod without claims; otherwise, what devices are taken does."""
        return state is None

    def normalize(self, state: DevicesState | None, scores: Mapping[str, int]) -> dict[str, int]:
        """As shares of the highest."""
        return normalize_to_maximum(scores)


def _check_classes(claim: ResourceClaim, cluster: Cluster, features: Features) -> Status | None:
    """A rejection or an error if a request names a class that is not there, or alternatives where none may be."""
    for request in claim.spec.devices.requests or ():
        if request.exactly is not None:
            named = [(request.name, request.exactly.device_class_name)]
        elif request.first_available and features.device_alternatives:
            named = [(f"{request.name}/{each.name}", each.device_class_name) for each in request.first_available]
        elif request.first_available and features.device_alternatives_are_known:
            asked = f"resource claim {claim.key}, request {request.name}"
            return unresolvable(f"{asked}: has subrequests, but the DRAPrioritizedList feature is disabled")
        elif features.requests_for_devices_name_a_class_or_alternatives:
            return unresolvable(f"resource claim {claim.key}, request {request.name}: unknown request type")
        else:
            named = [(request.name, "")]
        for name, class_name in named:
            if not class_name:
                return error(f"request {name}: unsupported request type")
            if cluster.listers.get(DeviceClass, class_name) is None:
                known = tuple(each.name for each in cluster.listers.every(DeviceClass))
                missing = MissingDeviceClass(name, class_name, known)
                return unresolvable(f"request {name}: device class {class_name} does not exist", missing)
    return None


def _alternatives(state: DevicesState, allocation: NodeAllocation) -> Iterator[tuple[str, int]]:
    """The alternatives that requests would get, each with its place among those of its request, from 0."""
    results = iter(allocation.results)
    for claim in state.claims:
        own = claim.status.allocation or next(results)
        given = {result.request for result in own.devices.results or ()}
        for request in claim.spec.devices.requests or ():
            for place, each in enumerate(request.first_available or () if request.exactly is None else ()):
                if (name := f"{request.name}/{each.name}") in given:
                    yield name, place
