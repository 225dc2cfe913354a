"""What became of each node."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.distance import distance, missing_shares
from kexplain.explain.fares import Fare, NodeVerdicts, grouped, in_words, verdict_on
from kexplain.explain.objections import facts_of, reads
from kexplain.explain.objections.objection import Lookup, Read
from kexplain.explain.objections.resources import Alike, insufficient
from kexplain.explain.output import copied
from kexplain.explain.records import NodeCounts, NodeVerdict, Rejection, Score, ScoreTerms, Verdict
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision, PluginScore
from kexplain.objects.core import Pod
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import tolerates

_PLACES = {Verdict.REJECTED: 0, Verdict.EXCLUDED: 1, Verdict.NOT_EVALUATED: 2}


class _Kept(Struct):
    """A status, what of a node its facts follow from, and whether they say how much pods take there."""

    status: Status
    reads: tuple[Read, ...] | None
    differs: bool


class _Fares:
    """How nodes fare that do not take the pod, by their places in the cluster."""

    def __init__(self, decision: Decision, lookup: Lookup) -> None:
        self._decision = decision
        self._lookup = lookup
        self._infos = decision.cluster.node_infos
        self._fare_by_place: dict[int, Fare] = {}
        #: The share that is missing of what is requested.
        self._missing_by_place: dict[int, float] = {}
        #: The places by the kind of verdict, whether the pod never fits, and how many objections there are to lift.
        self._by_distance: defaultdict[tuple[int, bool, int], list[int]] = defaultdict(list)
        self._kept: dict[int, _Kept] = {}
        #: What is said of all nodes that are equal in what is read of them.
        self._said: dict[tuple[int, Hashable], Rejection] = {}

    def in_order(self) -> NodeVerdicts:
        """The verdicts by kind, and from the closest on; equals stand as in the cluster."""
        names, feasible = [info.name for info in self._infos], frozenset(self._decision.feasible)
        firsts = [*map(self._decision.statuses.by_node.get, names)]
        column = self._decision.matrix.column
        numbers, said = column.numbers or repeat(0, len(names)), {0: (), **column.said}
        for alike in self._alike(numbers, firsts):
            places = [each for each in alike if names[each] not in feasible] if feasible else alike
            if places:
                self._sort(places, firsts[places[0]], said[column.numbers[places[0]] if column.numbers else 0])
        found: list[int] = []
        for _, places in sorted(self._by_distance.items()):
            found += sorted(sorted(places), key=self._missing_by_place.__getitem__)
        fares = [*map(self._fare_by_place.__getitem__, found)]
        return NodeVerdicts([*map(names.__getitem__, found)], fares, self._lookup)

    def _alike(self, numbers: Iterable[int], firsts: Sequence[Status | None]) -> Iterator[Sequence[int]]:
        """The places of nodes with these very statuses: one behind their numbers, and one that was heard."""
        for places in grouped(numbers, range(len(firsts))):
            heard = [*map(id, map(firsts.__getitem__, places))]
            yield from [places] if heard.count(heard[0]) == len(heard) else grouped(heard, places)

    def _sort(self, places: Sequence[int], first: Status | None, every: Sequence[Status]) -> None:
        """Note how these nodes fare, which have the very same statuses."""
        kind, stopped = (Verdict.REJECTED, first) if first else _stopped(self._decision, self._infos[places[0]])
        if kind is Verdict.EXCLUDED and len(places) > 1:
            # Who left a node out may not be who left out the next one.
            for place in places:
                self._sort([place], first, every)
            return
        # Who left a node out has not looked at it.
        heard = stopped.plugin if stopped and kind is not Verdict.EXCLUDED else None
        said = [self._keep(each) for each in every if each.plugin != heard]
        if stopped:
            said.insert(0, self._keep(stopped))
        for part in self._parts(places, [each.reads for each in said]):
            self._note(part, kind, said, 1 if stopped else 0)

    def _parts(self, places: Sequence[int], reads: Sequence[tuple[Read, ...] | None]) -> Iterable[Sequence[int]]:
        """Those together that are equal in what is read of them; each by itself that has facts of its own."""
        if None in reads:
            return [[place] for place in places]
        flat = dict.fromkeys(each for every in reads for each in every or ())
        if not flat:
            return [places]
        columns = [self._decision.cluster.of_nodes(("read", each), each) for each in flat]
        return grouped(zip(*[map(each.__getitem__, places) for each in columns], strict=True), places)

    def _keep(self, status: Status) -> _Kept:
        kept = self._kept.get(id(status))
        if kept is None:
            differs = bool(insufficient(status))
            kept = self._kept[id(status)] = _Kept(status, () if differs else reads(status), differs)
        return kept

    def _rejection(self, kept: _Kept, info: NodeInfo) -> Rejection:
        """What is said of a node, the same of all that are equal in what is read of them."""
        if kept.reads is None or kept.differs:
            return rejection(kept.status, info, self._lookup)
        key = id(kept.status), tuple([each(info) for each in kept.reads])
        said = self._said.get(key)
        if said is None:
            said = self._said[key] = rejection(kept.status, info, self._lookup)
        return said

    def _note(self, places: Sequence[int], kind: Verdict, said: Sequence[_Kept], first: int) -> None:
        """Note how these nodes fare, which are equal in all that is read of them; `first` are those heard, 0 or 1."""
        info = self._infos[places[0]]
        found = [self._rejection(each, info) for each in said]
        sample = verdict_on(info, kind, found[0] if first else None, tuple(found[first:]))
        is_lost, to_lift, missing = distance(found)
        self._by_distance[_PLACES[kind], is_lost, to_lift] += places
        stopped = Alike(found[0].facts, insufficient(said[0].status) if said[0].differs else ()) if first else Alike()
        fare = Fare(sample, stopped, tuple([each.status if each.differs else None for each in said[first:]]))
        self._fare_by_place.update(dict.fromkeys(places, fare))
        if len(places) > 1 and any(each.differs for each in said):
            self._missing_by_place.update(zip(places, self._missing(found, said, places), strict=True))
        else:
            self._missing_by_place.update(dict.fromkeys(places, missing))

    def _missing(self, found: Sequence[Rejection], said: Sequence[_Kept], places: Sequence[int]) -> Iterable[float]:
        """The share that is missing on each of these nodes, of which the same is said but for some amounts."""
        same = distance([each for each, kept in zip(found, said, strict=True) if not kept.differs])[2]
        short = [each for kept in said if kept.differs for each in insufficient(kept.status)]
        room_by_place = self._decision.cluster.room_by_place
        shares = [missing_shares(each, map(room_by_place(each.resource).used.__getitem__, places)) for each in short]
        return map(max, repeat(same), *shares) if same or len(shares) > 1 else shares[0]


def node_verdicts(
    decision: Decision, shown: int | None = None, score_details: int | None = 0, node: str = ""
) -> NodeVerdicts:
    """Feasible nodes by rank, then rejected ones from the least objections on, then those not looked at.

    Only the first `shown` feasible ones have scores, and the first `shown` others their details in words; None for all.
    The first `score_details` with scores, None for all, and that node say how these come about.
    """
    lookup = Lookup(decision.pod, decision.cluster)
    ranked = with_terms(_feasible(decision, shown, lookup), decision, score_details, node)
    limit = None if shown is None else len(ranked) + shown
    return NodeVerdicts.of(ranked, lookup).and_then(_Fares(decision, lookup).in_order(), limit)


def with_terms(
    verdicts: Sequence[NodeVerdict], decision: Decision, count: int | None, node: str
) -> tuple[NodeVerdict, ...]:
    """The verdicts, with terms for the first `count` of those with scores (None for all), and for that node.

    Those with scores come first.
    """
    if not verdicts or not verdicts[0].scores:
        return tuple(verdicts)
    left = len(verdicts) if count is None else count
    return tuple(
        _with_terms(verdict, decision) if verdict.scores and (place < left or verdict.node == node) else verdict
        for place, verdict in enumerate(verdicts)
    )


def _with_terms(verdict: NodeVerdict, decision: Decision) -> NodeVerdict:
    raw_by_plugin = {score.plugin: score.raw for score in verdict.scores}
    found = decision.score_terms(verdict.node).items()
    terms = (copied(each, ScoreTerms, plugin=name, score=raw_by_plugin[name]) for name, each in found)
    return replace(verdict, score_terms=tuple(terms))


def chosen_verdict(decision: Decision) -> tuple[NodeVerdict, ...]:
    """The node that the pod goes to, alone."""
    chosen = decision.cluster.node_info_by_name[decision.host]
    return (_verdict_on_feasible(decision, chosen, 1, Lookup(decision.pod, decision.cluster), scored=True),)


def names_in_order(decision: Decision) -> Iterator[str]:
    """All nodes in the order of their verdicts."""
    feasible = frozenset(decision.feasible)
    # The cluster's order among those of one rank: sorting keeps it.
    ranked = list(filter(feasible.__contains__, decision.cluster.node_info_by_name))
    totals = decision.scores.total_by_node
    yield from sorted(ranked, key=totals.__getitem__, reverse=True) if totals else ranked
    yield from _Fares(decision, Lookup(decision.pod, decision.cluster)).in_order().names


def stopped_verdict(decision: Decision, name: str, lookup: Lookup) -> NodeVerdict:
    """What stops the pod on a node that does not take it, in words, and no further objections."""
    pod, cluster = decision.pod, decision.cluster
    node_info = cluster.node_info_by_name[name]
    kind, status = _stopped(decision, node_info)
    stopped_by = None if status is None else rejection(status, node_info, lookup)
    return in_words(verdict_on(node_info, kind, stopped_by), pod, cluster)


def rank_by_node(decision: Decision) -> Mapping[str, int]:
    """The ranks of the nodes that take the pod; those with the same total share one."""
    totals = decision.scores.total_by_node
    if not totals:
        return dict.fromkeys(decision.feasible, 1)
    rank_by_total = {total: rank for rank, total in reversed(list(enumerate(sorted(totals.values(), reverse=True), 1)))}
    return dict(zip(totals, map(rank_by_total.__getitem__, totals.values()), strict=True))


def _feasible(decision: Decision, shown: int | None, lookup: Lookup) -> list[NodeVerdict]:
    """Nodes of one rank in the cluster's order."""
    rank_of = rank_by_node(decision)
    ranks = [(rank_of[info.name], info) for info in decision.cluster.node_infos if info.name in rank_of]
    ranks.sort(key=itemgetter(0))
    limit = len(ranks) if shown is None else shown
    return [
        _verdict_on_feasible(decision, info, rank, lookup, scored=place < limit)
        for place, (rank, info) in enumerate(ranks)
    ]


