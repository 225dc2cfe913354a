"""Decisions about the same pods on two sides, compared: words are made for the nodes that are shown."""

from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress, filterfalse, islice, repeat, zip_longest
from operator import mul, ne

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case import Case, Decided, PodToPlace, running_anew
from kexplain.diagnosis.diagnose import diagnose
from kexplain.explain.fares import grouped
from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.objections import reads
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import copied
from kexplain.explain.preemption import nominees
from kexplain.explain.records import Verdict
from kexplain.explain.scheduling_groups import note_group
from kexplain.explain.verdicts import names_in_order, node_counts, rank_by_node, stopped_verdict
from kexplain.explanation.explanation import reference
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.trace import Decision, Outcome, PluginScores
from kexplain.objects.core import GroupName
from kexplain.report.bearings import Bearing, Bearings
from kexplain.report.difference import (
    MESSAGE,
    NODE,
    NODES,
    RANK,
    VERDICT,
    DifferenceReport,
    GroupDifference,
    NodeDifference,
    NodeStanding,
    PluginShift,
    PodDifference,
    Side,
    Standing,
)
from kexplain.report.groups import by_workload


class Compared(Struct, frozen=True):
    """One side: what it was made with, and the pods of its queue, each of which sees those before it."""

    side: Side
    queue: Iterable[Decided]


class ComparedPod(Struct, frozen=True):
    """A pod on both sides, and what each setting that differs does for it."""

    difference: PodDifference
    bearings: tuple[Bearing | None, ...]


def difference(
    before: Compared, after: Compared, *, top: int = 0, bearings: Bearings | None = None
) -> DifferenceReport:
    """Both queues compared pod by pod; of each pod no more than `top` nodes are kept, 0 keeps all.

    What the settings that differ have to do with the pods goes to the `bearings`. A pod that only one side has is named
    in a note.
    """
    alone: list[str] = []
    pods: list[PodDifference] = []
    moved: list[str] = []
    together: tuple[dict[GroupName, SchedulingGroup], dict[GroupName, SchedulingGroup]] = {}, {}
    for one, other in _matched(before.queue, after.queue, alone):
        for each, noted in zip((one, other), together, strict=True):
            note_group(each.decision, noted)
        if bearings:
            bearings.note(bearings.of(one.decision, other.decision))
        name = other.pod.pod.group
        group = str(name) if name in together[0] or name in together[1] else ""
        found = decision_difference(one.decision, other.decision, top, other.pod)
        pods.append(replace(found, moved_before=tuple(moved), scheduling_group=group))
        if found.before.node != found.after.node:
            moved.append(one.key)
    old, new = together
    groups = tuple(GroupDifference(str(name), old.get(name), new.get(name)) for name in {**old, **new})
    return DifferenceReport(
        before=before.side, after=after.side, pods=tuple(pods), scheduling_groups=groups, notes=tuple(alone)
    )


def placed_differences(
    before: Iterable[Decided], after: Iterable[Decided], alone: list[str], bearings: Bearings, top: int
) -> Iterator[ComparedPod]:
    """The same for pods that each are placed by themselves, while they are compared; notes go to `alone`."""
    for one, other in _matched(before, after, alone):
        sides = one.decision, other.decision
        yield ComparedPod(decision_difference(*sides, top, other.pod), bearings.of(*sides))


def _matched(
    before: Iterable[Decided], after: Iterable[Decided], alone: list[str]
) -> Iterator[tuple[Decided, Decided]]:
    """The same pods of both sides; pods of one name in their order. Only what has no partner yet is kept meanwhile."""
    waiting: tuple[dict[str, deque[Decided]], dict[str, deque[Decided]]] = (defaultdict(deque), defaultdict(deque))
    for pair in zip_longest(before, after):
        for each, queues in zip(pair, waiting, strict=True):
            if each is not None:
                queues[each.key].append(each)
        for key in dict.fromkeys(each.key for each in pair if each is not None):
            while waiting[0][key] and waiting[1][key]:
                yield waiting[0][key].popleft(), waiting[1][key].popleft()
    for pods, when in zip(waiting, ("before", "after"), strict=True):
        alone += [f"{key} is there only {when} the change" for key, left in pods.items() if left]


