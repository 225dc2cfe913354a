"""What became of each node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.objections import detail, facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.records import NodeCounts, NodeVerdict, Rejection, Score
from kexplain.explain.remedies import distance
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision, NodeScore
from kexplain.objects.core import Pod
from kexplain.objects.selectors import NO_EXECUTE, tolerates

FEASIBLE = "Feasible"
REJECTED = "Rejected"
EXCLUDED = "Excluded"
NOT_EVALUATED = "NotEvaluated"


def node_verdicts(decision: Decision) -> tuple[NodeVerdict, ...]:
    """Feasible nodes by rank, then rejected ones from the least objections on, then those not looked at."""
    lookup = Lookup(decision.pod, decision.cluster)
    scores = {score.node_name: score for score in decision.scores}
    totals = sorted((score.total for score in decision.scores), reverse=True)
    rank_by_total = {total: rank for rank, total in reversed(list(enumerate(totals, start=1)))}
    feasible = frozenset(decision.feasible)
    verdicts = []
    for node_info in decision.cluster.node_infos:
        name = node_info.name
        if name in feasible:
            score = scores.get(name)
            rank = rank_by_total[score.total] if score else 1
            verdicts.append(_feasible(decision, node_info, score, rank, lookup))
        else:
            verdicts.append(_infeasible(decision, node_info, lookup))
    return tuple(sorted(verdicts, key=_order))


def _order(verdict: NodeVerdict) -> tuple[int, int, tuple[bool, int, float]]:
    places = {FEASIBLE: 0, REJECTED: 1, EXCLUDED: 2, NOT_EVALUATED: 3}
    return places[verdict.verdict], verdict.rank or 0, distance(verdict)


def _feasible(
    decision: Decision, node_info: NodeInfo, score: NodeScore | None, rank: int, lookup: Lookup
) -> NodeVerdict:
    return NodeVerdict(
        node=node_info.name,
        verdict=FEASIBLE,
        also=_others(decision.matrix.get(node_info.name, {}), None, node_info, lookup),
        rank=rank,
        total=score.total if score else None,
        scores=tuple(
            Score(plugin=name, raw=each.raw, normalized=each.normalized, weighted=each.weighted)
            for name, each in score.by_plugin.items()
        )
        if score
        else (),
        evicted_after_seconds=evicted_after(decision.pod, node_info),
    )


def _infeasible(decision: Decision, node_info: NodeInfo, lookup: Lookup) -> NodeVerdict:
    name = node_info.name
    status = decision.statuses.by_node.get(name)
    verdict = REJECTED
    if status is None and decision.statuses.absent.reasons:
        status = decision.statuses.absent
        verdict = REJECTED if status.plugin else EXCLUDED
    others = _others(decision.matrix.get(name, {}), status, node_info, lookup)
    if status is None:
        return NodeVerdict(node=name, verdict=NOT_EVALUATED, also=others)
    if verdict == EXCLUDED:
        status = decision.exclusion(node_info)
    stopped_by = _rejection(status, node_info, lookup)
    nominated = _counted_nominees(decision, node_info)
    if nominated:
        stopped_by = replace(stopped_by, detail=f"{stopped_by.detail}, keeping room for nominated {nominated}")
    return NodeVerdict(node=name, verdict=verdict, stopped_by=stopped_by, also=others)


def _counted_nominees(decision: Decision, node_info: NodeInfo) -> str:
    """The nominated pods that the verdict on this node reckons with."""
    nominees = decision.cluster.nominated_by_node.get(node_info.name, ())
    return ", ".join(info.pod.key for info in nominees if info.pod.priority >= decision.pod.priority)


def _others(
    rejections: Mapping[str, Status], first: Status | None, node_info: NodeInfo, lookup: Lookup
) -> tuple[Rejection, ...]:
    return tuple(
        _rejection(status, node_info, lookup)
        for plugin, status in rejections.items()
        if first is None or plugin != first.plugin
    )


def _rejection(status: Status, node_info: NodeInfo, lookup: Lookup) -> Rejection:
    facts = facts_of(status, node_info, lookup)
    return Rejection(
        plugin=status.plugin,
        code=status.code.value,
        reasons=status.reasons,
        detail=detail(facts, status.reasons),
        facts=facts,
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


def node_counts(verdicts: Sequence[NodeVerdict], total: int) -> NodeCounts:
    """All nodes by what became of them."""
    by_verdict = {kind: sum(1 for v in verdicts if v.verdict == kind) for kind in (FEASIBLE, REJECTED, EXCLUDED)}
    return NodeCounts(
        total=total,
        feasible=by_verdict[FEASIBLE],
        rejected=by_verdict[REJECTED],
        excluded=by_verdict[EXCLUDED],
        not_evaluated=total - sum(by_verdict.values()),
    )
