"""Where nodes stand for a pod, for ordering what is said of them."""

from collections.abc import Collection, Iterable
from itertools import repeat

from kexplain.diagnosis.records import NodeCircles
from kexplain.explain.records import Cause

#: In the order in which they matter.
NAMES = ("candidates", "reserved", "ruled out", "out of service")


class Circles:
    """The circle of each node; none where nobody was asked about nodes."""

    def __init__(self, circles: NodeCircles | None) -> None:
        found = (circles.candidates, circles.reserved, circles.elsewhere, circles.out_of_service) if circles else ()
        self._place_by_node = {node: place for place, nodes in enumerate(found) for node in nodes}

    def place(self, node: str) -> int:
        """Where the node's circle stands in the order."""
        return self._place_by_node.get(node, len(NAMES))

    def name(self, node: str) -> str:
        """The node's circle; empty where that is not known."""
        place = self.place(node)
        return NAMES[place] if place < len(NAMES) else ""

    def is_aside(self, node: str) -> bool:
        """Whether the pod is about other nodes."""
        return bool(self._place_by_node) and self.place(node) > 0

    def in_order(self, causes: Iterable[Cause], about: Collection[str] = ()) -> list[tuple[str, Cause]]:
        """The causes on candidates first, or else on what it is about, each with the circle of its nodes."""
        place, unknown = self._place_by_node.get, repeat(len(NAMES))
        found = [(min(places := {*map(place, cause.nodes, unknown)}), len(places), cause) for cause in causes]
        has_candidates = any(place == 0 for place, _, _ in found)
        found.sort(key=lambda each: each[0] if has_candidates else (each[2].nodes[0] not in about, each[0]))
        names = (*NAMES, "")
        return [(names[place] if count == 1 else "several", cause) for place, count, cause in found]