def _verdict_on_feasible(
    decision: Decision, node_info: NodeInfo, rank: int, lookup: Lookup, *, scored: bool
) -> NodeVerdict:
    name = node_info.name
    by_plugin = decision.scores.by_plugin if scored else {}
    return verdict_on(
        node_info,
        Verdict.FEASIBLE,
        also=tuple(rejection(status, node_info, lookup) for status in decision.matrix.by_node.get(name, ())),
        rank=rank,
        total=decision.scores.total_by_node.get(name),
        scores=scores({plugin: each.of(name) for plugin, each in by_plugin.items()}),
        evicted_after_seconds=evicted_after(decision.pod, node_info),
    )


def scores(by_plugin: Mapping[str, PluginScore]) -> tuple[Score, ...]:
    """The scores of one node, or placement, in the order of the plugins."""
    return tuple(copied(each, Score, plugin=plugin) for plugin, each in by_plugin.items())


def _stopped(decision: Decision, node_info: NodeInfo) -> tuple[Verdict, Status | None]:
    """What became of a node that does not take the pod, and what stopped the pod there."""
    status, absent = decision.statuses.by_node.get(node_info.name), decision.statuses.absent
    if status is not None:
        return Verdict.REJECTED, status
    if not absent.reasons:
        return Verdict.NOT_EVALUATED, None
    if absent.plugin:
        return Verdict.REJECTED, absent
    return Verdict.EXCLUDED, decision.exclusion(node_info)


