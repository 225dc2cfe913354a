"""A gang that no queue bounds, and that asks for more than all nodes have left."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, QuotaUse, held_by
from kexplain.objects.core import Node
from kexplain.remedies.gangs import beyond_all_nodes
from tests.factories import cluster, node, pod
from tests.queues.made import read

NODES = [node("n1"), node("n2", cordoned=True, taints=["node.kubernetes.io/unschedulable:NoSchedule"])]
BOUND = QuotaUse(resource="cpu", used="0", allowed="9")
BUSY = pod("busy", node="n1", cpu="1")


def group(**asked: str) -> dict[str, Any]:
    spec = {"minMember": 3, "minResources": asked}
    metadata = {"name": "g", "namespace": "a"}
    return {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": metadata, "spec": spec}


def waiting(kind: Kind = Kind.QUEUE_WAITING_FOR_QUOTA, of: str = "PodGroup a/g", **more: Any) -> Held:
    return held_by("Volcano", kind, told("group-let-in", group="g", needs="3"), object=of, **more)


@pytest.mark.parametrize(
    ("found", "asked", "text"),
    [
        pytest.param(waiting(), {"cpu": "6"}, "it asks for 6 cpu at once, and all nodes together have 3 left",
                     id="beyond"),
        pytest.param(waiting(), {"cpu": "1", "memory": "9Gi"},
                     "it asks for 9Gi memory at once, and all nodes together have 8Gi left", id="of-another"),
        pytest.param(waiting(), {"cpu": "3"}, "", id="enough"),
        pytest.param(waiting(), {"cpu": "many"}, "", id="no-amount"),
        pytest.param(waiting(Kind.GROUP_WAITING), {"cpu": "6"}, "", id="let-in"),
        pytest.param(waiting(of="Workload a/g"), {"cpu": "6"}, "", id="no-group"),
        pytest.param(waiting(of="PodGroup a/other"), {"cpu": "6"}, "", id="not-read"),
        pytest.param(waiting(quota=(BOUND,)), {"cpu": "6"}, "", id="bounded-by-its-queue"),
    ],
)  # fmt: skip
def test_what_all_nodes_have_left(found: Held, asked: dict[str, str], text: str) -> None:
    nodes: list[Node] = NODES
    beyond = beyond_all_nodes(found, cluster(nodes, [BUSY], *read(group(**asked))))
    assert (beyond is not None) is bool(text)
    if beyond is not None:
        held, (remedy,) = beyond
        assert held.text == f"Volcano: group g is let in, and 3: {text}"
        assert remedy.text.startswith("add nodes with ")
        assert remedy.text.endswith("or let the group start with fewer pods (now 3)")
