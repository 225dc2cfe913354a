"""Every fault put into one cluster each, and explained."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kexplain.api import Case, PodToPlace, explain
from kexplain.explanation.records import PodExplanation

from .faults import FAULTS
from .worlds import World

#: Clusters of three kinds take turns.
SEEDS = 3


@cache
def explained() -> Mapping[str, PodExplanation]:
    """By fault, in the order of their names."""
    found = {}
    for index, name in enumerate(sorted(FAULTS)):
        world = World(index % SEEDS)
        asking = FAULTS[name](world).asking
        (found[name],) = explain(Case(world.cluster(), (PodToPlace(asking),))).pods
    return found
