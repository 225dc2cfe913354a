"""Volumes of pods, and the claims behind them."""

import msgspec

from kexplain.objects.meta import Int32, LabelSelector, ObjectMeta, Record, ResourceList


class PersistentVolumeClaimVolume(Record, frozen=True):
    """A volume that is a claim."""

    claim_name: str = ""
    read_only: bool | None = None


class GCEPersistentDisk(Record, frozen=True):
    """A GCE disk, in-line or behind a PersistentVolume."""

    pd_name: str = ""
    read_only: bool | None = None


class AWSElasticBlockStore(Record, frozen=True):
    """An EBS volume by its `volumeID`, which may begin with `aws://ZONE/`."""

    volume_id: str = msgspec.field(default="", name="volumeID")
    read_only: bool | None = None


class AzureDisk(Record, frozen=True):
    """An Azure disk; only managed ones can be migrated to CSI."""

    disk_name: str = ""
    disk_uri: str = msgspec.field(default="", name="diskURI")
    kind: str | None = None


class AzureFile(Record, frozen=True):
    """An Azure file share; scheduling reads only that it is one."""


class Cinder(Record, frozen=True):
    """An OpenStack volume by its `volumeID`."""

    volume_id: str = msgspec.field(default="", name="volumeID")


class PortworxVolume(Record, frozen=True):
    """A Portworx volume by its `volumeID`."""

    volume_id: str = msgspec.field(default="", name="volumeID")


class VsphereVolume(Record, frozen=True):
    """A vSphere disk; scheduling reads only that it is one."""


class ISCSI(Record, frozen=True):
    """An in-line iSCSI volume, told apart by its IQN."""

    iqn: str = ""
    lun: Int32 | None = None
    target_portal: str | None = None
    read_only: bool | None = None


class RBD(Record, frozen=True):
    """An in-line Ceph RBD image."""

    monitors: tuple[str, ...] | None = None
    image: str = ""
    pool: str | None = None
    read_only: bool | None = None


class VolumeResourceRequirements(Record, frozen=True):
    """How much a claim asks for."""

    requests: ResourceList | None = None


class PersistentVolumeClaimSpec(Record, frozen=True):
    """What a claim asks for, and the volume that it got."""

    access_modes: tuple[str, ...] | None = None
    selector: LabelSelector | None = None
    resources: VolumeResourceRequirements | None = None
    volume_name: str | None = None
    storage_class_name: str | None = None
    volume_mode: str | None = None
    volume_attributes_class_name: str | None = None

    @property
    def requests(self) -> ResourceList:
        """What it requests of a volume."""
        return (self.resources.requests if self.resources else None) or {}


class PersistentVolumeClaimTemplate(Record, frozen=True):
    """The claim that is made for a generic ephemeral volume."""

    metadata: ObjectMeta = ObjectMeta()
    spec: PersistentVolumeClaimSpec = PersistentVolumeClaimSpec()


class EphemeralVolume(Record, frozen=True):
    """A generic ephemeral volume: its claim is made for the pod, and named after both."""

    volume_claim_template: PersistentVolumeClaimTemplate | None = None


class ImageVolume(Record, frozen=True):
    """An OCI image mounted as a volume."""

    reference: str | None = None


class CSIVolume(Record, frozen=True):
    """An in-line CSI volume, which counts against the attach limit of its driver."""

    driver: str = ""


class EmptyDirVolume(Record, frozen=True):
    """Local storage, which is lost with the pod."""

    medium: str | None = None


class HostPathVolume(Record, frozen=True):
    """A path of the node, whichever."""


class MigratedSources(Record, frozen=True):
    """What a CSI driver serves by now, of volumes of pods and of PersistentVolumes. Source: csi-translation-lib."""

    gce_persistent_disk: GCEPersistentDisk | None = None
    aws_elastic_block_store: AWSElasticBlockStore | None = None
    azure_disk: AzureDisk | None = None
    azure_file: AzureFile | None = None
    cinder: Cinder | None = None
    portworx_volume: PortworxVolume | None = None
    vsphere_volume: VsphereVolume | None = None


class UnreadVolume(Record, frozen=True):
    """A volume of which only its kind matters."""


class Volume(MigratedSources, frozen=True):
    """A volume of a pod; sources that neither scheduling nor draining reads are not kept."""

    name: str | None = None
    persistent_volume_claim: PersistentVolumeClaimVolume | None = None
    ephemeral: EphemeralVolume | None = None
    empty_dir: EmptyDirVolume | None = None
    host_path: HostPathVolume | None = None
    image: ImageVolume | None = None
    csi: CSIVolume | None = None
    iscsi: ISCSI | None = None
    nfs: UnreadVolume | None = None
    fc: UnreadVolume | None = None
    cephfs: UnreadVolume | None = None
    glusterfs: UnreadVolume | None = None
    flex_volume: UnreadVolume | None = None
    git_repo: UnreadVolume | None = None
    rbd: RBD | None = None

    @property
    def claim_name(self) -> str | None:
        """The claim that it is the storage of; None where it has none, or one of its own."""
        return self.persistent_volume_claim.claim_name if self.persistent_volume_claim else None
