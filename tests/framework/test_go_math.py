from __future__ import annotations

import math

import pytest

from kexplain.framework.go_math import log, round_half_away, truncated_div


@pytest.mark.parametrize(
    ("numerator", "denominator", "quotient"),
    [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3), (6, 3, 2), (-6, 3, -2), (0, 5, 0), (0, -5, 0)],
)
def test_truncated_div(numerator: int, denominator: int, quotient: int) -> None:
    assert truncated_div(numerator, denominator) == quotient


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(0.0, 0), (0.49, 0), (0.5, 1), (1.5, 2), (2.5, 3), (-0.5, -1), (-1.5, -2), (-2.4, -2), (0.49999999999999994, 0)],
)
def test_round_half_away(value: float, rounded: int) -> None:
    assert round_half_away(value) == rounded


def test_log_is_within_a_bit_of_the_platform() -> None:
    for value in range(1, 6000):
        assert abs(log(value) - math.log(value)) <= math.ulp(math.log(value) or 1.0)
    assert log(1) == 0.0
    assert log(2) == math.log(2)
