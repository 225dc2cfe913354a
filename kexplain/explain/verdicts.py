"""What became of each node."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import is_, itemgetter
from typing import TypeAlias

from kexplain.cluster import NodeInfo
from kexplain.explain.details import in_words
from kexplain.explain.distance import distance
from kexplain.explain.objections import facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.records import NodeCounts, NodeVerdict, Rejection, Score, Verdict
from kexplain.framework.evidence import Cordoned, InsufficientResource, NodeLabelsMismatch, UntoleratedTaints
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import tolerates

_PLACES = {Verdict.REJECTED: 0, Verdict.EXCLUDED: 1, Verdict.NOT_EVALUATED: 2}
#: What says nothing of other nodes: its facts follow from the evidence, the node, and what made the plugin say so.
_OF_NODE = frozenset({InsufficientResource, UntoleratedTaints, Cordoned, NodeLabelsMismatch})
#: What stands for every node that has the very same evidence: its facts follow from it and the pod alone.
_OF_ANY_NODE = frozenset({InsufficientResource, UntoleratedTaints, Cordoned})
#: The kind of verdict, and how far the pod is from fitting.
_Order: TypeAlias = tuple[int, bool, int, float]
#: A verdict with its place in that order: equals stand as in the cluster, so that verdicts are never compared.
_Entry: TypeAlias = tuple[_Order, int, NodeVerdict]


class _Known:
    """What statuses came to, node by node: it stands for the very same node with the very same statuses."""

    def __init__(self, nodes: int) -> None:
        self.entries: list[_Entry | None] = [None] * nodes
        self.node_infos: list[NodeInfo | None] = [None] * nodes
        self.firsts: list[Status | None] = [None] * nodes
        self.everys: list[tuple[Status, ...] | None] = [None] * nodes

    def keep(self, place: int, entry: _Entry, info: NodeInfo, first: Status, every: tuple[Status, ...] | None) -> None:
        """Keep the entry of a node, with what it follows from."""
        self.entries[place], self.node_infos[place] = entry, info
        self.firsts[place], self.everys[place] = first, every

    def same(
        self, infos: Sequence[NodeInfo], firsts: Sequence[Status | None], everys: Sequence[tuple[Status, ...] | None]
    ) -> list[_Entry | None]:
        """The entries that stand; for pods that ask for the same, the scheduler has the very same statuses at hand."""
        before = zip(self.entries, self.node_infos, self.firsts, self.everys, strict=True)
        return [
            entry if was is info and had is first and (had_all is every or _is_same(had_all, every)) else None
            for (entry, was, had, had_all), info, first, every in zip(before, infos, firsts, everys, strict=True)
        ]


class _LastOrder:
    """How the nodes stood for the last pod: for the next one few stand elsewhere. No result depends on it."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def sorted(self, by_place: Sequence[_Entry | None]) -> list[_Entry]:
        """These entries in order; each is at its own place among the nodes."""
        left = list(by_place)
        entries: list[_Entry] = []
        for entry in self._entries:
            if left[entry[1]] is entry:
                left[entry[1]] = None
                entries.append(entry)
        entries += filter(None, left)
        entries.sort()
        self._entries = entries
        return entries


def node_verdicts(decision: Decision, shown: int | None = None) -> tuple[NodeVerdict, ...]:
    """Feasible nodes by rank, then rejected ones from the least objections on, then those not looked at.

    Only the first `shown` feasible ones have scores, and the first `shown` others their details in words; None for all.
    """
    pod, cluster = decision.pod, decision.cluster
    lookup = Lookup(pod, cluster)
    ranked = _feasible(decision, shown, lookup)
    others = [verdict for _, _, verdict in _others_in_order(decision, lookup)]
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
    ordered = sorted(verdicts, key=lambda each: each.node not in first)
    limit = len(ordered) if shown is None else shown
    return (*(in_words(each, decision.pod, decision.cluster) for each in ordered[:limit]), *ordered[limit:])


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
    lookup = Lookup(decision.pod, decision.cluster)
    yield from (verdict.node for _, _, verdict in _others_in_order(decision, lookup))


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


def _others_in_order(decision: Decision, lookup: Lookup) -> list[_Entry]:
    """The verdicts on nodes that do not take the pod, without words."""
    return decision.cluster.fact(_LastOrder, _LastOrder).sorted(_by_place(decision, lookup))


