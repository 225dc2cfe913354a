"""How full a pod's volumes make what nodes have of storage. Source: `plugins/volumebinding/scorer.go`."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from kexplain.framework.features import Features
from kexplain.framework.go_math import round_half_away
from kexplain.plugins.scoring_strategy import ShapePoint, score_on_shape

Shape = tuple[ShapePoint, ...]

#: The more is left, the better; before 1.33, the better a volume is filled, the better.
_ROOM_COUNTS: Shape = (ShapePoint(0, 100), ShapePoint(100, 0))
_FIT_COUNTS: Shape = (ShapePoint(0, 0), ShapePoint(100, 100))


class StorageUse(NamedTuple):
    """What a pod requests of a class, and what there is, in bytes."""

    requested: int
    capacity: int


def default_shape(features: Features) -> Shape:
    """The function from utilization to score; empty where nodes are not scored."""
    if features.storage_capacity_scoring:
        return _ROOM_COUNTS
    return _FIT_COUNTS if features.volume_capacity_priority else ()


def storage_score(shape: Shape, uses: Collection[StorageUse]) -> int:
    """The mean over the classes, rounded; 0 without any."""
    scores = [score_on_shape(shape, _utilization(use)) for use in uses]
    return round_half_away(sum(scores) / len(scores)) if scores else 0


def storage_working(shape: Shape, use_by_class: Mapping[str, StorageUse]) -> str:
    """The same in figures."""
    shares = {name: (use, _utilization(use)) for name, use in use_by_class.items()}
    said = (
        f"{name} {use.requested}/{use.capacity}, {share}% taken, gives {score_on_shape(shape, share)}"
        for name, (use, share) in shares.items()
    )
    score = storage_score(shape, use_by_class.values())
    return f"{', '.join(said) or 'what is left of the storage is not known'}; the mean = {score}"


def _utilization(use: StorageUse) -> int:
    return 100 if use.capacity == 0 or use.requested > use.capacity else use.requested * 100 // use.capacity
