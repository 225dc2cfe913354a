"""Claims that belong to a group of pods, behind gate DRAWorkloadResourceClaims. Source: `resourceclaim.go`."""

from kexplain.cluster import Cluster
from kexplain.framework.status import Status, error, unresolvable
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.scheduling import PodGroup

SCHEDULING, PODGROUPS = "scheduling.k8s.io", "podgroups"


def is_made_for_group(claim: ResourceClaim, pod: Pod) -> bool:
    """Whether the claim was generated for the pod's group, whose uid the pod does not know."""
    name = _group_name(pod)
    return bool(name) and any(
        owner.controller
        and (owner.kind, owner.name) == ("PodGroup", name)
        and (owner.api_version or "").startswith(f"{SCHEDULING}/")
        for owner in claim.metadata.owner_references or ()
    )


def is_reserved_for(pod: Pod, claim: ResourceClaim, *, of_groups: bool) -> bool:
    """Whether the pod may use the claim already, by itself or, `of_groups`, as one of its group."""
    name = _group_name(pod)
    return any(
        user.uid == pod.uid
        or (of_groups and bool(name) and (user.api_group, user.resource, user.name) == (SCHEDULING, PODGROUPS, name))
        for user in claim.status.reserved_for or ()
    )


def group_of_claim(pod: Pod, claim: ResourceClaim, cluster: Cluster) -> PodGroup | None:
    """The pod's group if the entry by which the pod refers to the claim is one of the group, too."""
    group = _group(pod, cluster)
    shared = {_entry(each) for each in group.spec.resource_claims or ()} if group else set()
    made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    used = (each for each in pod.spec.resource_claims or () if _entry(each) in shared)
    is_shared = any((each.resource_claim_name or made.get(each.name)) == claim.name for each in used)
    return group if is_shared else None


def freed_of_group(pod: Pod, cluster: Cluster) -> Status | None:
    """What PostFilter says where a claim of the group is no longer reserved for it; None if there is none such.

    That is while no pod of the group has a node but those that are being tried. Source: `unreservePodGroupClaims`.
    """
    group = _group(pod, cluster)
    if group is None or pod.group is None:
        return None
    if set(cluster.groups.members(pod.group).placed) - cluster.groups.new_pods:
        return None
    said = (_freed(pod, each, group, cluster) for each in group.spec.resource_claims or ())
    return next((each for each in said if each is not None), None)


def _freed(pod: Pod, entry: PodResourceClaim, group: PodGroup, cluster: Cluster) -> Status | None:
    name = entry.resource_claim_name
    if name is None:
        made = {each.name: each.resource_claim_name for each in group.status.resource_claim_statuses or ()}
        if entry.name not in made:
            return error(f"PodGroup {group.key}: ResourceClaim not created yet")
        name = made[entry.name]
    if not name:
        return None
    claim = cluster.listers.get(ResourceClaim, name, group.namespace)
    if claim is None:
        return error(f'could not find ResourceClaim "{group.namespace}/{name}"')
    owners = {each.uid for each in claim.metadata.owner_references or () if each.controller}
    is_of_group = entry.resource_claim_name is not None or group.metadata.uid in owners
    if is_of_group and claim.status.allocation is not None and is_reserved_for(pod, claim, of_groups=True):
        return unresolvable("ResourceClaim unreserved for PodGroup")
    return None


def _entry(each: PodResourceClaim) -> tuple[str, str | None, str | None]:
    return each.name, each.resource_claim_name, each.resource_claim_template_name


def _group_name(pod: Pod) -> str:
    group = pod.spec.scheduling_group
    return (group.pod_group_name or "") if group else ""


def _group(pod: Pod, cluster: Cluster) -> PodGroup | None:
    name = _group_name(pod)
    return cluster.listers.get(PodGroup, name, pod.namespace) if name else None
