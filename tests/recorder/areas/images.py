"""Images that some nodes have already."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import container
from tests.recorder.world import World, some_node, some_requests

IMAGES = ("registry.example/web:1", "registry.example/ml:2", "busybox", "busybox:latest", "registry.example/db:14")
_DIGEST = "registry.example/tool@sha256:" + "ab" * 32
_MEBI = 1 << 20


def world(draw: Draw) -> World:
    """Roomy nodes, so that images decide."""
    here = World(draw, nodes=(0, 0))
    roomy = {"cpu": ("16",), "memory": ("32Gi",), "pods": ("110",)}
    for number in range(draw.number(4, 14)):
        images = [
            {"names": _names(image), "sizeBytes": draw.number(1, 2000) * _MEBI}
            for image in draw.some((*IMAGES, _DIGEST), 4)
        ]
        here.nodes.append(some_node(draw, number, room=roomy, images=images))
    here.objects += here.nodes
    here.run(1)
    for _ in range(draw.number(1, 3)):
        fields: dict[str, Any] = {"containers": _containers(draw, "c", 3)}
        if draw.chance(0.25):
            fields["initContainers"] = _containers(draw, "i", 2)
        here.ask(**fields)
    return here


def _names(image: str) -> list[str]:
    return [image] if "@" in image or ":" in image else [f"{image}:latest"]


def _containers(draw: Draw, prefix: str, most: int) -> list[dict[str, Any]]:
    return [
        container(f"{prefix}{number}", some_requests(draw), image=draw.one((*IMAGES, _DIGEST)))
        for number in range(draw.number(1, most))
    ]
