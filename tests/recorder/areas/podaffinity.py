"""Affinity and anti-affinity between pods, required and preferred, of both sides."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import HOSTNAME, ZONE, selecting
from tests.recorder.world import APPS, TIERS, World


def world(draw: Draw) -> World:
    """Pods that seek or avoid each other; some of those that run do, too."""
    here = World(draw)
    here.run(2)
    here.run(1, affinity=affinity)
    for _ in range(draw.number(1, 4)):
        here.ask(affinity=affinity(draw))
    return here


def affinity(draw: Draw) -> dict[str, Any]:
    """What a pod says of others."""
    said: dict[str, Any] = {}
    for side in ("podAffinity", "podAntiAffinity"):
        if draw.chance(0.55):
            terms: dict[str, Any] = {}
            if draw.chance(0.6):
                terms["requiredDuringSchedulingIgnoredDuringExecution"] = [term(draw)]
            if draw.chance(0.6):
                terms["preferredDuringSchedulingIgnoredDuringExecution"] = [
                    {"podAffinityTerm": term(draw), "weight": draw.number(1, 100)} for _ in range(draw.number(1, 2))
                ]
            said[side] = terms
    return said


def term(draw: Draw) -> dict[str, Any]:
    """One term over nodes or zones, for some namespaces."""
    wanted: dict[str, Any] = {"topologyKey": draw.one((HOSTNAME, ZONE, ZONE, "pool"))}
    if draw.chance(0.9):
        wanted["labelSelector"] = selector(draw)
    if draw.chance(0.25):
        wanted["namespaces"] = draw.some(("default", "team-a", "team-b"), 2, 1)
    if draw.chance(0.25):
        wanted["namespaceSelector"] = selecting({} if draw.chance(0.4) else {"env": draw.one(("prod", "dev"))})
    return wanted


def selector(draw: Draw) -> dict[str, Any]:
    """Pods by app, tier, or an expression."""
    if draw.chance(0.6):
        return selecting({"app": draw.one(APPS)})
    operator = draw.one(("In", "NotIn", "Exists", "DoesNotExist"))
    values = {"values": draw.some(TIERS, 2, 1)} if operator in {"In", "NotIn"} else {}
    return {"matchExpressions": [{"key": "tier", "operator": operator, **values}]}
