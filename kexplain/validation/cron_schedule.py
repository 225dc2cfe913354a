"""Schedules of cron jobs.

Source: robfig/cron v3 `ParseStandard`, as kube-apiserver 1.36 uses it.
"""

from typing import NamedTuple

from kexplain.objects.go_duration import parse_duration
from kexplain.patterns import regex

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_DESCRIPTORS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_EVERY = "@every "
_ZONE = regex(r"(?:CRON_)?TZ=\S* ")


class _Unit(NamedTuple):
    """A field of a schedule: its name, its bounds, and names for its numbers."""

    name: str
    low: int
    high: int
    names: dict[str, int]


_UNITS = (
    _Unit("minute", 0, 59, {}),
    _Unit("hour", 0, 23, {}),
    _Unit("day of month", 1, 31, {}),
    _Unit("month", 1, 12, {name: number for number, name in enumerate(_MONTHS, start=1)}),
    _Unit("day of week", 0, 6, {name: number for number, name in enumerate(_DAYS)}),
)


def schedule_problem(text: str) -> str | None:
    """What is wrong with a schedule; time zones in it are somebody else's matter."""
    schedule = _ZONE.sub("", text, count=1) if text.startswith(("TZ=", "CRON_TZ=")) else text
    if schedule.startswith("@"):
        is_every = schedule.startswith(_EVERY) and parse_duration(schedule.removeprefix(_EVERY)) is not None
        known = f"one of {', '.join(_DESCRIPTORS)} or @every DURATION"
        return None if is_every or schedule in _DESCRIPTORS else f"is not a schedule: use {known}"
    parts = schedule.split()
    if len(parts) != len(_UNITS):
        return f"is not a schedule: it has {len(parts)} fields instead of 5 (minute, hour, day, month, day of week)"
    for part, unit in zip(parts, _UNITS, strict=True):
        if not all(_is_range(each, unit) for each in part.split(",") if each):
            return f"is not a schedule: {unit.name} {part} is not within {unit.low} to {unit.high}"
    return None


def _is_range(text: str, unit: _Unit) -> bool:
    """Whether this is `*`, `3`, `3-7` or one of these with a step, as in `*/5`."""
    span, slash, step = text.partition("/")
    if slash and not (step.isascii() and step.isdigit() and int(step[:9]) > 0):
        return False
    low, dash, high = span.partition("-")
    if low in ("*", "?"):
        return True
    first = _number(low, unit)
    last = _number(high, unit) if dash else first
    return first is not None and last is not None and unit.low <= first <= last <= unit.high


def _number(text: str, unit: _Unit) -> int | None:
    if text.lower() in unit.names:
        return unit.names[text.lower()]
    return int(text[:9]) if text.isascii() and text.isdigit() else None
