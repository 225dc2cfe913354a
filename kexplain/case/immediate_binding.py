"""New claims that are bound before any pod is scheduled: the volume controller's and the provisioner's part.

Source: kube-controller-manager `persistentvolume` (`syncUnboundClaim`), release 1.36.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from msgspec.structs import replace

from kexplain.admission import stored
from kexplain.cluster import Cluster
from kexplain.objects.core import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import (
    CSIPersistentVolume,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeSpec,
    StorageStatus,
    VolumeMeta,
    VolumeNodeAffinity,
)
from kexplain.objects.selectors import SelectorError
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.plugins.volume_matching import Candidates, unfit


def bound_in(claims: Sequence[KubernetesObject], cluster: Cluster) -> list[KubernetesObject]:
    """New claims and volumes as a cluster has them at once, with what is bound then without waiting for a pod."""
    new = {each.key: each for each in claims if isinstance(each, PersistentVolumeClaim)}
    freed = {each.name: each for each in claims if isinstance(each, PersistentVolume)}
    if freed:
        new = {each.key: each for each in cluster.listers.every(PersistentVolumeClaim)} | new
    if not new:
        return [*claims]
    volumes = {each.name: each for each in cluster.listers.every(PersistentVolume)} | freed
    bound = bound_at_once(new.values(), volumes.values(), cluster.listers.every(StorageClass))
    found = {(type(each), each.key): each for each in bound}
    return [*(found.pop((type(each), each.key), each) for each in claims), *found.values()]


def with_claims_bound(objects: Sequence[KubernetesObject], default_class_name: str | None) -> list[KubernetesObject]:
    """The objects as a cluster stores them, with those claims bound among them that do not wait for a pod."""
    fresh = {obj.key for obj in objects if isinstance(obj, PersistentVolumeClaim) and obj.is_new}
    kept = [stored(obj, default_class_name) for obj in objects]
    if not fresh:
        return kept
    claims = [obj for obj in kept if isinstance(obj, PersistentVolumeClaim) and obj.key in fresh]
    volumes = [obj for obj in kept if isinstance(obj, PersistentVolume)]
    classes = [obj for obj in kept if isinstance(obj, StorageClass)]
    bound = {(type(obj), obj.key): obj for obj in bound_at_once(claims, volumes, classes)}
    return [*(bound.pop((type(obj), obj.key), obj) for obj in kept), *bound.values()]


def bound_at_once(
    claims: Iterable[PersistentVolumeClaim], volumes: Iterable[PersistentVolume], classes: Iterable[StorageClass]
) -> Iterator[KubernetesObject]:
    """Claims as they are bound, each with its volume, in place of those that do not wait for a pod.

    A claim gets the volume that it names, else the smallest that will do, wherever that is; else one is made, somewhere
    where the class allows it. What none of it helps is left out.
    """
    class_by_name = {each.name: each for each in classes}
    there = {each.name: each for each in volumes}
    for claim in claims:
        storage_class = class_by_name.get(claim.class_name)
        waits = storage_class is not None and storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
        if claim.is_fully_bound:
            continue
        if claim.volume_name:
            volume = _named(claim, there.get(claim.volume_name))
        else:
            volume = None if waits else _matching(claim, there.values()) or _provisioned(claim, storage_class)
        if volume is not None:
            there[volume.name] = _claimed(volume, claim)
            yield there[volume.name]
            yield _bound(claim, volume.name)


def _named(claim: PersistentVolumeClaim, volume: PersistentVolume | None) -> PersistentVolume | None:
    """The volume if the claim may have it, or if nothing is known of it."""
    return volume if volume is not None and (volume.is_unread or unfit(claim, volume, None) is None) else None


def _matching(claim: PersistentVolumeClaim, volumes: Iterable[PersistentVolume]) -> PersistentVolume | None:
    with suppress(SelectorError):
        return Candidates(claim, volumes).smallest()
    return None


def _provisioned(claim: PersistentVolumeClaim, storage_class: StorageClass | None) -> PersistentVolume | None:
    """A volume as a provisioner makes it; of the places that the class allows any may be meant."""
    if storage_class is None or not storage_class.makes_volumes or claim.spec.selector:
        return None
    name = f"pvc-{claim.namespace}-{claim.name}"
    every = (term.match_label_expressions or () for term in storage_class.allowed_topologies or ())
    asked = (
        [NodeSelectorRequirement(key=each.key, operator="In", values=each.values) for each in own] for own in every
    )
    terms = tuple(NodeSelectorTerm(match_expressions=tuple(own)) for own in asked)
    return PersistentVolume(
        metadata=VolumeMeta(name=name),
        spec=PersistentVolumeSpec(
            capacity=claim.spec.requests or None,
            access_modes=claim.spec.access_modes,
            storage_class_name=storage_class.name,
            volume_mode=claim.spec.volume_mode,
            node_affinity=VolumeNodeAffinity(required=NodeSelector(node_selector_terms=terms)) if terms else None,
            csi=CSIPersistentVolume(driver=storage_class.provisioner, volume_handle=name),
        ),
        status=StorageStatus(phase="Available"),
    )


def _claimed(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    reference = ObjectReference(name=claim.name, namespace=claim.namespace, uid=claim.metadata.uid)
    status = StorageStatus(phase="Bound")
    return replace(volume, spec=replace(volume.spec, claim_ref=reference), status=status)


def _bound(claim: PersistentVolumeClaim, volume_name: str) -> PersistentVolumeClaim:
    metadata = replace(claim.metadata, annotations=replace(claim.annotations, bind_completed="yes"))
    status = StorageStatus(phase="Bound")
    return replace(claim, metadata=metadata, spec=replace(claim.spec, volume_name=volume_name), status=status)
