"""Nodes of many shapes, most with GPUs, and bare pods of many sizes, as traces of GPU clusters have them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

Json = dict[str, Any]

GPU = "nvidia.com/gpu"
_MODELS = ("T4", "P100", "V100M16", "V100M32", "G1", "G2", "G3", "A10")
_NODE_CPUS, _NODE_GIB = (32, 64, 94, 96, 104, 128), (128, 256, 384, 512, 768)
_NODE_GPUS, _NODE_WEIGHTS = (0, 1, 2, 4, 8), (25, 5, 25, 10, 35)
_POD_MILLIS = (1000, 2000, 3152, 4000, 6000, 8000, 11400, 12000, 16000, 32000, 48000, 64000, 88000)
_POD_MIB = (1024, 2048, 4096, 12288, 16384, 24576, 32768, 65536, 131072, 262144)
_POD_GPUS, _POD_WEIGHTS = (0, 1, 2, 4, 8), (35, 50, 6, 4, 5)
_TOLERATION = {"key": GPU, "operator": "Exists"}


class MixedSize(NamedTuple):
    """How many nodes there are, pods that are tried to be put on them, and pods that are pending."""

    nodes: int
    tried: int
    pending: int


def cached(size: MixedSize, directory: Path) -> Path:
    """The dump, made if it is not there."""
    path = directory / f"mixed-{size.nodes}-{size.tried}-{size.pending}.json"
    if not path.exists():
        drawing = random.Random(2026)  # noqa: S311 (nothing secret)
        nodes = [_node(index, drawing) for index in range(size.nodes)]
        running = [pod for index in range(size.tried) if (pod := _placed(_pod(index, drawing), nodes, drawing))]
        pending = [_pod(size.tried + index, drawing) for index in range(size.pending)]
        _write(path, [*nodes, *running, *pending])
    return path


def asked(directory: Path, number: int) -> Path:
    """So many pods of different sizes of which one asks how often they fit, every third with a GPU."""
    pods = []
    for index in range(number):
        amounts = {"cpu": f"{500 + 250 * index}m", "memory": f"{1 + index % 4}Gi"}
        pods.append(_of(f"asked-{index}", amounts | ({GPU: "1"} if index % 3 == 2 else {}), [_TOLERATION]))
    return _write(directory / f"mixed-asked-{number}.json", pods)


def _node(index: int, drawing: random.Random) -> Json:
    name, (gpus,) = f"node-{index:04}", drawing.choices(_NODE_GPUS, _NODE_WEIGHTS)
    cpu, gib = drawing.choice(_NODE_CPUS) * 1000 - drawing.choice((0, 100, 250, 500)), drawing.choice(_NODE_GIB)
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": drawing.choice("abc")}
    offers = {"cpu": f"{cpu}m", "memory": f"{gib}Gi", "pods": "110"}
    spec: Json = {}
    if gpus:
        labels["gpu.model"], offers[GPU] = drawing.choice(_MODELS), str(gpus)
        if drawing.random() < 0.3:
            spec = {"taints": [{"key": GPU, "value": "present", "effect": "NoSchedule"}]}
    status = {"allocatable": offers, "capacity": offers, "conditions": [{"type": "Ready", "status": "True"}]}
    metadata = {"name": name, "uid": name, "labels": labels}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}


def _pod(index: int, drawing: random.Random) -> Json:
    amounts = {"cpu": f"{drawing.choice(_POD_MILLIS)}m", "memory": f"{drawing.choice(_POD_MIB)}Mi"}
    (gpus,) = drawing.choices(_POD_GPUS, _POD_WEIGHTS)
    tolerations = [_TOLERATION] if gpus and drawing.random() < 0.5 else []
    pod = _of(f"pod-{index:05}", amounts | ({GPU: str(gpus)} if gpus else {}), tolerations)
    if gpus and drawing.random() < 0.25:
        pod["spec"]["nodeSelector"] = {"gpu.model": drawing.choice(_MODELS)}
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes ..."}
    pod["metadata"] |= {"uid": pod["metadata"]["name"], "creationTimestamp": f"2026-11-01T10:00:{index % 60:02}Z"}
    pod["spec"] |= {"schedulerName": "default-scheduler", "priority": 0}
    return pod | {"status": {"phase": "Pending", "conditions": [condition]}}


def _of(name: str, amounts: Json, tolerations: list[Json]) -> Json:
    containers = [{"name": "main", "image": "busybox:1", "resources": {"requests": amounts, "limits": amounts}}]
    spec = {"containers": containers, "tolerations": tolerations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}, "spec": spec}


def _placed(pod: Json, nodes: list[Json], drawing: random.Random) -> Json | None:
    """The pod on a node drawn at random, if it has room for eight such pods in all."""
    node, wants = drawing.choice(nodes), pod["spec"]["containers"][0]["resources"]["requests"]
    has = node["status"]["allocatable"]
    if int(wants["cpu"][:-1]) * 8 > int(has["cpu"][:-1]) or GPU in wants or "nodeSelector" in pod["spec"]:
        return None
    pod["spec"]["nodeName"], pod["status"] = node["metadata"]["name"], {"phase": "Running"}
    return pod


def _write(path: Path, items: list[Json]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": items}))
    return path
