from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.objects import quantity
from kexplain.objects.meta import ResourceList
from kexplain.objects.resource import Device, DeviceCapacity
from kexplain.plugins.devices.sharing import Sharing

from .makers import DRIVER

WHOLE, FRACTIONAL = Sharing(), Sharing(in_thousandths=True)
TENTHS = {"default": "200m", "validRange": {"min": "200m", "max": "1", "step": "100m"}}

UP_TO_TWO = {"default": "1", "validRange": {"min": "1", "max": "2"}}


def sharing(value: str, policy: dict[str, Any] | None = None) -> Device:
    capacity = {"value": value} if policy is None else {"value": value, "requestPolicy": policy}
    return msgspec.convert({"name": "d", "capacity": {"c": capacity}}, Device)


@pytest.mark.parametrize(
    ("rules", "requested", "value", "policy", "share"),
    [
        pytest.param(WHOLE, None, "1", {}, "1", id="empty"),
        pytest.param(WHOLE, None, "2", {"default": "1", "validRange": {"min": "1"}}, "1", id="min in range"),
        pytest.param(WHOLE, None, "2", {"default": "1", "validValues": ["1"]}, "1", id="default in set"),
        pytest.param(WHOLE, "2", "2", {"default": "1", "validRange": {"min": "1"}}, "2", id="more than min in range"),
        pytest.param(WHOLE, "1", "2", {"default": "1", "validRange": {"min": "2"}}, "2", id="less than min in range"),
        pytest.param(
            WHOLE, "2", "3", {"default": "1", "validRange": {"min": "1", "step": "2"}}, "3", id="with step (round up)",
        ),
        pytest.param(
            WHOLE, "2", "2", {"default": "1", "validRange": {"min": "1", "step": "1"}}, "2",
            id="with step (no remaining)",
        ),
        pytest.param(FRACTIONAL, "250m", "1", TENTHS, "300m", id="fractional step round up (0.25 to 0.3)"),
        pytest.param(FRACTIONAL, "300m", "1", TENTHS, "300m", id="fractional step aligned"),
        pytest.param(WHOLE, "250m", "1", TENTHS, "1", id="fractional disabled"),
        pytest.param(
            FRACTIONAL, "1500m", "3", {"validRange": {"min": "1", "max": "3", "step": "1"}}, "2", id="whole range",
        ),
        pytest.param(
            FRACTIONAL, "1100m", "9", {"validRange": {"min": "1", "max": "9224372036854776E3", "step": "500m"}}, "2",
            id="too large for thousandths",
        ),
    ],
)  # fmt: skip
def test_shares(rules: Sharing, requested: str | None, value: str, policy: dict[str, Any], share: str) -> None:
    """Rows with spaces in their names are upstream's of `testCalculateConsumedCapacity`."""
    asked: ResourceList | None = None if requested is None else {"c": requested}
    assert rules.shares(sharing(value, policy), DRIVER, asked) == {"c": quantity.parse(share)}


@pytest.mark.parametrize(
    ("rules", "requested", "policy", "fits"),
    [
        pytest.param(WHOLE, "1", None, True, id="no constraint"),
        pytest.param(WHOLE, "1", UP_TO_TWO, True, id="less than maximum"),
        pytest.param(WHOLE, "3", UP_TO_TWO, False, id="more than maximum"),
        pytest.param(WHOLE, "1", {"default": "1", "validValues": ["1"]}, True, id="in set"),
        pytest.param(WHOLE, "2", {"default": "1", "validValues": ["1"]}, False, id="not in set"),
        pytest.param(FRACTIONAL, "300m", TENTHS, True, id="fractional step aligned (0.3 = min+1*step)"),
        pytest.param(FRACTIONAL, "1100m", TENTHS, False, id="more than the maximum in thousandths"),
        pytest.param(WHOLE, "9", None, False, id="more than there is"),
        pytest.param(WHOLE, "1", {"validRange": {"min": "1", "max": "8", "step": "1"}}, True, id="aligned"),
    ],
)  # fmt: skip
def test_fits(rules: Sharing, requested: str, policy: dict[str, Any] | None, fits: bool) -> None:
    """Most rows are upstream's of `testViolateCapacityRequestPolicy`, with a device of 8."""
    assert rules.fits(sharing("8", policy), DRIVER, {"c": requested}, {}, {}) is fits


def test_thousandths_leave_room_that_whole_units_take() -> None:
    """Two claims for a quarter each are rounded up to three tenths; in whole units each takes all there is."""
    asked: ResourceList = {"c": "250m"}
    taken = {"c": quantity.parse("300m")}
    assert FRACTIONAL.fits(sharing("1", TENTHS), DRIVER, asked, taken, {})
    assert not WHOLE.fits(sharing("1", TENTHS), DRIVER, asked, taken, {})
    assert not WHOLE.fits(sharing("1"), DRIVER, {"other": "1"}, {}, {})


IN_FULL = Sharing(in_full=True)


@pytest.mark.parametrize(
    ("published", "asked"), [("c", f"{DRIVER}/c"), (f"{DRIVER}/c", "c"), ("c", "c"), (f"{DRIVER}/c", f"{DRIVER}/c")]
)
def test_names_in_full(published: str, asked: str) -> None:
    device = Device(name="d", capacity={published: DeviceCapacity(value="4")})
    taken = {"c": quantity.parse("1")}
    assert IN_FULL.fits(device, DRIVER, {asked: "3"}, taken, {})
    assert not IN_FULL.fits(device, DRIVER, {asked: "4"}, taken, {})
    assert not IN_FULL.fits(device, DRIVER, {"other.example.com/c": "1"}, {}, {})
    assert IN_FULL.shares(device, DRIVER, {asked: "3"}) == {published: quantity.parse("3")}
    assert WHOLE.fits(device, DRIVER, {asked: "3"}, {}, {}) is (published == asked)


def test_of_two_capacities_the_one_named_in_full_counts() -> None:
    both = {"c": DeviceCapacity(value="1"), f"{DRIVER}/c": DeviceCapacity(value="2")}
    assert IN_FULL.fits(Device(name="d", capacity=both), DRIVER, {"c": "2"}, {}, {})
