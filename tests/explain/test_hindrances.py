"""What clouds and autoscalers say is in the way of new nodes."""

from __future__ import annotations

import pytest

from kexplain.explain.hindrances import hindrance


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SubnetIsFull", "addresses"),
        ("There aren't sufficient free Ipv4 addresses: InsufficientFreeAddressesInSubnet", "addresses"),
        ("the subnet does not have enough free addresses to satisfy the request", "addresses"),
        ("VcpuLimitExceeded: You have requested more vCPU capacity than your current limit", "quota"),
        ("Operation could not be completed as it results in exceeding approved Total Regional Cores quota", "quota"),
        ("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", "machines left"),
        ("InsufficientInstanceCapacity: We currently do not have sufficient m5.large capacity", "machines left"),
        ("UnauthorizedOperation: You are not authorized to perform this operation", "rights"),
        ("InvalidAMIID.NotFound", "declared"),
        ("Scale-up timed out for node group a after 15m", "do not become nodes"),
        ("1 max node group size reached", "maximum"),
        ("max total nodes in cluster reached", "as many nodes"),
        ("all available instance types exceed limits for nodepool: a", "limits"),
        ("no nodepools found", "no NodePool"),
        ("1 in backoff after failed scale-up", "failed to grow"),
    ],
)
def test_what_is_said_is_known(text: str, word: str) -> None:
    found = hindrance(text)
    assert found is not None
    assert word in found.says


@pytest.mark.parametrize("text", ["", "1 Insufficient cpu", "2 node(s) didn't match Pod's node affinity/selector"])
def test_what_is_about_the_pod_is_none(text: str) -> None:
    assert hindrance(text) is None
