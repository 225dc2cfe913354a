"""Small makers of claims, volumes and what belongs to them; see `factories`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kexplain.objects.core import (
    EphemeralVolume,
    NodeSelector,
    NodeSelectorTerm,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimTemplate,
    PersistentVolumeClaimVolume,
    Volume,
    VolumeResourceRequirements,
)
from kexplain.objects.meta import Labels, LabelSelector, ObjectMeta, OwnerReference, RawQuantity
from kexplain.objects.persistent_volumes import (
    ClaimAnnotations,
    ClaimMeta,
    CSIPersistentVolume,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeSpec,
    StorageStatus,
    VolumeAnnotations,
    VolumeMeta,
    VolumeNodeAffinity,
)
from kexplain.objects.storage import (
    ClassMeta,
    CSIDriver,
    CSIDriverSpec,
    CSINode,
    CSINodeAnnotations,
    CSINodeDriver,
    CSINodeMeta,
    CSINodeSpec,
    CSIStorageCapacity,
    StorageClass,
    TopologySelectorLabelRequirement,
    TopologySelectorTerm,
    VolumeAttachment,
    VolumeAttachmentSource,
    VolumeAttachmentSpec,
    VolumeNodeResources,
)

DRIVER = "csi.example.com"
DELETED = "2026-01-01T00:00:00Z"


def uses(*claims: str) -> list[Volume]:
    """Volumes that are these claims, each of the claim's name."""
    return [Volume(name=name, persistent_volume_claim=PersistentVolumeClaimVolume(claim_name=name)) for name in claims]


def scratch(name: str = "scratch") -> Volume:
    """A generic ephemeral volume."""
    return Volume(name=name, ephemeral=EphemeralVolume(volume_claim_template=PersistentVolumeClaimTemplate()))


def claim(
    name: str = "data",
    *,
    volume: str | None = None,
    bound: bool = True,
    size: RawQuantity | None = "10Gi",
    storage_class: str | None = "wait",
    beta_class: str | None = None,
    modes: Sequence[str] = ("ReadWriteOnce",),
    mode: str | None = None,
    attributes_class: str | None = None,
    selector: LabelSelector | None = None,
    selected_node: str | None = None,
    phase: str | None = None,
    deleting: bool = False,
    owner: OwnerReference | None = None,
    namespace: str = "default",
) -> PersistentVolumeClaim:
    """A claim; one that names a volume is fully bound to it unless `bound` says otherwise."""
    return PersistentVolumeClaim(
        metadata=ClaimMeta(
            name=name,
            namespace=namespace,
            uid=f"uid-{name}",
            owner_references=(owner,) if owner else None,
            deletion_timestamp=DELETED if deleting else None,
            annotations=ClaimAnnotations(
                bind_completed="yes" if volume and bound else None,
                selected_node=selected_node,
                beta_storage_class=beta_class,
            ),
        ),
        spec=PersistentVolumeClaimSpec(
            access_modes=tuple(modes),
            selector=selector,
            resources=VolumeResourceRequirements(requests={"storage": size}) if size is not None else None,
            volume_name=volume,
            storage_class_name=storage_class,
            volume_mode=mode,
            volume_attributes_class_name=attributes_class,
        ),
        status=StorageStatus(phase=phase or ("Bound" if volume else "Pending")),
    )


