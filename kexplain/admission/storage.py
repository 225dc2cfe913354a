"""What becomes of storage manifests once they are applied, as far as scheduling reads it.

Source: API defaulting of `core/v1` and `storage/v1`, admission plugin DefaultStorageClass, and the controllers
that make the claims of stateful sets and ephemeral volumes. Objects that come from a cluster stay as they are.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from kexplain.objects.core import PersistentVolumeClaimTemplate, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolume, PersistentVolumeClaim, StorageStatus
from kexplain.objects.pod_claims import ephemeral_claim_name
from kexplain.objects.storage import IMMEDIATE, StorageClass


def default_class(objects: Iterable[KubernetesObject]) -> str | None:
    """The class of claims that name none; of several the newest, then the first by name.

    Source: storage util `GetDefaultClass`.
    """
    classes = sorted((o for o in objects if isinstance(o, StorageClass) and o.is_default), key=lambda o: o.name)
    newest = max(classes, key=lambda o: o.metadata.creation_timestamp or "", default=None)
    return newest.name if newest else None


def stored(obj: KubernetesObject, default_class_name: str | None) -> KubernetesObject:
    """A storage manifest as the cluster would store it; anything else is returned unchanged."""
    if obj.is_stored:
        return obj
    match obj:
        case StorageClass() if obj.volume_binding_mode is None:
            return replace(obj, volume_binding_mode=IMMEDIATE)
        case PersistentVolume() if obj.status.phase is None:
            # The volume controller makes it available at once.
            return replace(obj, status=StorageStatus(phase="Available"))
        case PersistentVolumeClaim() if obj.status.phase is None:
            claim = replace(obj, status=StorageStatus(phase="Pending"))
            if claim.spec.storage_class_name is None and claim.annotations.beta_storage_class is None:
                claim = replace(claim, spec=replace(claim.spec, storage_class_name=default_class_name))
            return claim
        case _:
            return obj


def claim_of_template(name: str, namespace: str, template: PersistentVolumeClaimTemplate) -> PersistentVolumeClaim:
    """The claim that a template makes."""
    metadata = ClaimMeta(name=name, namespace=namespace, labels=template.metadata.labels)
    return PersistentVolumeClaim(api_version="v1", metadata=metadata, spec=template.spec)


def ephemeral_claims(pod: Pod) -> Iterator[PersistentVolumeClaim]:
    """The claims that are made for the pod's generic ephemeral volumes, which belong to it."""
    for volume in pod.spec.volumes or ():
        template = volume.ephemeral.volume_claim_template if volume.ephemeral else None
        if template is not None:
            claim = claim_of_template(ephemeral_claim_name(pod, volume), pod.namespace, template)
            yield replace(claim, metadata=replace(claim.metadata, owner_references=(pod.as_owner,)))
