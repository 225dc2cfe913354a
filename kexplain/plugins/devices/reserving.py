"""What becomes of claims once a pod has its node. Source: `dynamicresources.go`, Reserve, PreBind."""

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.plugin import AllocatedDevice, BindingStep, ExtensionPoint
from kexplain.objects.core import Pod
from kexplain.objects.resource import ResourceClaim, ResourceClaimConsumerReference
from kexplain.plugins.devices.allocator import DevicesState, NodeAllocation
from kexplain.plugins.devices.extended import IN_MEMORY_NAME, as_asked
from kexplain.plugins.devices.group_claims import PODGROUPS, SCHEDULING, group_of_claim, is_reserved_for

#: Source: `ResourceClaimReservedForMaxSize`; 32 before the patches of early 2025.
_MOST_USERS = 256


def reserved(pod: Pod, state: DevicesState, cluster: Cluster, node_name: str, *, of_groups: bool) -> Cluster:
    """The cluster with the devices of that node allocated, and the claims reserved for the pod, or for its group."""
    allocation = state.allocation_by_node.get(node_name)
    results = iter(allocation.results if allocation else ())
    changed = []
    given = []
    for claim in state.claims:
        taken = claim
        if claim.status.allocation is None:
            given.append(claim.key)
            result = next(results, None)
            if result is None:
                continue
            if claim is state.extended and allocation is not None and allocation.extended is not None:
                name = f"{claim.metadata.generate_name or ''}{pod.uid}"
                taken = replace(allocation.extended, metadata=replace(claim.metadata, name=name))
            taken = replace(taken, status=replace(taken.status, allocation=result))
        if not is_reserved_for(pod, taken, of_groups=of_groups) and not _refusal(taken):
            users = (*(taken.status.reserved_for or ()), _user(pod, claim, cluster, of_groups=of_groups))
            taken = replace(taken, status=replace(taken.status, reserved_for=users))
        changed.append(taken)
    return cluster.replacing(changed).with_claims_of_group(given)


def steps(pod: Pod, state: DevicesState, cluster: Cluster, node_name: str, *, of_groups: bool) -> Iterator[BindingStep]:
    """Which claims it would allocate, create and reserve for the pod, or for its group."""
    allocation = state.allocation_by_node.get(node_name)
    yield from _allocations(pod, state, allocation)
    is_unused = allocation is None or allocation.extended is None
    for claim in state.claims:
        if not (claim is state.extended and is_unused) and not is_reserved_for(pod, claim, of_groups=of_groups):
            verb = "create" if claim.metadata.name == IN_MEMORY_NAME else "write"
            user = _user(pod, claim, cluster, of_groups=of_groups)
            whom = pod.key if user.uid == pod.uid else f"group {pod.namespace}/{user.name}"
            action = f"{verb} {_claim_name(claim)}, reserved for {whom}"
            failure = _refusal(claim)
            yield BindingStep(ExtensionPoint.PRE_BIND, action + (failure and f": {failure}"), failure=failure)


def _refusal(claim: ResourceClaim) -> str:
    """What the API server says of one user more of the claim, if it has as many as it may have."""
    if (users := len(claim.status.reserved_for or ()) + 1) <= _MOST_USERS:
        return ""
    written = "reservation" if claim.status.allocation else "allocation and reservation"
    said = f'add {written} to claim {claim.key}: ResourceClaim.resource.k8s.io "{claim.name}" is invalid'
    return f"{said}: status.reservedFor: Too many: {users}: must have at most {_MOST_USERS} items"


def _allocations(pod: Pod, state: DevicesState, allocation: NodeAllocation | None) -> Iterator[BindingStep]:
    pending = [claim for claim in state.claims if claim.status.allocation is None]
    for claim, result in zip(pending, allocation.results if allocation else (), strict=False):
        devices = tuple(
            AllocatedDevice(*as_asked(pod, claim.key, each.request), f"{each.driver}/{each.pool}/{each.device}")
            for each in result.devices.results or ()
        )
        named = ", ".join(each.device for each in devices) or "nothing"
        yield BindingStep(ExtensionPoint.RESERVE, f"allocate {named} to {_claim_name(claim)}", devices)


def _user(pod: Pod, claim: ResourceClaim, cluster: Cluster, *, of_groups: bool) -> ResourceClaimConsumerReference:
    """For whom the claim is reserved. Source: `resourceclaim.BindTo`."""
    group = group_of_claim(pod, claim, cluster) if of_groups else None
    if group is None:
        return ResourceClaimConsumerReference(resource="pods", name=pod.name, uid=pod.uid)
    uid = group.metadata.uid or ""
    return ResourceClaimConsumerReference(api_group=SCHEDULING, resource=PODGROUPS, name=group.name, uid=uid)


def _claim_name(claim: ResourceClaim) -> str:
    return "a claim for its extended resources" if claim.name == IN_MEMORY_NAME else f"claim {claim.key}"
