"""Decisions about the same pods in the same cluster, compared: words are made for the nodes that are shown."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, compress, islice, repeat
from operator import mul, ne

from msgspec.structs import replace

from kexplain.case import Case, PodToPlace, running_anew
from kexplain.explain.records import Verdict
from kexplain.explain.verdicts import names_in_order, node_counts, rank_by_node, stopped_verdict
from kexplain.explanation.explanation import diagnosed, reference
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.trace import Decision, Outcome, PluginScores
from kexplain.report.difference import (
    NodeDifference,
    NodesCompared,
    NodeStanding,
    PodDifference,
    Standing,
    node_standing,
    shifts,
    standings_compared,
)


def compare_running(
    before: Case, after: Case, *, start_index: int = 0, top: int = 0, places: Iterable[int] | None = None
) -> Iterator[PodDifference]:
    """The pods that run in both cases, or those at these places, each taken out by itself and placed by both.

    Both have the same nodes and pods. Where they have the very same cluster, plugins that both schedulers have are
    asked once. Of each pod no more than `top` nodes are kept, 0 keeps all.
    """
    for one, other in _running_in_both(before, after, places):
        cache = AnswerCache() if one.cluster is other.cluster else NO_CACHE
        before_it, after_it = (
            each.scheduler.schedule(each.pods[0].pod, each.cluster, start_index, cache) for each in (one, other)
        )
        yield decision_difference(before_it, after_it, top)


def _running_in_both(before: Case, after: Case, places: Iterable[int] | None) -> Iterator[tuple[Case, Case]]:
    if before.cluster is after.cluster:
        return ((each, replace(each, scheduler=after.scheduler)) for each in running_anew(before, places))
    places = None if places is None else tuple(places)
    return zip(running_anew(before, places), running_anew(after, places), strict=True)


def decision_difference(before: Decision, after: Decision, top: int = 0) -> PodDifference:
    """What `pod_difference` says of the explanations of both decisions, without making them."""
    sides = _Side(before), _Side(after)
    nodes = NodesCompared() if before.host and before.fares_like(after) else _nodes_compared(*sides, top)
    standings = sides[0].standing, sides[1].standing
    points = sides[0].points_of, sides[1].points_of
    return standings_compared(reference(after, PodToPlace(after.pod)), standings, nodes, points)


class _Side:
    """One of the decisions, node by node."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision

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
        decision = self.decision
        return Standing(
            outcome=decision.outcome,
            message=decision.message,
            node=decision.host,
            best=decision.best,
            total=self.totals.get(decision.host),
            feasible=node_counts(decision).feasible,
        )

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
        rank = self.ranks.get(name)
        if rank is None:
            return node_standing(stopped_verdict(self.decision, name))
        return NodeStanding(verdict=Verdict.FEASIBLE, rank=rank, total=self.totals.get(name))


def _nodes_compared(before: _Side, after: _Side, top: int) -> NodesCompared:
    if not before.tried_nodes or not after.tried_nodes:
        return NodesCompared()
    both = list(filter(before.ranks.__contains__, after.ranks))
    ranked = _different(both, before.ranks, after.ranks)
    judged = {*(before.ranks.keys() ^ after.ranks.keys()), *_stopped_otherwise(before, after)}
    changed = {*ranked, *judged, *_scored_otherwise(both, before, after)}
    limit = min(top or len(changed), len(changed))
    return NodesCompared(
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
    """The nodes that fit on neither side, and of which the two say different things."""
    one, other = before.decision.statuses, after.decision.statuses
    # Why a node was left out is not among the statuses.
    are_compared = one.absent == other.absent and not (one.absent.reasons and not one.absent.plugin)
    there, here = before.decision.cluster, after.decision.cluster
    if are_compared and one.by_node == other.by_node and there.node_infos == here.node_infos:
        return
    for name, info in zip(here.node_info_by_name, here.node_infos, strict=True):
        if name in before.ranks or name in after.ranks:
            continue
        old, new = one.by_node.get(name), other.by_node.get(name)
        is_same = old == new if old is not None and new is not None else old is new and are_compared
        is_same = is_same and there.node_info_by_name.get(name) is info
        if not is_same and before.node_standing(name) != after.node_standing(name):
            yield name


def _differences(before: _Side, after: _Side, changed: Collection[str]) -> Iterator[NodeDifference]:
    """The nodes that have changed, the best of both sides first, then those where the pod belongs."""
    best = (*after.decision.best, *before.decision.best)
    found = diagnosed(after.decision) if changed else None
    candidates = frozenset(found.candidates if found else ())
    others = sorted(names_in_order(after.decision), key=lambda name: name not in candidates)
    for name in filter(changed.__contains__, dict.fromkeys(chain(best, others))):
        yield NodeDifference(
            node=name,
            before=before.node_standing(name),
            after=after.node_standing(name),
            moved_by=shifts(before.points_of(name), after.points_of(name)),
        )
