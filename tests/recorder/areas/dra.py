"""Devices: classes, slices, claims, constraints between devices, claims that are taken."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import Object, namespaced, of_cluster
from tests.recorder.world import World

RESOURCE = "resource.k8s.io/v1"
GPU, NIC = "gpu.example.com", "nic.example.com"
_MODELS = ("a100", "h100", "t4")


def world(draw: Draw) -> World:
    """Nodes with graphics and network cards, and pods that claim some."""
    here = World(draw, nodes=(3, 8), room={"cpu": ("8", "16"), "memory": ("16Gi", "32Gi")})
    here.run(1)
    here.objects += classes()
    for name in here.names:
        if draw.chance(0.8):
            here.objects.append(_slice(name, GPU, [_gpu(draw, number) for number in range(draw.number(1, 4))]))
        if draw.chance(0.35):
            here.objects.append(_slice(name, NIC, [_nic(number) for number in range(2)]))
    claims = [f"claim-{number}" for number in range(draw.number(1, 5))]
    here.objects += [_claim(draw, name) for name in claims]
    for _ in range(draw.number(1, 3)):
        named = draw.some([*claims, *claims, *claims, "claim-gone"], 2, 1)
        references = [{"name": f"r{number}", "resourceClaimName": name} for number, name in enumerate(named)]
        here.ask(namespace="default", resourceClaims=references)
    return here


def classes() -> list[Object]:
    """Cards of a driver, and the big ones among them."""
    big = f'device.driver == "{GPU}" && device.capacity["{GPU}"].memory.compareTo(quantity("40Gi")) >= 0'
    return [
        _class("gpu", f'device.driver == "{GPU}"'),
        _class("biggpu", big),
        _class("nic", f'device.driver == "{NIC}"'),
    ]


def _class(name: str, expression: str) -> Object:
    return of_cluster("DeviceClass", name, RESOURCE, spec={"selectors": [{"cel": {"expression": expression}}]})


def _slice(node: str, driver: str, devices: list[dict[str, Any]]) -> Object:
    pool = {"generation": 1, "name": node, "resourceSliceCount": 1}
    spec = {"devices": devices, "driver": driver, "nodeName": node, "pool": pool}
    return of_cluster("ResourceSlice", f"{driver.partition('.')[0]}-{node}", RESOURCE, spec=spec)


def _gpu(draw: Draw, number: int) -> dict[str, Any]:
    attributes = {
        "driverVersion": {"version": draw.one(("1.2.0", "2.0.1"))},
        "healthy": {"bool": draw.chance(0.9)},
        "index": {"int": number},
        "model": {"string": draw.one(_MODELS)},
        "numa": {"int": number % 2},
    }
    capacity = {"memory": {"value": draw.one(("16Gi", "40Gi", "80Gi"))}}
    return {"attributes": attributes, "capacity": capacity, "name": f"gpu-{number}"}


def _nic(number: int) -> dict[str, Any]:
    return {"attributes": {"numa": {"int": number % 2}}, "name": f"nic-{number}"}


def _claim(draw: Draw, name: str) -> Object:
    requests = [_request(draw, number) for number in range(draw.number(1, 2))]
    devices: dict[str, Any] = {"requests": requests}
    if len(requests) > 1 and draw.chance(0.4):
        devices["constraints"] = [{"matchAttribute": f"{GPU}/{draw.one(('numa', 'model'))}"}]
    return namespaced("ResourceClaim", name, RESOURCE, spec={"devices": devices}, status={})


def _request(draw: Draw, number: int) -> dict[str, Any]:
    exactly: dict[str, Any] = {"deviceClassName": draw.one(("gpu", "gpu", "biggpu", "nic"))}
    if draw.chance(0.2):
        exactly["allocationMode"] = "All"
    else:
        exactly |= {"allocationMode": "ExactCount", "count": draw.number(1, 2)}
    if draw.chance(0.35) and exactly["deviceClassName"] != "nic":
        exactly["selectors"] = [{"cel": {"expression": _selector(draw)}}]
    return {"exactly": exactly, "name": f"r{number}"}


def _selector(draw: Draw) -> str:
    return draw.one(
        (
            f'device.attributes["{GPU}"].model == "{draw.one(_MODELS)}"',
            f'device.attributes["{GPU}"].healthy',
            f'device.attributes["{GPU}"].driverVersion.isGreaterThan(semver("1.9.0"))',
            f'device.capacity["{GPU}"].memory.compareTo(quantity("16Gi")) > 0',
        )
    )
