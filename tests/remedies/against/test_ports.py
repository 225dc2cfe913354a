"""A host port that a workload's own replicas have."""

import pytest

from kexplain.api import Case, PodToPlace, explain
from tests.factories import cluster, controlled_by, node, pod

OWNER = controlled_by("ReplicaSet", "web")


@pytest.mark.parametrize(("is_another", "first"), [(False, "change-host-port"), (True, "uncordon")])
def test_the_port_is_at_fault_where_no_node_of_its_own_is_out_of_service(is_another: bool, first: str) -> None:
    replicas = [pod(f"web-{on}", node=on, ports=["80"], owner=OWNER) for on in ("n1", "n2", "n3", None)]
    nodes = [node("n1"), node("n2"), node("n3"), *([node("n4", cordoned=True)] if is_another else [])]
    (found,) = explain(Case(cluster(nodes, replicas[:3]), (PodToPlace(replicas[3]),))).pods
    assert found.remedies[0].action == first
