from __future__ import annotations

import pytest

from kexplain.framework.features import Features
from kexplain.plugins.scoring_strategy import ShapePoint
from kexplain.plugins.storage_scoring import Shape, StorageUse, default_shape, storage_score

ON = Features(storage_capacity_scoring=True)
OLD = Features(volume_capacity_priority=True)
BENT = (ShapePoint(50, 0), ShapePoint(80, 30), ShapePoint(100, 50))


@pytest.mark.parametrize(
    ("shape", "requested", "score"),
    [
        # Of 100 in each class.
        *((default_shape(OLD), [share], share) for share in (0, 30, 50, 100)),
        (default_shape(OLD), [0, 0], 0),
        (default_shape(OLD), [0, 30], 15),
        (default_shape(OLD), [30, 60], 45),
        (default_shape(OLD), [50, 100], 75),
        *((default_shape(ON), [share], 100 - share) for share in (0, 30, 50, 100)),
        (default_shape(ON), [30, 61], 55),
        (default_shape(ON), [101], 0),
        (default_shape(ON), [], 0),
        (BENT, [0, 30], 0),
        (BENT, [30, 60], 5),
        (BENT, [50, 100], 25),
        (BENT, [90, 90], 40),
        (BENT, [100, 100], 50),
    ],
)
def test_score_of_fullness(shape: Shape, requested: list[int], score: int) -> None:
    assert storage_score(shape, [StorageUse(each, 100) for each in requested]) == score
    assert storage_score(shape, [StorageUse(0, 0)]) == storage_score(shape, [StorageUse(1, 1)])
