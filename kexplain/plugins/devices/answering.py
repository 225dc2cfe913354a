"""What a node answers to a pod that claims devices. Source: `plugins/dynamicresources`, its Filter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from kexplain.cel.selectors import Selectors
from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence.devices import ClaimElsewhere
from kexplain.framework.features import Features
from kexplain.framework.status import Status, error, unresolvable
from kexplain.objects.core import Pod
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.resource import AllocationResult, DeviceClass, ResourceClaim, ResourceSlice
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.allocator import Allocator, DevicesState, NodeAllocation
from kexplain.plugins.devices.channels import dialect_of, knows_sharing
from kexplain.plugins.devices.claims import binding_failed
from kexplain.plugins.devices.errors import AllocationError, NodeAllocationError
from kexplain.plugins.devices.extended import claimed_on
from kexplain.plugins.devices.inventory import Inventory
from kexplain.plugins.devices.survey import survey, users_of
from kexplain.plugins.devices.taints import of_class_and_expressions, of_names_only, tainted


class Devices:
    """Knows the devices of a cluster, and what of them a node can give."""

    def __init__(self, features: Features) -> None:
        self._features = features
        self._selectors = Selectors(see_sharing=knows_sharing(features), dialect=dialect_of(features))
        self._waits_for_devices = features.device_binding_conditions and features.device_status

    def state(
        self,
        pod: Pod,
        claims: tuple[ResourceClaim, ...],
        extended: ResourceClaim | None,
        scalars: Mapping[str, int],
        by_resource: Mapping[str, DeviceClass],
        cluster: Cluster,
    ) -> DevicesState:
        """The claims with all that is known about devices; `extended` is the last of them, if there is one."""
        allocator = None
        if any(claim.status.allocation is None for claim in claims):
            allocator = Allocator(
                Inventory(self._slices(cluster), self._features),
                {each.name: each for each in cluster.listers.every(DeviceClass)},
                AllocatedState.of(cluster.listers.every(ResourceClaim), may_share=self._features.consumable_capacity),
                self._selectors,
                self._features,
            )
        new = frozenset() if self._features.groups_stay_where_their_claims_are else cluster.groups.new_claims
        state = DevicesState(claims, extended, scalars, by_resource, allocator, _nodes_by_claim(claims, new))
        if cluster.rules.node_allocatable_claims:
            from kexplain.plugins.devices.node_claims import NodeClaims  # noqa: PLC0415

            state.node_claims = NodeClaims.of(pod, claims, self._slices(cluster), cluster, self._features)
        return state

    def _slices(self, cluster: Cluster) -> Sequence[ResourceSlice]:
        slices = cluster.listers.every(ResourceSlice)
        goes_by_class = self._features.taint_rules_go_by_class and self._features.device_taints
        if not (self._features.device_taint_rules or goes_by_class):
            return slices
        classes = {each.name: each for each in cluster.listers.every(DeviceClass)}
        return tainted(
            slices,
            cluster.listers.every(DeviceTaintRule),
            taints_all=self._features.taint_rules_without_selector_taint_all,
            is_like=of_class_and_expressions(classes, self._selectors) if goes_by_class else of_names_only,
        )

    def _extended_on(self, node_info: NodeInfo, pod: Pod, state: DevicesState) -> ResourceClaim | str | None:
        """The claim for extended resources that this node provides as devices, or why it cannot be."""
        if state.extended is None:
            return None
        return claimed_on(
            pod,
            state.extended,
            state.scalars,
            state.by_resource,
            node_info.allocatable.scalars,
            is_needed=state.has_user_claims,
            by_container=self._features.extended_resources_are_claimed_by_container,
        )

    def answer(self, pod: Pod, state: DevicesState, node_info: NodeInfo) -> Status | None:
        """None if all claims are available, or can be allocated, on the node."""
        extended = self._extended_on(node_info, pod, state)
        if isinstance(extended, str):
            return unresolvable(extended)
        if extended is None and not state.has_user_claims:
            return None
        unavailable = {
            index
            for index, claim in enumerate(state.claims)
            if ((nodes := state.nodes_by_claim.get(index)) is not None and not nodes.matches(node_info.node))
            or (self._waits_for_devices and claim.status.allocation is not None and binding_failed(claim))
        }
        in_use = state.node_claims.in_use(pod, state, node_info) if state.node_claims else ""
        if in_use:
            return unresolvable(in_use)
        results: list[AllocationResult] = []
        if state.allocator is not None:
            waiting = (claim for claim in state.claims if claim.status.allocation is None)
            to_allocate = [extended if claim is state.extended and extended is not None else claim for claim in waiting]
            try:
                found = state.allocator.allocate(node_info.node, to_allocate)
            except NodeAllocationError as fault:
                return unresolvable(str(fault))
            except AllocationError as fault:
                return error(str(fault))
            if found is None:
                evidence = survey(state.allocator, node_info.node, to_allocate)
                return unresolvable("cannot allocate all claims", *evidence)
            results = found
        exceeding = state.node_claims.exceeding(pod, state, results, node_info) if state.node_claims else None
        if exceeding is not None:
            return exceeding
        if unavailable:
            state.unavailable |= unavailable
            elsewhere = (_elsewhere(state, index) for index in sorted(unavailable))
            return unresolvable("resourceclaim not available on the node", *elsewhere)
        if state.allocator is not None:
            state.allocation_by_node[node_info.name] = NodeAllocation(tuple(results), extended)
        return None


def _nodes_by_claim(claims: tuple[ResourceClaim, ...], new: Collection[str]) -> dict[int, RequiredNodeAffinity]:
    """From which nodes the allocated claims are available, where that is not all, the `new` ones left out."""
    return {
        index: RequiredNodeAffinity.of_selector(claim.status.allocation.node_selector)
        for index, claim in enumerate(claims)
        if claim.status.allocation is not None
        and claim.status.allocation.node_selector is not None
        and claim.key not in new
    }


def _elsewhere(state: DevicesState, index: int) -> ClaimElsewhere:
    claim = state.claims[index]
    required = state.nodes_by_claim.get(index)
    terms = (str(term) for term in required.terms or ()) if required and not binding_failed(claim) else ()
    return ClaimElsewhere(claim.key, " or ".join(terms), users_of(claim))
