"""Texts: quantities and YAML, a decision a line."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import ceil, trunc
from typing import Any

import msgspec

from kexplain.load.text.yaml import parse
from kexplain.load.text.yaml_builder import YamlError
from kexplain.objects import quantity
from kexplain.objects.quantity import QuantityError

from .corpora import Area, CorpusError
from .tally import Case, Tally

_MAX, _MIN = 2**63 - 1, -(2**63)
_CANONICAL = re.compile(r"([+-]?[0-9.]+)(?:[eE]([+-]?[0-9]+)|([A-Za-z]*))")
_EXPONENT_BY_SUFFIX = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BITS_BY_SUFFIX = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


class QuantityRow(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A text, and either what is wrong with it or the quantity that it is."""

    text: str
    error: str | None = None
    value: int = 0
    milli_value: int = 0
    sign: int = 0
    canonical: str = ""


class YamlRow(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A text, and either what is wrong with it or what it says, as JSON; then also what strict reading adds."""

    text: str
    error: str | None = None
    json: str = ""
    strict_error: str | None = None


def run(area: Area, tally: Tally) -> None:
    """Read every text anew and count what is as recorded. Raises CorpusError."""
    match area.name:
        case "quantities":
            for number, quantity_row in enumerate(area.rows(QuantityRow), start=1):
                with tally.decision(f"quantities-{number:04d} {quantity_row.text!a}") as case:
                    _compare_quantity(quantity_row, case)
        case "yaml":
            for number, yaml_row in enumerate(area.rows(YamlRow), start=1):
                with tally.decision(f"yaml-{number:04d} {yaml_row.text!a}") as case:
                    _compare_yaml(yaml_row, case)
        case _:
            raise CorpusError(f"{area.file}: texts are in quantities.jsonl or yaml.jsonl")


def _compare_quantity(row: QuantityRow, case: Case) -> None:
    try:
        nanos = quantity.parse_bare(row.text)
    except QuantityError as fault:
        case.judge("error", row.error, str(fault), is_equal=row.error is not None)
        return
    case.compare("error", row.error, None)
    if row.error is not None:
        return
    exact = _exact(row.canonical)
    _compare_amount("value", _bounds(row.value, exact, 1), quantity.value(row.text), case)
    _compare_amount("milliValue", _bounds(row.milli_value, exact, 1000), quantity.milli_value(row.text), case)
    case.compare("sign", row.sign, (nanos > 0) - (nanos < 0))
    case.compare("canonical", row.canonical, quantity.canonical(row.text))


def _compare_amount(name: str, bounds: tuple[int, int], got: int, case: Case) -> None:
    least, most = bounds
    case.judge(name, least if least == most else bounds, got, is_equal=least <= got <= most)


def _exact(canonical: str) -> Fraction:
    """The amount that Kubernetes prints."""
    match = _CANONICAL.fullmatch(canonical)
    if match is None:
        raise ValueError(f"recorded as {canonical!r}, which is no quantity")
    number, exponent, suffix = match.groups()
    if suffix in _BITS_BY_SUFFIX:
        return Fraction(number) * (1 << _BITS_BY_SUFFIX[suffix])
    return Fraction(f"{number}e{exponent or _EXPONENT_BY_SUFFIX[suffix]}")


def _bounds(recorded: int, exact: Fraction, scale: int) -> tuple[int, int]:
    """The least and the most that will do: what was recorded, or the nearest that fits where Go wrapped.

    A negative amount passes through 64-bit nanos in Go; which way it would be rounded beyond is not recorded.
    """
    if exact >= 0:
        only = recorded if ceil(exact * scale) <= _MAX else _MAX
        return only, only
    if exact * 10**9 >= _MIN:
        return recorded, recorded
    whole = trunc(exact * scale)
    return max(whole, _MIN), whole + 1 if whole > _MIN else _MIN


def _compare_yaml(row: YamlRow, case: Case) -> None:
    try:
        document = parse(row.text.encode())
    except YamlError as fault:
        case.judge("error", row.error, str(fault), is_equal=row.error is not None)
        return
    case.compare("error", row.error, None)
    if row.error is not None:
        return
    expected = json.loads(row.json)
    case.judge("json", expected, document.value, is_equal=_is_same_json(expected, document.value))
    case.compare("strictError", row.strict_error is not None, bool(document.duplicates))


def _is_same_json(left: Any, right: Any) -> bool:
    """Whether both are the same JSON value; unlike in Python, true is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_is_same_json(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_is_same_json, left, right))
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)
