from __future__ import annotations

from typing import Any

import pytest

from kexplain.cel.engine import Dialect, SelectorError
from kexplain.cel.selectors import Selectors
from kexplain.objects.resource import Device, DeviceAttribute
from tests.plugins.devices.makers import DRIVER, device

GPU = device(
    "gpu-0",
    {"model": "h100", "healthy": True, "index": 3, "driver": "v2.1.0", "other.example.com/zone": "a"},
    memory="40Gi",
)
A, C = f'device.attributes["{DRIVER}"]', f'device.capacity["{DRIVER}"]'


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("true", True),
        ("false", False),
        (f'device.driver == "{DRIVER}"', True),
        (f"{A}.healthy", True),
        (f"{A}.index > 3", False),
        (f'{A}["model"] in ["h100", "t4"]', True),
        (f'{A}.model.matches("^h[0-9]+")', True),
        (f'{A}.model.split("1").size() == 2', True),
        ('device.attributes["other.example.com"].zone == "a"', True),
        # Domains without attributes are empty, but not there.
        ('"x" in device.attributes["nowhere"]', False),
        ('has(device.attributes["nowhere"].x)', False),
        ('"nowhere" in device.attributes', False),
        (f'"{DRIVER}" in device.attributes', True),
        ('device.attributes[?"nowhere"].?x.orValue("") == ""', True),
        (f'{A}.?nope.orValue("") == "x"', False),
        (f'{A}.?model.orValue("") == "h100"', True),
        (f'has({A}.model) && !has({A}.nope)', True),
        (f'cel.bind(gpu, {A}, gpu.healthy && gpu.index == 3)', True),
        ('cel.bind(d, device, d.driver != "")', True),
        ("has(device.driver)", True),
        (f'device.attributes.exists_one(x, x == "{DRIVER}")', True),
        (f'{A}.exists_one(x, x == "model")', True),
        (f'{C}.memory.compareTo(quantity("40Gi")) >= 0', True),
        (f'{C}.memory.isGreaterThan(quantity("40Gi"))', False),
        (f'{C}.memory.isLessThan(quantity("0.1Ti"))', True),
        (f'{C}.memory == quantity("40960Mi")', True),
        (f'{C}.memory.add(quantity("1Gi")).sub(1).isInteger()', True),
        (f'{C}.memory.asInteger() == 42949672960 && sign({C}.memory) == 1', True),
        ('quantity("50k").add(20).sub(quantity("100k")).sub(-50000) == quantity("20")', True),
        ('isQuantity("20Mo") || !isQuantity("1.3Gi")', False),
        (f'{A}.driver.compareTo(semver("2.0.0")) > 0', True),
        (f'{A}.driver.isLessThan(semver("10.0.0"))', True),
        (f'{A}.driver == semver("2.1.0+build")', True),
        ('semver("v1", true).major() == 1 && isSemver("01.1", true) && !isSemver("v1.0.0")', True),
        ('semver("1.2.3-alpha.1").isLessThan(semver("1.2.3-alpha.beta"))', True),
        ('"a1b22".find("[0-9]+") == "1" && "a1b22".findAll("[0-9]+") == ["1", "22"]', True),
        ("[1, 3].isSorted() && [1, 3].sum() == 4 && [1, 3].max() == 3", True),
        ('sets.contains(["a", "b"], ["b"]) && !sets.intersects(["a"], ["b"])', True),
        ("device.allowMultipleAllocations == false", True),
        # Other attributes than the one that decides may be missing.
        (f"{A}.nope == 1 || {A}.healthy", True),
    ],
)  # fmt: skip
def test_matches(expression: str, expected: bool) -> None:
    assert Selectors().matches(expression, DRIVER, GPU) is expected


