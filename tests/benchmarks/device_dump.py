"""Dumps of clusters full of devices, as wide as `kubectl get` prints them: eight in each node, every fourth taken.

Devices are described as drivers of accelerators do; those of a node are of one model.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import dump
from tests.benchmarks.dump import (
    AGENT,
    CREATED,
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

DRIVER = "gpu.example.com"
DEVICES_PER_NODE = 8
#: Model, architecture and memory; nodes have them in turns.
MODELS = (("A100-SXM4-40GB", "Ampere", "40Gi"), ("H100-SXM5-80GB", "Hopper", "80Gi"), ("Tesla-T4", "Turing", "15Gi"))
#: Every fourth device is allocated.
DEVICES_PER_CLAIM = 4
#: Claims that no pod of the dump uses, in the namespace of the pods that are explained.
NAMESPACE = "team-1"
CLAIM = "training"
UNMET_CLAIM = "training-too-big"


def cached(nodes: int, directory: Path) -> Path:
    """The dump of so many nodes in a directory, written on first use or once what it comes from has changed."""
    return written(directory / f"devices-{nodes}-{edition(dump.__file__, __file__)}.json", _objects(nodes))


def _objects(nodes: int) -> Iterator[Json]:
    draw = repeatable()
    claims = range(nodes * DEVICES_PER_NODE // DEVICES_PER_CLAIM)
    services = services_for(Size(nodes, len(claims)), draw)
    for number in range(nodes):
        yield node(number, host_name(number), draw)
    users = []
    for number in range(nodes):
        yield pod(number, AGENT, host_name(number), draw)
    for number in claims:
        node_number, _ = _allocated(number)
        user = pod(nodes + number, draw.choice(services), host_name(node_number), draw)
        users.append(user["metadata"])
        yield _with_claim(user, number)
    yield _device_class()
    for number in range(nodes):
        yield _slice(number)
    for number, metadata in enumerate(users):
        yield _allocated_claim(number, metadata)
    yield _claim(len(claims), CLAIM, MODELS[1][0], "80Gi")
    yield _claim(len(claims) + 1, UNMET_CLAIM, MODELS[1][0], "96Gi")


def _allocated(claim: int) -> tuple[int, int]:
    """The node, and the device of it, that a claim was given."""
    return divmod(claim * DEVICES_PER_CLAIM, DEVICES_PER_NODE)


def _with_claim(user: Json, number: int) -> Json:
    reference = {"name": "gpu", "resourceClaimName": _claim_name(number)}
    user["spec"]["containers"][0]["resources"]["claims"] = [{"name": "gpu"}]
    user["spec"]["resourceClaims"] = [reference]
    user["status"]["resourceClaimStatuses"] = [reference]
    return user


# ------------------------------------------------------------------------------------------------------ devices


def _device_class() -> Json:
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"creationTimestamp": CREATED, "name": DRIVER, "uid": uid("deviceclass", DRIVER)},
        "spec": {
            "selectors": [
                {"cel": {"expression": f"device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == 'gpu'"}}
            ]
        },
    }


def _slice(number: int) -> Json:
    name = host_name(number)
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {
            "creationTimestamp": CREATED,
            "generateName": f"{name}-{DRIVER}-",
            "generation": 1,
            "name": f"{name}-{DRIVER}-{digest('slice', number)[:5]}",
            "ownerReferences": [
                {"apiVersion": "v1", "controller": True, "kind": "Node", "name": name, "uid": uid("node", number)}
            ],
            "resourceVersion": str(6_000_000 + number),
            "uid": uid("slice", number),
        },
        "spec": {
            "devices": [_device(number, index) for index in range(DEVICES_PER_NODE)],
            "driver": DRIVER,
            "nodeName": name,
            "pool": {"generation": 1, "name": name, "resourceSliceCount": 1},
        },
    }


def _device_name(index: int) -> str:
    return f"gpu-{index}"


def _device(node_number: int, index: int) -> Json:
    model, architecture, memory = MODELS[node_number % len(MODELS)]
    return {
        "attributes": {
            "architecture": {"string": architecture},
            "brand": {"string": "Example"},
            "computeCapability": {"version": "9.0.0"},
            "driverVersion": {"version": "570.86.15"},
            "minor": {"int": index},
            "migCapable": {"bool": architecture != "Turing"},
            "productName": {"string": model},
            "resource.kubernetes.io/pciBusID": {"string": f"0000:{index:02x}:00.0"},
            "resource.kubernetes.io/pcieRoot": {"string": f"pci0000:{index // 2:02x}"},
            "type": {"string": "gpu"},
            "uuid": {"string": f"GPU-{uid('device', f'{node_number}/{index}')}"},
        },
        "capacity": {"memory": {"value": memory}},
        "name": _device_name(index),
    }


# ------------------------------------------------------------------------------------------------------- claims


def _claim_name(number: int) -> str:
    return f"gpu-{number:05x}"


def _claim(number: int, name: str, model: str, memory: str, namespace: str = NAMESPACE) -> Json:
    expressions = (
        f"device.attributes['{DRIVER}'].productName == '{model}'",
        f"device.capacity['{DRIVER}'].memory.compareTo(quantity('{memory}')) >= 0",
    )
    exactly = {
        "allocationMode": "ExactCount",
        "count": 1,
        "deviceClassName": DRIVER,
        "selectors": [{"cel": {"expression": expression}} for expression in expressions],
    }
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "creationTimestamp": CREATED,
            "name": name,
            "namespace": namespace,
            "resourceVersion": str(7_000_000 + number),
            "uid": uid("resourceclaim", number),
        },
        "spec": {"devices": {"requests": [{"exactly": exactly, "name": "gpu"}]}},
        "status": {},
    }


def _allocated_claim(number: int, user: Json) -> Json:
    node_number, index = _allocated(number)
    name = host_name(node_number)
    model, _, memory = MODELS[node_number % len(MODELS)]
    claim = _claim(number, _claim_name(number), model, memory, user["namespace"])
    claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    on_node = {"key": "metadata.name", "operator": "In", "values": [name]}
    claim["status"] = {
        "allocation": {
            "allocationTimestamp": CREATED,
            "devices": {"results": [{"device": _device_name(index), "driver": DRIVER, "pool": name, "request": "gpu"}]},
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [on_node]}]},
        },
        "reservedFor": [{"name": user["name"], "resource": "pods", "uid": user["uid"]}],
    }
    return claim
