"""Equal verdicts written once, in reports on so many pods and nodes that each of its own would fill the disk."""

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from kexplain.diagnosis.records import NodeCircles
from kexplain.explain.records import NodeVerdict, SharedVerdict, Verdict
from kexplain.explanation.records import PodExplanation, VerdictNodes
from kexplain.grouping import grouped

#: Reports on several pods with more verdicts on nodes than these share them.
WRITTEN_OUT = 10_000
#: So many distinct verdicts are remembered; one that comes again later is written again.
REMEMBERED = 100_000


def shares(pods: int, nodes: int) -> bool:
    """Whether a report on so many pods and nodes shares verdicts."""
    return pods > 1 and pods * nodes > WRITTEN_OUT


class Sharing:
    """What has been written for the pods so far."""

    def __init__(self, node_names: Iterable[str]) -> None:
        self.node_names = tuple(node_names)
        self._place_by_name = {name: place for place, name in enumerate(self.node_names)}
        #: By what is written: facts about volumes hold labels of nodes by name, and have no hash.
        self._number_by_verdict: dict[bytes, int] = {}
        #: The same by identity, which is quicker, each with the verdict so that it stays.
        self._known: dict[int, tuple[NodeVerdict, int]] = {}
        self._numbers = 0
        self._pods = 0
        self._last: tuple[int, PodExplanation] | None = None

    def shared(self, pod: PodExplanation) -> PodExplanation:
        """The next pod, with what no pod before it has."""
        place, last = self._pods, self._last
        self._pods += 1
        if not pod.node_verdicts:
            return pod
        if last is not None and pod.node_verdicts is last[1].node_verdicts:
            alike = replace(pod, same_as=last[0], node_verdicts=(), causes=(), remedies=(), preemption=None)
            return replace(alike, diagnosis=None, circles=None)
        self._last = place, pod
        fresh: list[SharedVerdict] = []
        numbered = (((self._number(one, fresh), one.rank), self._place_by_name[one.node]) for one in pod.node_verdicts)
        nodes = tuple(
            VerdictNodes(verdict=number, nodes=ranges(sorted(found)), rank=rank)
            for (number, rank), found in grouped(numbered).items()
        )
        pod = replace(pod, node_verdicts=(), shared_verdicts=nodes, verdicts=tuple(fresh))
        diagnosis = pod.diagnosis and replace(pod.diagnosis, nodes=self._places(pod.diagnosis.nodes))
        return replace(pod, diagnosis=diagnosis, circles=pod.circles and self._circles(pod.circles))

    def _circles(self, circles: NodeCircles) -> NodeCircles:
        return NodeCircles(**{name: self._places(names) for name, names in msgspec.structs.asdict(circles).items()})

    def _places(self, names: Iterable[str]) -> tuple[str, ...]:
        """These nodes as places among all, behind them the names of those that are gone; nothing for none."""
        known = {name: self._place_by_name.get(name) for name in names}
        places = ranges(sorted(place for place in known.values() if place is not None))
        return (*([places] if places else ()), *(name for name, place in known.items() if place is None))

    def _number(self, verdict: NodeVerdict, fresh: list[SharedVerdict]) -> int:
        """The verdict's number; one that is new joins the `fresh` ones."""
        known = self._known.get(id(verdict))
        if known is not None:
            return known[1]
        without_node = SharedVerdict(**{name: getattr(verdict, name) for name in SharedVerdict.__struct_fields__})
        written = msgspec.json.encode(without_node)
        number = self._number_by_verdict.get(written)
        if number is None:
            if len(self._number_by_verdict) >= REMEMBERED:
                self._number_by_verdict.clear()
            number = self._number_by_verdict[written] = self._numbers
            self._numbers += 1
            fresh.append(without_node)
        if verdict.verdict is not Verdict.FEASIBLE:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[id(verdict)] = (verdict, number)
        return number


def ranges(places: Sequence[int]) -> str:
    """Whole numbers, each once and in order, as in `0-3,8`."""
    texts = []
    for _, run in groupby(enumerate(places), lambda each: each[1] - each[0]):
        numbers = [number for _, number in run]
        texts.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ",".join(texts)
