"""Dumps of clusters full of storage, as wide as `kubectl get` prints them: every pod has a claim, bound to a volume.

Volumes can be reached from one zone each, as those of cloud disks, and nodes name how many they can have attached.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import dump
from tests.benchmarks.dump import (
    CREATED,
    ZONES,
    Json,
    Size,
    digest,
    edition,
    host_name,
    node,
    pod,
    repeatable,
    services_for,
    uid,
    written,
)

DRIVER = "ebs.csi.aws.com"
ZONE = "topology.kubernetes.io/zone"
ATTACH_LIMIT = 25
DELAYED_CLASS = "gp3"
IMMEDIATE_CLASS = "gp3-immediate"
#: Claims that no pod of the dump uses, in the namespace of the pods that are explained.
NAMESPACE = "team-1"
BOUND_CLAIM = "restored"
DELAYED_CLAIM = "fresh"


def cached(size: Size, directory: Path) -> Path:
    """The dump of this size in a directory, written on first use or once what it comes from has changed."""
    return written(directory / f"storage-{size}-{edition(dump.__file__, __file__)}.json", _objects(size))


def _objects(size: Size) -> Iterator[Json]:
    draw = repeatable()
    services = services_for(size, draw)
    zone_by_node: dict[str, str] = {}
    for number in range(size.nodes):
        host = node(number, host_name(number), draw)
        zone_by_node[host_name(number)] = host["metadata"]["labels"][ZONE]
        yield host
    zones: list[str] = []
    namespaces: list[str] = []
    for number in range(size.pods):
        name = host_name(number % size.nodes)
        user = pod(number, draw.choice(services), name, draw)
        zones.append(zone_by_node[name])
        namespaces.append(user["metadata"]["namespace"])
        yield _with_claim(user, _claim_name(number))
    for number, namespace in enumerate(namespaces):
        yield _bound_claim(number, namespace, _claim_name(number), host_name(number % size.nodes))
    yield _bound_claim(size.pods, NAMESPACE, BOUND_CLAIM, host_name(0))
    yield _unbound_claim(size.pods + 1, NAMESPACE, DELAYED_CLAIM)
    for number, (namespace, zone) in enumerate(zip(namespaces, zones, strict=True)):
        yield _volume(number, namespace, _claim_name(number), zone)
    yield _volume(size.pods, NAMESPACE, BOUND_CLAIM, ZONES[0])
    for number, (name, zone) in enumerate(zone_by_node.items()):
        yield _csi_node(number, name, zone)
    yield _csi_driver()
    yield _storage_class(DELAYED_CLASS, "WaitForFirstConsumer", is_default=True)
    yield _storage_class(IMMEDIATE_CLASS, "Immediate", is_default=False)


def _with_claim(user: Json, claim: str) -> Json:
    spec = user["spec"]
    spec["containers"][0]["volumeMounts"].append({"mountPath": "/data", "name": "data"})
    spec["volumes"].append({"name": "data", "persistentVolumeClaim": {"claimName": claim}})
    return user


# ------------------------------------------------------------------------------------------- claims and volumes


def _claim_name(number: int) -> str:
    return f"data-{number:05x}"


def _volume_name(number: int) -> str:
    return f"pvc-{uid('claim', number)}"


def _class_name(number: int) -> str:
    """Of every fifth claim the class that binds at once."""
    return DELAYED_CLASS if number % 5 else IMMEDIATE_CLASS


def _bound_claim(number: int, namespace: str, name: str, selected_node: str) -> Json:
    claim = _claim(number, namespace, name)
    claim["metadata"]["annotations"] |= {
        "pv.kubernetes.io/bind-completed": "yes",
        "pv.kubernetes.io/bound-by-controller": "yes",
        "volume.beta.kubernetes.io/storage-provisioner": DRIVER,
        "volume.kubernetes.io/selected-node": selected_node,
        "volume.kubernetes.io/storage-provisioner": DRIVER,
    }
    claim["spec"] |= {"storageClassName": _class_name(number), "volumeName": _volume_name(number)}
    claim["status"] = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "20Gi"}, "phase": "Bound"}
    return claim


def _unbound_claim(number: int, namespace: str, name: str) -> Json:
    claim = _claim(number, namespace, name)
    claim["spec"]["storageClassName"] = DELAYED_CLASS
    claim["status"] = {"phase": "Pending"}
    return claim


def _claim(number: int, namespace: str, name: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "annotations": {"meta.helm.sh/release-name": "data", "meta.helm.sh/release-namespace": namespace},
            "creationTimestamp": CREATED,
            "finalizers": ["kubernetes.io/pvc-protection"],
            "labels": {"app.kubernetes.io/component": "data", "app.kubernetes.io/managed-by": "Helm"},
            "name": name,
            "namespace": namespace,
            "resourceVersion": str(3_000_000 + number),
            "uid": uid("claim", number),
        },
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "20Gi"}},
            "volumeMode": "Filesystem",
        },
    }


def _volume(number: int, namespace: str, claim: str, zone: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {
            "annotations": {
                "pv.kubernetes.io/provisioned-by": DRIVER,
                "volume.kubernetes.io/provisioner-deletion-secret-name": "",
                "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
            },
            "creationTimestamp": CREATED,
            "finalizers": ["external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-protection"],
            "name": _volume_name(number),
            "resourceVersion": str(4_000_000 + number),
            "uid": uid("volume", number),
        },
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "capacity": {"storage": "20Gi"},
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "name": claim,
                "namespace": namespace,
                "resourceVersion": str(3_000_000 + number),
                "uid": uid("claim", number),
            },
            "csi": {
                "driver": DRIVER,
                "fsType": "ext4",
                "volumeAttributes": {"storage.kubernetes.io/csiProvisionerIdentity": f"1760000000000-1234-{DRIVER}"},
                "volumeHandle": f"vol-{digest('volume', number)[:17]}",
            },
            "nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": ZONE, "operator": "In", "values": [zone]}]}]
                }
            },
            "persistentVolumeReclaimPolicy": "Delete",
            "storageClassName": _class_name(number),
            "volumeMode": "Filesystem",
        },
        "status": {"lastPhaseTransitionTime": CREATED, "phase": "Bound"},
    }


# ------------------------------------------------------------------------------------------- drivers and classes


def _csi_node(number: int, name: str, zone: str) -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSINode",
        "metadata": {
            "annotations": {
                "storage.alpha.kubernetes.io/migrated-plugins": (
                    "kubernetes.io/aws-ebs,kubernetes.io/azure-disk,kubernetes.io/azure-file,kubernetes.io/cinder,"
                    "kubernetes.io/gce-pd,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume"
                )
            },
            "creationTimestamp": CREATED,
            "name": name,
            "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": name, "uid": uid("node", number)}],
            "resourceVersion": str(5_000_000 + number),
            "uid": uid("csinode", number),
        },
        "spec": {
            "drivers": [
                {
                    "allocatable": {"count": ATTACH_LIMIT},
                    "name": DRIVER,
                    "nodeID": f"i-{number:017x}",
                    "topologyKeys": ["kubernetes.io/os", ZONE, f"topology.{DRIVER}/zone"],
                },
                {"name": "efs.csi.aws.com", "nodeID": f"i-{number:017x}", "topologyKeys": None},
            ]
        },
    }


def _csi_driver() -> Json:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "CSIDriver",
        "metadata": {"creationTimestamp": CREATED, "name": DRIVER, "uid": uid("csidriver", DRIVER)},
        "spec": {
            "attachRequired": True,
            "fsGroupPolicy": "ReadWriteOnceWithFSType",
            "podInfoOnMount": False,
            "requiresRepublish": False,
            "seLinuxMount": True,
            "storageCapacity": False,
            "volumeLifecycleModes": ["Persistent"],
        },
    }


def _storage_class(name: str, binding_mode: str, *, is_default: bool) -> Json:
    return {
        "allowVolumeExpansion": True,
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {
            "annotations": {"storageclass.kubernetes.io/is-default-class": str(is_default).lower()},
            "creationTimestamp": CREATED,
            "name": name,
            "uid": uid("class", name),
        },
        "parameters": {"encrypted": "true", "type": "gp3"},
        "provisioner": DRIVER,
        "reclaimPolicy": "Delete",
        "volumeBindingMode": binding_mode,
    }
