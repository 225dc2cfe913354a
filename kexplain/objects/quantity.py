"""Resource quantities, exact: `100m`, `1.5Gi`, `12e6` as whole numbers of nanos.

A quantity is rounded up, away from zero, to a multiple of 10^-9 when it is read, so that an int of nanos
holds it exactly. Sums are made in nanos and rounded once, at the end.

Source: apimachinery `pkg/api/resource`, `ParseQuantity`, `Quantity.Value`, `Quantity.MilliValue`,
`Quantity.CanonicalizeBytes`, release 1.36. Deviation: where upstream's 64-bit arithmetic overflows and wraps,
the results here are the nearest that fit, and a decimal quantity counts as 10^100 at most.
"""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from kexplain.errors import KexplainError
from kexplain.objects.meta import RawQuantity
from kexplain.patterns import regex
from kexplain.words import ask, clauses

NANOS_PER_UNIT = 10**9
NANOS_PER_MILLI = 10**6

_MAX_INT64 = 2**63 - 1
_MIN_INT64 = -(2**63)
#: Decimal quantities have no upper bound upstream; here those with more whole digits than this are all alike.
_MAX_WHOLE_DIGITS = 100
_MAX_WHOLE: int = 10**_MAX_WHOLE_DIGITS
_MAX_NANOS = _MAX_WHOLE * NANOS_PER_UNIT

#: Tabs and line breaks are missing on purpose: the JSON that reaches an API server has them escaped, and it
#: trims quantities before it decodes escapes.
_SPACE = " \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

#: Sign, leading zeros, digits, fraction, suffix. All may be empty: `m` and `+` are zero. Nothing is taken
#: back once matched, so that hostile texts fail in linear time.
_SHAPE = regex(r"([+-]?)(0*+)([0-9]*+)(?:\.([0-9]*+))?+([eEinumkKMGTP]*+[+-]?+[0-9]*+)")
_EXPONENT = regex(r"[eE]([+-]?)0*+([0-9]*+)(?<=[0-9])")

_Format = Literal["BinarySI", "DecimalSI", "DecimalExponent"]
_BITS_BY_SUFFIX = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_BINARY_SUFFIXES = ("", *_BITS_BY_SUFFIX)
_EXPONENT_BY_SUFFIX = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SUFFIX_BY_EXPONENT = {exponent: suffix for suffix, exponent in _EXPONENT_BY_SUFFIX.items()}


