"""Which nodes hold which images. Source: scheduler `backend/cache` `imageStates`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from kexplain.objects.core import Node


class ImageState(Struct, frozen=True):
    """An image somewhere in the cluster; its size is what the first node that holds it reports.

    `rank_by_node` are the nodes that hold it, numbered from 1 in the order in which they joined.
    """

    size_bytes: int
    rank_by_node: Mapping[str, int]


class Images:
    """The images of some nodes. Those of one pod are looked for; once there is another pod, all are noted."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        """The nodes are in the order in which they joined."""
        self._nodes = nodes
        self._known: dict[str, ImageState] = {}
        self._looked_for: set[str] | None = set()

    def states(self, names: Iterable[str]) -> dict[str, ImageState]:
        """Where these images are held, by image name; names that no node reports are missing."""
        wanted = frozenset(names)
        if self._looked_for is not None and not wanted <= self._looked_for:
            is_first = not self._looked_for
            self._known = _states(self._nodes, wanted if is_first else None)
            self._looked_for = set(wanted) if is_first else None
        return {name: self._known[name] for name in wanted if name in self._known}


def _states(nodes: Iterable[Node], wanted: Collection[str] | None) -> dict[str, ImageState]:
    """The states of the images wanted, or of all."""
    sizes: dict[str, int] = {}
    holders: dict[str, dict[str, int]] = {}
    for node in nodes:
        for image in node.status.images or ():
            for name in image.names or ():
                if wanted is None or name in wanted:
                    sizes.setdefault(name, image.size_bytes or 0)
                    ranks = holders.setdefault(name, {})
                    ranks.setdefault(node.name, len(ranks) + 1)
    return {name: ImageState(size, holders[name]) for name, size in sizes.items()}
