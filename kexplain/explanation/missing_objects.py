"""What the input would need for the verdict on pods' volumes and devices to be the cluster's, and what it rests on.

Only kinds without any object are named: if one object is missing among others, it is likely to be missing in the
cluster, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kexplain.admission.quotas import QuotaRoom
from kexplain.cluster import Cluster, Listers
from kexplain.cluster.listers import claims_of
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod, ResourceQuota
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.resource import (
    DeviceClass,
    ResourceClaim,
    ResourceClaimMeta,
    ResourceClaimTemplate,
    ResourceSlice,
)
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, CSIDriver, CSINode, CSIStorageCapacity, StorageClass
from kexplain.parameters import parameter
from kexplain.shell import word
from kexplain.words import joined, some, verb


class _MissingKind(Struct, frozen=True):
    """A kind that is missing: in words, as kubectl names it, and what is taken for granted, or cannot be told."""

    kinds: str
    resource: str
    consequence: str


def _missing_note(missing: Sequence[_MissingKind], file: str) -> tuple[str, ...]:
    """A note that names the kinds and the command that gets them into a file; empty if nothing is missing."""
    if not missing:
        return ()
    kinds = " and ".join(f"no {each.kinds} ({each.consequence})" for each in missing)
    names = ",".join(dict.fromkeys(name for each in missing for name in each.resource.split(",")))
    got = f"kubectl get {word(names)} -A -o json > {word(file)}"
    return (f"the input has {kinds}: get them with {got}, and add {parameter('cluster', file)}",)


# ----------------------------------------------------------------------------------------------------------- storage

#: With claims, all that they lead to is missing as a rule.
_CLAIM_KINDS = "pvc,pv,storageclasses"
_SHOWN = 3


def storage_notes(pods: Sequence[Pod], cluster: Cluster) -> tuple[str, ...]:
    """A note on everything that the pods' volumes need and the input lacks; empty if nothing is missing.

    What a server did not list is noted where it was asked, and files would not help.
    """
    used = _Used.by(pods, cluster.listers)
    if not used.claims:
        return ()
    taken = [*_taken_for_granted(used, cluster.listers)]
    if cluster.listers.are_of_a_server:
        said = joined([each.consequence for each in taken])
        return (f"what may not be listed is taken for granted: {said}",) if taken else ()
    return _missing_note((*taken, *_missing_of_storage(used, cluster.listers)), "storage.json")


class _Used(Struct, frozen=True):
    """The claims that pods use, the classes of those that are not bound, and the volumes of the others."""

    claims: tuple[PersistentVolumeClaim, ...]
    classes: tuple[StorageClass, ...]
    volumes: tuple[PersistentVolume, ...]
    is_of_one: bool

    @classmethod
    def by(cls, pods: Sequence[Pod], listers: Listers) -> _Used:
        claims = tuple({claim.key: claim for pod in pods for claim in claims_of(pod, listers)}.values())
        classes = (listers.get(StorageClass, claim.class_name) for claim in claims if not claim.volume_name)
        volumes = (listers.get(PersistentVolume, claim.volume_name) for claim in claims if claim.volume_name)
        named = tuple(dict.fromkeys(each for each in classes if each is not None))
        return cls(claims, named, tuple(each for each in volumes if each is not None), len(pods) == 1)


def _taken_for_granted(used: _Used, listers: Listers) -> Iterator[_MissingKind]:
    """What is not known, and taken to exist."""
    claims = [each for each in used.claims if each.is_unread]
    if claims:
        yield _claims(claims, used, listers)
    known = {each.key for each in used.claims} - {each.key for each in claims}
    volumes = [key for each in used.volumes if each.is_unread and (key := _claim_key(each)) in known]
    if volumes:
        said = f"the volume of {some(volumes, _SHOWN)} is taken to be within reach of every node"
        yield _MissingKind("PersistentVolumes", "pv", said)
    classes = [each.name for each in used.classes if each.is_unread]
    if classes:
        said = f"class {some(classes, _SHOWN)} is taken to make volumes everywhere"
        has_others = any(not each.is_unread for each in listers.every(StorageClass))
        yield _MissingKind(f"{'other ' if has_others else ''}StorageClasses", "storageclasses", said)


def _claims(claims: Sequence[PersistentVolumeClaim], used: _Used, listers: Listers) -> _MissingKind:
    """These claims, which may be the only ones that were not read."""
    is_one = len(claims) == 1
    word = "claim" if is_one else "claims"
    named = f"{word} {some([each.key for each in claims], _SHOWN)}"
    has_others = any(each.metadata.uid and not each.is_unread for each in listers.every(PersistentVolumeClaim))
    # What is said of one pod reads the same for the next, so that it is said once of all.
    said = f"{f'its {word}' if used.is_of_one and not has_others else named} {verb(is_one, 'is')} taken to exist"
    if {each.volume_name for each in claims} <= {each.name for each in used.volumes if each.is_unread}:
        said += f", and {'its volume' if is_one else 'their volumes'} to be within reach of every node"
    return _MissingKind(named if has_others else "PersistentVolumeClaims", _CLAIM_KINDS, said)


def _claim_key(volume: PersistentVolume) -> str:
    claim = volume.spec.claim_ref
    return f"{claim.namespace}/{claim.name}" if claim else ""


def _missing_of_storage(used: _Used, listers: Listers) -> Iterator[_MissingKind]:
    if not listers.has(CSINode):
        yield _MissingKind("CSINodes", "csinodes", "to tell how many volumes nodes can attach")
    classes = [each for each in used.classes if each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER]
    yield from _missing_of_drivers([each for each in classes if not each.is_unread], listers)


def _missing_of_drivers(classes: Sequence[StorageClass], listers: Listers) -> Iterator[_MissingKind]:
    """What tells how much storage is left, for claims whose class waits for a pod."""
    # In-tree provisioners have a slash in their name, and report no capacity.
    if any("/" not in each.provisioner for each in classes) and not listers.has(CSIDriver):
        yield _MissingKind("CSIDrivers", "csidrivers", "to tell whether drivers report their capacity")
    drivers = [listers.get(CSIDriver, each.provisioner) for each in classes]
    if any(driver.spec.storage_capacity for driver in drivers if driver) and not listers.has(CSIStorageCapacity):
        yield _MissingKind("CSIStorageCapacities", "csistoragecapacities", "to tell how much storage is left where")


# ----------------------------------------------------------------------------------------------------------- devices

_TEMPLATES = _MissingKind("ResourceClaimTemplates", "resourceclaimtemplates", "claims made of them are taken to be met")
_SLICES = _MissingKind("ResourceSlices", "resourceslices", "each node is taken to have the devices that claims ask for")
_GONE = _MissingKind("ResourceSlices", "resourceslices", "no driver is taken to offer any device")


def rests_on(pods: Iterable[Pod], cluster: Cluster) -> tuple[str, ...]:
    """Notes on what these pods' volumes and devices need and the input lacks, and on what is taken for granted."""
    every = [*pods]
    return (*storage_notes(every, cluster), *_devices_taken_for_granted(every, cluster))


