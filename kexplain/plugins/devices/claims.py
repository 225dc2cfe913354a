"""The claims that a pod refers to. Source: `resourceclaim` Name, IsForPod; `foreachPodResourceClaim`."""

from kexplain.cluster import Cluster
from kexplain.framework.features import Features
from kexplain.framework.signing import NOTHING_READ, Signature, encoded
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.objects.resource import AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaim
from kexplain.plugins.devices.classes import backed_by_class, class_by_resource


def claims_of(pod: Pod, cluster: Cluster, features: Features) -> tuple[ResourceClaim, ...] | str:
    """The claims in the order in which the pod refers to them, or upstream's text on what is wrong with one.

    Entries for which no claim needs to be made are left out.
    """
    found = []
    for reference in pod.spec.resource_claims or ():
        name = claim_name(pod, reference)
        if name is None:
            if reference.resource_claim_template_name is not None:
                return f'pod "{pod.key}": ResourceClaim not created yet'
            return f'pod "{pod.key}", spec.resourceClaim "{reference.name}": none of the supported fields are set'
        if not name:
            continue
        claim = cluster.listers.get(ResourceClaim, name, pod.namespace)
        if claim is None:
            return f'could not find ResourceClaim "{pod.namespace}/{name}"'
        if claim.metadata.deletion_timestamp is not None:
            return f'resourceclaim "{name}" is being deleted'
        if reference.resource_claim_name is None and not _is_made_for(claim, pod):
            if features.claims_of_groups and pod.spec.scheduling_group is not None:
                from kexplain.plugins.devices.group_claims import is_made_for_group  # noqa: PLC0415

                if is_made_for_group(claim, pod):
                    found.append(claim)
                    continue
                owners = f"neither Pod nor PodGroup {pod.spec.scheduling_group.pod_group_name} is the owner"
                return f"ResourceClaim {claim.key} was not created for Pod {pod.key} ({owners})"
            kind = "Pod" if features.claim_owners_are_told_in_capitals else "pod"
            return f"ResourceClaim {claim.key} was not created for {kind} {pod.key} ({kind} is not owner)"
        found.append(claim)
    return tuple(found)


def claim_name(pod: Pod, reference: PodResourceClaim) -> str | None:
    """The claim's name; empty where none is needed, None where it is not known yet."""
    if reference.resource_claim_name is not None:
        return reference.resource_claim_name
    if reference.resource_claim_template_name is not None:
        for status in pod.status.resource_claim_statuses or ():
            if status.name == reference.name:
                return status.resource_claim_name or ""
    return None


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
    own = result.driver, result.pool, result.device
    return next((each for each in claim.status.devices or () if (each.driver, each.pool, each.device) == own), None)


def sign_claims(pod: Pod, cluster: Cluster, features: Features) -> Signature | None:
    """What the pod's claims ask for, and their names; None for claims that are missing, or were given something.

    Nor is there any for a pod with resources that stand for devices: the claim that is made for those is its own.
    """
    if _is_given_a_claim(pod, cluster, features):
        return None
    if not pod.spec.resource_claims:
        return NOTHING_READ
    made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    names = [each.resource_claim_name or made.get(each.name) or "" for each in pod.spec.resource_claims]
    asked = [_asked(pod, name, cluster) for name in names]
    if None in asked:
        return None
    references = [(each.name, each.resource_claim_template_name) for each in pod.spec.resource_claims]
    return Signature((pod.namespace, encoded(references), *asked), tuple(names))


def _is_given_a_claim(pod: Pod, cluster: Cluster, features: Features) -> bool:
    amounts = cluster.pod_info(pod).resource.requested.scalars
    return bool(amounts) and bool(
        backed_by_class((name for name in amounts if amounts[name]), class_by_resource(cluster, features))
    )


def _asked(pod: Pod, name: str, cluster: Cluster) -> bytes | None:
    """What a claim asks for that has nothing yet."""
    found = cluster.listers.get(ResourceClaim, name, pod.namespace) if name else None
    if found is None or found.status.allocation is not None or found.status.reserved_for:
        return None
    owners = [(each.kind, each.uid == pod.metadata.uid) for each in found.metadata.owner_references or ()]
    return encoded((owners, found.metadata.deletion_timestamp, found.spec, found.status))
