"""What the input would need for the verdict on pods' volumes to be the cluster's, and what the verdict rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, Listers
from kexplain.explanation.missing_kinds import MissingKind, missing_note
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, CSIDriver, CSINode, CSIStorageCapacity, StorageClass
from kexplain.words import joined, some, verb

_NODES = MissingKind("CSINodes", "csinodes", "to tell how many volumes nodes can attach")
_DRIVERS = MissingKind("CSIDrivers", "csidrivers", "to tell whether drivers report their capacity")
_CAPACITIES = MissingKind("CSIStorageCapacities", "csistoragecapacities", "to tell how much storage is left where")
#: With claims, all that they lead to is missing as a rule.
_CLAIMS = "pvc,pv,storageclasses"
_SHOWN = 3


def storage_notes(pods: Iterable[Pod], cluster: Cluster) -> tuple[str, ...]:
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
    return missing_note((*taken, *_missing(used, cluster.listers)), "storage.json")


class _Used(Struct, frozen=True):
    """The claims that pods use, the classes of those that are not bound, and the volumes of the others."""

    claims: tuple[PersistentVolumeClaim, ...]
    classes: tuple[StorageClass, ...]
    volumes: tuple[PersistentVolume, ...]

    @classmethod
    def by(cls, pods: Iterable[Pod], listers: Listers) -> _Used:
        keys = dict.fromkeys((each.name, pod.namespace) for pod in pods for each in pod_claims(pod))
        found = (listers.get(PersistentVolumeClaim, *key) for key in keys)
        claims = tuple(claim for claim in found if claim is not None)
        classes = (listers.get(StorageClass, claim.class_name) for claim in claims if not claim.volume_name)
        volumes = (listers.get(PersistentVolume, claim.volume_name) for claim in claims if claim.volume_name)
        return cls(
            claims,
            tuple(dict.fromkeys(each for each in classes if each is not None)),
            tuple(each for each in volumes if each is not None),
        )


def _taken_for_granted(used: _Used, listers: Listers) -> Iterator[MissingKind]:
    """What is not known, and taken to exist."""
    claims = [each for each in used.claims if each.is_unread]
    if claims:
        yield _claims(claims, used, listers)
    known = {each.key for each in used.claims} - {each.key for each in claims}
    volumes = [key for each in used.volumes if each.is_unread and (key := _claim_key(each)) in known]
    if volumes:
        said = f"the volume of {some(volumes, _SHOWN)} is taken to be within reach of every node"
        yield MissingKind("PersistentVolumes", "pv", said)
    classes = [each.name for each in used.classes if each.is_unread]
    if classes:
        said = f"class {some(classes, _SHOWN)} is taken to make volumes everywhere"
        yield MissingKind("StorageClasses", "storageclasses", said)


def _claims(claims: Sequence[PersistentVolumeClaim], used: _Used, listers: Listers) -> MissingKind:
    """These claims, which may be the only ones that were not read."""
    is_one = len(claims) == 1
    named = f"claim{'' if is_one else 's'} {some([each.key for each in claims], _SHOWN)}"
    said = f"{named} {verb(is_one, 'is')} taken to exist"
    if {each.volume_name for each in claims} <= {each.name for each in used.volumes if each.is_unread}:
        said += f", and {'its volume' if is_one else 'their volumes'} to be within reach of every node"
    has_others = any(each.metadata.uid and not each.is_unread for each in listers.every(PersistentVolumeClaim))
    return MissingKind(named if has_others else "PersistentVolumeClaims", _CLAIMS, said)


def _claim_key(volume: PersistentVolume) -> str:
    claim = volume.spec.claim_ref
    return f"{claim.namespace}/{claim.name}" if claim else ""


def _missing(used: _Used, listers: Listers) -> Iterator[MissingKind]:
    if not listers.has(CSINode):
        yield _NODES
    classes = [each for each in used.classes if each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER]
    yield from _missing_of_drivers([each for each in classes if not each.is_unread], listers)


def _missing_of_drivers(classes: Sequence[StorageClass], listers: Listers) -> Iterator[MissingKind]:
    """What tells how much storage is left, for claims whose class waits for a pod."""
    # In-tree provisioners have a slash in their name, and report no capacity.
    if any("/" not in each.provisioner for each in classes) and not listers.has(CSIDriver):
        yield _DRIVERS
    drivers = [listers.get(CSIDriver, each.provisioner) for each in classes]
    if any(driver.spec.storage_capacity for driver in drivers if driver) and not listers.has(CSIStorageCapacity):
        yield _CAPACITIES
