"""Rules that arguments of several plugins, and of a Policy, keep: bounds, choices, and shapes of scores."""

from collections.abc import Iterable, Iterator, Sequence

from kexplain.objects.meta import Record
from kexplain.objects.problem import Path, Problem
from kexplain.plugins.scoring_strategy import ShapePoint

#: A configuration scores utilization from 0 to 10, the scheduler nodes from 0 to 100.
MAX_SHAPE_SCORE = 10
_SCALE = 10

Problems = Iterator[Problem]


def out_of_range(path: Path, value: int, least: int, most: int) -> Problems:
    """A problem if the value is not within its bounds."""
    if not least <= value <= most:
        yield Problem(path, f"{value} is not between {least} and {most}")


def below(path: Path, value: int, least: int) -> Problems:
    """A problem if the value is less than that."""
    if value < least:
        yield Problem(path, f"{value} is not above 0" if least == 1 else f"{value} is below {least}")


def not_one_of(path: Path, value: str, allowed: Sequence[str]) -> Problems:
    """A problem if the value is not one of those allowed."""
    if value not in allowed:
        yield Problem(path, f'"{value}" is not one of {", ".join(allowed)}')


class UtilizationShapePoint(Record, frozen=True):
    """The score at a utilization in percent."""

    utilization: int = 0
    score: int = 0


def shape_problems(shape: Sequence[UtilizationShapePoint], path: Path) -> Problems:
    """What is wrong with the points of a shape."""
    if not shape:
        yield Problem(path, "needs at least one point, such as {utilization: 0, score: 0}")
    for index, point in enumerate(shape):
        if index and shape[index - 1].utilization >= point.utilization:
            before = shape[index - 1].utilization
            yield Problem(
                (*path, index, "utilization"),
                f"{point.utilization} is not above the {before} before it: utilization must rise from point to point",
            )
        yield from out_of_range((*path, index, "utilization"), point.utilization, 0, 100)
        yield from out_of_range((*path, index, "score"), point.score, 0, MAX_SHAPE_SCORE)


def shape_points(shape: Iterable[UtilizationShapePoint]) -> tuple[ShapePoint, ...]:
    """The points on the scheduler's own scale."""
    return tuple(ShapePoint(point.utilization, point.score * _SCALE) for point in shape)
