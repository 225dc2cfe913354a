"""Which nodes hold which images. Source: scheduler `backend/cache` `imageStates`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from kexplain.objects.core import Node


class ImageState(Struct, frozen=True):
    """An image somewhere in the cluster; its size is what the first node that holds it reports.

    `rank_by_node` are the nodes that hold it, numbered from 1 in the order in which they joined.
    """

    size_bytes: int
    rank_by_node: Mapping[str, int]


class Images:
    """The images of some nodes, noted once the first is asked for."""

    def __init__(self, nodes: Collection[Node]) -> None:
        """The nodes are in the order in which they joined."""
        self._nodes = nodes
        self._holders: Mapping[str, Sequence[Node]] | None = None
        self._is_asked = False
        self._known: dict[str, ImageState] = {}

    def states(self, names: Iterable[str]) -> dict[str, ImageState]:
        """Where these images are held, by image name; names that no node reports are missing."""
        names = [*names]
        # Most ask once, which is no reason to note all that every node holds.
        if self._is_asked and self._holders is None:
            self._holders = _holders(self._nodes)
        holders = _holders(self._nodes, {*names}) if self._holders is None else self._holders
        self._is_asked = True
        new = [name for name in names if name in holders and name not in self._known]
        self._known |= {name: _state(name, holders[name]) for name in new}
        return {name: self._known[name] for name in names if name in self._known}


def _holders(nodes: Iterable[Node], wanted: set[str] | None = None) -> Mapping[str, Sequence[Node]]:
    """The nodes that report each image, or each that is wanted, by each of its names; one may stand there twice."""
    holders: defaultdict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        names = chain.from_iterable([image.names or () for image in node.status.images or ()])
        for name in names if wanted is None else wanted.intersection(names):
            holders[name].append(node)
    return holders


def _state(name: str, holders: Sequence[Node]) -> ImageState:
    sizes = (image.size_bytes for image in holders[0].status.images or () if name in (image.names or ()))
    names = dict.fromkeys(node.name for node in holders)
    return ImageState(next(sizes) or 0, {node: rank for rank, node in enumerate(names, start=1)})