def _by_place(decision: Decision, lookup: Lookup) -> list[_Entry | None]:
    """The verdict on every node of the cluster; None for those that take the pod."""
    cluster, statuses = decision.cluster, decision.statuses
    infos, names = cluster.node_infos, cluster.node_info_by_name
    known = cluster.fact(_Known, lambda: _Known(len(infos)))
    unjudged = cluster.fact(_unjudged, lambda: _unjudged(infos))
    feasible, is_open = frozenset(decision.feasible), not statuses.absent.reasons
    firsts = list(map(statuses.by_node.get, names))
    everys = list(map(decision.matrix.by_node.get, names))
    entries = known.same(infos, firsts, everys)
    makers = _Makers(decision, lookup)
    for place in [place for place, entry in enumerate(entries) if entry is None]:
        info, first, every = infos[place], firsts[place], everys[place]
        if info.name in feasible:
            continue
        if is_open and first is None and not every:
            entries[place] = unjudged[place]
        elif first is None:
            entries[place] = _entry(decision, place, info, lookup)
        else:
            made, is_of_node = makers.entry(place, info, first, every or ())
            entries[place] = made
            if is_of_node:
                known.keep(place, made, info, first, every)
    return entries


class _Makers:
    """Makes entries, for nodes with the very same statuses of one another."""

    def __init__(self, decision: Decision, lookup: Lookup) -> None:
        self._decision = decision
        self._lookup = lookup
        #: By what the nodes have in common: an entry of theirs, if it may stand for others, and whether it is of nodes.
        self._known: dict[tuple[int, ...], tuple[_Entry | None, bool]] = {}

    def entry(self, place: int, info: NodeInfo, first: Status, every: tuple[Status, ...]) -> tuple[_Entry, bool]:
        """The entry of a node that was turned down, and whether it follows from its statuses and the node alone."""
        key = (id(first), *map(id, every))
        alike, is_of_node = self._known.get(key, (None, False))
        if alike is not None:
            order, _, verdict = alike
            twin = NodeVerdict(
                node=info.name, verdict=verdict.verdict, stopped_by=verdict.stopped_by, also=verdict.also
            )
            return (order, place, twin), is_of_node
        made = _entry(self._decision, place, info, self._lookup)
        if key not in self._known:
            kinds = {type(each) for status in (first, *every) for each in status.evidence}
            is_of_node = kinds <= _OF_NODE
            self._known[key] = made if kinds and kinds <= _OF_ANY_NODE else None, is_of_node
        return made, is_of_node


def _unjudged(node_infos: Sequence[NodeInfo]) -> list[_Entry]:
    """What is said of nodes that nobody looked at."""
    verdicts = (NodeVerdict(node=info.name, verdict=Verdict.NOT_EVALUATED) for info in node_infos)
    place_of_kind = _PLACES[Verdict.NOT_EVALUATED]
    return [((place_of_kind, *distance(verdict)), place, verdict) for place, verdict in enumerate(verdicts)]


def _entry(decision: Decision, place: int, node_info: NodeInfo, lookup: Lookup) -> _Entry:
    """The verdict on a node that does not take the pod, with its place among such."""
    verdict = _infeasible(decision, node_info, lookup)
    return (_PLACES[verdict.verdict], *distance(verdict)), place, verdict


def _is_same(some: Sequence[Status] | None, others: Sequence[Status] | None) -> bool:
    return some is not None and others is not None and len(some) == len(others) and all(map(is_, some, others))


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
        also=_others(decision.matrix.get(name, {}), None, node_info, lookup),
        rank=rank,
        total=decision.scores.total_by_node.get(name),
        scores=tuple(
            Score(plugin=plugin, raw=each.raw, normalized=each.normalized, weighted=each.weighted)
            for plugin, each in points
        ),
        evicted_after_seconds=evicted_after(decision.pod, node_info),
    )


def _infeasible(decision: Decision, node_info: NodeInfo, lookup: Lookup) -> NodeVerdict:
    name = node_info.name
    kind, status = _stopped(decision, node_info)
    # Who left a node out has not looked at it.
    first = None if kind is Verdict.EXCLUDED else status
    return NodeVerdict(
        node=name,
        verdict=kind,
        stopped_by=None if status is None else _rejection(status, node_info, lookup),
        also=_others(decision.matrix.get(name, {}), first, node_info, lookup),
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


def _others(
    rejections: Mapping[str, Status], first: Status | None, node_info: NodeInfo, lookup: Lookup
) -> tuple[Rejection, ...]:
    if not rejections:
        return ()
    return tuple(
        _rejection(status, node_info, lookup)
        for plugin, status in rejections.items()
        if first is None or plugin != first.plugin
    )


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
