"""Two reports on the same pods, compared: which verdicts change, which nodes change rank, and what moved them."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explain.records import API_VERSION, NodeVerdict, Verdict
from kexplain.explanation.records import PodExplanation, PodReference
from kexplain.framework.trace import Outcome
from kexplain.report.release_changes import ReleaseChange

VERDICT = "verdict"
NODE = "node"
RANK = "rank"
NODES = "nodes"
MESSAGE = "message"

Pod = TypeVar("Pod")
#: The points of a node by plugin, by the node's name; none where it was not ranked.
PointsOf: TypeAlias = Callable[[str], Mapping[str, int]]


class Side(Output, frozen=True):
    """What one of the two reports was made with; `settings` are the options that say so."""

    kubernetes_version: str
    settings: tuple[str, ...] = ()


class Standing(Output, frozen=True):
    """How the pod fared; `node` is the one it lands on, one of `best` drawn at random.

    One that is `running` has that node already, and was not placed.
    """

    outcome: Outcome
    message: str = ""
    node: str = ""
    best: tuple[str, ...] = ()
    total: int | None = None
    feasible: int = 0
    running: bool = False


class PluginShift(Output, frozen=True):
    """A plugin's part in a change.

    By how many points it moved the node that is best afterwards against the one that was best before, or a node
    against itself; `before` and `after` are the weighted points, None where it does not score.
    """

    plugin: str
    points: int
    before: int | None = None
    after: int | None = None


class NodeStanding(Output, frozen=True):
    """How one node fared: what stopped it, or its rank among those that fit; Absent where there is no such node."""

    verdict: Verdict
    stopped_by: str = ""
    detail: str = ""
    rank: int | None = None
    total: int | None = None


class NodeDifference(Output, frozen=True):
    """A node that fared otherwise, and the plugins whose points for it changed."""

    node: str
    before: NodeStanding
    after: NodeStanding
    moved_by: tuple[PluginShift, ...] = ()


class PodDifference(Output, frozen=True):
    """A pod on both sides.

    `changed` names what is different: `verdict` (the outcome), `node` (the set of best nodes), `rank` (the order of
    the others), `nodes` (what fits, or what stopped a node), `message`; empty if all is the same. `moved_by` are the
    plugins that made another node the best one, the strongest first.
    """

    pod: PodReference
    changed: tuple[str, ...]
    before: Standing
    after: Standing
    moved_by: tuple[PluginShift, ...] = ()
    #: The first of the `changed_nodes`.
    nodes: tuple[NodeDifference, ...] = ()
    changed_nodes: int = 0
    #: Pods that came before it in the queue and took other nodes, by `namespace/name`: part of the change is theirs.
    moved_before: tuple[str, ...] = ()


class DifferenceReport(Output, frozen=True):
    """All pods that both sides were asked about."""

    before: Side
    after: Side
    pods: tuple[PodDifference, ...]
    notes: tuple[str, ...] = ()
    #: What differs between the releases of the two sides, and touches an object of the cluster.
    releases: tuple[ReleaseChange, ...] = ()
    api_version: str = API_VERSION
    kind: str = "Difference"


class Placed(Protocol):
    """A pod that was placed, and is explained only where that shows something."""

    @property
    def key(self) -> str: ...

    def explained(self) -> PodExplanation:
        """Why it lands where it does."""


class Explained(Struct, frozen=True):
    """One side: what it was made with, and the pods of its queue, each of which sees those before it."""

    side: Side
    queue: Iterable[PodExplanation]


def difference(before: Explained, after: Explained, *, top: int = 0) -> DifferenceReport:
    """Both queues compared pod by pod; of each pod no more than `top` nodes are kept, 0 keeps all.

    A pod that only one side has is named in a note.
    """
    alone: list[str] = []
    pods: list[PodDifference] = []
    moved: list[str] = []
    for one, other in _matched(before.queue, after.queue, lambda each: each.pod.key, alone):
        pods.append(pod_difference(one, other, top, moved))
        if pods[-1].before.node != pods[-1].after.node:
            moved.append(one.pod.key)
    return DifferenceReport(before=before.side, after=after.side, pods=tuple(pods), notes=tuple(alone))


def placed_differences(
    before: Iterable[Placed], after: Iterable[Placed], alone: list[str], top: int = 0
) -> Iterator[PodDifference]:
    """The same for pods that each are placed by themselves, while they are compared; notes go to `alone`."""
    for placed, anew in _matched(before, after, lambda each: each.key, alone):
        yield pod_difference(placed.explained(), anew.explained(), top)


def _matched(
    before: Iterable[Pod], after: Iterable[Pod], key_of: Callable[[Pod], str], alone: list[str]
) -> Iterator[tuple[Pod, Pod]]:
    """The same pods of both sides; pods of one name in their order. Only what has no partner yet is kept meanwhile."""
    waiting: tuple[dict[str, deque[Pod]], dict[str, deque[Pod]]] = (defaultdict(deque), defaultdict(deque))
    for one, other in zip_longest(before, after):
        if one is not None:
            waiting[0][key_of(one)].append(one)
        if other is not None:
            waiting[1][key_of(other)].append(other)
        for key in dict.fromkeys(key_of(pod) for pod in (one, other) if pod is not None):
            while waiting[0][key] and waiting[1][key]:
                yield waiting[0][key].popleft(), waiting[1][key].popleft()
    for pods, when in zip(waiting, ("before", "after"), strict=True):
        alone += [f"{key} is there only {when} the change" for key, left in pods.items() if left]


class NodesCompared(Struct, frozen=True):
    """The nodes that fare otherwise: the first of them, how many there are, and in what any of them differs."""

    first: tuple[NodeDifference, ...] = ()
    count: int = 0
    is_any_ranked_otherwise: bool = False
    is_any_judged_otherwise: bool = False


def pod_difference(
    before: PodExplanation, after: PodExplanation, top: int = 0, moved: Sequence[str] = ()
) -> PodDifference:
    """One pod as it was tried on both sides; `moved` are the pods before it that took other nodes."""
    nodes = tuple(_node_differences(before, after))
    compared = NodesCompared(
        first=nodes[: top or None],
        count=len(nodes),
        is_any_ranked_otherwise=any(each.before.rank != each.after.rank for each in nodes),
        is_any_judged_otherwise=any(_is_judged_otherwise(each) for each in nodes),
    )
    points = partial(_points_of, _by_node(before)), partial(_points_of, _by_node(after))
    found = standings_compared(after.pod, (standing(before), standing(after)), compared, points)
    return replace(found, moved_before=tuple(moved))


def standings_compared(
    pod: PodReference, standings: tuple[Standing, Standing], nodes: NodesCompared, points: tuple[PointsOf, PointsOf]
) -> PodDifference:
    """One pod as it fared on both sides, before and after; `points` are by node and plugin."""
    one, other = standings
    changes = {
        VERDICT: one.outcome != other.outcome,
        NODE: set(one.best) != set(other.best),
        RANK: nodes.is_any_ranked_otherwise,
        NODES: nodes.is_any_judged_otherwise,
        MESSAGE: one.message != other.message,
    }
    return PodDifference(
        pod=pod,
        changed=tuple(name for name, is_changed in changes.items() if is_changed),
        before=one,
        after=other,
        moved_by=_moved_by(one.best, other.best, *points),
        nodes=nodes.first,
        changed_nodes=nodes.count,
    )


def standing(pod: PodExplanation) -> Standing:
    """The outcome of a decision with its node and points."""
    choice = pod.choice
    return Standing(
        outcome=pod.outcome,
        message=pod.message,
        node=choice.node if choice else "",
        best=choice.best if choice else (),
        total=choice.total if choice else None,
        feasible=pod.nodes.feasible,
    )


def _node_differences(before: PodExplanation, after: PodExplanation) -> Iterator[NodeDifference]:
    """The nodes that fared otherwise, the best of both sides first; none if a side tried no nodes."""
    one, other = _by_node(before), _by_node(after)
    if not one or not other:
        return
    best = [name for pod in (after, before) if pod.choice for name in pod.choice.best]
    for name in dict.fromkeys((*best, *other, *one)):
        old, new = one.get(name), other.get(name)
        standings = node_standing(old), node_standing(new)
        moved_by = shifts(_points(old), _points(new))
        if standings[0] != standings[1] or moved_by:
            yield NodeDifference(node=name, before=standings[0], after=standings[1], moved_by=moved_by)


def _by_node(pod: PodExplanation) -> Mapping[str, NodeVerdict]:
    return {verdict.node: verdict for verdict in pod.node_verdicts}


def node_standing(verdict: NodeVerdict | None) -> NodeStanding:
    """How a node fared of which that is the verdict."""
    if verdict is None:
        return NodeStanding(verdict=Verdict.ABSENT)
    stopped = verdict.stopped_by if verdict.verdict is not Verdict.FEASIBLE else None
    return NodeStanding(
        verdict=verdict.verdict,
        stopped_by=stopped.plugin if stopped else "",
        detail=stopped.detail if stopped else "",
        rank=verdict.rank,
        total=verdict.total,
    )


def _is_judged_otherwise(node: NodeDifference) -> bool:
    one, other = node.before, node.after
    return (one.verdict, one.stopped_by, one.detail) != (other.verdict, other.stopped_by, other.detail)


def _points(verdict: NodeVerdict | None) -> dict[str, int]:
    return {score.plugin: score.weighted for score in verdict.scores} if verdict else {}


def _points_of(by_node: Mapping[str, NodeVerdict], name: str) -> dict[str, int]:
    return _points(by_node.get(name))


def shifts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[PluginShift, ...]:
    """What changed by plugin, the strongest first; nothing unless there are points on both sides."""
    if not before or not after:
        return ()
    every = (
        PluginShift(
            plugin=plugin,
            points=after.get(plugin, 0) - before.get(plugin, 0),
            before=before.get(plugin),
            after=after.get(plugin),
        )
        for plugin in dict.fromkeys((*after, *before))
    )
    return tuple(sorted((shift for shift in every if shift.points), key=lambda shift: -abs(shift.points)))


def _moved_by(
    before: Sequence[str], after: Sequence[str], points_before: PointsOf, points_after: PointsOf
) -> tuple[PluginShift, ...]:
    """By how much each plugin moved the node that is best now against the one that was best before."""
    if not before or not after or set(before) == set(after):
        return ()
    won, lost = _first_not_in(after, before), _first_not_in(before, after)
    return shifts(_leads(points_before, won, lost), _leads(points_after, won, lost))


def _first_not_in(names: Sequence[str], others: Sequence[str]) -> str:
    """The first name that the others lack, or the first of all."""
    return next((name for name in names if name not in others), names[0])


def _leads(points_of: PointsOf, won: str, lost: str) -> dict[str, int]:
    """By how many points each plugin puts the one node before the other; nothing unless both were ranked."""
    ahead, behind = points_of(won), points_of(lost)
    return {plugin: points - behind[plugin] for plugin, points in ahead.items()} if behind else {}