@pytest.mark.parametrize(
    ("expression", "kind", "text"),
    [
        (f"{A}.nope", "runtime", "no such key: nope"),
        ('device.attributes["nowhere"].x == 1', "runtime", "no such key: x"),
        (f"{A}.model > 5", "runtime", "no such overload"),
        (f'{A}.model.compareTo(semver("1.0.0")) == 0', "runtime", "no such overload"),
        ("1 / 0 == 1", "runtime", "division by zero"),
        (f"{A}.model", "runtime", "CEL result of type string could not be converted to bool"),
        ("1", "compile", "must evaluate to bool or the unknown type, not int"),
        ("?!", "compile", "compilation failed: ERROR: <input>:1:1: Syntax error"),
        ("device.nope == 1", "compile", "<input>:1:7: undefined field 'nope'\n | device.nope == 1\n | ......^"),
        (f'{C}.memory > quantity("1")', "compile", "no matching overload for '_>_'"),
        (f'{C}.memory == "40Gi"', "compile", "'(kubernetes.Quantity, string)'"),
        (f'{A}.model.includes("x")', "compile", "undeclared reference to 'includes'"),
    ],
)
def test_faults(expression: str, kind: str, text: str) -> None:
    selectors = Selectors()
    for _ in range(2):
        with pytest.raises(SelectorError) as caught:
            selectors.matches(expression, DRIVER, GPU)
        assert caught.value.kind == kind
        assert text in str(caught.value)


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        (DeviceAttribute(), "attribute x: unsupported attribute value"),
        (DeviceAttribute(version_value="1.0"), 'attribute x: parse semantic version: "1.0" is not'),
    ],
)
def test_attributes_that_cannot_be_read_fail_every_expression(attribute: DeviceAttribute, text: str) -> None:
    with pytest.raises(SelectorError, match=text):
        Selectors().matches("true", DRIVER, Device(name="d", attributes={"x": attribute}))


WITH_LISTS = Device(
    name="d",
    attributes={
        "langs": DeviceAttribute(string_values=("a", "b")),
        "sizes": DeviceAttribute(int_values=(1, 2)),
        "drivers": DeviceAttribute(version_values=("1.0.0", "2.0.0")),
        "flags": DeviceAttribute(bool_values=(True,)),
        "one": DeviceAttribute(string_value="x"),
        "many": DeviceAttribute(int_values=tuple(range(49))),
    },
)
LISTS = Dialect(has_lists=True, has_includes=True)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f'{A}.langs.includes("b") && !{A}.langs.includes("c")', True),
        (f"{A}.sizes.includes(2) && {A}.sizes.includes(2.0)", True),
        (f'{A}.sizes.includes(true) || {A}.flags.includes(1) || {A}.sizes.includes("2")', False),
        (f'{A}.drivers.includes(semver("2.0.0"))', True),
        (f'{A}.one.includes("x") && [1, 2].includes(2)', True),
        (f'{A}.langs.exists(each, each == "b") && {A}.sizes.all(each, each > 0)', True),
        (f'"a" in {A}.langs && size({A}.langs) == 2 && {A}.langs == ["a", "b"]', True),
    ],
)
def test_attributes_can_be_lists(expression: str, expected: bool) -> None:
    assert Selectors(dialect=LISTS).matches(expression, DRIVER, WITH_LISTS) is expected


@pytest.mark.parametrize(
    ("dialect", "expression", "text"),
    [
        (Dialect(), f"{A}.one == 'x'", "attribute langs: unsupported attribute value"),
        (Dialect(has_includes=True), f"{A}.one.includes('x')", "attribute langs: unsupported attribute value"),
        (Dialect(), f"{A}.one.includes('x')", "undeclared reference to 'includes'"),
        (Dialect(has_includes=True), f"{A}.langs.exists(each, each == 'b')", "compilation failed"),
        (LISTS, f"{A}.langs", "could not be converted to bool"),
        (LISTS, f"{A}.many.includes(50)", "'includes' function cannot be applied to lists longer than 48 values"),
    ],
)
def test_lists_may_be_too_much(dialect: Dialect, expression: str, text: str) -> None:
    with pytest.raises(SelectorError, match=text):
        Selectors(dialect=dialect).matches(expression, DRIVER, WITH_LISTS)


def test_devices_that_differ_in_what_is_read_are_told_apart() -> None:
    selectors = Selectors()
    answers: list[Any] = [
        selectors.matches(f"{A}.i == 1", DRIVER, device(str(index), {"i": value, "n": index}))
        for index, value in enumerate([1, True, 1, 2])
    ]
    assert answers == [True, False, True, False]


def test_a_full_name_goes_before_a_bare_one() -> None:
    both = device("d", {f"{DRIVER}/model": "full", "model": "bare"})
    assert Selectors().matches(f'{A}.model == "full"', DRIVER, both)
