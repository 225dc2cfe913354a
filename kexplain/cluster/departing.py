"""What pods leave behind: claims that give back what only they used, and claims that go along with them.

Source: kube-controller-manager `resourceclaim` (syncClaim), `ephemeral` and its garbage collector.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.listers import Listers
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import ClaimAnnotations, PersistentVolumeClaim, StorageStatus
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.resource import ResourceClaim, ResourceClaimStatus
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass

Claim = TypeVar("Claim", bound=ResourceClaim | PersistentVolumeClaim)


def departed(cluster: Cluster, pods: Collection[Pod]) -> Cluster:
    """The cluster once these pods are gone for good, with their claims as they are then."""
    return freed(cluster.without(pods), pods)


def freed(cluster: Cluster, gone: Collection[Pod]) -> Cluster:
    """The cluster with the claims of pods that have left it as they are then; itself where nothing changes."""
    of_storage = [claim for pod in gone for claim in _ephemeral(cluster.listers, pod)]
    classes = cluster.listers.every(StorageClass) if of_storage else ()
    changed = [*given_back((*_on_devices(cluster, gone), *of_storage), gone, classes)]
    return cluster.replacing(changed) if changed else cluster


def _ephemeral(listers: Listers, pod: Pod) -> Iterator[PersistentVolumeClaim]:
    for found in pod_claims(pod):
        claim = listers.get(PersistentVolumeClaim, found.name, pod.namespace) if found.is_ephemeral else None
        if claim is not None:
            yield claim


def _on_devices(cluster: Cluster, pods: Collection[Pod]) -> Collection[ResourceClaim]:
    """At least the claims on devices that these pods use; all of them where no pod says which are made for it."""
    found: dict[str, ResourceClaim] = {}
    for pod in pods:
        made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
        for reference in pod.spec.resource_claims or ():
            name = reference.resource_claim_name or made.get(reference.name)
            if name is None:
                return cluster.listers.every(ResourceClaim)
            claim = cluster.listers.get(ResourceClaim, name, pod.namespace)
            if claim is not None:
                found[claim.key] = claim
        # The scheduler makes claims for resources that stand for devices.
        if cluster.pod_info(pod).resource.requested.scalars:
            return cluster.listers.every(ResourceClaim)
    return found.values()


def given_back(
    objects: Iterable[KubernetesObject], gone: Iterable[Pod], classes: Iterable[StorageClass] = ()
) -> Iterator[KubernetesObject]:
    """Those claims among the objects that change once these pods are gone, as they are then.

    A claim on devices that only they used has none any more. What was made for one of them goes along with it: here it
    stays, and has nothing, so that nobody uses it unless the same pod comes back. Of storage that holds where volumes
    are bound as pods come.
    """
    uids = {pod.uid for pod in gone}
    waiting = {each.name for each in classes if each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER}
    for claim in objects:
        if not isinstance(claim, ResourceClaim | PersistentVolumeClaim):
            continue
        is_own = _is_made_for(claim, uids)
        if isinstance(claim, ResourceClaim):
            yield from _without_users(claim, uids, is_own=is_own)
        elif is_own and claim.volume_name and claim.class_name in waiting:
            yield _unbound(claim)


def _without_users(claim: ResourceClaim, uids: Collection[str], *, is_own: bool) -> Iterator[ResourceClaim]:
    users = claim.status.reserved_for or ()
    left = () if is_own else tuple(user for user in users if user.uid not in uids)
    if len(left) < len(users) or (is_own and claim.status.allocation is not None):
        yield replace(claim, status=replace(claim.status, reserved_for=left) if left else ResourceClaimStatus())


def _is_made_for(claim: KubernetesObject, uids: Collection[str]) -> bool:
    owner = claim.metadata.controller
    return owner is not None and owner.kind == "Pod" and owner.uid in uids


def claims_made_for(pod: Pod, listers: Listers) -> Iterator[ResourceClaim | PersistentVolumeClaim]:
    """The claims that were made for a pod and are there, whatever they hold."""
    for status in pod.status.resource_claim_statuses or ():
        claim = listers.get(ResourceClaim, status.resource_claim_name or "", pod.namespace)
        if claim is not None and _is_made_for(claim, {pod.uid}):
            yield claim
    yield from (claim for claim in _ephemeral(listers, pod) if _is_made_for(claim, {pod.uid}))


def made_again(pod: Pod, uid: str, listers: Listers) -> tuple[Pod, list[KubernetesObject]]:
    """A pod in place of one that may still be there, by its name, with claims like those that were made for that."""
    claims = [*claims_made_for(pod, listers)]
    # Claims on storage go by the name of their pod; others may be there together.
    names = {each.name: f"{each.name}-again" for each in claims if isinstance(each, ResourceClaim)}
    statuses = tuple(
        replace(each, resource_claim_name=names.get(each.resource_claim_name or "", each.resource_claim_name))
        for each in pod.status.resource_claim_statuses or ()
    )
    status = replace(pod.status, resource_claim_statuses=statuses or None)
    again = replace(pod, metadata=replace(pod.metadata, uid=uid), status=status)
    owned = [_owned_by(uid, claim, names.get(claim.name, claim.name)) for claim in claims]
    classes = listers.every(StorageClass) if claims else ()
    return again, [next(given_back([claim], [again], classes), claim) for claim in owned]


def _owned_by(uid: str, claim: Claim, name: str) -> Claim:
    owners = tuple(replace(each, uid=uid) for each in claim.metadata.owner_references or ())
    return replace(claim, metadata=replace(claim.metadata, name=name, owner_references=owners))


def _unbound(claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
    """The claim as it is made once more; it has another identity, so that no volume is its own."""
    annotations = ClaimAnnotations(beta_storage_class=claim.annotations.beta_storage_class)
    metadata = replace(claim.metadata, uid=f"{claim.metadata.uid or claim.key}-again", annotations=annotations)
    spec = replace(claim.spec, volume_name=None)
    return replace(claim, metadata=metadata, spec=spec, status=StorageStatus(phase="Pending"))
