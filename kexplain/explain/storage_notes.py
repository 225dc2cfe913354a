"""What the input would have to hold for the verdict on a pod's volumes to be the cluster's.

Only kinds of which there is no object at all are named: one object that is missing among others is missing in
the cluster, too, as far as anybody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kexplain.cluster.listers import Listers
from kexplain.framework.trace import Decision
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import PodClaim, pod_claims
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, CSIDriver, CSINode, CSIStorageCapacity, StorageClass


class _Missing(NamedTuple):
    """A kind that is missing: in words, as kubectl names it, and what cannot be said without."""

    kind: str
    resource: str
    consequence: str


_CLAIMS = _Missing("PersistentVolumeClaims", "pvc", "whether its claims exist")
_VOLUMES = _Missing("PersistentVolumes", "pv", "where its volumes are, and which are free")
_CLASSES = _Missing("StorageClasses", "storageclasses", "how its claims are bound")
_NODES = _Missing("CSINodes", "csinodes", "how many volumes nodes can attach")
_DRIVERS = _Missing("CSIDrivers", "csidrivers", "whether drivers report their capacity")
_CAPACITIES = _Missing("CSIStorageCapacities", "csistoragecapacities", "how much storage is left where")


def storage_notes(decision: Decision) -> tuple[str, ...]:
    """A note on everything that the pod's volumes need and the input does not hold; empty if it holds it all."""
    references = pod_claims(decision.pod)
    missing = tuple(_missing(references, decision)) if references else ()
    if not missing:
        return ()
    kinds = " and ".join(f"no {each.kind} ({each.consequence})" for each in missing)
    resources = ",".join(each.resource for each in missing)
    command = f"kubectl get {resources} -A -o json > storage.json"
    return (f"the input holds {kinds}: get them with {command}, and add --cluster storage.json",)


def _missing(references: tuple[PodClaim, ...], decision: Decision) -> Iterator[_Missing]:
    listers, namespace = decision.cluster.listers, decision.pod.namespace
    if not _holds(listers, PersistentVolumeClaim):
        yield _CLAIMS
    found = (listers.get(PersistentVolumeClaim, each.name, namespace) for each in references)
    claims = [claim for claim in found if claim is not None]
    unbound = [claim for claim in claims if not claim.volume_name]
    classes = [each for claim in unbound if (each := listers.get(StorageClass, claim.class_name)) is not None]
    if len(unbound) < len(claims) and not _holds(listers, PersistentVolume):
        yield _VOLUMES
    if unbound and not _holds(listers, StorageClass):
        yield _CLASSES
    if claims and not _holds(listers, CSINode):
        yield _NODES
    # In-tree provisioners have a slash in their name, and report no capacity.
    classes = [each for each in classes if each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER]
    if any("/" not in each.provisioner for each in classes) and not _holds(listers, CSIDriver):
        yield _DRIVERS
    drivers = [listers.get(CSIDriver, each.provisioner) for each in classes]
    if any(driver.spec.storage_capacity for driver in drivers if driver) and not _holds(listers, CSIStorageCapacity):
        yield _CAPACITIES


def _holds(listers: Listers, kind: type[KubernetesObject]) -> bool:
    return bool(listers.every(kind))
