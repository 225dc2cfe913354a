"""Where nodes stand for a pod, for ordering what is said of them."""

from collections import Counter
from collections.abc import Collection, Iterable

from kexplain.diagnosis.records import NodeCircles
from kexplain.explain.records import Cause
from kexplain.words import plural

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
        found = [(Counter(map(self.place, cause.nodes)), cause) for cause in causes]
        has_candidates = any(0 in places for places, _ in found)
        found.sort(key=lambda each: min(each[0]) if has_candidates else (each[1].nodes[0] not in about, min(each[0])))
        return [(_names(places), cause) for places, cause in found]


def _names(counts: Counter[int]) -> str:
    """The circle of all nodes; how many are in each where there are several."""
    names = (*NAMES, "others")
    if len(counts) == 1:
        name = (*NAMES, "")[next(iter(counts))]
        return name.removesuffix("s") if counts.total() == 1 else name
    return ", ".join(plural(counts[place], names[place].removesuffix("s"), names[place]) for place in sorted(counts))
