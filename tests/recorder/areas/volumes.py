"""Claims and volumes: bound and unbound, local, zonal, counted, and short of capacity."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import HOSTNAME, ZONE, Object, namespaced, of_cluster
from tests.recorder.world import ZONES, World

STORAGE = "storage.k8s.io/v1"
CLASSES = ("wait", "local", "now", "zonal", "cap")
_COMPLETED = {"pv.kubernetes.io/bind-completed": "yes"}


def world(draw: Draw) -> World:
    """A few claims for a few pods, some of which share one."""
    here = World(draw, nodes=(3, 8))
    here.run(2, namespace="default")
    here.objects += classes()
    here.objects += [_capacity(zone, size) for zone in draw.some(ZONES, 3) for size in (draw.one(("1Gi", "100Gi")),)]
    here.objects += [_csi_node(draw, name) for name in here.names if draw.chance(0.8)]
    claims = [f"c{number}" for number in range(draw.number(2, 5))]
    for claim in claims:
        here.objects += _claim(draw, claim, here.names)
    for running in [each for each in here.objects if each["kind"] == "Pod" and draw.chance(0.3)]:
        running["spec"]["volumes"] = _mounted(draw, claims)
    for _ in range(draw.number(1, 3)):
        here.ask(namespace="default", volumes=_mounted(draw, [*claims, *claims, "gone"]))
    return here


def classes() -> list[Object]:
    """A class for each way to bind, and the drivers that they name."""
    late, early = {"volumeBindingMode": "WaitForFirstConsumer"}, {"volumeBindingMode": "Immediate"}
    zonal = {"allowedTopologies": [{"matchLabelExpressions": [{"key": ZONE, "values": ["r1-a", "r1-b"]}]}]}
    return [
        of_cluster("StorageClass", "wait", STORAGE, provisioner="csi.example.com", **late),
        of_cluster("StorageClass", "local", STORAGE, provisioner="kubernetes.io/no-provisioner", **late),
        of_cluster("StorageClass", "now", STORAGE, provisioner="csi.example.com", **early),
        of_cluster("StorageClass", "zonal", STORAGE, provisioner="csi.example.com", **late, **zonal),
        of_cluster("StorageClass", "cap", STORAGE, provisioner="cap.example.com", **late),
        of_cluster("CSIDriver", "cap.example.com", STORAGE, spec={"attachRequired": True, "storageCapacity": True}),
        of_cluster("CSIDriver", "csi.example.com", STORAGE, spec={"attachRequired": True, "storageCapacity": False}),
    ]


def _capacity(zone: str, size: str) -> Object:
    return namespaced(
        "CSIStorageCapacity",
        f"cap-{zone}",
        STORAGE,
        "kube-system",
        capacity=size,
        nodeTopology={"matchLabels": {ZONE: zone}},
        storageClassName="cap",
    )


def _csi_node(draw: Draw, name: str) -> Object:
    driver: dict[str, Any] = {"name": "csi.example.com", "nodeID": name, "topologyKeys": [ZONE]}
    if draw.chance(0.7):
        driver["allocatable"] = {"count": draw.number(0, 3)}
    return of_cluster("CSINode", name, STORAGE, spec={"drivers": [driver]})


def _claim(draw: Draw, name: str, nodes: list[str]) -> list[Object]:
    """A claim, with the volume that it is bound to, or one that would suit it, or none."""
    kind = draw.one(CLASSES)
    mode = draw.one(("ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"))
    size = draw.one(("1Gi", "5Gi", "10Gi"))
    spec = {
        "accessModes": [mode],
        "resources": {"requests": {"storage": size}},
        "storageClassName": kind,
        "volumeMode": "Filesystem",
    }
    claim = namespaced("PersistentVolumeClaim", name, "v1", spec=spec, status={"phase": "Pending"})
    if draw.chance(0.4):
        return [claim, *([_volume(draw, name, kind, mode, nodes)] if draw.chance(0.4) else [])]
    volume = _volume(draw, name, kind, mode, nodes)
    volume["spec"]["claimRef"] = {
        "kind": "PersistentVolumeClaim",
        "name": name,
        "namespace": "default",
        "uid": claim["metadata"]["uid"],
    }
    volume["status"] = {"phase": "Bound"}
    claim["metadata"]["annotations"] = _COMPLETED
    spec["volumeName"] = volume["metadata"]["name"]
    claim["status"] = {"phase": "Bound"}
    return [volume, claim]


def _volume(draw: Draw, name: str, kind: str, mode: str, nodes: list[str]) -> Object:
    spec: dict[str, Any] = {
        "accessModes": [mode],
        "capacity": {"storage": draw.one(("5Gi", "10Gi", "20Gi"))},
        "persistentVolumeReclaimPolicy": "Retain",
        "storageClassName": kind,
        "volumeMode": "Filesystem",
    }
    labels = {}
    if kind == "local":
        spec["local"] = {"path": "/mnt/disk"}
        spec["nodeAffinity"] = _only_where(HOSTNAME, [draw.one(nodes)])
    else:
        spec["csi"] = {"driver": "csi.example.com", "volumeHandle": f"h-{name}"}
        if draw.chance(0.35):
            spec["nodeAffinity"] = _only_where(ZONE, draw.some(ZONES, 2, 1))
        elif draw.chance(0.3):
            labels = {ZONE: draw.one((*ZONES, "r1-a__r1-b"))}
    return of_cluster(
        "PersistentVolume", f"pv-{name}", "v1", metadata={"labels": labels}, spec=spec, status={"phase": "Available"}
    )


def _only_where(label: str, values: list[str]) -> dict[str, Any]:
    expression = {"key": label, "operator": "In", "values": values}
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}


def _mounted(draw: Draw, claims: list[str]) -> list[dict[str, Any]]:
    names = dict.fromkeys(draw.some(claims, 2, 1))
    return [{"name": f"v{number}", "persistentVolumeClaim": {"claimName": name}} for number, name in enumerate(names)]
