"""A scenario: a cluster, and the pods to place in it one after the other."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from . import areas
from .draw import Draw
from .objects import in_order, key
from .world import World

#: What there is to draw, in the order of the alphabet: a module each.
AREAS = tuple(sorted(module.name for module in pkgutil.iter_modules(areas.__path__)))


def scenarios(area: str, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """So many scenarios of this area; each depends on seed, area and its own number alone."""
    generator = importlib.import_module(f"{areas.__name__}.{area}")
    for number in range(count):
        world: World = generator.world(Draw(f"{seed} {area} {number}"))
        yield _scenario(area, number, world)


def _scenario(area: str, number: int, world: World) -> dict[str, Any]:
    row: dict[str, Any] = {
        "area": area,
        "id": f"{area}-{number:04}",
        "objects": in_order(world.objects),
        "pods": [key(each) for each in world.pending],
    }
    if world.config is not None:
        row["config"] = world.config
    if world.start:
        row["startNodeIndex"] = world.start
    return row