def compare_running(
    before: Case,
    after: Case,
    bearings: Bearings,
    *,
    start_index: int = 0,
    top: int = 0,
    places: Iterable[int] | None = None,
) -> Iterator[ComparedPod]:
    """The pods that run in both cases, or those at these places, each taken out by itself and placed by both.

    Both have the same nodes and pods. Where they have the very same cluster, plugins that both schedulers have are
    asked once. Of each pod no more than `top` nodes are kept, 0 keeps all.
    """
    for one, other in _running_in_both(before, after, places):
        cache = AnswerCache() if one.cluster is other.cluster else NO_CACHE
        asked = ((each, each.pods[0].pod) for each in (one, other))
        before_it, after_it = (each.scheduler.schedule(pod, each.cluster, start_index, cache) for each, pod in asked)
        found = decision_difference(before_it, after_it, top, other.pods[0])
        yield ComparedPod(found, bearings.of(before_it, after_it))


def _running_in_both(before: Case, after: Case, places: Iterable[int] | None) -> Iterator[tuple[Case, Case]]:
    if before.cluster is after.cluster:
        return ((each, replace(each, scheduler=after.scheduler)) for each in running_anew(before, places))
    places = None if places is None else tuple(places)
    return zip(running_anew(before, places), running_anew(after, places), strict=True)


def decision_difference(
    before: Decision, after: Decision, top: int = 0, placed: PodToPlace | None = None
) -> PodDifference:
    """One pod as it was decided on both sides; `placed` is how the latter was asked about it."""
    sides = _Side(before), _Side(after)
    nodes = _Nodes() if before.host and before.fares_like(after) else _nodes_compared(*sides, top)
    running = placed.running if placed else None
    one, other = (replace(side.standing, running=running is not None) for side in sides)
    changes = {
        VERDICT: one.outcome != other.outcome or {*one.evicts} != {*other.evicts},
        NODE: {*one.best} != {*other.best} or {*one.nominees} != {*other.nominees},
        RANK: nodes.is_any_ranked_otherwise,
        NODES: nodes.is_any_judged_otherwise,
        MESSAGE: one.message != other.message,
    }
    return PodDifference(
        pod=reference(after, placed or PodToPlace(after.pod)),
        changed=tuple(name for name, is_changed in changes.items() if is_changed),
        before=one,
        after=other,
        moved_by=_moved_by(*sides),
        nodes=nodes.first,
        changed_nodes=nodes.count,
        runs_on=(running.spec.node_name or "") if running else "",
    )


def alike_once(report: DifferenceReport) -> DifferenceReport:
    """The report with pods for which nothing changes only counted, and with what is alike of a workload said once."""
    changed = [pod for pod in report.pods if pod.changed or pod.nodes]
    firsts: dict[Hashable, int] = {}
    pods = []
    for place, pod in enumerate(changed):
        moved = tuple(each.plugin for each in pod.moved_by)
        fate = pod.pod.namespace, pod.pod.workload, pod.changed, pod.before.outcome, pod.after.outcome, moved
        first = firsts.setdefault(fate, place) if pod.pod.workload else place
        pods.append(pod if first == place else replace(pod, same_as=first, nodes=(), moved_by=(), moved_before=()))
    same = by_workload(pod.pod for pod in report.pods if not (pod.changed or pod.nodes))
    return replace(report, pods=tuple(pods), unchanged=same)


def standing(decision: Decision) -> Standing:
    """The outcome of a decision with its node and points."""
    return _Side(decision).standing


class _Nodes(Struct, frozen=True):
    """The nodes that fare otherwise: the first of them, how many there are, and in what any of them differs."""

    first: tuple[NodeDifference, ...] = ()
    count: int = 0
    is_any_ranked_otherwise: bool = False
    is_any_judged_otherwise: bool = False


