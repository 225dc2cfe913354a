"""The figures as text, and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from .tally import Difference, Tally

#: Figures by corpus and area.
Tallies = Mapping[str, Mapping[str, Tally]]

_WIDTH = 120
_SHOWN_DIFFERENCES = 8
_SHOWN_OF_A_FIELD = 2
_SHOWN_LENGTH = 400


def table(tallies: Tallies) -> Iterator[str]:
    """Per corpus and area the decisions, and below them every field as equal/total."""
    yield f"{'corpus':16} {'area':14} {'passed':>6} {'failed':>6}"
    for corpus, areas in tallies.items():
        for area, tally in areas.items():
            yield f"{corpus:16} {area:14} {tally.passed:6} {tally.failed:6}"
            fields = "  ".join(
                f"{name}\N{NO-BREAK SPACE}{count.equal}/{count.total}" for name, count in tally.fields.items()
            )
            for line in textwrap.wrap(fields, _WIDTH - 4, break_on_hyphens=False):
                yield f"    {line}".replace("\N{NO-BREAK SPACE}", " ")


def left_aside(tallies: Tallies) -> Iterator[str]:
    """How much is not compared to the letter, if any: the CEL engine's own wording, errors of the recorder."""
    every = [tally for areas in tallies.values() for tally in areas.values()]
    messages = sum(tally.engine_messages for tally in every)
    if messages:
        worded = sum(tally.engine_worded for tally in every)
        yield f"{messages} messages with an error of the CEL engine, {worded} differ in its own wording only"
    errors = sum(tally.stand_in_errors for tally in every)
    if errors:
        yield f"{errors} decisions were recorded with an error of the recorder's own API server, which is left aside"


def differences(tallies: Tallies) -> Iterator[str]:
    """A few differences of every area, not all of the same field, each brought down to what differs."""
    for corpus, areas in tallies.items():
        for area, tally in areas.items():
            for difference in _few(tally.differences):
                expected, got = narrowed(difference.expected, difference.got)
                yield " ".join(filter(None, (corpus, area, difference.id, difference.pod, difference.field)))
                yield f"    expected {_short(expected)}"
                yield f"    got      {_short(got)}"


def _few(found: Sequence[Difference]) -> Iterator[Difference]:
    left = _SHOWN_DIFFERENCES
    shown_by_field: Counter[str] = Counter()
    for difference in found:
        if left and shown_by_field[difference.field] < _SHOWN_OF_A_FIELD:
            yield difference
            left -= 1
            shown_by_field[difference.field] += 1


def narrowed(expected: Any, got: Any) -> tuple[Any, Any]:
    """Both values without what is equal in them: equal keys of objects, equal items of lists of one length."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [key for key in expected | got if key not in expected or key not in got or expected[key] != got[key]]
        pairs = {key: narrowed(expected.get(key), got.get(key)) for key in keys}
        return (
            {key: pair[0] for key, pair in pairs.items() if key in expected},
            {key: pair[1] for key, pair in pairs.items() if key in got},
        )
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        items = [narrowed(*pair) for pair in zip(expected, got, strict=True) if pair[0] != pair[1]]
        return [item[0] for item in items], [item[1] for item in items]
    if _is_by_node(expected) and _is_by_node(got):
        return narrowed({item["node"]: item for item in expected}, {item["node"]: item for item in got})
    return expected, got


def _is_by_node(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) and "node" in item for item in value)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}..."


def as_json(tallies: Tallies) -> bytes:
    """The figures by corpus and area, and the first differences with their values in full."""
    return msgspec.json.format(msgspec.json.encode(tallies))
