"""How scores come about, for the nodes that are looked at closely."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.explain.records import NodeVerdict, Score, ScoreTerm
from kexplain.framework.plugin import ScoreTerms
from kexplain.framework.trace import Decision


def with_terms(
    verdicts: Sequence[NodeVerdict], decision: Decision, count: int | None, node: str
) -> tuple[NodeVerdict, ...]:
    """The verdicts, with terms for the first `count` of those with scores (None for all), and for that node."""
    left = len(verdicts) if count is None else count
    return tuple(
        _with_terms(verdict, decision) if verdict.scores and (place < left or verdict.node == node) else verdict
        for place, verdict in enumerate(verdicts)
    )


def _with_terms(verdict: NodeVerdict, decision: Decision) -> NodeVerdict:
    terms = decision.score_terms(verdict.node)
    return replace(verdict, scores=tuple(_explained(score, terms.get(score.plugin)) for score in verdict.scores))


def _explained(score: Score, terms: ScoreTerms | None) -> Score:
    if terms is None:
        return score
    records = tuple(
        ScoreTerm(
            resource=term.resource,
            requested=term.requested,
            allocatable=term.allocatable,
            utilization=term.utilization,
            score=term.score,
            weight=term.weight,
            counted=term.counted,
        )
        for term in terms.terms
    )
    return replace(score, strategy=terms.strategy, terms=records)