class _Side:
    """One of the decisions, node by node."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self.cluster = decision.cluster
        self._lookup = Lookup(decision.pod, decision.cluster)

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The ranks of the nodes that take the pod."""
        return rank_by_node(self.decision)

    @property
    def totals(self) -> Mapping[str, int]:
        """The totals of the same nodes; none where nothing was scored."""
        return self.decision.scores.total_by_node

    @property
    def scores(self) -> Mapping[str, PluginScores]:
        return self.decision.scores.by_plugin

    @property
    def standing(self) -> Standing:
        decision, feasible = self.decision, node_counts(self.decision).feasible
        own = {"node": decision.host, "total": self.totals.get(decision.host), "running": False, "held": None}
        leaving = decision.group.victims if decision.group else decision.victims
        evicts = tuple(pod.key for pod in leaving)
        return copied(decision, Standing, feasible=feasible, nominees=nominees(decision), evicts=evicts, **own)

    @property
    def tried_nodes(self) -> bool:
        """Whether there is anything to say of nodes."""
        return self.decision.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)

    def points_of(self, name: str) -> Mapping[str, int]:
        """The node's points by plugin; none where it was not ranked."""
        if name not in self.totals:
            return {}
        return {plugin: scores.normalized[name] * scores.weight for plugin, scores in self.scores.items()}

    def node_standing(self, name: str) -> NodeStanding:
        """How a node fares."""
        rank = self.ranks.get(name)
        if rank is not None:
            return NodeStanding(verdict=Verdict.FEASIBLE, rank=rank, total=self.totals.get(name))
        if name not in self.cluster.node_info_by_name:
            return NodeStanding(verdict=Verdict.ABSENT)
        verdict = stopped_verdict(self.decision, name, self._lookup)
        stopped = verdict.stopped_by
        stopped_by, detail = (stopped.plugin, stopped.detail) if stopped else ("", "")
        return NodeStanding(verdict=verdict.verdict, stopped_by=stopped_by, detail=detail)

    def in_order(self) -> Iterator[str]:
        """All nodes, those where the pod belongs first."""
        found = diagnose(self.decision)
        candidates = frozenset(found.candidates if found else ())
        names = names_in_order(self.decision)
        return iter(sorted(names, key=lambda name: name not in candidates)) if candidates else names


def _nodes_compared(before: _Side, after: _Side, top: int) -> _Nodes:
    if not before.tried_nodes or not after.tried_nodes:
        return _Nodes()
    both = list(filter(before.ranks.__contains__, after.ranks))
    ranked = _different(both, before.ranks, after.ranks)
    judged = {*(before.ranks.keys() ^ after.ranks.keys()), *_stopped_otherwise(before, after)}
    changed = {*ranked, *judged, *_scored_otherwise(both, before, after)}
    limit = min(top or len(changed), len(changed))
    return _Nodes(
        first=tuple(islice(_differences(before, after, changed), limit)),
        count=len(changed),
        # A node that fits on one side only has a rank there alone.
        is_any_ranked_otherwise=bool(ranked) or before.ranks.keys() != after.ranks.keys(),
        is_any_judged_otherwise=bool(judged),
    )


def _different(names: Iterable[str], one: Mapping[str, int], other: Mapping[str, int]) -> set[str]:
    """Those of the names that stand for different numbers."""
    return set(compress(names, map(ne, map(one.get, names), map(other.get, names))))


def _scored_otherwise(names: Sequence[str], before: _Side, after: _Side) -> set[str]:
    """Those of the nodes, which fit on both sides, whose total or points differ."""
    different = _different(names, before.totals, after.totals)
    if before.scores and after.scores:
        for plugin in before.scores.keys() | after.scores.keys():
            one, other = before.scores.get(plugin), after.scores.get(plugin)
            if one != other:
                different.update(compress(names, map(ne, _points(one, names), _points(other, names))))
    return different


def _points(scores: PluginScores | None, names: Iterable[str]) -> Iterable[int]:
    """The points of these nodes; a plugin that does not score gives none."""
    return map(mul, map(scores.normalized.__getitem__, names), repeat(scores.weight)) if scores else repeat(0)


