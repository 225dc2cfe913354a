"""Requests: of init containers, sidecars, overheads, extended resources, whole pods."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import Object, container
from tests.recorder.world import World, some_requests

EXTENDED = ("nvidia.com/gpu", "example.com/fpga", "hugepages-2Mi")


def world(draw: Draw) -> World:
    """Nodes that are half full, and pods of every shape."""
    here = World(draw)
    for each in here.nodes:
        if draw.chance(0.5):
            amount = "64Mi" if (extra := draw.one(EXTENDED)).startswith("hugepages") else str(draw.number(0, 4))
            each["status"]["allocatable"][extra] = each["status"]["capacity"][extra] = amount
    here.run(4)
    for _ in range(draw.number(1, 3)):
        here.ask(**shape(draw))
    return here


def shape(draw: Draw) -> dict[str, Any]:
    """The containers of a pod, and what it asks for beside them."""
    fields: dict[str, Any] = {
        "containers": [container(f"c{number}", requests(draw)) for number in range(draw.number(1, 3))]
    }
    if draw.chance(0.4):
        fields["initContainers"] = [init(draw, number) for number in range(draw.number(1, 2))]
    if draw.chance(0.2):
        fields["overhead"] = {"cpu": "250m", "memory": "120Mi"}
    return fields


def init(draw: Draw, number: int) -> Object:
    """An init container, one in three a sidecar."""
    sidecar = {"restartPolicy": "Always"} if draw.chance(0.33) else {}
    return container(f"i{number}", some_requests(draw), **sidecar)


def requests(draw: Draw) -> dict[str, str]:
    """What one container asks for, now and then a resource that few nodes have."""
    asked = some_requests(draw)
    if draw.chance(0.15):
        extra = draw.one(EXTENDED)
        asked[extra] = "8Mi" if extra.startswith("hugepages") else str(draw.number(1, 3))
        if extra.startswith("hugepages"):
            # An API server takes huge pages only beside CPU or memory.
            asked.setdefault("cpu", "100m")
    if draw.chance(0.15):
        asked["ephemeral-storage"] = draw.one(("1Gi", "20Gi", "200Gi"))
    return asked
