"""Classes, drivers and attachments that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

TERM = {"matchLabelExpressions": [{"key": "zone", "values": ["a"]}]}
DRIVER = {"name": "csi.example.com", "nodeID": "n"}


def storage(kind: str, **rest: Any) -> Json:
    return obj("storage.k8s.io/v1", kind, "x", **rest)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({"provisioner": "Example.com/P", "parameters": {"a": "b"}, "allowedTopologies": [TERM]}, set()),
        ({}, {"provisioner"}),
        ({"provisioner": "a/b/c"}, {"provisioner"}),
        (
            {"provisioner": "p", "reclaimPolicy": "Recycle", "volumeBindingMode": ""},
            {"reclaimPolicy", "volumeBindingMode"},
        ),
        ({"provisioner": "p", "parameters": {"": "x"}}, {"parameters"}),
        ({"provisioner": "p", "parameters": {str(n): "" for n in range(513)}}, {"parameters"}),
        ({"provisioner": "p", "parameters": {"a": "x" * (256 << 10)}}, {"parameters"}),
        ({"provisioner": "p", "allowedTopologies": [TERM, TERM]}, {"allowedTopologies[1].matchLabelExpressions"}),
        ({"provisioner": "p", "allowedTopologies": [{}]}, {"allowedTopologies[0].matchLabelExpressions"}),
        (
            {
                "provisioner": "p",
                "allowedTopologies": [
                    {"matchLabelExpressions": [{"key": "a b"}, {"key": "a b", "values": ["x", "x"]}]}
                ],
            },
            {
                f"allowedTopologies[0].matchLabelExpressions[{field}"
                for field in ("0].key", "0].values", "1].key", "1].values[1]")
            },
        ),
    ],
    ids=lambda value: case_name(value)[:80],
)
def test_storage_classes(rest: Json, expected: set[str]) -> None:
    assert fields(storage("StorageClass", **rest)) == expected


@pytest.mark.parametrize(
    ("kind", "rest", "expected"),
    [
        ("VolumeAttributesClass", {"driverName": "d", "parameters": {"iops": "1"}}, set()),
        ("VolumeAttributesClass", {}, {"driverName", "parameters"}),
        ("CSIStorageCapacity", {"storageClassName": "a", "capacity": "1Gi"}, set()),
        (
            "CSIStorageCapacity",
            {"storageClassName": "A", "capacity": "-1", "nodeTopology": {"matchLabels": {"a b": ""}}},
            {"storageClassName", "capacity", "nodeTopology.matchLabels"},
        ),
        ("VolumeAttachment", {"spec": {}}, {"spec.attacher", "spec.source", "spec.nodeName"}),
        (
            "VolumeAttachment",
            {"spec": {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": ""}}},
            {"spec.source.persistentVolumeName"},
        ),
        (
            "VolumeAttachment",
            {"spec": {"attacher": "a", "nodeName": "n", "source": {"inlineVolumeSpec": {"storageClassName": "s"}}}},
            {
                *("spec.source.inlineVolumeSpec", "spec.source.inlineVolumeSpec.accessModes"),
                *("spec.source.inlineVolumeSpec.csi", "spec.source.inlineVolumeSpec.storageClassName"),
            },
        ),
    ],
    ids=case_name,
)
def test_other_kinds(kind: str, rest: Json, expected: set[str]) -> None:
    assert fields(storage(kind, **rest)) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"fsGroupPolicy": "x", "volumeLifecycleModes": ["x"]}, {"fsGroupPolicy", "volumeLifecycleModes"}),
        ({"nodeAllocatableUpdatePeriodSeconds": 9}, {"nodeAllocatableUpdatePeriodSeconds"}),
        ({"serviceAccountTokenInSecrets": True}, {"serviceAccountTokenInSecrets"}),
        (
            {"tokenRequests": [{"expirationSeconds": 599}, {"expirationSeconds": 1}, {"audience": "a"}]},
            {"tokenRequests[0].expirationSeconds", "tokenRequests[1].audience"},
        ),
    ],
    ids=case_name,
)
def test_drivers(spec: Json, expected: set[str]) -> None:
    assert fields(storage("CSIDriver", spec=spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("drivers", "expected"),
    [
        ([{**DRIVER, "topologyKeys": ["zone"], "allocatable": {"count": 0}}], set()),
        ([{}], {"[0].name", "[0].nodeID"}),
        ([DRIVER, DRIVER], {"[1].name"}),
        ([{**DRIVER, "nodeID": "x" * 257, "allocatable": {"count": -1}}], {"[0].nodeID", "[0].allocatable.count"}),
        ([{**DRIVER, "topologyKeys": ["a", "a"]}], {"[0]"}),
        ([{**DRIVER, "topologyKeys": [""]}], {"[0]"}),
    ],
    ids=case_name,
)
def test_drivers_of_a_node(drivers: list[Json], expected: set[str]) -> None:
    assert fields(storage("CSINode", spec={"drivers": drivers})) == {f"spec.drivers{field}" for field in expected}
