"""What a YAML scalar means to Kubernetes: YAML 1.1 as Go's yaml.v2 reads it, not as the specification has it.

Source: go-yaml v2 `resolve.go` and sigs.k8s.io/yaml `convertToJSONableObject`. The surprises: `y`, `n`, `on`
and `off` are booleans, `010` is 8 and so is `08` (by way of a float), underscores in numbers are dropped
wherever they stand, dates and sexagesimal numbers stay strings, and a number out of range is a string.
"""

import base64
import codecs
import math
import struct
from datetime import datetime
from decimal import Decimal

from kexplain.patterns import regex

Scalar = str | int | float | bool | None

_PREFIX = "tag:yaml.org,2002:"
_UINT64_MAX = (1 << 64) - 1
_INT64_MAX = (1 << 63) - 1
_INT64_MIN = -(1 << 63)
#: Decimal integers of more digits than this have more than 64 bits.
_INT64_DIGITS = 20

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
}
_IN_WORDS = frozenset("yYnNtTfFoO~")
_NUMERIC = frozenset("+-0123456789")

_FLOAT = regex(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
# A number that begins with its point goes another way in Go, where single underscores may part digits.
_POINT_FLOAT = regex(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?")
_INTEGER = regex(
    r"([-+]?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0[oO](?P<oct>[0-7]+)|0[bB](?P<bin>[01]+)"
    r"|0(?P<old>[0-7]*)|(?P<dec>[1-9][0-9]*))"
)
_BASES = {"hex": 16, "oct": 8, "bin": 2, "old": 8, "dec": 10}
_BASE64 = regex(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_TIMESTAMP = regex(
    r"([0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"
    r"(?:(?:[Tt]([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2}))"
    r"|(?: +([0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?))?"
)


def resolve(text: str) -> Scalar:
    """What a plain scalar without a tag means."""
    if not text:
        return None
    first = text[0]
    if first in _IN_WORDS:
        return _WORDS.get(text, text)
    if first in _NUMERIC:
        return _number(text)
    if first == ".":
        if text in _WORDS:
            return _WORDS[text]
        if not _POINT_FLOAT.fullmatch(text):
            return text
        number = float(text)
        return number if math.isfinite(number) else text
    return text


def resolve_as_kustomize(text: str) -> Scalar:
    """The same to kustomize, whose go-yaml v3 has no booleans but true and false."""
    value = resolve(text)
    return text if isinstance(value, bool) and text.lower() not in ("true", "false") else value


def resolve_tagged(tag: str, text: str) -> Scalar:
    """What a scalar with an explicit tag means; an unknown tag makes it a string.

    Raises ValueError where the text does not fit the tag.
    """
    name = tag.removeprefix(_PREFIX) if tag.startswith(_PREFIX) else ""
    if name == "binary":
        plain = text.replace("\r", "").replace("\n", "")
        if not _BASE64.fullmatch(plain):
            raise ValueError("the value is not base64")  # which may be a secret
        return base64.b64decode(plain).decode("utf-8", "kexplain.go")
    if name not in ("bool", "int", "float", "null", "timestamp"):
        return text
    if name == "timestamp" and _is_timestamp(text):
        return text
    value = resolve(text)
    if name == "float" and type(value) is int and value <= _INT64_MAX:
        return float(value)
    # A string is never what one of these tags asks for, and a timestamp that is none is a string.
    found = {bool: "bool", int: "int", float: "float", type(None): "null"}.get(type(value))
    if found != name:
        raise ValueError(f"{_shown(text)} is not a !!{name}")
    return value


def as_json(value: Scalar) -> Scalar:
    """The value as it comes out of JSON: a whole float is a whole number there.

    Raises ValueError for infinities and NaN, which JSON cannot hold.
    """
    if type(value) is not float:
        return value
    if not math.isfinite(value):
        raise ValueError("Kubernetes objects cannot hold infinity or NaN")
    # From 1e21 on Go writes an exponent, which makes the number a float.
    if not value.is_integer() or abs(value) >= 1e21:
        return value
    # Beyond 2^53 the shortest digits that mean this float are written, not all those that it has.
    return int(value) if abs(value) < 1e15 else int(format(Decimal(repr(value)), "f"))


def key_text(value: Scalar) -> str:
    """The string that a mapping key becomes.

    Raises ValueError for keys that have none: null, and integers of 2^63 and more.
    """
    if isinstance(value, str):
        return value
    if value is None:
        raise ValueError("null cannot be a key")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if value > _INT64_MAX:
            raise ValueError(f"{value} is too large for a key")
        return str(value)
    return _float_key(value)


def _number(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    plain = text.replace("_", "")
    if (match := _INTEGER.fullmatch(plain)) and len(match["dec"] or "") <= _INT64_DIGITS:
        base = match.lastgroup or "dec"
        value = int(match[base] or "0", _BASES[base])
        signed = -value if match[1] == "-" else value
        # Without a sign Go tries unsigned 64-bit integers too; what is larger becomes a float, or a string.
        if _INT64_MIN <= signed <= (_INT64_MAX if match[1] else _UINT64_MAX):
            return signed
    if _FLOAT.fullmatch(plain):
        number = float(plain)
        return number if math.isfinite(number) else text
    return text


def _is_timestamp(text: str) -> bool:
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    time = match[2] or match[3] or "0:0:0"
    try:
        datetime.strptime(f"{match[1]} {time}", "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return False
    return True


def _replace_one_byte(error: UnicodeError) -> tuple[str, int]:
    # Go replaces byte by byte, where Python replaces the longest prefix of a character.
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101 - the handler is used for decoding only
    return "�", error.start + 1


codecs.register_error("kexplain.go", _replace_one_byte)


def _float_key(value: float) -> str:
    # Keys go through 32-bit floats in Go, written with the fewest digits that distinguish them.
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        return ".inf" if value > 0 else "-.inf"
    (single,) = struct.unpack("<f", packed)
    forms = (f"{single:.{precision}e}" for precision in range(17))
    mantissa, _, exponent = next(form for form in forms if struct.pack("<f", float(form)) == packed).partition("e")
    power = int(exponent)
    if not -4 <= power < 6:
        return f"{mantissa}e{power:+03d}"
    digits = len(mantissa.lstrip("-").replace(".", ""))
    return f"{single:.{max(digits - 1 - power, 0)}f}"


def _shown(text: str) -> str:
    return f'"{text}"' if len(text) <= 40 else f'"{text[:37]}…"'