def persistent_volume(
    name: str = "pv",
    *,
    size: RawQuantity | None = "10Gi",
    storage_class: str | None = "wait",
    beta_class: str | None = None,
    modes: Sequence[str] = ("ReadWriteOnce",),
    mode: str | None = None,
    attributes_class: str | None = None,
    labels: Labels | None = None,
    reach: Sequence[NodeSelectorTerm] | None = None,
    reserved: str | None = None,
    reserved_uid: str | None = None,
    driver: str | None = DRIVER,
    handle: str | None = None,
    phase: str = "Available",
    deleting: bool = False,
    **source: Any,
) -> PersistentVolume:
    """A volume of a CSI driver, unless `source` is an in-tree one; `reserved` is a claim of namespace default."""
    affinity = None if reach is None else VolumeNodeAffinity(required=NodeSelector(node_selector_terms=tuple(reach)))
    reference = ObjectReference(name=reserved, namespace="default", uid=reserved_uid) if reserved else None
    is_csi = driver is not None and not source
    return PersistentVolume(
        metadata=VolumeMeta(
            name=name,
            labels=labels,
            deletion_timestamp=DELETED if deleting else None,
            annotations=VolumeAnnotations(beta_storage_class=beta_class) if beta_class is not None else None,
        ),
        spec=PersistentVolumeSpec(
            capacity={"storage": size} if size is not None else None,
            access_modes=tuple(modes),
            claim_ref=reference,
            storage_class_name=storage_class,
            volume_mode=mode,
            volume_attributes_class_name=attributes_class,
            node_affinity=affinity,
            csi=CSIPersistentVolume(driver=driver or "", volume_handle=handle or f"h-{name}") if is_csi else None,
            **source,
        ),
        status=StorageStatus(phase=phase),
    )


def storage_class(
    name: str = "wait",
    provisioner: str = DRIVER,
    *,
    mode: str | None = "WaitForFirstConsumer",
    topologies: Sequence[Mapping[str, Sequence[str]]] | None = None,
) -> StorageClass:
    """A class; each topology is a map of labels to their values."""
    terms = tuple(
        TopologySelectorTerm(
            match_label_expressions=tuple(
                TopologySelectorLabelRequirement(key=key, values=tuple(values)) for key, values in labels.items()
            )
        )
        for labels in topologies or ()
    )
    return StorageClass(
        metadata=ClassMeta(name=name),
        provisioner=provisioner,
        volume_binding_mode=mode,
        allowed_topologies=terms or None,
    )


def csi_node(
    name: str = "n1",
    limits: Mapping[str, int | None] | None = None,
    *,
    migrated: str | None = None,
    topology_keys: Sequence[str] | None = None,
) -> CSINode:
    """What a node's kubelet knows; a limit of None is a driver without one."""
    return CSINode(
        metadata=CSINodeMeta(name=name, annotations=CSINodeAnnotations(migrated_plugins=migrated)),
        spec=CSINodeSpec(
            drivers=tuple(
                CSINodeDriver(
                    name=driver,
                    allocatable=None if count is None else VolumeNodeResources(count=count),
                    topology_keys=tuple(topology_keys) if topology_keys else None,
                )
                for driver, count in (limits or {}).items()
            )
        ),
    )


def csi_driver(
    name: str = DRIVER, *, tracks_capacity: bool | None = True, must_be_there: bool | None = None
) -> CSIDriver:
    """A driver, which may want no pods where it is not installed."""
    spec = CSIDriverSpec(storage_capacity=tracks_capacity, prevent_pod_scheduling_if_missing=must_be_there)
    return CSIDriver(metadata=ObjectMeta(name=name), spec=spec)


def capacity(
    name: str,
    labels: LabelSelector | None,
    amount: RawQuantity | None,
    *,
    largest: RawQuantity | None = None,
    storage_class: str = "wait",
) -> CSIStorageCapacity:
    """How much is left for nodes with these labels."""
    return CSIStorageCapacity(
        metadata=ObjectMeta(name=name, namespace="storage"),
        node_topology=labels,
        storage_class_name=storage_class,
        capacity=amount,
        maximum_volume_size=largest,
    )


def attachment(name: str, volume: str | None, node: str = "n1", *, attacher: str = DRIVER) -> VolumeAttachment:
    """A volume that is attached to a node."""
    return VolumeAttachment(
        metadata=ObjectMeta(name=name),
        spec=VolumeAttachmentSpec(
            attacher=attacher, node_name=node, source=VolumeAttachmentSource(persistent_volume_name=volume)
        ),
    )
