"""Many pods: different ones, replicas, and replicas as an API server stores them once they are pending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks.dump import APP, TEAMS, ZONES, service_name

Json = dict[str, Any]

_SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


def pods(directory: Path, number: int, cpu: str = "100m") -> Path:
    """A list of pods of as many services, each away from its like and spread over zones."""
    items = [_pod(index, cpu) | {"apiVersion": "v1", "kind": "Pod"} for index in range(number)]
    return _written(directory / f"many-{number}-{cpu}.json", {"apiVersion": "v1", "kind": "List", "items": items})


def too_large(directory: Path, number: int) -> Path:
    """The same, all larger than any node, each in another respect, and for other nodes."""
    items = [_too_large(index) | {"apiVersion": "v1", "kind": "Pod"} for index in range(number)]
    return _written(directory / f"too-large-{number}.json", {"apiVersion": "v1", "kind": "List", "items": items})


def _too_large(index: int) -> Json:
    """Too much CPU, memory or both, of devices perhaps, on nodes of a team, of a zone or any."""
    pod = _pod(index, str(100 + 7 * index) if index % 3 else "500m")
    spec = pod["spec"]
    requests = spec["containers"][0]["resources"]["requests"]
    if index % 3 != 1:
        requests["memory"] = f"{200 + index}Gi"
    if index % 7 == 2:
        requests["nvidia.com/gpu"] = "8"
        spec["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "8"}
        spec["tolerations"] = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
    if index % 2:
        spec["nodeSelector"] = {"team": TEAMS[index % len(TEAMS)]}
    if index % 4 == 3:
        spec["nodeSelector"]["topology.kubernetes.io/zone"] = ZONES[index % len(ZONES)]
    if index % 5 < 2:
        del spec["topologySpreadConstraints"]
    return pod


def pending_workloads(directory: Path, workloads: int, replicas: int) -> Path:
    """Pending pods of so many ReplicaSets: too large for any node, for nodes that are not there, or for full ones."""
    items = [_waiting(workload, replica) for workload in range(workloads) for replica in range(replicas)]
    name = f"waiting-{workloads}-{replicas}.json"
    return _written(directory / name, {"apiVersion": "v1", "kind": "List", "items": items})


def _waiting(workload: int, replica: int) -> Json:
    """One of the replicas; every fifth workload asks for a label that no node has."""
    cpu = f"{7600 + 20 * workload}m" if workload % 2 else "7500m"
    pod = _pod(workload, cpu)
    owner = f"waiting-{workload}"
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": owner, "controller": True}
    pod["metadata"] |= {"name": f"{owner}-{replica}", "uid": f"{owner}-{replica}", "ownerReferences": [reference]}
    if workload % 5 == 0:
        pod["spec"]["nodeSelector"] = {"disk": f"ssd-{workload}"}
    pod["spec"] |= {"schedulerName": "default-scheduler", "priority": 0}
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/5000 nodes ..."}
    status = {"phase": "Pending", "conditions": [condition]}
    return pod | {"apiVersion": "v1", "kind": "Pod", "status": status}


def alone_on_a_node(directory: Path) -> Path:
    """A small pod that keeps to itself on a node."""
    pod = _pod(1, "100m") | {"apiVersion": "v1", "kind": "Pod"}
    del pod["spec"]["topologySpreadConstraints"]
    return _written(directory / "alone-on-a-node.json", pod)


def _pod(index: int, cpu: str) -> Json:
    app = service_name(index % 800)
    selector = {"matchLabels": {APP: app}}
    away = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    spread = {
        "maxSkew": 50,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": selector,
    }
    resources = {"requests": {"cpu": cpu, "memory": "128Mi"}}
    return {
        "metadata": {"name": f"new-{index}", "namespace": f"team-{index % 40}", "labels": {APP: app}},
        "spec": {
            "containers": [{"name": "main", "image": f"registry.example/{app}:v1", "resources": resources}],
            "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [away]}},
            "topologySpreadConstraints": [spread],
        },
    }


def deployment(directory: Path) -> Path:
    """Replicas spread over zones that may share nodes."""
    template = _pod(7, "10m")
    del template["spec"]["affinity"], template["metadata"]["name"]
    metadata = {"name": "replicated", "namespace": template["metadata"]["namespace"]}
    spec = {"replicas": 1, "selector": {"matchLabels": template["metadata"]["labels"]}, "template": template}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    return _written(directory / "many-replicas.json", deployment)


def _written(path: Path, manifest: Json) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(manifest))
    return path


# ------------------------------------------------------------------------------------------------------ pending


def pending(nodes: Path, number: int, directory: Path, *, with_devices: bool) -> Path:
    """A dump of those nodes and so many pending replicas that fit on none; perhaps with a DeviceClass."""
    items: list[Json] = msgspec.json.decode(nodes.read_bytes())["items"]
    items += [_pending(index) for index in range(number)]
    if with_devices:
        selector = {"cel": {"expression": "device.driver == 'gpu.example.com'"}}
        gpu = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}
        items.append(gpu | {"spec": {"selectors": [selector]}})
    name = f"pending-{number}{'-with-devices' if with_devices else ''}.json"
    return _written(directory / name, {"apiVersion": "v1", "kind": "List", "items": items})


def _pending(index: int) -> Json:
    """With the marks that tell replicas apart and that scheduling does not read."""
    name = f"web-7d4b9c6f5-{index:05x}"
    token = f"kube-api-access-{index:05x}"
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d4b9c6f5", "uid": "rs-1", "controller": True}
    projected = {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}}
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1000 nodes ..."}
    container = {
        "name": "main",
        "image": "registry.example/web:v1",
        "resources": {"requests": {"cpu": "64", "memory": "128Mi"}},
        "volumeMounts": [{"name": token, "mountPath": _SERVICE_ACCOUNT, "readOnly": True}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "generateName": "web-7d4b9c6f5-",
            "namespace": "shop",
            "uid": f"pod-{index}",
            "resourceVersion": str(100_000 + index),
            "creationTimestamp": f"2026-11-01T10:{index // 60 % 60:02}:{index % 60:02}Z",
            "labels": {"app": "web", "pod-template-hash": "7d4b9c6f5"},
            "ownerReferences": [owner],
        },
        "spec": {
            "containers": [container],
            "volumes": [{"name": token, "projected": {"defaultMode": 420, "sources": [projected]}}],
            "serviceAccountName": "default",
            "schedulerName": "default-scheduler",
            "priority": 0,
        },
        "status": {"phase": "Pending", "conditions": [condition], "qosClass": "Burstable"},
    }
