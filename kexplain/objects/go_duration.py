"""Durations as Go writes them: `1h30m`, `100ms`. Source: Go `time.ParseDuration`."""

import re
from fractions import Fraction

from kexplain.patterns import regex
from kexplain.tables import table

_NANOS_BY_UNIT = table("go-duration-units", dict[str, int])
_ONE = r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)"
_PART = regex(_ONE, re.ASCII)
_WHOLE = regex(rf"[-+]?(?:{_ONE})+", re.ASCII)
#: Go counts nanoseconds in 64 bits, and refuses what does not fit.
_LONGEST = 2**63 - 1


def parse_duration(text: str) -> float | None:
    """Seconds, or None if Go would not read the text."""
    if text in ("0", "+0", "-0"):
        return 0.0
    if len(text) > 100 or not _WHOLE.fullmatch(text):
        return None
    nanos = sum(Fraction(amount) * _NANOS_BY_UNIT[unit] for amount, unit in _PART.findall(text))
    if nanos > _LONGEST:
        return None
    return float(-nanos if text.startswith("-") else nanos) / 10**9
