from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.framework.plugin import Placement
from kexplain.framework.status import Status, error
from kexplain.objects.core import GroupName
from kexplain.plugins.pod_group_pods_count import PodGroupPodsCount
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(
    ("assigned", "assumed", "proposed", "score"), [(2, 1, 2, 5), (1, 0, 2, 3), (0, 1, 2, 3), (0, 0, 2, 2)]
)
def test_score(assigned: int, assumed: int, proposed: int, score: int) -> None:
    there = [pod(f"there-{place}", group="pg", node="n1") for place in range(assigned)]
    waiting = [pod(f"waits-{place}", group="pg") for place in range(assumed)]
    made = cluster([node("n1")], [*there, *waiting, pod("other", group="other", node="n1")])
    for each in waiting:
        made = made.assume(each, "n1")
    placed = tuple(pod(f"new-{place}", group="pg") for place in range(proposed))
    assert (
        PodGroupPodsCount().score_placement(GroupName("default", "pg"), made, Placement("a", ("n1",), placed)) == score
    )


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([5, 10], [50, 100]),
        ([1, 3], [33, 100]),
        ([4], [100]),
        ([0, 0], error("no pods from pod group are assigned to any of the candidate placements")),
    ],
)
def test_normalize(scores: Sequence[int], expected: Sequence[int] | Status) -> None:
    assert PodGroupPodsCount().normalize_placements(scores) == expected