def _stopped_otherwise(before: _Side, after: _Side) -> Iterator[str]:
    """The nodes that fit on neither side, and of which the two say different things, or that only one side has."""
    one, other = before.decision.statuses, after.decision.statuses
    # Why a node was left out is not among the statuses.
    are_compared = one.absent == other.absent and not (one.absent.reasons and not one.absent.plugin)
    there, here = before.cluster, after.cluster
    if are_compared and one.by_node == other.by_node and there.node_infos == here.node_infos:
        return
    names = here.node_info_by_name if there is here else {**here.node_info_by_name, **there.node_info_by_name}
    fits = before.ranks.keys() | after.ranks.keys()
    left = [*filterfalse(fits.__contains__, names)]
    said = (map(id, map(side.by_node.get, left)) for side in (one, other))
    for some in grouped(zip(*said, strict=True), left):
        old, new = one.by_node.get(some[0]), other.by_node.get(some[0])
        is_same = old == new and (are_compared or old is not None)
        for each in () if is_same and there is here else _in_the_same_words(some, before, after):
            if before.node_standing(each[0]) != after.node_standing(each[0]):
                yield from each


def _in_the_same_words(names: Sequence[str], before: _Side, after: _Side) -> Iterable[Sequence[str]]:
    """Nodes with the very same statuses on each side, together if both sides put these into the same words for them."""
    columns: list[Iterable[Hashable]] = [repeat(None, len(names))]
    for side in (before, after):
        statuses, infos = side.decision.statuses, [*map(side.cluster.node_info_by_name.get, names)]
        status = statuses.by_node.get(names[0], statuses.absent)
        read = reads(status)
        if read is None or (status.reasons and not status.plugin) or side.cluster.nominated_by_node or None in infos:
            return ([name] for name in names)
        columns += [map(each, filter(None, infos)) for each in read]
    return grouped(zip(*columns, strict=True), names)


def _differences(before: _Side, after: _Side, changed: Collection[str]) -> Iterator[NodeDifference]:
    """The nodes that have changed, the best of both sides first, then those where the pod belongs."""
    if not changed:
        return
    best = (*after.decision.best, *before.decision.best)
    gone = before.in_order() if changed - after.cluster.node_info_by_name.keys() else ()
    for name in filter(changed.__contains__, dict.fromkeys(chain(best, after.in_order(), gone))):
        one, other = before.node_standing(name), after.node_standing(name)
        shifts = _shifts(before.points_of(name), after.points_of(name))
        yield NodeDifference(node=name, before=one, after=other, moved_by=shifts)


def _shifts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[PluginShift, ...]:
    """What changed by plugin, the strongest first; nothing unless there are points on both sides."""
    if not before or not after:
        return ()
    points = ((plugin, before.get(plugin), after.get(plugin)) for plugin in dict.fromkeys((*after, *before)))
    every = (
        PluginShift(plugin=name, points=(now or 0) - (was or 0), before=was, after=now) for name, was, now in points
    )
    return tuple(sorted((shift for shift in every if shift.points), key=lambda shift: -abs(shift.points)))


def _moved_by(before: _Side, after: _Side) -> tuple[PluginShift, ...]:
    """By how much each plugin moved the node that is best now against the one that was best before."""
    old, new = before.decision.best, after.decision.best
    if not old or not new or set(old) == set(new):
        return ()
    won, lost = _first_not_in(new, old), _first_not_in(old, new)
    return _shifts(_leads(before, won, lost), _leads(after, won, lost))


def _first_not_in(names: Sequence[str], others: Sequence[str]) -> str:
    """The first name that the others lack, or the first of all."""
    return next((name for name in names if name not in others), names[0])


def _leads(side: _Side, won: str, lost: str) -> dict[str, int]:
    """By how many points each plugin puts the one node before the other; nothing unless both were ranked."""
    ahead, behind = side.points_of(won), side.points_of(lost)
    return {plugin: points - behind[plugin] for plugin, points in ahead.items()} if behind else {}
