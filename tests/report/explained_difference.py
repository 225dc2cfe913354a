"""Differences as the explanations of both sides tell them: what the comparison of decisions is held to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from kexplain.api import Case, Scheduler, place_running
from kexplain.explain.records import NodeVerdict, Verdict
from kexplain.explanation import ExplainOptions, PodExplanation, explain
from kexplain.report.difference import NodeDifference, NodeStanding, PluginShift, PodDifference, Standing


def explain_running(case: Case, scheduler: Scheduler | None = None) -> Iterator[PodExplanation]:
    """Every pod that runs, taken out by itself, placed anew and explained."""
    for each in place_running(case, scheduler):
        yield explain(each.decision, ExplainOptions(seeks_help=False), each.pod)


def pod_difference(before: PodExplanation, after: PodExplanation, top: int = 0) -> PodDifference:
    nodes = tuple(_node_differences(before, after))
    one, other = _standing(before), _standing(after)
    changes = {
        "verdict": one.outcome != other.outcome or {*one.evicts} != {*other.evicts},
        "node": {*one.best} != {*other.best} or {*one.nominees} != {*other.nominees},
        "rank": any(each.before.rank != each.after.rank for each in nodes),
        "nodes": any(_judged(each.before) != _judged(each.after) for each in nodes),
        "message": one.message != other.message,
    }
    return PodDifference(
        pod=after.pod,
        changed=tuple(name for name, is_changed in changes.items() if is_changed),
        before=one,
        after=other,
        moved_by=_moved_by(before, after),
        nodes=nodes[: top or None],
        changed_nodes=len(nodes),
    )


def running_on(found: PodDifference, node: str) -> PodDifference:
    """The same for a pod that was taken out of where it runs."""
    before, after = (replace(each, running=True) for each in (found.before, found.after))
    return replace(found, runs_on=node, before=before, after=after)


def _standing(pod: PodExplanation) -> Standing:
    choice, dry = pod.choice, pod.preemption
    nominated = dry.nominated_node if dry else ""
    victims = [each.victims for each in dry.candidates if each.node == nominated] if dry else []
    return Standing(
        outcome=pod.outcome,
        message=pod.message,
        node=choice.node if choice else "",
        best=choice.best if choice else (),
        total=choice.total if choice else None,
        feasible=pod.nodes.feasible,
        nominated_node=nominated,
        nominees=dry.best if dry and nominated else (),
        evicts=tuple(victim.pod for victims_there in victims for victim in victims_there),
    )


def _node_differences(before: PodExplanation, after: PodExplanation) -> Iterator[NodeDifference]:
    one, other = _by_node(before), _by_node(after)
    if not one or not other:
        return
    best = [name for pod in (after, before) if pod.choice for name in pod.choice.best]
    for name in dict.fromkeys((*best, *other, *one)):
        old, new = one.get(name), other.get(name)
        standings = _node_standing(old), _node_standing(new)
        moved_by = _shifts(_points(old), _points(new))
        if standings[0] != standings[1] or moved_by:
            yield NodeDifference(node=name, before=standings[0], after=standings[1], moved_by=moved_by)


def _by_node(pod: PodExplanation) -> Mapping[str, NodeVerdict]:
    return {verdict.node: verdict for verdict in pod.node_verdicts}


def _node_standing(verdict: NodeVerdict | None) -> NodeStanding:
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


def _judged(standing: NodeStanding) -> tuple[str, str, str]:
    return standing.verdict, standing.stopped_by, standing.detail


def _points(verdict: NodeVerdict | None) -> dict[str, int]:
    return {score.plugin: score.weighted for score in verdict.scores} if verdict else {}


def _shifts(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[PluginShift, ...]:
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
    return tuple(sorted((each for each in every if each.points), key=lambda each: -abs(each.points)))


def _moved_by(before: PodExplanation, after: PodExplanation) -> tuple[PluginShift, ...]:
    if not before.choice or not after.choice or set(before.choice.best) == set(after.choice.best):
        return ()
    old, new = before.choice.best, after.choice.best
    won = next((name for name in new if name not in old), new[0])
    lost = next((name for name in old if name not in new), old[0])
    return _shifts(*(_leads(_by_node(pod), won, lost) for pod in (before, after)))


def _leads(by_node: Mapping[str, NodeVerdict], won: str, lost: str) -> dict[str, int]:
    ahead, behind = _points(by_node.get(won)), _points(by_node.get(lost))
    return {plugin: points - behind[plugin] for plugin, points in ahead.items()} if behind else {}
