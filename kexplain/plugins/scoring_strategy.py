"""How fullness becomes a score. Source: `plugins/noderesources`, the scorers of `fit.go`."""

from collections.abc import Sequence
from operator import sub
from typing import Literal, get_args

from msgspec import Struct

from kexplain.framework.go_math import truncated_div
from kexplain.framework.plugin import MAX_NODE_SCORE, ScoreTerm, ScoreTerms
from kexplain.plugins.resource_allocation import DEFAULT_RESOURCES, Allocation, ResourceSpec, Taken

StrategyType = Literal["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"]
STRATEGY_TYPES: tuple[StrategyType, ...] = get_args(StrategyType)


class ShapePoint(Struct, frozen=True):
    """A point of the function from utilization (0 to 100) to score (0 to 100)."""

    utilization: int
    score: int


class ScoringStrategy(Struct, frozen=True):
    """How fullness becomes a score; `shape` is for RequestedToCapacityRatio only."""

    type: StrategyType = "LeastAllocated"
    resources: tuple[ResourceSpec, ...] = DEFAULT_RESOURCES
    shape: tuple[ShapePoint, ...] = ()


def score_by_strategy(strategy: ScoringStrategy, resources: Sequence[Allocation]) -> int:
    """The weighted mean of the resources' scores; those of which the node has nothing do not count."""
    total = weights = 0
    is_ratio = strategy.type == "RequestedToCapacityRatio"
    for spec, allocation in zip(strategy.resources, resources, strict=True):
        if allocation.allocatable == 0:
            continue
        score = _resource_score(strategy, allocation)
        # In this strategy alone a resource that scores nothing does not weigh either.
        if not is_ratio or score > 0:
            total += score * spec.weight
            weights += spec.weight
    if weights == 0:
        return 0
    return (2 * total + weights) // (2 * weights) if is_ratio else total // weights


def scores_by_strategy(strategy: ScoringStrategy, taken: Sequence[Taken]) -> list[int] | None:
    """The same for many nodes, which all have each of these resources; None where they are scored one by one."""
    weights = sum(each.weight for each in taken)
    if not weights or strategy.type == "RequestedToCapacityRatio":
        return None
    totals = [0] * len(taken[0].offered)
    for weight, request, offered, allocated in taken:
        left = [max(has - took - request, 0) for has, took in zip(offered, allocated, strict=True)]
        if strategy.type == "MostAllocated":
            left = list(map(sub, offered, left))
        shares = [each * MAX_NODE_SCORE // has for each, has in zip(left, offered, strict=True)]
        totals = [total + weight * share for total, share in zip(totals, shares, strict=True)]
    return [total // weights for total in totals]


def terms_of_score(strategy: ScoringStrategy, resources: Sequence[Allocation]) -> ScoreTerms:
    """The terms of `score_by_strategy`, in the order of the strategy's resources."""
    is_ratio = strategy.type == "RequestedToCapacityRatio"
    terms = []
    for spec, allocation in zip(strategy.resources, resources, strict=True):
        score = _resource_score(strategy, allocation) if allocation.allocatable else 0
        terms.append(
            ScoreTerm(
                resource=spec.name,
                requested=allocation.requested,
                allocatable=allocation.allocatable,
                utilization=allocation.requested * 100 // allocation.allocatable if allocation.allocatable else 0,
                score=score,
                weight=spec.weight,
                counted=allocation.allocatable > 0 and (score > 0 or not is_ratio),
            )
        )
    shape = tuple((point.utilization, point.score) for point in strategy.shape) if is_ratio else ()
    return ScoreTerms(strategy.type, tuple(terms), shape=shape)


def _resource_score(strategy: ScoringStrategy, allocation: Allocation) -> int:
    requested, capacity = allocation.requested, allocation.allocatable
    match strategy.type:
        case "LeastAllocated":
            return 0 if requested > capacity else (capacity - requested) * MAX_NODE_SCORE // capacity
        case "MostAllocated":
            return min(requested, capacity) * MAX_NODE_SCORE // capacity
        case "RequestedToCapacityRatio":
            return score_on_shape(strategy.shape, 100 if requested > capacity else requested * 100 // capacity)


def score_on_shape(shape: Sequence[ShapePoint], utilization: int) -> int:
    """The score at a utilization: straight between points, level beyond the ends."""
    for index, point in enumerate(shape):
        if utilization <= point.utilization:
            if index == 0:
                return point.score
            previous = shape[index - 1]
            rise, run = point.score - previous.score, point.utilization - previous.utilization
            return previous.score + truncated_div(rise * (utilization - previous.utilization), run)
    return shape[-1].score
