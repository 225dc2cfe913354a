from __future__ import annotations

import pytest

from kexplain.objects.go_duration import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0.0), ("15s", 15.0), ("1h30m", 5400.0), ("100ms", 0.1), ("1.5s", 1.5), (".5m", 30.0), ("-3s", -3.0),
        ("1us", 1e-6), ("1µs", 1e-6), ("", None), ("5", None), ("s", None), ("10d", None), ("1 s", None),
        ("300000000h", None), ("\u0661s", None),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: float | None) -> None:
    assert parse_duration(text) == seconds
