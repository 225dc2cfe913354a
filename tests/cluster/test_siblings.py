"""Which pods one workload has made."""

from __future__ import annotations

import pytest

from kexplain.cluster.siblings import are_siblings, placed_siblings
from kexplain.objects.core import Pod
from tests.factories import cluster, controlled_by, node, pod

SELF = {"pod-template-hash": "6c9f"}


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        pytest.param(pod(owner=controlled_by("ReplicaSet", "new-6c9f"), labels=SELF), True, id="of-the-same-set"),
        pytest.param(pod(owner=controlled_by("ReplicaSet", "new-77d5"), labels={"pod-template-hash": "77d5"}), True,
                     id="of-an-older-template"),
        pytest.param(pod(owner=controlled_by("ReplicaSet", "old-6c9f"), labels=SELF), False, id="of-another-workload"),
        pytest.param(pod(owner=controlled_by("ReplicaSet", "new-6c9f"), labels=SELF, namespace="x"), False,
                     id="of-another-namespace"),
        pytest.param(pod(), False, id="of-none"),
    ],
)  # fmt: skip
def test_siblings_have_one_workload(other: Pod, expected: bool) -> None:
    assert are_siblings(pod(owner=controlled_by("ReplicaSet", "new-6c9f"), labels=SELF), other) is expected


def test_placed_siblings_come_with_their_nodes() -> None:
    owner = controlled_by("ReplicaSet", "new")
    others = [
        pod("b", node="n1", owner=controlled_by("ReplicaSet", "old")),
        pod("c", node="n1", namespace="x", owner=owner),
    ]
    there = cluster([node("n1"), node("n2")], [pod("a", node="n2", owner=owner), *others])
    assert [(each.name, on.name) for each, on in placed_siblings(pod("p", owner=owner), there)] == [("a", "n2")]
    assert not placed_siblings(pod("p"), there)
