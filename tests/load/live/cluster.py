"""A small cluster with something of everything, as an API server holds it: also what scheduling does not read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

Json = dict[str, Any]

SECRET = "s3cr3t-v4lue"  # noqa: S105 (it must never turn up anywhere)
CREATED = "2026-11-01T10:00:00Z"


def objects(pods: int = 3) -> list[Json]:
    """The cluster, with so many running pods beside `shop/web`, which is pending."""
    numbers = count(1)
    return [_stored(obj, next(numbers)) for obj in (*_nodes(), *_pods(pods), *_policies(), *_workloads(), *_storage())]


def pending() -> Json:
    """A pod that nobody has created yet, too large for every node."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "new", "labels": {"app": "new"}},
        "spec": {"containers": [_container("main", "100")]},
    }


def _stored(obj: Json, number: int) -> Json:
    """The object as an API server has completed it, annotations with a secret included."""
    metadata = {
        "uid": f"00000000-0000-4000-8000-{number:012d}",
        "resourceVersion": str(1000 + number),
        "creationTimestamp": CREATED,
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": SECRET},
        **obj["metadata"],
    }
    return {**obj, "metadata": metadata}


def _object(api_version: str, kind: str, name: str, namespace: str = "", /, **fields: Any) -> Json:
    labels = {"labels": fields.pop("labels")} if "labels" in fields else {}
    where = {"namespace": namespace} if namespace else {}
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **where, **labels}, **fields}


def _nodes() -> Iterator[Json]:
    for number, zone in enumerate(("a", "b", "b"), start=1):
        name = f"worker-{number}"
        labels = {
            "kubernetes.io/hostname": name,
            "topology.kubernetes.io/zone": zone,
            "team": "blue",
            "size": str(number),
        }
        spec = {"taints": [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]} if number == 3 else {}
        resources = {"cpu": "4", "memory": "8Gi", "pods": "110"}
        images = [{"names": ["registry.example/shop/web:v1"], "sizeBytes": 90_000_000}]
        info = {"kubeletVersion": "v1.36.1", "machineID": "0123"}
        state = {"allocatable": resources, "capacity": resources, "images": images, "nodeInfo": info}
        yield _object("v1", "Node", name, labels=labels, spec=spec, status=state)


def _container(name: str, cpu: str) -> Json:
    return {
        "name": name,
        "image": "registry.example/shop/web:v1",
        "env": [{"name": "PASSWORD", "value": SECRET}],
        "resources": {"requests": {"cpu": cpu, "memory": "64Mi"}},
    }


def _pods(running: int) -> Iterator[Json]:
    for number in range(running):
        spec = {
            "nodeName": f"worker-{number % 2 + 1}",
            "containers": [_container("main", "1m" if number > 5 else "1")],
            "schedulerName": "default-scheduler",
            "priority": 0,
            "volumes": [{"name": "config", "configMap": {"name": SECRET}}],
        }
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "api-1", "uid": "api-1", "controller": True}
        pod = _object(
            "v1", "Pod", f"api-{number:04d}", "shop", labels={"app": "api"}, spec=spec, status={"phase": "Running"}
        )
        pod["metadata"]["ownerReferences"] = [owner]
        yield pod
    spread = {
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    anti = {
        "labelSelector": {"matchLabels": {"app": "api"}},
        "topologyKey": "kubernetes.io/hostname",
        "namespaces": ["shop"],
    }
    spec = {
        "containers": [_container("main", "3500m")],
        "schedulerName": "default-scheduler",
        "priority": 1000,
        "priorityClassName": "important",
        "topologySpreadConstraints": [spread],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "size", "operator": "Gt", "values": ["0"]}]}]
                }
            },
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "podAffinityTerm": anti}]
            },
        },
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}],
    }
    yield _object("v1", "Pod", "web", "shop", labels={"app": "web"}, spec=spec, status={"phase": "Pending"})


def _policies() -> Iterator[Json]:
    for name in ("default", "shop"):
        yield _object("v1", "Namespace", name, labels={"kubernetes.io/metadata.name": name})
        yield _object("v1", "ServiceAccount", "default", name)
    yield _object("scheduling.k8s.io/v1", "PriorityClass", "important", value=1000)
    yield _object("node.k8s.io/v1", "RuntimeClass", "sandboxed", handler="runsc")
    selector = {"matchLabels": {"app": "api"}}
    yield _object(
        "policy/v1", "PodDisruptionBudget", "api", "shop", spec={"selector": selector}, status={"disruptionsAllowed": 0}
    )
    limits = [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]
    yield _object("v1", "LimitRange", "defaults", "shop", spec={"limits": limits})


def _workloads() -> Iterator[Json]:
    template = {"metadata": {"labels": {"app": "api"}}, "spec": {"containers": [_container("main", "1")]}}
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "api"}}, "template": template}
    yield _object("v1", "Service", "api", "shop", spec={"selector": {"app": "api"}, "clusterIP": "10.0.0.7"})
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "api", "controller": True}
    replica_set = _object("apps/v1", "ReplicaSet", "api-1", "shop", spec=spec)
    replica_set["metadata"]["ownerReferences"] = [owner]
    yield replica_set
    yield _object("apps/v1", "Deployment", "api", "shop", spec=spec)


def _storage() -> Iterator[Json]:
    yield _object(
        "storage.k8s.io/v1", "StorageClass", "fast", provisioner="csi.example.com", volumeBindingMode="Immediate"
    )
    zone = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a"]}
    volume = {
        "capacity": {"storage": "1Gi"},
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "fast",
        "claimRef": {"name": "data", "namespace": "shop"},
        "csi": {"driver": "csi.example.com", "volumeHandle": "handle-1"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [zone]}]}},
    }
    yield _object("v1", "PersistentVolume", "pv-1", spec=volume, status={"phase": "Bound"})
    spec = {
        "volumeName": "pv-1",
        "storageClassName": "fast",
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}},
    }
    claim = _object("v1", "PersistentVolumeClaim", "data", "shop", spec=spec, status={"phase": "Bound"})
    claim["metadata"]["annotations"] = {"pv.kubernetes.io/bind-completed": "yes", "note": SECRET}
    yield claim
    yield _object(
        "storage.k8s.io/v1", "CSINode", "worker-1", spec={"drivers": [{"name": "csi.example.com", "nodeID": "i-1"}]}
    )
    yield _object("storage.k8s.io/v1", "CSIDriver", "csi.example.com", spec={"storageCapacity": False})
