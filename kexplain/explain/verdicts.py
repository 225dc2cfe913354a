"""What became of each node."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.details import in_words
from kexplain.explain.distance import distance
from kexplain.explain.objections import facts_of, reads
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.records import NodeCounts, NodeVerdict, Rejection, Score, ScoreTerms, Verdict
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import tolerates

_PLACES = {Verdict.REJECTED: 0, Verdict.EXCLUDED: 1, Verdict.NOT_EVALUATED: 2}


class _Fare(Struct):
    """What nodes that fare alike have in common, and the verdicts on all that are as far from taking the pod."""

    verdict: Verdict
    stopped_by: Rejection | None
    also: tuple[Rejection, ...]
    as_far: list[NodeVerdict]


class _Fares:
    """How nodes fare that do not take the pod: those with the very same statuses share what is made of these."""

    def __init__(self, decision: Decision, lookup: Lookup) -> None:
        self._decision = decision
        self._lookup = lookup
        #: By the statuses, where these say everything, else by what they came to.
        self._known: dict[Hashable, _Fare] = {}
        #: By the status, which is kept, where it says everything; else also by what is read of the node.
        self._by_status: dict[Hashable, tuple[Status, Rejection]] = {}
        self._by_read: dict[Hashable, tuple[Status, Rejection]] = {}
        #: By the kind of verdict, and how far the pod is from fitting.
        self._by_distance: dict[tuple[int, bool, int, float], list[NodeVerdict]] = {}

    def in_order(self) -> list[NodeVerdict]:
        """The verdicts by kind, and from the closest on; equals stand as in the cluster."""
        cluster, feasible = self._decision.cluster, frozenset(self._decision.feasible)
        stopped, matrix, known = self._decision.statuses.by_node, self._decision.matrix.by_node, self._known
        for name, info in zip(cluster.node_info_by_name, cluster.node_infos, strict=True):
            if name in feasible:
                continue
            first, every = stopped.get(name), matrix.get(name, ())
            fare = known.get((id(first), id(every))) or self._fare(info, first, every)
            verdict = NodeVerdict(
                node=name,
                verdict=fare.verdict,
                stopped_by=fare.stopped_by,
                also=fare.also,
            )
            fare.as_far.append(verdict)
        return [verdict for order in sorted(self._by_distance) for verdict in self._by_distance[order]]

    def _fare(self, info: NodeInfo, first: Status | None, every: tuple[Status, ...]) -> _Fare:
        kind, status = (Verdict.REJECTED, first) if first is not None else _stopped(self._decision, info)
        # Who left a node out has not looked at it.
        heard = status.plugin if status is not None and kind is not Verdict.EXCLUDED else None
        stopped_by = None if status is None else self._rejection(status, info)
        also = tuple([self._rejection(each, info) for each in every if each.plugin != heard])
        is_said = kind is not Verdict.EXCLUDED and all(id(each) in self._by_status for each in (status, *every) if each)
        key = (id(first), id(every)) if is_said else (kind, id(stopped_by), *map(id, also))
        found = self._known.get(key)
        if found is None:
            far = distance((stopped_by, *also) if stopped_by else also)
            as_far = self._by_distance.setdefault((_PLACES[kind], *far), [])
            found = self._known[key] = _Fare(kind, stopped_by, also, as_far)
        return found

    def _rejection(self, status: Status, info: NodeInfo) -> Rejection:
        """The same one for all nodes that share a status, and what is read of them."""
        known = self._by_status.get(id(status))
        if known is None:
            read = reads(status, info)
            if None in read:
                return _rejection(status, info, self._lookup)
            by_key, key = (self._by_read, (id(status), *read)) if any(read) else (self._by_status, id(status))
            known = by_key.get(key)
            if known is None:
                known = by_key[key] = status, _rejection(status, info, self._lookup)
        return known[1]


def node_verdicts(decision: Decision, shown: int | None = None) -> tuple[NodeVerdict, ...]:
    """Feasible nodes by rank, then rejected ones from the least objections on, then those not looked at.

    Only the first `shown` feasible ones have scores, and the first `shown` others their details in words; None for all.
    """
    pod, cluster = decision.pod, decision.cluster
    lookup = Lookup(pod, cluster)
    ranked = _feasible(decision, shown, lookup)
    others = _Fares(decision, lookup).in_order()
    limit = len(others) if shown is None else shown
    in_full = [in_words(verdict, pod, cluster) for verdict in (*ranked, *others[:limit])]
    return (*in_full, *others[limit:])


def begun_with(
    names: Collection[str], verdicts: tuple[NodeVerdict, ...], decision: Decision, shown: int | None
) -> tuple[NodeVerdict, ...]:
    """The verdicts on these nodes before the others, the first `shown` in words; None for all."""
    if not 0 < len(names) < len(verdicts):
        return verdicts
    first = frozenset(names)
    ordered = [each for each in verdicts if each.node in first]
    ordered += [each for each in verdicts if each.node not in first]
    limit = len(ordered) if shown is None else shown
    return (*(in_words(each, decision.pod, decision.cluster) for each in ordered[:limit]), *ordered[limit:])


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
    terms = (
        ScoreTerms(plugin=name, strategy=each.strategy, score=raw_by_plugin[name], terms=each.terms)
        for name, each in found
    )
    return replace(verdict, score_terms=tuple(terms))


def chosen_verdict(decision: Decision) -> tuple[NodeVerdict, ...]:
    """The node that the pod goes to, alone."""
    chosen = decision.cluster.node_info_by_name[decision.host]
    lookup = Lookup(decision.pod, decision.cluster)
    return (_verdict_on_feasible(decision, chosen, 1, lookup, scored=True),)


def names_in_order(decision: Decision) -> Iterator[str]:
    """All nodes in the order of their verdicts."""
    feasible = frozenset(decision.feasible)
    # The cluster's order among those of one rank: sorting keeps it.
    ranked = list(filter(feasible.__contains__, decision.cluster.node_info_by_name))
    totals = decision.scores.total_by_node
    yield from sorted(ranked, key=totals.__getitem__, reverse=True) if totals else ranked
    yield from (verdict.node for verdict in _Fares(decision, Lookup(decision.pod, decision.cluster)).in_order())


def stopped_verdict(decision: Decision, name: str) -> NodeVerdict:
    """What stops the pod on a node that does not take it, in words, and no further objections."""
    pod, cluster = decision.pod, decision.cluster
    node_info = cluster.node_info_by_name[name]
    kind, status = _stopped(decision, node_info)
    stopped_by = None if status is None else _rejection(status, node_info, Lookup(pod, cluster))
    return in_words(NodeVerdict(node=name, verdict=kind, stopped_by=stopped_by), pod, cluster)


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
    points = ((plugin, scores.of(name)) for plugin, scores in by_plugin.items())
    return NodeVerdict(
        node=name,
        verdict=Verdict.FEASIBLE,
        also=tuple(_rejection(status, node_info, lookup) for status in decision.matrix.by_node.get(name, ())),
        rank=rank,
        total=decision.scores.total_by_node.get(name),
        scores=tuple(
            Score(plugin=plugin, raw=each.raw, normalized=each.normalized, weighted=each.weighted)
            for plugin, each in points
        ),
        evicted_after_seconds=evicted_after(decision.pod, node_info),
    )


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


def _rejection(status: Status, node_info: NodeInfo, lookup: Lookup) -> Rejection:
    """Without its details, which are put into words for what is shown."""
    return Rejection(
        plugin=status.plugin,
        code=status.code.value,
        reasons=status.reasons,
        detail="",
        facts=facts_of(status, node_info, lookup),
    )


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
