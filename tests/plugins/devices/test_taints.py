from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.resource import DeviceTaint
from kexplain.plugins.devices.taints import tainted
from tests.plugins.devices.makers import DRIVER, device, resource_slice

OWN = DeviceTaint(key="own", effect="NoExecute")
SLICES = [
    resource_slice(device("a", taints=[{"key": "own", "effect": "NoExecute"}]), device("b"), pool="p"),
    resource_slice(device("a"), pool="q"),
    resource_slice(device("a"), pool="p", driver="other.example.com"),
]


def rule(key: str = "rule", **selector: str) -> DeviceTaintRule:
    taint = {"key": key, "effect": "NoSchedule"}
    spec: dict[str, Any] = {"taint": taint, "deviceSelector": selector} if selector else {"taint": taint}
    return msgspec.convert({"kind": "DeviceTaintRule", "spec": spec}, DeviceTaintRule)


@pytest.mark.parametrize(
    ("rules", "keys"),
    [
        pytest.param([], [["own"], [], [], []], id="add-slices-no-patches"),
        pytest.param([rule()], [["own", "rule"], ["rule"], ["rule"], ["rule"]], id="patch-all-slices"),
        pytest.param([rule("x"), rule("y")], [["own", "x", "y"], *[["x", "y"]] * 3], id="merge-taints"),
        pytest.param([rule(driver=DRIVER)], [["own", "rule"], ["rule"], ["rule"], []], id="add-taint-for-driver"),
        pytest.param([rule(pool="p")], [["own", "rule"], ["rule"], [], ["rule"]], id="add-taint-for-pool"),
        pytest.param([rule(device="a")], [["own", "rule"], [], ["rule"], ["rule"]], id="add-taint-for-device"),
        pytest.param(
            [rule(driver=DRIVER, pool="p", device="b")], [["own"], ["rule"], [], []], id="filter-all-criteria",
        ),
        pytest.param([rule(driver="nobody")], [["own"], [], [], []], id="nothing-is-selected"),
    ],
)  # fmt: skip
def test_rules_taint_devices(rules: list[DeviceTaintRule], keys: list[list[str]]) -> None:
    """Most rows are upstream's of the tracker's tests."""
    devices = [each for made in tainted(SLICES, rules, taints_all=True) for each in made.spec.devices or ()]
    assert [[taint.key for taint in each.taints or ()] for each in devices] == keys
    assert (devices[0].taints or ())[0] == OWN


def test_a_rule_without_a_selector_may_be_about_nothing() -> None:
    """An empty one is about everything all the same."""
    empty = msgspec.convert({"kind": "DeviceTaintRule", "spec": {"deviceSelector": {}}}, DeviceTaintRule)
    assert tainted(SLICES, [rule()], taints_all=False) == SLICES
    assert all(each.taints for made in tainted(SLICES, [empty], taints_all=False) for each in made.spec.devices or ())
