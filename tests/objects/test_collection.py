"""Objects by kind, in their order."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from kexplain.objects.apps import Deployment, Rollout
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import node, pod
from tests.load.snapshot.stored import running, snapshot_of


def _names(objects: Iterable[KubernetesObject]) -> list[str]:
    return [obj.name for obj in objects]


def test_objects_are_found_by_kind_in_their_order() -> None:
    objects = Objects([pod("a"), node("n"), Deployment(), pod("b"), Rollout()])
    assert (_names(objects.of(Pod)), _names(objects.of(Node))) == (["a", "b"], ["n"])
    assert [*map(type, objects.of(Deployment))] == [Deployment, Rollout]
    assert [*map(type, [*objects.of(Node), *objects.of(Rollout)])] == [Node, Rollout]
    assert objects.kinds == {Pod, Node, Deployment, Rollout}
    objects += [pod("c")]
    assert (_names(objects.pods_named({"c", "b", "x"})), len(objects), objects[-1].name) == (["b", "c"], 6, "c")


def test_pods_of_a_snapshot_are_made_when_they_are_asked_for() -> None:
    objects = snapshot_of(running("a"), pod("waiting", uid="w"), running("b"), running("c", namespace="other"))
    stored = objects.stored
    assert stored is not None
    assert (_names(objects.others), objects.kinds, len(objects)) == (["n1", "waiting"], {Node, Pod}, 5)
    assert (_names(objects.of(Node)), {*stored.rows.made}) == (["n1"], {1})
    assert (_names(objects.pods_named({"b", "waiting"})), {*stored.rows.made}) == (["waiting", "b"], {1, 2})
    assert _names(objects) == ["n1", "a", "waiting", "b", "c"]
    assert _names(objects.of(Pod)) == ["a", "waiting", "b", "c"]
    assert objects[3] is objects.pods_named({"b"})[0]


@pytest.mark.parametrize(
    ("before", "behind", "stays"),
    [
        pytest.param([pod("new"), node("n2")], [node("n3")], True, id="others"),
        pytest.param([running("a")], [], False, id="of-the-same-name"),
        pytest.param([], [pod("new")], False, id="pods-behind"),
        pytest.param([], snapshot_of(running("x")), False, id="two-snapshots"),
    ],
)
def test_pods_stay_stored_only_where_nothing_can_come_between(
    before: list[KubernetesObject], behind: Iterable[KubernetesObject], stays: bool
) -> None:
    objects = Objects(before)
    objects += snapshot_of(running("a"), running("b"))
    objects += behind
    assert (objects.stored is not None) == stays
    assert _names(objects) == [*_names(before), "n1", "a", "b", *_names(behind)]
    assert len(objects) == len([*objects])
