"""The claims that a pod refers to. Source: `resourceclaim` Name, IsForPod; `foreachPodResourceClaim`."""

from __future__ import annotations

from kexplain.cluster import Cluster
from kexplain.framework.features import Features
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.objects.resource import AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim


def claims_of(pod: Pod, cluster: Cluster, features: Features) -> tuple[ResourceClaim, ...] | str:
    """The claims in the order in which the pod refers to them, or upstream's text on what is wrong with one.

    Entries for which no claim needs to be made are left out.
    """
    found = []
    for reference in pod.spec.resource_claims or ():
        name = _claim_name(pod, reference)
        if name is None:
            return _no_name(pod, reference)
        if not name:
            continue
        claim = cluster.listers.get(ResourceClaim, name, pod.namespace)
        if claim is None:
            return f'could not find ResourceClaim "{pod.namespace}/{name}"'
        if claim.metadata.deletion_timestamp is not None:
            return f'resourceclaim "{name}" is being deleted'
        if reference.resource_claim_name is None and not _is_made_for(claim, pod):
            kind = "Pod" if features.claim_owners_are_told_in_capitals else "pod"
            return f"ResourceClaim {claim.key} was not created for {kind} {pod.key} ({kind} is not owner)"
        found.append(claim)
    return tuple(found)


def _claim_name(pod: Pod, reference: PodResourceClaim) -> str | None:
    """The claim's name; empty where none is needed, None where it is not known yet."""
    if reference.resource_claim_name is not None:
        return reference.resource_claim_name
    if reference.resource_claim_template_name is not None:
        for status in pod.status.resource_claim_statuses or ():
            if status.name == reference.name:
                return status.resource_claim_name or ""
    return None


def _no_name(pod: Pod, reference: PodResourceClaim) -> str:
    if reference.resource_claim_template_name is not None:
        return f'pod "{pod.key}": ResourceClaim not created yet'
    return f'pod "{pod.key}", spec.resourceClaim "{reference.name}": none of the supported fields are set'


def _is_made_for(claim: ResourceClaim, pod: Pod) -> bool:
    owners = claim.metadata.owner_references or ()
    return any(owner.controller and owner.uid == pod.metadata.uid for owner in owners)


def binding_failed(claim: ResourceClaim) -> bool:
    """Whether a driver says that an allocated device cannot be made ready. Source: `isClaimReadyForBinding`.

    Deviation: that a device has not become ready for ten minutes is not noticed, since there is no clock here.
    """
    allocation = claim.status.allocation
    for result in (allocation.devices.results if allocation else None) or ():
        if not result.binding_conditions:
            continue
        status = _status_of(claim, result)
        if status is None:
            return False
        conditions = {condition.type: condition.status for condition in status.conditions or ()}
        if any(conditions.get(name) == "True" for name in result.binding_failure_conditions or ()):
            return True
        if any(conditions.get(name) != "True" for name in result.binding_conditions):
            return False
    return False


def _status_of(claim: ResourceClaim, result: DeviceRequestAllocationResult) -> AllocatedDeviceStatus | None:
    for status in claim.status.devices or ():
        if (status.driver, status.pool, status.device) == (result.driver, result.pool, result.device):
            return status
    return None
