"""Volumes that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
AFFINITY: Json = {"required": {"nodeSelectorTerms": [TERM]}}
CSI = {"driver": "d", "volumeHandle": "h"}


def volume(**spec: Any) -> Json:
    base = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}}
    return obj("v1", "PersistentVolume", "pv", spec={**base, **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"csi": CSI, "storageClassName": "a", "volumeAttributesClassName": "b"}, set()),
        ({"local": {"path": "/d"}, "nodeAffinity": AFFINITY}, set()),
        ({}, {""}),
        ({"accessModes": [], "capacity": None, "csi": CSI}, {".accessModes", ".capacity"}),
        ({"accessModes": ["ReadWriteOncePod", "ReadOnlyMany", "x"], "csi": CSI}, {".accessModes"}),
        ({"capacity": {"storage": "0", "cpu": "1"}, "csi": CSI}, {".capacity", ".capacity[storage]"}),
        ({"csi": CSI, "nodeAffinity": {}}, {".nodeAffinity.required"}),
        ({"local": {}}, {".local.path", ".nodeAffinity"}),
        ({"csi": CSI, "nfs": {"server": "s", "path": "/"}}, {".csi"}),
        ({"hostPath": {"path": "//"}, "persistentVolumeReclaimPolicy": "Recycle"}, {".persistentVolumeReclaimPolicy"}),
        ({"csi": CSI, "persistentVolumeReclaimPolicy": "x"}, {".persistentVolumeReclaimPolicy"}),
        ({"csi": CSI, "storageClassName": "A", "volumeMode": ""}, {".storageClassName", ".volumeMode"}),
        (
            {"nfs": {"server": "s", "path": "/"}, "volumeAttributesClassName": ""},
            {".volumeAttributesClassName", ".csi"},
        ),
        (
            {"csi": {"nodePublishSecretRef": {"name": "A"}}},
            {
                f".csi.{name}"
                for name in ("driver", "volumeHandle", "nodePublishSecretRef.name", "nodePublishSecretRef.namespace")
            },
        ),
        (
            {"glusterfs": {"endpointsNamespace": ""}},
            {f".glusterfs.{n}" for n in ("endpoints", "path", "endpointsNamespace")},
        ),
        (
            {"iscsi": {"targetPortal": "x" * 64, "iqn": "eui", "initiatorName": "x", "chapAuthSession": True}},
            {".iscsi.targetportal", ".iscsi.iqn", ".iscsi.initiatorname", ".iscsi.secretRef"},
        ),
        (
            {"cinder": {"secretRef": {}}},
            {f".cinder.{n}" for n in ("volumeID", "secretRef.name", "secretRef.namespace")},
        ),
        (
            {"azureFile": {"secretNamespace": ""}},
            {f".azureFile.{n}" for n in ("secretName", "shareName", "secretNamespace")},
        ),
        ({"storageos": {"volumeNamespace": "A"}}, {".storageos.volumeName", ".storageos.volumeNamespace"}),
        ({"gcePersistentDisk": {}}, {".persistentDisk.pdName"}),
    ],
    ids=case_name,
)
def test_fields_of_a_volume(spec: Json, expected: set[str]) -> None:
    assert fields(volume(**spec)) == {f"spec{field}" for field in expected}
