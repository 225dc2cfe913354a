from __future__ import annotations

import pytest

from kexplain.diagnosis.overdue import TO_BE_DELETED, overdue_since
from kexplain.objects.core import Node, NodeCondition, NodeMeta, NodeSpec, NodeStatus, Pod, Taint
from tests.factories import cluster, pod

NOW = NodeStatus(conditions=(NodeCondition(type="Ready", status="True", last_heartbeat_time="2026-11-20T09:00:00Z"),))
STARTING = "node.cilium.io/agent-not-ready"


def made(created: str, key: str, value: str | None = None, deleted: str | None = None) -> Node:
    meta = NodeMeta(name="n1", creation_timestamp=created, deletion_timestamp=deleted)
    taints = (Taint(key=key, value=value, effect="NoSchedule"),) if key else ()
    return Node(metadata=meta, spec=NodeSpec(taints=taints or None), status=NOW)


@pytest.mark.parametrize(
    ("node", "pods", "since"),
    [
        (made("2026-11-20T06:00:00Z", STARTING), [], "2026-11-20T06:00:00Z"),
        (made("2026-11-20T08:45:00Z", STARTING), [], ""),
        (made("2026-11-20T06:00:00Z", STARTING), [pod("web", node="n1")], ""),
        (made("2026-11-01T06:00:00Z", TO_BE_DELETED, "1795137120"), [pod("web", node="n1")], "2026-11-20T01:12:00Z"),
        (made("2026-11-01T06:00:00Z", TO_BE_DELETED, "1795165000"), [], ""),
        (made("2026-11-01T06:00:00Z", TO_BE_DELETED, "soon"), [], ""),
        (made("2026-11-01T06:00:00Z", "", None, "2026-11-20T02:00:00Z"), [], "2026-11-20T02:00:00Z"),
        (made("2026-11-01T06:00:00Z", "dedicated"), [], ""),
    ],
)
def test_what_should_have_passed_is_known_since_when(node: Node, pods: list[Pod], since: str) -> None:
    assert overdue_since(node, cluster([node], pods)) == since
