"""NodeClaims that are no node yet."""

from __future__ import annotations

import pytest

from kexplain.cluster import Cluster
from kexplain.explain.nodes_on_their_way import on_their_way
from tests.queues.made import read


@pytest.mark.parametrize(
    ("states", "waits_for", "fails"),
    [
        ({}, "Launched", False),
        ({"Launched": "False"}, "Launched", True),
        ({"Launched": "True", "Registered": "Unknown"}, "Registered", False),
        ({"Launched": "True", "Registered": "True"}, "Initialized", False),
        ({"Launched": "True", "Registered": "True", "Initialized": "True"}, None, False),
    ],
)
def test_steps(states: dict[str, str], waits_for: str | None, fails: bool) -> None:
    conditions = [{"type": kind, "status": status, "reason": "Why"} for kind, status in states.items()]
    claim = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "general-x", "labels": {"karpenter.sh/nodepool": "general"}},
        "status": {"conditions": conditions},
    }
    found = on_their_way(Cluster.of([], [], read(claim)))
    assert [(each.pool, each.waits_for, each.fails) for each in found] == (
        [("general", waits_for, fails)] if waits_for else []
    )
    assert all(("Why" in str(each)) is fails for each in found)


def test_an_odd_claim_is_left_out() -> None:
    claim = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "c"},
        "status": {"conditions": 3},
    }
    assert on_their_way(Cluster.of([], [], read(claim))) == ()
