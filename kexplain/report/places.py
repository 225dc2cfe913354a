"""Which nodes stand together: by zone, and by pool."""

from __future__ import annotations

from collections.abc import Iterable

from kexplain.explain.output import Output
from kexplain.objects.core import Node
from kexplain.objects.node_pools import pools
from kexplain.objects.well_known import OLD_ZONE, ZONE


class NodePlaces(Output, frozen=True):
    """The names of the nodes by zone and by pool; those of no zone stand under none, and pools may be shapes."""

    zones: dict[str, tuple[str, ...]]
    pools: dict[str, tuple[str, ...]]


def node_places(nodes: Iterable[Node]) -> NodePlaces:
    """Where the nodes stand."""
    listed = list(nodes)
    zones: dict[str, list[str]] = {}
    for node in listed:
        if zone := node.labels.get(ZONE) or node.labels.get(OLD_ZONE):
            zones.setdefault(zone, []).append(node.name)
    return NodePlaces(
        zones={zone: tuple(names) for zone, names in zones.items()},
        pools={pool: tuple(node.name for node in members) for pool, members in pools(listed).items()},
    )