def device_notes(decision: Decision) -> tuple[str, ...]:
    """Notes on the claims of the pod; empty if it has none, or if nothing is missing."""
    pod, cluster = decision.pod, decision.cluster
    if not pod.spec.resource_claims or decision.outcome in (Outcome.NO_PROFILE, Outcome.DELETING):
        return ()
    return (*_devices_taken_for_granted([pod], cluster), *_missing_claims(pod, cluster))


def _devices_taken_for_granted(pods: Iterable[Pod], cluster: Cluster) -> tuple[str, ...]:
    users = [pod for pod in pods if pod.spec.resource_claims]
    missing = tuple(_missing_kinds(users, cluster.listers)) if users else ()
    if cluster.listers.are_of_a_server and missing:
        return (f"what may not be listed is taken for granted: {joined([each.consequence for each in missing])}",)
    return _missing_note(missing, "devices.json")


def _missing_kinds(users: Sequence[Pod], listers: Listers) -> Iterator[_MissingKind]:
    references = [(pod, each) for pod in users for each in pod.spec.resource_claims or ()]
    if any(each.resource_claim_name for _, each in references) and not listers.has(ResourceClaim):
        yield _MissingKind("ResourceClaims", "resourceclaims", "claims are taken to be met")
    of_templates = {(each.resource_claim_template_name, pod.namespace) for pod, each in references}
    templates = [listers.get(ResourceClaimTemplate, name, where) for name, where in of_templates if name]
    if any(each is not None and each.is_unread for each in templates):
        yield _TEMPLATES
    if not listers.has(ResourceSlice):
        yield _no_slices(listers)
    if not listers.has(DeviceClass):
        yield _MissingKind("DeviceClasses", "deviceclasses", "every device is taken to belong to the class asked for")


def _no_slices(listers: Listers) -> _MissingKind:
    """What that means: who has got classes and claims of a cluster has asked for its slices, too."""
    read = (each for kind in (DeviceClass, ResourceClaim) for each in listers.every(kind) if not each.is_unread)
    is_whole = not listers.are_of_a_server and len({type(each) for each in read if each.is_stored}) > 1
    return _GONE if is_whole else _SLICES


def _missing_claims(pod: Pod, cluster: Cluster) -> Iterator[str]:
    generated = {status.name for status in pod.status.resource_claim_statuses or ()}
    for reference in pod.spec.resource_claims or ():
        template = reference.resource_claim_template_name
        if template is None or reference.name in generated:
            continue
        found = cluster.listers.get(ResourceClaimTemplate, template, pod.namespace)
        key = f"{pod.namespace}/{template}"
        if found is None:
            missing = f"which was not read: add it with {parameter('cluster', 'FILE')}"
            if cluster.listers.has(ResourceClaimTemplate):
                missing = "which does not exist"
            yield f"claim {reference.name} is generated from ResourceClaimTemplate {key}, {missing}"
        else:
            why = next(_excesses(found, pod.namespace, cluster), "kube-controller-manager has not generated it yet")
            lacks = "is not in the pod's status.resourceClaimStatuses"
            yield f"claim {reference.name} has a template, {key}, but {lacks}: {why}"


def _excesses(template: ResourceClaimTemplate, namespace: str, cluster: Cluster) -> Iterator[str]:
    """The quotas that keep a claim from being made of the template."""
    of = ResourceClaimMeta(namespace=namespace)
    claim = ResourceClaim(api_version=template.api_version, metadata=of, spec=template.spec.spec)
    quotas = [each for each in cluster.listers.every(ResourceQuota) if each.namespace == namespace]
    return map(str, QuotaRoom({namespace: quotas}).excesses(claim))