class QuantityError(KexplainError, ValueError):
    """A text that is not a quantity; no API server stores one, and few readers of a field look for it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "kexplain lint says where it stands")


def parse(raw: RawQuantity) -> int:
    """The quantity in nanos; white space around it is dropped as an API server does. Raises QuantityError.

    Source: `Quantity.UnmarshalJSON`.
    """
    return _nanos_by_raw[raw]


def parse_bare(text: str) -> int:
    """The quantity in nanos, where white space is an error: `ParseQuantity` itself. Raises QuantityError."""
    return _scan(text).nanos


def value(raw: RawQuantity) -> int:
    """Whole units, rounded up and held within 64 bits: `Quantity.Value`. Raises QuantityError."""
    return _value_by_raw[raw]


def milli_value(raw: RawQuantity) -> int:
    """Thousandths, rounded up and held within 64 bits: `Quantity.MilliValue`. Raises QuantityError."""
    return _milli_by_raw[raw]


def nanos_to_value(nanos: int) -> int:
    """Whole units, rounded away from zero and held within 64 bits."""
    return _round(nanos, NANOS_PER_UNIT)


def nanos_to_milli(nanos: int) -> int:
    """Thousandths, rounded away from zero and held within 64 bits."""
    return _round(nanos, NANOS_PER_MILLI)


def canonical(raw: RawQuantity) -> str:
    """What Kubernetes prints for the quantity, in the notation it was written in: `Quantity.String`.

    Follows upstream in two oddities: a text that is nearly canonical, such as `+1`, `1.234k` or `0100m`, is
    kept as it is, and decimal numbers that end in 21 zeros or more lose these. Raises QuantityError.
    """
    quantity = _read(raw)
    if quantity.is_printed_as_written:
        return quantity.text
    if quantity.nanos == 0:
        return "0"
    if quantity.format == "BinarySI":
        units, rest = divmod(abs(quantity.nanos), NANOS_PER_UNIT)
        if units >= 1024 and not rest:
            return quantity.sign + _whole_binary(units)
    return quantity.sign + _decimal_text(quantity)


def format_milli(milli: int) -> str:
    """CPU for people: cores from one core on (`3.2`), millicores below (`500m`). Exact."""
    if -1000 < milli < 1000:
        return f"{milli}m" if milli else "0"
    return ("-" if milli < 0 else "") + _thousandths_text(abs(milli))


def format_bytes(value: int, other: int | None = None) -> str:
    """Memory for people, such as `1.5Gi`: the largest binary unit that fits, to the nearest thousandth of it.

    Amounts that are compared must not look equal unless they are: where `value` and `other` differ and read
    the same, `value` is written exactly, in the largest unit of which both are multiples.
    """
    text = _short_binary(value)
    if other is None or value == other or text != _short_binary(other):
        return text
    unit = (value | other) & -(value | other)
    bits = min((unit.bit_length() - 1) // 10, len(_BINARY_SUFFIXES) - 1) * 10
    return f"{value >> bits}{_BINARY_SUFFIXES[bits // 10]}"


class _Memo(dict[RawQuantity, int]):
    """What a function of a quantity answers, worked out once a text: a cluster has few distinct ones.

    Equal numbers of different types share an entry, and rightly so.
    """

    _MAX_TEXTS = 100_000
    _MAX_TEXT_LENGTH = 100

    def __init__(self, compute: Callable[[RawQuantity], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, raw: RawQuantity) -> int:
        result = self._compute(raw)
        if not isinstance(raw, str) or len(raw) <= self._MAX_TEXT_LENGTH:
            if len(self) >= self._MAX_TEXTS:
                self.clear()
            self[raw] = result
        return result


class _Quantity(Struct, frozen=True):
    """A text taken apart.

    `digits` and `exponent` are what the text says, before the binary suffix and before rounding.
    `is_small` says that upstream holds it as a scaled 64-bit number, which affects rounding and printing.
    """

    text: str
    sign: Literal["", "-"]
    nanos: int
    format: _Format
    digits: str
    exponent: int
    is_small: bool

    @property
    def is_printed_as_written(self) -> bool:
        """Whether upstream keeps the text, by a quick look that overlooks signs, zeros and fractions."""
        if not self.is_small:
            return False
        if self.format == "BinarySI":
            return int(self.digits) % 8 != 0
        return self.exponent % 3 == 0 and not (self.digits.startswith("0") or self.digits.endswith("000"))

    def scaled(self, divisor: int) -> int:
        """The amount in multiples of `divisor` nanos, rounded as `Quantity.ScaledValue` does."""
        if self.is_small or self.nanos >= 0:
            return _round(self.nanos, divisor)
        # Upstream truncates a negative amount towards zero and then adds one.
        units, rest = divmod(-self.nanos, divisor)
        return _saturate(-units + (1 if rest else 0))


def _read(raw: RawQuantity) -> _Quantity:
    if isinstance(raw, str):
        return _scan(raw.strip(_SPACE))
    if isinstance(raw, int):
        raw = max(-_MAX_WHOLE, min(raw, _MAX_WHOLE))
    return _scan(repr(raw))


def _scan(text: str) -> _Quantity:
    match = _SHAPE.fullmatch(text)
    if match is None or not text:
        raise _error(text)
    sign, zeros, whole, fraction, suffix = match.groups(default="")
    digits = (whole or "0") + fraction
    bits = _BITS_BY_SUFFIX.get(suffix)
    format_: _Format
    if bits is not None:
        format_, exponent = "BinarySI", -len(fraction)
        nanos = _binary_nanos(whole or "0", fraction, bits)
        is_small = not fraction and len(digits) + bits * 3 // 10 < 15
    else:
        format_ = "DecimalSI" if suffix in _EXPONENT_BY_SUFFIX else "DecimalExponent"
        exponent = _exponent_of(suffix, text) - len(fraction)
        nanos = _decimal_nanos(digits, exponent)
        is_small = len(digits) <= 18 and exponent >= -9
    if not (is_small or zeros or whole or fraction):
        # Upstream takes a bare suffix for zero only while 64 bits will do: `Ti`, but not `Ei`.
        raise _error(text)
    minus: Literal["", "-"] = "-" if sign == "-" else ""
    return _Quantity(text, minus, -nanos if minus else nanos, format_, digits, exponent, is_small)


def _exponent_of(suffix: str, text: str) -> int:
    if suffix in _EXPONENT_BY_SUFFIX:
        return _EXPONENT_BY_SUFFIX[suffix]
    match = _EXPONENT.fullmatch(suffix)
    if match is None or len(match[2]) > 19:
        raise _error(text)
    exponent = int(match[1] + (match[2] or "0"))
    if exponent != _saturate(exponent):
        raise _error(text)
    return exponent


def _decimal_nanos(digits: str, exponent: int) -> int:
    """`digits` times 10^`exponent` in nanos, rounded up; never more than _MAX_NANOS."""
    digits = digits.lstrip("0")
    if not digits:
        return 0
    whole_digits = len(digits) + exponent
    if whole_digits > _MAX_WHOLE_DIGITS:
        return _MAX_NANOS
    kept = max(0, whole_digits + 9)
    nanos = int(digits[:kept].ljust(kept, "0") or "0")
    return nanos + 1 if digits[kept:].strip("0") else nanos


def _binary_nanos(whole: str, fraction: str, bits: int) -> int:
    """`whole.fraction` times 2^`bits` in nanos, rounded up; never more than the largest 64-bit integer."""
    cap = _MAX_INT64 * NANOS_PER_UNIT
    if len(whole) > 19:
        return cap
    # 2^60 times 10^9 has 69 factors of two: what follows 69 decimals cannot complete a nano, only round up.
    fraction = fraction[:69] + ("1" if fraction[69:].strip("0") else "")
    denominator: int = 10 ** len(fraction)
    shifted = (int(whole + fraction) << bits) * NANOS_PER_UNIT
    return min(-(-shifted // denominator), cap)


def _decimal_text(quantity: _Quantity) -> str:
    digits, exponent = quantity.digits, quantity.exponent
    if abs(quantity.nanos) < _MAX_NANOS:
        digits, exponent = str(abs(quantity.nanos)), -9
    trimmed = digits.lstrip("0").rstrip("0")
    exponent += len(digits) - len(digits.rstrip("0"))
    # The exponents that have a suffix are multiples of three.
    excess = exponent % 3
    number, exponent = trimmed + "0" * excess, exponent - excess
    if quantity.format == "DecimalExponent":
        return f"{number}e{exponent}" if exponent else number
    return number + _SUFFIX_BY_EXPONENT.get(exponent, "")


def _whole_binary(units: int) -> str:
    power = 0
    while units % 1024 == 0:
        units //= 1024
        power += 1
    return f"{units}{_BINARY_SUFFIXES[power]}"


def _short_binary(value: int) -> str:
    magnitude = abs(value)
    top = len(_BINARY_SUFFIXES) - 1
    power = min(max(magnitude.bit_length() - 1, 0) // 10, top)
    unit = 1024**power
    thousandths = (magnitude * 1000 + unit // 2) // unit
    if thousandths == 1024 * 1000 and power < top:
        thousandths, power = 1000, power + 1
    return ("-" if value < 0 else "") + _thousandths_text(thousandths) + _BINARY_SUFFIXES[power]


def _thousandths_text(thousandths: int) -> str:
    """A non-negative number of thousandths as a decimal without superfluous zeros."""
    whole, rest = divmod(thousandths, 1000)
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def _round(nanos: int, divisor: int) -> int:
    return _saturate(-(-nanos // divisor) if nanos >= 0 else nanos // divisor)


def _saturate(number: int) -> int:
    return max(_MIN_INT64, min(number, _MAX_INT64))


#: Quantities with a space within, and what people write for bytes elsewhere.
_APART = regex(r"([0-9]{1,18}(?:\.[0-9]{1,9})?) +([numkMGTPE]|[KMGTPE]i)")
_FAMILIAR = regex(r"([0-9]{1,18}(?:\.[0-9]{1,9})?) ?([kmgtKMGT])([iI]?)[bB]?")


def spellings(text: str, resource: str = "") -> tuple[str, ...]:
    """How a text that is no quantity is spelt as one: of two, decimal and binary, nobody knows which is meant.

    Of cpu there are only thousandths: no unit of bytes is meant.
    """
    apart, match = _APART.fullmatch(text), _FAMILIAR.fullmatch(text)
    if found := (match or apart) if resource.endswith("cpu") else None:
        return (f"{found[1]}m",) if found[2] in "mM" else ()
    if apart or match is None:
        return (f"{apart[1]}{apart[2]}",) if apart else ()
    amount, unit = match[1], match[2].upper()
    return (*(() if match[3] else (f"{amount}{'k' if unit == 'K' else unit}",)), f"{amount}{unit}i")


def _error(text: str) -> QuantityError:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    said = f'"{shown if shown.isprintable() else ascii(shown)[1:-1]}" is not a quantity'
    return QuantityError(clauses(said, ask(*spellings(text))))


_nanos_by_raw = _Memo(lambda raw: _read(raw).nanos)
_value_by_raw = _Memo(lambda raw: _read(raw).scaled(NANOS_PER_UNIT))
_milli_by_raw = _Memo(lambda raw: _read(raw).scaled(NANOS_PER_MILLI))
