from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.cel.selectors import Selectors
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.resource import DeviceTaint
from kexplain.plugins.devices.taints import of_class_and_expressions, tainted
from tests.plugins.devices.makers import CLASS, DRIVER, device, device_class, resource_slice

OWN = DeviceTaint(key="own", effect="NoExecute")
SLICES = [
    resource_slice(device("a", taints=[{"key": "own", "effect": "NoExecute"}]), device("b"), pool="p"),
    resource_slice(device("a"), pool="q"),
    resource_slice(device("a"), pool="p", driver="other.example.com"),
]


def rule(key: str = "rule", **selector: Any) -> DeviceTaintRule:
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


MODELS = [resource_slice(device("a", {"model": "a100"}), device("h", {"model": "h100"}), device("old"))]


def asks(expression: str) -> dict[str, Any]:
    return {"cel": {"expression": expression}}


A100 = asks(f"device.attributes['{DRIVER}'].model == 'a100'")


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        pytest.param([rule(driver=DRIVER)], ["a", "h", "old"], id="names alone"),
        pytest.param([rule(selectors=[A100])], ["a"], id="expression, an error of which is no match"),
        pytest.param([rule(selectors=[A100, asks("false")])], [], id="all of them must hold"),
        pytest.param([rule(selectors=[asks("false"), asks("device.")])], [], id="expression that it does not come to"),
        pytest.param([rule(deviceClassName=CLASS)], ["h"], id="class"),
        pytest.param([rule(deviceClassName=CLASS, selectors=[A100])], [], id="class and expression"),
        pytest.param([rule(deviceClassName="gone")], [], id="class that is not there"),
        pytest.param([rule(deviceClassName=CLASS, device="a")], [], id="class and name"),
    ],
)
def test_before_1_35_rules_go_by_class_and_expressions(rules: list[DeviceTaintRule], names: list[str]) -> None:
    classes = {CLASS: device_class(CLASS, f"device.attributes['{DRIVER}'].model.startsWith('h')")}
    is_like = of_class_and_expressions(classes, Selectors())
    (made,) = tainted(MODELS, rules, taints_all=True, is_like=is_like)
    assert [each.name for each in made.spec.devices or () if each.taints] == names


def test_an_expression_that_cannot_be_compiled_loses_the_slice() -> None:
    is_like = of_class_and_expressions({}, Selectors())
    assert tainted(MODELS, [rule(selectors=[asks("device.")])], taints_all=True, is_like=is_like) == []


def test_a_rule_without_a_selector_may_be_about_nothing() -> None:
    """An empty one is about everything all the same."""
    empty = msgspec.convert({"kind": "DeviceTaintRule", "spec": {"deviceSelector": {}}}, DeviceTaintRule)
    assert tainted(SLICES, [rule()], taints_all=False) == SLICES
    assert all(each.taints for made in tainted(SLICES, [empty], taints_all=False) for each in made.spec.devices or ())
