"""Whether a node is in service."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.objects.core import Node, NodeCondition
from kexplain.objects.node_service import Service, Trouble, is_passing, lost, out_of_service, waits_for_network
from tests.factories import node


def with_conditions(made: Node, *conditions: tuple[str, str]) -> Node:
    found = tuple(NodeCondition(type=kind, status=status) for kind, status in conditions)
    return replace(made, status=replace(made.status, conditions=found))


CORDON_TAINT = "node.kubernetes.io/unschedulable:NoSchedule"
UNREACHABLE_TAINT = "node.kubernetes.io/unreachable:NoExecute"


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(node(), None, id="in-service"),
        pytest.param(node(taints=["dedicated=db:NoSchedule"]), None, id="reserved-is-in-service"),
        pytest.param(with_conditions(node(), ("Ready", "True"), ("DiskPressure", "False")), None, id="well"),
        pytest.param(node(cordoned=True, taints=[CORDON_TAINT]),
                     Service((Trouble.CORDONED,), for_all=False), id="cordoned"),
        pytest.param(
            with_conditions(node(cordoned=True, taints=[UNREACHABLE_TAINT]), ("Ready", "Unknown")),
            Service((Trouble.UNREACHABLE, Trouble.CORDONED), for_all=False), id="unreachable-behind-a-cordon"),
        pytest.param(with_conditions(node(cordoned=True), ("Ready", "False")),
                     Service((Trouble.NOT_READY, Trouble.CORDONED), for_all=True), id="not-tainted-yet"),
        pytest.param(node(taints=["node.cilium.io/agent-not-ready:NoSchedule"]),
                     Service((Trouble.STARTING,), for_all=False), id="an-agent-is-missing"),
        pytest.param(node(taints=["aws-node-termination-handler/spot-itn:NoSchedule"]),
                     Service((Trouble.LEAVING,), for_all=False), id="the-machine-is-reclaimed"),
        pytest.param(node(taints=["cluster.x-k8s.io/uninitialized:NoSchedule"]),
                     Service((Trouble.STARTING,), for_all=False), id="the-machine-is-new"),
        pytest.param(node(taints=["DeletionCandidateOfClusterAutoscaler:PreferNoSchedule"]), None, id="a-preference"),
    ],
)  # fmt: skip
def test_out_of_service(made: Node, expected: Service | None) -> None:
    assert out_of_service(made) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("node.kubernetes.io/anything", True),
        ("ToBeDeletedByClusterAutoscaler", True),
        ("DeletionCandidateOfClusterAutoscaler", True),
        ("ebs.csi.aws.com/agent-not-ready", True),
        ("nvidia.com/gpu", False),
        ("node-role.kubernetes.io/control-plane", False),
    ],
)
def test_passing_taints(key: str, expected: bool) -> None:
    assert is_passing(key) is expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        pytest.param(node(), "", id="well"),
        pytest.param(node(taints=[UNREACHABLE_TAINT]), "unreachable", id="unreachable"),
        pytest.param(node(taints=["node.kubernetes.io/not-ready:NoExecute"]), "not ready", id="not-ready"),
        pytest.param(with_conditions(node(cordoned=True), ("Ready", "Unknown")), "unreachable", id="and-cordoned"),
        pytest.param(node(cordoned=True), "", id="only-cordoned"),
        pytest.param(with_conditions(node(), ("DiskPressure", "True")), "", id="under-pressure"),
    ],
)
def test_nodes_that_are_lost(made: Node, expected: str) -> None:
    assert lost(made) == expected


@pytest.mark.parametrize(
    ("kind", "message", "waits"),
    [
        ("Ready", "container runtime network not ready: reason:NetworkPluginNotReady", True),
        ("Ready", "network plugin returns error: cni plugin not initialized", True),
        ("Ready", "PLEG is not healthy", False),
        ("Ready", None, False),
        ("DiskPressure", "cni plugin not initialized", False),
    ],
)
def test_a_kubelet_that_waits_for_a_network(kind: str, message: str | None, waits: bool) -> None:
    condition = NodeCondition(type=kind, status="False", message=message)
    made = replace(node(), status=replace(node().status, conditions=(condition,)))
    assert waits_for_network(made) is waits
