"""Pods that are gated, of another scheduler, or nominated to a node."""

from __future__ import annotations

from typing import Any

from tests.recorder.draw import Draw
from tests.recorder.world import World


def world(draw: Draw) -> World:
    """Some wait outside the queue, some hold a place in it."""
    here = World(draw)
    here.run(2)
    for _ in range(draw.number(1, 4)):
        fields: dict[str, Any] = {}
        match draw.number(0, 5):
            case 0:
                fields["schedulingGates"] = [
                    {"name": name} for name in draw.some(("example.com/a", "b.io/quota"), 2, 1)
                ]
            case 1:
                fields["schedulerName"] = "someone-else"
            case 2 | 3:
                fields |= {"nominated": draw.one((*here.names, "gone")), "priority": draw.one((100, 1000))}
        here.ask(**fields)
    return here
