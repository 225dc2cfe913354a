"""Taints and tolerations of every effect and operator."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.world import EFFECTS, TAINT_KEYS, TAINT_VALUES, World, some_node, some_taint


def world(draw: Draw) -> World:
    """Most nodes are tainted, and pods tolerate some of it."""
    here = World(draw, nodes=(0, 0))
    for number in range(draw.number(3, 12)):
        taints = {(each["key"], each["effect"]): each for each in (some_taint(draw) for _ in range(draw.number(0, 3)))}
        here.nodes.append(some_node(draw, number, taints=list(taints.values()), is_cordoned=draw.chance(0.2)))
    here.objects += here.nodes
    here.run(2)
    for _ in range(draw.number(1, 3)):
        here.ask(tolerations=[toleration(draw) for _ in range(draw.number(1, 3))])
    return here


def toleration(draw: Draw) -> dict[str, Any]:
    """One that an API server takes."""
    if draw.chance(0.12):
        return {"operator": "Exists"}
    tolerated: dict[str, Any] = {"key": draw.one((*TAINT_KEYS, "node.kubernetes.io/unschedulable"))}
    if draw.chance(0.5):
        tolerated["operator"] = "Exists"
    else:
        tolerated |= {"operator": "Equal", "value": draw.one(TAINT_VALUES)}
    if draw.chance(0.7):
        tolerated["effect"] = draw.one(EFFECTS)
        if tolerated["effect"] == "NoExecute" and draw.chance(0.5):
            tolerated["tolerationSeconds"] = draw.number(0, 300)
    return tolerated
