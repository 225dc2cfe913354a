"""The storage.k8s.io API group: how storage is provisioned, reached and attached."""

import msgspec

from kexplain.objects.meta import Int32, KubernetesObject, LabelSelector, ObjectMeta, RawQuantity, Record

WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
IMMEDIATE = "Immediate"
NO_PROVISIONER = "kubernetes.io/no-provisioner"


class TopologySelectorLabelRequirement(Record, frozen=True):
    """The values that a node label may have."""

    key: str = ""
    values: tuple[str, ...] | None = None


class TopologySelectorTerm(Record, frozen=True):
    """Node labels that all must fit; an empty term fits no node."""

    match_label_expressions: tuple[TopologySelectorLabelRequirement, ...] | None = None


class ClassAnnotations(Record, frozen=True):
    """Whether claims that name no class get this one; the legacy annotation counts too."""

    is_default: str | None = msgspec.field(default=None, name="storageclass.kubernetes.io/is-default-class")
    is_beta_default: str | None = msgspec.field(default=None, name="storageclass.beta.kubernetes.io/is-default-class")


class ClassMeta(ObjectMeta, frozen=True):
    """The metadata of a storage class."""

    annotations: ClassAnnotations | None = None


class StorageClass(KubernetesObject, frozen=True, tag_field="kind", tag="StorageClass"):
    """A way to get storage."""

    metadata: ClassMeta = ClassMeta()
    provisioner: str = ""
    volume_binding_mode: str | None = None
    allowed_topologies: tuple[TopologySelectorTerm, ...] | None = None

    @property
    def makes_volumes(self) -> bool:
        """Whether it has a provisioner; without one, somebody makes its volumes by hand."""
        return self.provisioner not in ("", NO_PROVISIONER)

    @property
    def is_default(self) -> bool:
        """Whether claims that name no class get this one. Source: storage util `IsDefaultAnnotation`."""
        annotations = self.metadata.annotations or ClassAnnotations()
        return "true" in (annotations.is_default, annotations.is_beta_default)


class VolumeNodeResources(Record, frozen=True):
    """How many volumes of a driver a node can have attached."""

    count: Int32 | None = None


class CSINodeDriver(Record, frozen=True):
    """A driver that runs on a node."""

    name: str = ""
    #: What the driver calls the node, without which no API server takes it.
    node_id: str | None = msgspec.field(default=None, name="nodeID")
    allocatable: VolumeNodeResources | None = None
    topology_keys: tuple[str, ...] | None = None


class CSINodeSpec(Record, frozen=True):
    """The drivers that run on a node."""

    drivers: tuple[CSINodeDriver, ...] | None = None


class CSINodeAnnotations(Record, frozen=True):
    """The in-tree plugins whose volumes CSI drivers serve on the node, separated by commas."""

    migrated_plugins: str | None = msgspec.field(default=None, name="storage.alpha.kubernetes.io/migrated-plugins")


class CSINodeMeta(ObjectMeta, frozen=True):
    """The metadata of a CSINode."""

    annotations: CSINodeAnnotations | None = None


class CSINode(KubernetesObject, frozen=True, tag_field="kind", tag="CSINode"):
    """What the kubelet of a node knows of CSI drivers; named after the node."""

    metadata: CSINodeMeta = CSINodeMeta()
    spec: CSINodeSpec = CSINodeSpec()

    @property
    def migrated_plugins(self) -> frozenset[str]:
        """The names of the in-tree plugins that are migrated to CSI on this node."""
        annotations = self.metadata.annotations
        return frozenset(((annotations and annotations.migrated_plugins) or "").split(",")) - {""}

    @property
    def limit_by_driver(self) -> dict[str, int]:
        """How many volumes the node can have attached; drivers that name no limit have none."""
        known = ((each.name, each.allocatable) for each in self.spec.drivers or ())
        return {name: most.count for name, most in known if most is not None and most.count is not None}


class CSIDriverSpec(Record, frozen=True):
    """What a driver can do."""

    storage_capacity: bool | None = None
    prevent_pod_scheduling_if_missing: bool | None = None


class CSIDriver(KubernetesObject, frozen=True, tag_field="kind", tag="CSIDriver"):
    """What a CSI driver needs of the scheduler, without a namespace."""

    spec: CSIDriverSpec = CSIDriverSpec()


class CSIStorageCapacity(KubernetesObject, frozen=True, tag_field="kind", tag="CSIStorageCapacity"):
    """How much storage of a class is left for the nodes of a topology segment."""

    node_topology: LabelSelector | None = None
    storage_class_name: str = ""
    capacity: RawQuantity | None = None
    maximum_volume_size: RawQuantity | None = None


class VolumeAttachmentSource(Record, frozen=True):
    """The volume that is attached, by its name or in-line."""

    persistent_volume_name: str | None = None


class VolumeAttachmentSpec(Record, frozen=True):
    """Which volume is attached to which node, and by which driver."""

    attacher: str = ""
    node_name: str = ""
    source: VolumeAttachmentSource = VolumeAttachmentSource()


class VolumeError(Record, frozen=True):
    """Why a volume could not be attached."""

    time: str | None = None
    message: str | None = None


class VolumeAttachmentStatus(Record, frozen=True):
    """How far the attachment is."""

    attached: bool | None = None
    attach_error: VolumeError | None = None
    detach_error: VolumeError | None = None


class VolumeAttachment(KubernetesObject, frozen=True, tag_field="kind", tag="VolumeAttachment"):
    """A volume that is attached to a node, or is to be."""

    spec: VolumeAttachmentSpec = VolumeAttachmentSpec()
    status: VolumeAttachmentStatus = VolumeAttachmentStatus()
