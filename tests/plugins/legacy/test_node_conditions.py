"""Conditions of nodes, as older releases looked at them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.objects.core import NodeCondition
from kexplain.plugins.legacy.node_conditions import (
    DISK_PRESSURE,
    MEMORY_PRESSURE,
    PID_PRESSURE,
    CheckNodeCondition,
    PodToleratesNodeNoExecuteTaints,
)
from tests.factories import node, pod


def with_condition(kind: str, status: str) -> NodeInfo:
    plain = node("n1")
    return NodeInfo(replace(plain, status=replace(plain.status, conditions=(NodeCondition(kind, status),))))


@pytest.mark.parametrize(
    ("plugin", "kind", "status", "reason"),
    [
        (CheckNodeCondition(), "Ready", "Unknown", "node(s) were not ready"),
        (CheckNodeCondition(), "OutOfDisk", "Unknown", "node(s) were out of disk space"),
        (CheckNodeCondition(), "NetworkUnavailable", "True", "node(s) had unavailable network"),
        (CheckNodeCondition(), "Ready", "True", ""),
        (DISK_PRESSURE, "DiskPressure", "True", "node(s) had disk pressure"),
        (DISK_PRESSURE, "DiskPressure", "Unknown", ""),
        (PID_PRESSURE, "PIDPressure", "True", "node(s) had pid pressure"),
        (MEMORY_PRESSURE, "MemoryPressure", "True", "node(s) had memory pressure"),
    ],
)
def test_conditions(plugin: CheckNodeCondition, kind: str, status: str, reason: str) -> None:
    verdict = plugin.filter(pod(), None, with_condition(kind, status))
    assert (verdict.message if verdict else "") == reason


def test_memory_pressure_does_not_matter_to_pods_that_request_something() -> None:
    assert MEMORY_PRESSURE.filter(pod(cpu="1m"), None, with_condition("MemoryPressure", "True")) is None


def test_of_taints_only_those_that_evict_count() -> None:
    plugin = PodToleratesNodeNoExecuteTaints()
    assert plugin.filter(pod(), None, NodeInfo(node("n1", taints=["a:NoSchedule"]))) is None
    assert plugin.filter(pod(), None, NodeInfo(node("n1", taints=["a:NoExecute"]))) is not None
