"""Replica sets of a deployment whose number of replicas changes while its template does.

The table is upstream's: `TestScale` of deployment/sync_test.go.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

from kexplain.objects.apps import Deployment, DeploymentSpec, DeploymentStrategy, RollingUpdate
from kexplain.objects.meta import ObjectMeta
from kexplain.world.deployments import DeploymentController, Revision
from kexplain.world.members import Member, Pods
from kexplain.world.replica_sets import Replicas
from tests.factories import pod


def _never_made(_: object) -> NoReturn:
    raise AssertionError("pods are not made here")


def _revision(number: int, size: int, *, is_new: bool, was: int, most: int, serving: int | None) -> Revision:
    ready = size if serving is None else serving
    members = [Member(pod(f"web-{number}-{index}"), is_new, "n1", index < ready) for index in range(size)]
    replicas = Replicas(f"web-{number}", size, _never_made, Deployment(), Pods(members), is_new=is_new)
    return Revision(replicas, created=f"2026-11-0{number}", number=number, desired=was, most=most)


def _deployment(surge: int) -> Deployment:
    rolling = RollingUpdate(max_surge=surge, max_unavailable=1)
    strategy = DeploymentStrategy(type="RollingUpdate", rolling_update=rolling)
    return Deployment(metadata=ObjectMeta(name="web"), spec=DeploymentSpec(strategy=strategy))


@pytest.mark.parametrize(
    ("was", "wanted", "surges", "sizes", "expected"),
    [
        pytest.param(10, 12, (0, 0), (10,), (12,), id="up"),
        pytest.param(10, 5, (0, 0), (10,), (5,), id="down"),
        pytest.param(10, 0, (0, 0), (10,), (0,), id="to nothing"),
        pytest.param(5, 10, (0, 0), (2, 3), (4, 6), id="in proportion, 5 to 10"),
        pytest.param(5, 3, (0, 0), (2, 3), (1, 2), id="in proportion, 5 to 3"),
        pytest.param(9, 4, (0, 0), (8, 1), (4, 0), id="in proportion, 9 to 4"),
        pytest.param(7, 10, (0, 0), (2, 3, 2), (3, 4, 3), id="in proportion, 7 to 10"),
        pytest.param(13, 8, (0, 0), (2, 8, 3), (1, 5, 2), id="in proportion, 13 to 8"),
        pytest.param(3, 6, (0, 0), (1, 1, 1), (2, 2, 2), id="to twice as many"),
        pytest.param(9, 14, (0, 0), (3, 3, 3), (5, 5, 4), id="the oldest gets what is left"),
        pytest.param(9, 4, (0, 0), (3, 3, 3), (2, 1, 1), id="the newest keeps what is left"),
        pytest.param(4, 5, (0, 0), (1, 1, 1, 1), (2, 1, 1, 1), id="too few to share go to the newest"),
        pytest.param(4, 0, (0, 0), (1, 3), (0, 0), id="all to nothing"),
        pytest.param(10, 20, (2, 2), (6, 6), (11, 11), id="with pods beyond"),
        pytest.param(10, 50, (3, 6), (5, 8), (22, 34), id="and more of them"),
        pytest.param(10, 10, (0, 0), (4, 6), (4, 6), id="as many as before"),
    ],
)
def test_sizes_of_replica_sets(
    was: int, wanted: int, surges: tuple[int, int], sizes: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """The sizes begin with that of the newest replica set."""
    before, surge = surges
    revisions = [
        _revision(len(sizes) - age, size, is_new=age == 0, was=was, most=was + before, serving=0)
        for age, size in enumerate(sizes)
    ]
    controller = DeploymentController(_deployment(surge), wanted, [*revisions], _never_made)
    assert controller._scale() is (expected != sizes)
    assert tuple(each.size for each in revisions) == expected
    changed = [each for each in revisions if each.size] if len(sizes) > 1 or sizes != expected else []
    assert [(each.desired, each.most) for each in changed] == [(wanted, wanted + surge)] * len(changed)


@pytest.mark.parametrize(
    ("serving", "expected"),
    [pytest.param(2, (2, 0), id="it serves"), pytest.param(1, (2, 1), id="it does not serve yet")],
)
def test_a_newest_replica_set_that_is_complete_ends_the_others(serving: int, expected: tuple[int, int]) -> None:
    newest = _revision(2, 2, is_new=True, was=2, most=3, serving=serving)
    old = _revision(1, 1, is_new=False, was=2, most=3, serving=1)
    DeploymentController(_deployment(1), 2, [newest, old], _never_made)._scale()
    assert (newest.size, old.size) == expected
