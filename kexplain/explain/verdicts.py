"""What became of each node."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
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
        #: By the status, which is kept, and then by what is read of the node.
        self._known: dict[int, tuple[Status, dict[Hashable, Rejection]]] = {}
        #: By the kind of verdict, and how far the pod is from fitting.
        self._by_distance: dict[tuple[int, bool, int, float], list[NodeVerdict]] = {}

    def in_order(self) -> list[NodeVerdict]:
        """The verdicts by kind, and from the closest on; equals stand as in the cluster."""
        feasible = frozenset(self._decision.feasible)
        infos = [info for info in self._decision.cluster.node_infos if info.name not in feasible]
        names = [info.name for info in infos]
        firsts = list(map(self._decision.statuses.by_node.get, names))
        everys = list(map(self._decision.matrix.by_node.get, names, repeat(())))
        alike: dict[tuple[int, int], list[int]] = {}
        for place, key in enumerate(zip(map(id, firsts), map(id, everys), strict=True)):
            alike.setdefault(key, []).append(place)
        fares: dict[int, _Fare] = {}
        for places in alike.values():
            members = [infos[place] for place in places]
            fares.update(zip(places, self._of_alike(members, firsts[places[0]], everys[places[0]]), strict=True))
        for place, info in enumerate(infos):
            fare = fares[place]
            verdict = NodeVerdict(
                node=info.name,
                verdict=fare.verdict,
                stopped_by=fare.stopped_by,
                also=fare.also,
            )
            fare.as_far.append(verdict)
        return [verdict for order in sorted(self._by_distance) for verdict in self._by_distance[order]]

    def _of_alike(self, infos: Sequence[NodeInfo], first: Status | None, every: Sequence[Status]) -> Iterable[_Fare]:
        """How each of these nodes fares, which have the very same statuses."""
        kind, stopped = (Verdict.REJECTED, first) if first else _stopped(self._decision, infos[0])
        if kind is Verdict.EXCLUDED and len(infos) > 1:
            # Who left a node out may not be who left out the next one.
            return chain.from_iterable(self._of_alike([info], first, every) for info in infos)
        # Who left a node out has not looked at it.
        heard = stopped.plugin if stopped and kind is not Verdict.EXCLUDED else None
        also = [self._rejections(each, infos) for each in every if each.plugin != heard]
        heads = self._rejections(stopped, infos) if stopped else [None] * len(infos)
        rows = list(zip(heads, *also, strict=True))
        keys = [tuple(map(id, row)) for row in rows]
        known = {key: self._fare(kind, *row) for key, row in dict(zip(keys, rows, strict=True)).items()}
        return map(known.__getitem__, keys)

    def _rejections(self, status: Status, infos: Sequence[NodeInfo]) -> Sequence[Rejection]:
        """That of each of these nodes: the same one for all that share the status, and what is read of them."""
        read = reads(status)
        if read is None:
            return [rejection(status, info, self._lookup) for info in infos]
        known = self._known.setdefault(id(status), (status, {}))[1]
        keys = list(zip(*[map(each, infos) for each in read], strict=True)) if read else [()] * len(infos)
        for key, info in dict(zip(keys, infos, strict=True)).items():
            if key not in known:
                known[key] = rejection(status, info, self._lookup)
        return [known[key] for key in keys]

    def _fare(self, kind: Verdict, stopped_by: Rejection | None, *also: Rejection) -> _Fare:
        far = distance((stopped_by, *also) if stopped_by else also)
        return _Fare(kind, stopped_by, also, self._by_distance.setdefault((_PLACES[kind], *far), []))


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


def stopped_verdict(decision: Decision, name: str, lookup: Lookup) -> NodeVerdict:
    """What stops the pod on a node that does not take it, in words, and no further objections."""
    pod, cluster = decision.pod, decision.cluster
    node_info = cluster.node_info_by_name[name]
    kind, status = _stopped(decision, node_info)
    stopped_by = None if status is None else rejection(status, node_info, lookup)
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
        also=tuple(rejection(status, node_info, lookup) for status in decision.matrix.by_node.get(name, ())),
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


def rejection(status: Status, node_info: NodeInfo, lookup: Lookup) -> Rejection:
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
