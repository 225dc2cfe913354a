from __future__ import annotations

from itertools import pairwise

import pytest

from kexplain.api import Case, PodToPlace
from kexplain.config.releases.release import RELEASES, differing
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.report.release_changes import _TOUCHED, release_changes
from tests.factories import budget, cluster, node, pod, selector, spread
from tests.storage_factories import claim, csi_driver, storage_class


def changes(old: str, new: str, *objects: KubernetesObject, placed: tuple[Pod, ...] = ()) -> list[str]:
    case = Case(cluster([node("n1")], placed, *objects), (PodToPlace(pod("p")),))
    found = release_changes(case, differing(old, new))
    return [f"{each.release}: {each.objects}; {each.then}: {', '.join(each.examples)}" for each in found]


COUNTED = "preemption counts it for all pods of the namespace"
EMPTY = tuple(pod(f"p{number}", node="n1", spread=[spread(labels=selector())]) for number in range(5))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "1.37", "1.38",
            "1.38: 5 pods have a spread constraint with an empty selector; it counts all pods of the namespace",
            id="upgrade",
        ),
        pytest.param(
            "1.38", "1.36",
            "1.38: 5 pods have a spread constraint with an empty selector; it counts no pods",
            id="downgrade",
        ),
    ],
)  # fmt: skip
def test_pods_that_a_difference_touches(old: str, new: str, expected: str) -> None:
    assert changes(old, new, placed=EMPTY) == [f"{expected}: default/p0, default/p1, default/p2"]


def test_what_is_not_in_the_cluster_is_left_out() -> None:
    assert changes("1.36", "1.38") == []
    assert changes("1.34", "1.35", placed=EMPTY) == []


def test_each_object_once_for_each_row() -> None:
    objects = [storage_class(), claim("data"), csi_driver(must_be_there=True), budget("all", selector())]
    assert changes("1.36", "1.38", *objects) == [
        f"1.38: 1 disruption budget has an empty selector; {COUNTED}: default/all",
        "1.37: 1 claim has no volume yet; nodes are scored by the storage they have left: default/data",
        "1.37: 1 CSIDriver keeps pods from nodes without it; nodes without the driver are turned away: csi.example.com",
    ]


def test_every_row_that_is_looked_for_is_one_of_the_table() -> None:
    told = {trait.name for old, new in pairwise(RELEASES) for trait in differing(old, new)}
    assert _TOUCHED.keys() <= told
