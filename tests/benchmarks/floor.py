"""The least that a plain program pays for a dump: its bytes, decoded into no more than scheduling must know.

Run as `python floor.py DUMP`; every other run is measured against it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec


class Bare(msgspec.Struct, gc=False, rename="camel"):
    """A record without anything beside its fields."""


class Metadata(Bare):
    name: str = ""
    namespace: str = ""
    labels: dict[str, str] | None = None


class Resources(Bare):
    requests: dict[str, str] | None = None


class Port(Bare):
    host_port: int = 0


class Container(Bare):
    image: str = ""
    resources: Resources | None = None
    ports: list[Port] | None = None


class ClaimReference(Bare):
    claim_name: str = ""


class PodVolume(Bare):
    persistent_volume_claim: ClaimReference | None = None


class Spec(Bare):
    """Of pods and nodes alike."""

    volumes: list[PodVolume] | None = None
    resource_claims: Any = None
    containers: list[Container] | None = None
    node_name: str = ""
    priority: int = 0
    affinity: Any = None
    taints: Any = None
    unschedulable: bool = False


class Image(Bare):
    names: list[str] | None = None
    size_bytes: int = 0


class Status(Bare):
    """Of pods and nodes alike."""

    phase: str = ""
    start_time: str = ""
    allocatable: dict[str, str] | None = None
    images: list[Image] | None = None


class Node(Bare, tag_field="kind"):
    metadata: Metadata
    spec: Spec
    status: Status


class Pod(Node):
    """With fields of the same names."""


# ------------------------------------------------------------------------------------------------------ storage


class Claim(Bare, tag_field="kind", tag="PersistentVolumeClaim"):
    metadata: Metadata
    spec: ClaimSpec


class ClaimSpec(Bare):
    storage_class_name: str = ""
    volume_name: str = ""


class Volume(Bare, tag_field="kind", tag="PersistentVolume"):
    metadata: Metadata
    spec: VolumeSpec


class VolumeSource(Bare):
    driver: str = ""
    volume_handle: str = ""


class VolumeSpec(Bare):
    storage_class_name: str = ""
    capacity: dict[str, str] | None = None
    claim_ref: Metadata | None = None
    csi: VolumeSource | None = None
    node_affinity: Any = None


class CSINode(Bare, tag_field="kind"):
    metadata: Metadata
    spec: CSINodeSpec


class CSINodeDriver(Bare):
    name: str = ""
    allocatable: dict[str, int] | None = None


class CSINodeSpec(Bare):
    drivers: list[CSINodeDriver] | None = None


class CSIDriver(Bare, tag_field="kind"):
    metadata: Metadata


class StorageClass(Bare, tag_field="kind"):
    metadata: Metadata
    provisioner: str = ""
    volume_binding_mode: str = ""


# ------------------------------------------------------------------------------------------------------ devices


class DeviceClass(Bare, tag_field="kind"):
    metadata: Metadata
    spec: Any


class Capacity(Bare):
    value: str = ""


class Device(Bare):
    name: str
    attributes: dict[str, dict[str, str | int | bool]] | None = None
    capacity: dict[str, Capacity] | None = None


class ResourceSliceSpec(Bare):
    driver: str
    node_name: str = ""
    pool: Any = None
    devices: list[Device] | None = None


class ResourceSlice(Bare, tag_field="kind"):
    metadata: Metadata
    spec: ResourceSliceSpec


class ResourceClaim(Bare, tag_field="kind"):
    metadata: Metadata
    spec: Any
    status: Any


class Dump(Bare):
    items: list[
        Node | Pod | Claim | Volume | CSINode | CSIDriver | StorageClass | DeviceClass | ResourceSlice | ResourceClaim
    ]


def main() -> None:
    dump = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Dump)
    print(len(dump.items))


if __name__ == "__main__":
    main()
