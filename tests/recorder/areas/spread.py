"""Topology spread constraints that pods have themselves."""

from __future__ import annotations

from typing import Any

from tests.recorder.areas.podaffinity import selector
from tests.recorder.areas.taints import toleration
from tests.recorder.draw import Draw
from tests.recorder.objects import HOSTNAME, ZONE, selecting
from tests.recorder.world import World


def world(draw: Draw) -> World:
    """Replicas of one app, which spread over nodes and zones."""
    here = World(draw, nodes=(3, 14))
    here.run(3, namespace="default")
    for _ in range(draw.number(1, 5)):
        fields: dict[str, Any] = {"topologySpreadConstraints": constraints(draw)}
        if draw.chance(0.3):
            fields["tolerations"] = [toleration(draw)]
        if draw.chance(0.25):
            fields["nodeSelector"] = {"disktype": "ssd"}
        here.ask(namespace="default", labels={"app": "web", "tier": draw.one(("front", "back"))}, **fields)
    return here


def constraints(draw: Draw) -> list[dict[str, Any]]:
    """One to three, of different topologies or strictness, as an API server wants it."""
    kinds = [(key, when) for key in (HOSTNAME, ZONE, "pool") for when in ("DoNotSchedule", "ScheduleAnyway")]
    return [constraint(draw, *kind) for kind in draw.some(kinds, 3, 1)]


def constraint(draw: Draw, key: str, when: str) -> dict[str, Any]:
    """One constraint with some of the optional fields."""
    made: dict[str, Any] = {
        "labelSelector": selecting({"app": "web"}) if draw.chance(0.7) else selector(draw),
        "maxSkew": draw.number(1, 3),
        "topologyKey": key,
        "whenUnsatisfiable": when,
    }
    if when == "DoNotSchedule" and draw.chance(0.3):
        made["minDomains"] = draw.number(1, 5)
    if draw.chance(0.3):
        made["nodeAffinityPolicy"] = draw.one(("Honor", "Ignore"))
    if draw.chance(0.3):
        made["nodeTaintsPolicy"] = draw.one(("Honor", "Ignore"))
    if "matchLabels" in made["labelSelector"] and draw.chance(0.25):
        made["matchLabelKeys"] = ["tier"]
    return made
