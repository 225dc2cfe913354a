from __future__ import annotations

import pytest

from kexplain.framework.plugin import ScoreTerm
from kexplain.plugins.resource_allocation import Allocation, ResourceSpec
from kexplain.plugins.scoring_strategy import (
    STRATEGY_TYPES,
    ScoringStrategy,
    ShapePoint,
    StrategyType,
    score_by_strategy,
    terms_of_score,
)

RESOURCES = (ResourceSpec("cpu", 3), ResourceSpec("memory", 1), ResourceSpec("example.com/gpu", 5))
SHAPE = (ShapePoint(0, 0), ShapePoint(100, 100))


@pytest.mark.parametrize("kind", STRATEGY_TYPES)
@pytest.mark.parametrize(
    "allocations",
    [
        pytest.param([Allocation(8, 1, 3), Allocation(1000, 256, 512), Allocation(4, 1, 3)], id="all"),
        pytest.param([Allocation(8, 0, 0), Allocation(1000, 0, 512), Allocation()], id="none-of-one"),
        pytest.param([Allocation(8, 9, 10), Allocation(7, 0, 5), Allocation(3, 0, 1)], id="overfull"),
        pytest.param([Allocation(), Allocation(), Allocation()], id="nothing"),
    ],
)
def test_terms_add_up_to_the_score(kind: StrategyType, allocations: list[Allocation]) -> None:
    strategy = ScoringStrategy(kind, RESOURCES, SHAPE)
    found = terms_of_score(strategy, allocations)
    counted = [term for term in found.terms if term.counted]
    mean = sum(term.score * term.weight for term in counted) / max(sum(term.weight for term in counted), 1)
    rounded = int(mean + 0.5) if kind == "RequestedToCapacityRatio" else int(mean)
    assert rounded == score_by_strategy(strategy, allocations)


def test_a_term() -> None:
    strategy = ScoringStrategy("MostAllocated", (ResourceSpec("cpu", 3),))
    assert terms_of_score(strategy, [Allocation(8, 1, 3)]).terms == (
        ScoreTerm(resource="cpu", requested=3, allocatable=8, utilization=37, score=37, weight=3, counted=True),
    )
