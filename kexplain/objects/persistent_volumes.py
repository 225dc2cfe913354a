"""The core API group: claims on storage, and the volumes that they are bound to.

Of annotations only those are kept that scheduling reads, each as a field of its own.
"""

import msgspec

from kexplain.objects import quantity
from kexplain.objects.core import MigratedSources, NodeSelector, NodeSelectorTerm, PersistentVolumeClaimSpec
from kexplain.objects.meta import KubernetesObject, ObjectMeta, Record, ResourceList

#: Phases of a volume: nobody has it, and the claim that had it is gone.
AVAILABLE = "Available"
RELEASED = "Released"
STORAGE = "storage"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class"


def _class_name(beta: str | None, named: str | None) -> str:
    """The legacy annotation's class where there is one, even an empty one, or else the one that the spec names."""
    return (named or "") if beta is None else beta


class ClaimAnnotations(Record, frozen=True):
    """How far the binding of a claim has come; the legacy class counts before the one in the spec."""

    bind_completed: str | None = msgspec.field(default=None, name="pv.kubernetes.io/bind-completed")
    selected_node: str | None = msgspec.field(default=None, name=SELECTED_NODE)
    beta_storage_class: str | None = msgspec.field(default=None, name=BETA_STORAGE_CLASS)


class ClaimMeta(ObjectMeta, frozen=True):
    """The metadata of a claim."""

    annotations: ClaimAnnotations | None = None


class StorageStatus(Record, frozen=True):
    """How far a claim is bound (Pending, Bound, Lost), or whether a volume is free (Available, Released, Failed, …)."""

    phase: str | None = None


class PersistentVolumeClaim(KubernetesObject, frozen=True, tag_field="kind", tag="PersistentVolumeClaim"):
    """A claim on storage, bound to a volume by `spec.volumeName`."""

    metadata: ClaimMeta = ClaimMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()
    status: StorageStatus = StorageStatus()

    @property
    def is_new(self) -> bool:
        """Whether no cluster has had it in hand: what is said of one there, its cluster knows."""
        return not (self.is_stored or self.status.phase)

    @property
    def annotations(self) -> ClaimAnnotations:
        """The annotations; never None."""
        return self.metadata.annotations or ClaimAnnotations()

    @property
    def class_name(self) -> str:
        """The name of the class; empty without one. Source: storage helpers `GetPersistentVolumeClaimClass`."""
        return _class_name(self.annotations.beta_storage_class, self.spec.storage_class_name)

    @property
    def volume_name(self) -> str:
        """The volume that the claim is bound to, or to be bound to; empty without one."""
        return self.spec.volume_name or ""

    @property
    def is_fully_bound(self) -> bool:
        """Whether the binding is complete. Source: volume binder `isPVCFullyBound`."""
        return bool(self.volume_name) and self.annotations.bind_completed is not None


class ObjectReference(Record, frozen=True):
    """The claim that a volume is bound to, or reserved for."""

    name: str = ""
    namespace: str = ""
    uid: str | None = None


class CSIPersistentVolume(Record, frozen=True):
    """A volume that a CSI driver serves."""

    driver: str = ""
    volume_handle: str = ""


class VolumeNodeAffinity(Record, frozen=True):
    """The nodes from which a volume can be reached."""

    required: NodeSelector | None = None

    @property
    def terms(self) -> tuple[NodeSelectorTerm, ...]:
        """The alternatives; empty where any node will do, or none."""
        return (self.required.node_selector_terms or ()) if self.required else ()


class PersistentVolumeSpec(MigratedSources, frozen=True):
    """What a volume offers, and the claim that it belongs to; sources that scheduling does not read are not kept."""

    capacity: ResourceList | None = None
    access_modes: tuple[str, ...] | None = None
    claim_ref: ObjectReference | None = None
    storage_class_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None
    node_affinity: VolumeNodeAffinity | None = None
    csi: CSIPersistentVolume | None = None


class VolumeAnnotations(Record, frozen=True):
    """The legacy class of a volume, which counts before the one in the spec."""

    beta_storage_class: str | None = msgspec.field(default=None, name=BETA_STORAGE_CLASS)


class VolumeMeta(ObjectMeta, frozen=True):
    """The metadata of a volume."""

    annotations: VolumeAnnotations | None = None


class PersistentVolume(KubernetesObject, frozen=True, tag_field="kind", tag="PersistentVolume"):
    """A volume, without a namespace; `spec.claimRef` names the claim that has it."""

    metadata: VolumeMeta = VolumeMeta()
    spec: PersistentVolumeSpec = PersistentVolumeSpec()
    status: StorageStatus = StorageStatus()

    @property
    def class_name(self) -> str:
        """The name of the class; empty without one. Source: storage helpers `GetPersistentVolumeClass`."""
        beta = self.metadata.annotations.beta_storage_class if self.metadata.annotations else None
        return _class_name(beta, self.spec.storage_class_name)


def storage_nanos(resources: ResourceList | None) -> int:
    """The amount of storage in nanos, so that fractions compare exactly; 0 if none is named."""
    return quantity.parse(resources[STORAGE]) if resources and STORAGE in resources else 0


def requested_nanos(claim: PersistentVolumeClaim) -> int:
    """How much storage the claim asks for."""
    return storage_nanos(claim.spec.requests)


def requested_bytes(claim: PersistentVolumeClaim) -> int:
    """How large a volume the claim requests; 0 where it does not say."""
    return quantity.nanos_to_value(requested_nanos(claim))
