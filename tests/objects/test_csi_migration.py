from __future__ import annotations

import pytest

from kexplain.objects.core import (
    AWSElasticBlockStore,
    Cinder,
    GCEPersistentDisk,
    NodeSelectorTerm,
    PortworxVolume,
    VsphereVolume,
)
from kexplain.objects.csi_migration import (
    AWS_EBS,
    CINDER,
    GCE_PD,
    PORTWORX,
    VSPHERE,
    MigrationError,
    in_tree_plugin,
    migrated_node_affinity,
    persistent_handle,
)
from kexplain.objects.meta import Labels
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE
from tests.factories import in_, node_term
from tests.storage_factories import persistent_volume

DISK = GCEPersistentDisk(pd_name="d")
EBS_ZONE = AWS_EBS.topology_key


@pytest.mark.parametrize(
    ("source", "plugin"),
    [
        ({"gce_persistent_disk": DISK}, GCE_PD),
        ({"aws_elastic_block_store": AWSElasticBlockStore()}, AWS_EBS),
        ({"cinder": Cinder()}, CINDER),
        ({"portworx_volume": PortworxVolume()}, PORTWORX),
        ({"vsphere_volume": VsphereVolume()}, VSPHERE),
        ({}, None),
    ],
)
def test_in_tree_plugin(source: dict[str, object], plugin: object) -> None:
    assert in_tree_plugin(persistent_volume(**source).spec) is plugin  # type: ignore[arg-type] # any source


@pytest.mark.parametrize(
    ("labels", "handle"),
    [
        ({}, "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"),
        ({ZONE: "us-a-1"}, "projects/UNSPECIFIED/zones/us-a-1/disks/d"),
        ({ZONE: "us-a-1", OLD_ZONE: "us-b-1"}, "projects/UNSPECIFIED/zones/us-b-1/disks/d"),
        ({ZONE: "us-a-1__us-a-2"}, "projects/UNSPECIFIED/regions/us-a/disks/d"),
    ],
    ids=["no-zone", "zone", "legacy-first", "regional"],
)
def test_gce_handles(labels: Labels, handle: str) -> None:
    assert persistent_handle(persistent_volume(labels=labels, gce_persistent_disk=DISK)) == handle


@pytest.mark.parametrize("zones", ["us-a-1__us-b-1", "us-a-1__b"], ids=["two-regions", "no-region"])
def test_gce_zones_of_no_one_region(zones: str) -> None:
    with pytest.raises(MigrationError, match="failed to get region from zones"):
        persistent_handle(persistent_volume(labels={ZONE: zones}, gce_persistent_disk=DISK))


@pytest.mark.parametrize(
    ("written", "handle"),
    [("vol-1", "vol-1"), ("aws://us-a-1/vol-1", "vol-1"), ("aws:///vol-1", "vol-1"), ("anything", "anything")],
)
def test_ebs_handles(written: str, handle: str) -> None:
    volume = persistent_volume(aws_elastic_block_store=AWSElasticBlockStore(volume_id=written))
    assert persistent_handle(volume) == handle


@pytest.mark.parametrize(
    ("reach", "labels", "expected"),
    [
        pytest.param(None, {}, None, id="nothing-to-say"),
        pytest.param([node_term(in_(ZONE, "a"))], {}, [node_term(in_(EBS_ZONE, "a"))], id="zone"),
        pytest.param([node_term(in_(OLD_ZONE, "a"))], {}, [node_term(in_(EBS_ZONE, "a"))], id="legacy-zone"),
        pytest.param(None, {ZONE: "b__a"}, [node_term(in_(EBS_ZONE, "a", "b"))], id="zone-of-the-labels"),
        pytest.param(None, {ZONE: "__"}, None, id="labels-that-name-none"),
        pytest.param(
            [node_term(in_(ZONE, "a"))], {ZONE: "b"}, [node_term(in_(EBS_ZONE, "a"))], id="affinity-before-labels",
        ),
        pytest.param(
            [node_term(in_("rack", "1"))], {ZONE: "a"}, [node_term(in_("rack", "1"), in_(EBS_ZONE, "a"))],
            id="labels-join-each-term",
        ),
        pytest.param(
            [node_term(in_(OLD_ZONE, "a"), in_(OLD_REGION, "r"))], {},
            [node_term(in_(EBS_ZONE, "a"), in_(REGION, "r"))], id="legacy-region",
        ),
        pytest.param(
            [node_term(in_(ZONE, "a"), in_(OLD_REGION, "r"))], {},
            [node_term(in_(EBS_ZONE, "a"), in_(OLD_REGION, "r"))], id="region-beside-a-current-zone-stays",
        ),
    ],
)  # fmt: skip
def test_topology(
    reach: list[NodeSelectorTerm] | None, labels: Labels, expected: list[NodeSelectorTerm] | None
) -> None:
    volume = persistent_volume(
        reach=reach, labels=labels, aws_elastic_block_store=AWSElasticBlockStore(volume_id="vol-1")
    )
    affinity = migrated_node_affinity(volume)
    found = list(affinity.required.node_selector_terms or ()) if affinity and affinity.required else None
    assert found == expected


def test_drivers_without_a_topology_of_their_own_keep_the_affinity() -> None:
    volume = persistent_volume(reach=[node_term(in_(ZONE, "a"))], portworx_volume=PortworxVolume(volume_id="v"))
    assert migrated_node_affinity(volume) == volume.spec.node_affinity
