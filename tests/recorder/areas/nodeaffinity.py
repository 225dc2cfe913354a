"""Node selectors, node affinity and names of nodes."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.objects import ZONE
from tests.recorder.world import ZONES, World

_VALUES = {
    "disktype": ("ssd", "hdd", "nvme"),
    "gen": ("1", "3", "10"),
    "pool": ("batch", "general"),
    ZONE: ZONES,
    "none": ("x",),
}


def world(draw: Draw) -> World:
    """Pods that select nodes one way or another."""
    here = World(draw)
    here.run(2)
    for _ in range(draw.number(1, 3)):
        fields: dict[str, Any] = {}
        if draw.chance(0.35):
            label = draw.one(("disktype", "pool", ZONE))
            fields["nodeSelector"] = {label: draw.one(_VALUES[label])}
        affinity: dict[str, Any] = {}
        if draw.chance(0.7):
            terms = [term(draw, here.names) for _ in range(draw.number(1, 3))]
            affinity["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
        if draw.chance(0.5):
            affinity["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"preference": term(draw, here.names), "weight": draw.number(1, 100)} for _ in range(draw.number(1, 3))
            ]
        if affinity:
            fields["affinity"] = {"nodeAffinity": affinity}
        here.ask(**fields)
    return here


def term(draw: Draw, names: list[str]) -> dict[str, Any]:
    """A term: expressions over labels, over the name, or both."""
    by_label = [expression(draw) for _ in range(draw.number(1, 2))]
    if draw.chance(0.2):
        by_name = {
            "key": "metadata.name",
            "operator": draw.one(("In", "NotIn")),
            "values": [draw.one((*names, "gone"))],
        }
        return (
            {"matchFields": [by_name]} if draw.chance(0.5) else {"matchFields": [by_name], "matchExpressions": by_label}
        )
    return {"matchExpressions": by_label}


def expression(draw: Draw) -> dict[str, Any]:
    """An expression that an API server takes."""
    label = draw.one(list(_VALUES))
    operator = draw.one(("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"))
    if operator in {"Gt", "Lt"}:
        return {"key": "gen", "operator": operator, "values": [str(draw.number(0, 12))]}
    if operator in {"In", "NotIn"}:
        return {"key": label, "operator": operator, "values": draw.some(_VALUES[label], 2, 1)}
    return {"key": label, "operator": operator}
