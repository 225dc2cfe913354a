"""NodeClaims that are no node yet."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.cluster import Cluster
from kexplain.explain.nodes_on_their_way import on_their_way
from tests.factories import node
from tests.queues.made import read


@pytest.mark.parametrize(
    ("reason", "message", "fails"),
    [
        ("LaunchFailed", "AuthFailure.ServiceLinkedRoleCreationNotPermitted", True),
        ("LaunchFailed", "anything", True),
        ("AwaitingReconciliation", "object is awaiting reconciliation", False),
    ],
)
def test_a_claim_that_the_cloud_refuses_fails_before_karpenter_says_so(reason: str, message: str, fails: bool) -> None:
    launched = {"type": "Launched", "status": "Unknown", "reason": reason, "message": message}
    claim = {"apiVersion": "karpenter.sh/v1", "kind": "NodeClaim", "metadata": {"name": "general-x"}}
    (found,) = on_their_way(Cluster.of([], [], read({**claim, "status": {"conditions": [launched]}})))
    assert found.fails is fails


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


@pytest.mark.parametrize(("node_name", "is_coming"), [("n1", False), ("n2", True), (None, True)])
def test_a_node_that_has_joined_is_there(node_name: str | None, is_coming: bool) -> None:
    claim = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "general-x", "labels": {"karpenter.sh/nodepool": "general"}},
        "status": {"nodeName": node_name, "conditions": [{"type": "Registered", "status": "True"}]},
    }
    assert bool(on_their_way(Cluster.of([node("n1")], [], read(claim)))) is is_coming


def test_an_odd_claim_is_left_out() -> None:
    claim = {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": "c"},
        "status": {"conditions": 3},
    }
    assert on_their_way(Cluster.of([], [], read(claim))) == ()


def _machine(
    name: str, *, of: str = "md-1", node: str = "", kind: str = "cluster.x-k8s.io/v1beta1", **status: Any
) -> Any:
    owner = {"apiVersion": kind, "kind": "MachineSet", "name": of, "controller": True}
    ref = {"nodeRef": {"name": node}} if node else {}
    metadata = {"name": name, "namespace": "c", "ownerReferences": [owner]}
    return {"apiVersion": kind, "kind": "Machine", "metadata": metadata, "status": {**ref, **status}}


NO_CAPACITY = {"type": "Ready", "status": "False", "message": "InsufficientInstanceCapacity: none in the zone"}


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        pytest.param(_machine("m2", conditions=[NO_CAPACITY]), ("general", True), id="no-capacity"),
        pytest.param(_machine("m2", conditions=[{**NO_CAPACITY, "message": "1 of 2 completed"}]), ("general", False),
                     id="on-its-way"),
        pytest.param(_machine("m2", phase="Failed"), ("general", True), id="failed"),
        pytest.param(_machine("m2", errorMessage="quota exceeded"), ("general", True), id="of-openshift"),
        pytest.param(_machine("m2", failureMessage="quota exceeded"), ("general", True), id="for-good"),
        pytest.param(_machine("m2", node="n2"), None, id="is-a-node"),
        pytest.param(_machine("m2", of="md-2"), None, id="of-a-set-without-nodes"),
    ],
)  # fmt: skip
def test_machines(machine: Any, expected: tuple[str, bool] | None) -> None:
    there = node("n1", labels={"node-pool": "general"})
    found = on_their_way(Cluster.of([there], [], read(_machine("m1", node="n1"), machine)))
    assert [(each.pool, each.fails) for each in found] == ([expected] if expected else [])
    assert all(str(each).startswith("Machine m2 has no node yet") for each in found)


def test_machines_of_openshift_are_read() -> None:
    kind, there = "machine.openshift.io/v1beta1", node("n1", labels={"node-pool": "general"})
    machines = read(_machine("m1", node="n1", kind=kind), _machine("m2", kind=kind))
    assert [each.name for each in on_their_way(Cluster.of([there], [], machines))] == ["m2"]
