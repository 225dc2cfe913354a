"""What the input would need for the verdict on a pod's volumes to be the cluster's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.cluster import Listers
from kexplain.explanation.missing_kinds import MissingKind, missing_note
from kexplain.framework.trace import Decision
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import PodClaim, pod_claims
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, CSIDriver, CSINode, CSIStorageCapacity, StorageClass

_CLAIMS = MissingKind("PersistentVolumeClaims", "pvc", "whether its claims exist")
_VOLUMES = MissingKind("PersistentVolumes", "pv", "where its volumes are, and which are free")
_CLASSES = MissingKind("StorageClasses", "storageclasses", "how its claims are bound")
_NODES = MissingKind("CSINodes", "csinodes", "how many volumes nodes can attach")
_DRIVERS = MissingKind("CSIDrivers", "csidrivers", "whether drivers report their capacity")
_CAPACITIES = MissingKind("CSIStorageCapacities", "csistoragecapacities", "how much storage is left where")


def storage_notes(decision: Decision) -> tuple[str, ...]:
    """A note on everything that the pod's volumes need and the input lacks; empty if nothing is missing.

    What a server did not list is noted where it was asked, and files would not help.
    """
    references = pod_claims(decision.pod)
    if not references or decision.cluster.listers.are_of_a_server:
        return ()
    return missing_note(tuple(_missing(references, decision)), "storage.json")


def _missing(references: tuple[PodClaim, ...], decision: Decision) -> Iterator[MissingKind]:
    listers, namespace = decision.cluster.listers, decision.pod.namespace
    found = (listers.get(PersistentVolumeClaim, each.name, namespace) for each in references)
    claims = [claim for claim in found if claim is not None]
    unbound = [claim for claim in claims if not claim.volume_name]
    for missing, kind, is_needed in (
        (_CLAIMS, PersistentVolumeClaim, True),
        (_VOLUMES, PersistentVolume, len(unbound) < len(claims)),
        (_CLASSES, StorageClass, bool(unbound)),
        (_NODES, CSINode, bool(claims)),
    ):
        if is_needed and not listers.has(kind):
            yield missing
    yield from _missing_of_drivers(unbound, listers)


def _missing_of_drivers(unbound: Sequence[PersistentVolumeClaim], listers: Listers) -> Iterator[MissingKind]:
    """What tells how much storage is left, for claims whose class waits for a pod."""
    classes = [each for claim in unbound if (each := listers.get(StorageClass, claim.class_name)) is not None]
    classes = [each for each in classes if each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER]
    # In-tree provisioners have a slash in their name, and report no capacity.
    if any("/" not in each.provisioner for each in classes) and not listers.has(CSIDriver):
        yield _DRIVERS
    drivers = [listers.get(CSIDriver, each.provisioner) for each in classes]
    if any(driver.spec.storage_capacity for driver in drivers if driver) and not listers.has(CSIStorageCapacity):
        yield _CAPACITIES
