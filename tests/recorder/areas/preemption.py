"""Full nodes, pods of every priority, and budgets."""

from __future__ import annotations

from typing import Any

from tests.recorder.areas.podaffinity import affinity
from tests.recorder.areas.spread import constraints
from tests.recorder.draw import Draw
from tests.recorder.objects import Object, namespaced, selecting
from tests.recorder.world import APPS, World


def world(draw: Draw) -> World:
    """Who would have to go, and from where."""
    room = {"cpu": ("2", "4"), "memory": ("4Gi", "8Gi"), "pods": ("4", "6", "10")}
    here = World(draw, nodes=(2, 8), room=room)
    here.run(5, 1, priority=_priority, started=_started, namespace="default")
    here.objects += [_budget(draw, number) for number in range(draw.number(0, 3))]
    for _ in range(draw.number(1, 2)):
        fields: dict[str, Any] = {}
        if draw.chance(0.25):
            fields["affinity"] = affinity(draw)
        if draw.chance(0.2):
            fields["topologySpreadConstraints"] = constraints(draw)
        if draw.chance(0.1):
            fields["preemptionPolicy"] = "Never"
        asked = {"cpu": draw.one(("1", "1500m", "2", "3")), "memory": draw.one(("1Gi", "2Gi", "3Gi"))}
        here.ask(namespace="default", requests=asked, priority=draw.one((0, 100, 1000, 2000)), **fields)
    return here


def _priority(draw: Draw) -> int:
    return draw.one((-10, 0, 0, 100, 100, 1000))


def _started(draw: Draw) -> str:
    return f"2026-01-{draw.number(1, 9):02}T{draw.number(0, 23):02}:00:00Z"


def _budget(draw: Draw, number: int) -> Object:
    return namespaced(
        "PodDisruptionBudget",
        f"budget-{number}",
        "policy/v1",
        spec={"maxUnavailable": 1, "selector": selecting({"app": draw.one(APPS)})},
        status={"currentHealthy": 2, "desiredHealthy": 1, "disruptionsAllowed": draw.number(0, 2), "expectedPods": 2},
    )