def rejection(status: Status, node_info: NodeInfo, lookup: Lookup) -> Rejection:
    """Without its details, which are put into words for what is shown."""
    code, facts = status.code.value, facts_of(status, node_info, lookup)
    return Rejection(plugin=status.plugin, code=code, reasons=status.reasons, detail="", facts=facts)


def evicted_after(pod: Pod, node_info: NodeInfo) -> int | None:
    """After how many seconds the node would evict the pod again; None if it may stay.

    Of each NoExecute taint the first toleration that matches counts, of those with a limit the shortest.
    Source: `pkg/controller/tainteviction`.
    """
    limits: list[int] = []
    for taint in node_info.node.spec.taints or ():
        if taint.effect == NO_EXECUTE:
            first = next((t for t in pod.spec.tolerations or () if tolerates(t, taint)), None)
            if first is not None and first.toleration_seconds is not None:
                limits.append(max(first.toleration_seconds, 0))
    return min(limits, default=None)


def node_counts(decision: Decision) -> NodeCounts:
    """All nodes by what became of them."""
    total, feasible = len(decision.cluster.node_infos), frozenset(decision.feasible)
    rejected = len(decision.statuses.by_node.keys() - feasible)
    if decision.extender_calls:
        # Extenders may speak of nodes that are not there.
        rejected = len((decision.statuses.by_node.keys() - feasible) & decision.cluster.node_info_by_name.keys())
    left, absent = total - len(feasible) - rejected, decision.statuses.absent
    return NodeCounts(
        total=total,
        feasible=len(feasible),
        rejected=rejected + (left if absent.reasons and absent.plugin else 0),
        excluded=left if absent.reasons and not absent.plugin else 0,
        not_evaluated=0 if absent.reasons else left,
    )
