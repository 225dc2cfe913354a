"""A little of everything in one cluster."""

from __future__ import annotations

from typing import Any

from tests.recorder.areas.nodeaffinity import expression
from tests.recorder.areas.podaffinity import affinity
from tests.recorder.areas.resources import shape
from tests.recorder.areas.spread import constraints
from tests.recorder.areas.taints import toleration
from tests.recorder.draw import Draw
from tests.recorder.world import World


def world(draw: Draw) -> World:
    """Each pod has some of what the other areas have one by one."""
    here = World(draw, nodes=(5, 28))
    here.run(4, affinity=lambda draw: affinity(draw) if draw.chance(0.15) else {})
    for _ in range(draw.number(1, 6)):
        here.ask(**wishes(draw))
    return here


def wishes(draw: Draw) -> dict[str, Any]:
    """What a pod asks for beside room."""
    fields: dict[str, Any] = shape(draw) if draw.chance(0.3) else {}
    if draw.chance(0.5):
        fields["tolerations"] = [toleration(draw) for _ in range(draw.number(1, 2))]
    if draw.chance(0.3):
        fields["topologySpreadConstraints"] = constraints(draw)
    wanted = affinity(draw) if draw.chance(0.4) else {}
    if draw.chance(0.3):
        terms = [{"matchExpressions": [expression(draw)]}]
        wanted["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    if wanted:
        fields["affinity"] = wanted
    if draw.chance(0.15):
        fields["nodeSelector"] = {"disktype": draw.one(("ssd", "hdd"))}
    return fields
