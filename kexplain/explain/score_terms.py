"""How scores come about, for the nodes that are looked at closely."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.explain.records import NodeVerdict, ScoreTerms
from kexplain.framework.plugin import ScoreTerms as WorkedOut
from kexplain.framework.trace import Decision


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
    terms = decision.score_terms(verdict.node)
    return replace(
        verdict,
        score_terms=tuple(_record(name, raw_by_plugin[name], found) for name, found in terms.items()),
    )


def _record(plugin: str, score: int, found: WorkedOut) -> ScoreTerms:
    return ScoreTerms(plugin=plugin, strategy=found.strategy, score=score, terms=found.terms)
