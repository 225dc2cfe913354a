"""What the scenarios of most areas have in common: nodes in zones, and pods that run on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .draw import Draw
from .objects import REGION, ZONE, Object, namespaces, node, pod

ZONES = ("r1-a", "r1-b", "r1-c", "r2-a")
APPS = ("web", "db", "cache", "ml", "queue")
TIERS = ("front", "back")
CPU = ("100m", "250m", "500m", "1", "1500m", "2", "3")
MEMORY = ("64Mi", "256Mi", "500M", "1Gi", "2Gi", "3Gi", "6Gi")
PRIORITIES = (-10, 0, 0, 100, 1000, 2000)
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
TAINT_KEYS = ("dedicated", "gpu", "maintenance")
TAINT_VALUES = ("", "a", "b")


class World:
    """A scenario in the making."""

    def __init__(self, draw: Draw, *, nodes: tuple[int, int] = (3, 12), **each: Any) -> None:
        self.draw = draw
        self.nodes = [some_node(draw, number, **each) for number in range(draw.number(*nodes))]
        self.objects: list[Object] = [*namespaces(), *self.nodes]
        self.pending: list[Object] = []
        self._runs = 0
        #: A KubeSchedulerConfiguration, if it is not the default one.
        self.config: Object | None = None
        #: Where the round robin stands.
        self.start = 0

    @property
    def names(self) -> list[str]:
        """The names of the nodes."""
        return [each["metadata"]["name"] for each in self.nodes]

    def run(self, most: int, least: int = 0, **fields: Any) -> list[Object]:
        """Add pods that run somewhere, so many a node at the most."""
        running = []
        for name in self.names:
            for _ in range(self.draw.number(least, most)):
                fixed = {key: value(self.draw) if callable(value) else value for key, value in fields.items()}
                self._runs += 1
                running.append(some_pod(self.draw, f"run-{self._runs}", node_name=name, **fixed))
        self.objects += running
        return running

    def ask(self, **fields: Any) -> Object:
        """Add a pod that waits."""
        asking = some_pod(self.draw, f"p{len(self.pending)}", **fields)
        self.pending.append(asking)
        self.objects.append(asking)
        return asking


def some_node(draw: Draw, number: int, *, room: Mapping[str, Sequence[str]] = {}, **fields: Any) -> Object:
    """A node of some size, in some zone or none, with labels to select by; `room` overrides its sizes."""
    sizes: dict[str, Sequence[str]] = {
        "cpu": ("1", "2", "4", "7900m", "16"),
        "memory": ("2Gi", "4Gi", "8G", "16Gi", "32973452Ki"),
        "pods": ("3", "5", "10", "110"),
        "ephemeral-storage": ("10Gi", "100Gi"),
        **room,
    }
    labels = {"disktype": draw.one(("ssd", "hdd")), "gen": str(draw.number(1, 12)), "kubernetes.io/os": "linux"}
    if draw.chance(0.9):
        zone = draw.one(ZONES)
        labels |= {ZONE: zone, REGION: zone.partition("-")[0]}
    if draw.chance(0.5):
        labels["pool"] = draw.one(("batch", "general"))
    allocatable = {resource: draw.one(options) for resource, options in sizes.items()}
    if draw.chance(0.25):
        allocatable["nvidia.com/gpu"] = str(draw.number(0, 8))
    fields.setdefault("is_cordoned", draw.chance(0.06))
    fields.setdefault("taints", [some_taint(draw)] if draw.chance(0.1) else [])
    return node(f"node-{number:03}", allocatable, labels={**labels, **fields.pop("labels", {})}, **fields)


def some_taint(draw: Draw) -> dict[str, str]:
    """A taint that some tolerate."""
    taint = {"effect": draw.one(EFFECTS), "key": draw.one(TAINT_KEYS)}
    return {**taint, "value": value} if (value := draw.one(TAINT_VALUES)) else taint


def some_requests(draw: Draw) -> dict[str, str]:
    """What a container asks for: mostly CPU and memory, now and then nothing."""
    asked = {}
    if draw.chance(0.85):
        asked["cpu"] = draw.one(CPU)
    if draw.chance(0.85):
        asked["memory"] = draw.one(MEMORY)
    return asked


def some_labels(draw: Draw) -> dict[str, str]:
    """An app, and most times a tier."""
    labels = {"app": draw.one(APPS)}
    return {**labels, "tier": draw.one(TIERS)} if draw.chance(0.8) else labels


def some_pod(draw: Draw, name: str, **fields: Any) -> Object:
    """A pod of some app in some namespace; what is given stands."""
    fields.setdefault("requests", some_requests(draw))
    fields.setdefault("labels", some_labels(draw))
    fields.setdefault("namespace", draw.one(("default", "default", "team-a", "team-b")))
    fields.setdefault("priority", draw.one(PRIORITIES))
    return pod(name, **fields)
