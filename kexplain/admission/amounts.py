"""Quantities as an API server writes them back: rounded up to milli, sums in the first summand's notation.

Source: core/v1 `SetDefaults_ResourceList`, apimachinery `resource.Quantity` (`Add`, `CanonicalizeBytes`),
release 1.36.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from kexplain.objects import quantity
from kexplain.objects.meta import RawQuantity
from kexplain.patterns import regex

_EXPONENT = regex(r"[eE][+-]?[0-9]+$")


class Notation(Enum):
    """Which family of suffixes a quantity is written with."""

    DECIMAL = auto()
    BINARY = auto()
    EXPONENT = auto()

    @classmethod
    def of(cls, text: str) -> Notation:
        """How a quantity is written; bare numbers are decimal."""
        if text.endswith("i"):
            return cls.BINARY
        return cls.EXPONENT if _EXPONENT.search(text) else cls.DECIMAL


class Amount(Struct, frozen=True):
    """An exact amount, how it was written, and as what, unless it was worked out."""

    nanos: int
    notation: Notation
    written: RawQuantity | None = None

    @classmethod
    def of(cls, raw: RawQuantity) -> Amount:
        """The amount that a manifest names; raises QuantityError where it names none."""
        return cls(quantity.parse(raw), Notation.of(str(raw).rstrip()), raw)

    def __add__(self, other: Amount) -> Amount:
        """The sum; nothing takes over the notation of what is added to it."""
        return Amount(self.nanos + other.nanos, self.notation if self.nanos else other.notation)

    def __gt__(self, other: Amount) -> bool:
        """Whether it is more, however it is written."""
        return self.nanos > other.nanos

    def rounded_to_milli(self) -> Amount:
        """The amount in whole thousandths, rounded away from zero."""
        excess = abs(self.nanos) % quantity.NANOS_PER_MILLI
        if not excess:
            return self
        added = quantity.NANOS_PER_MILLI - excess
        return Amount(self.nanos + (added if self.nanos > 0 else -added), self.notation)

    @property
    def raw(self) -> RawQuantity:
        """The amount as it was written, or else the text that Kubernetes prints."""
        if self.written is not None:
            return self.written
        units, rest = divmod(self.nanos, quantity.NANOS_PER_UNIT)
        # Binary suffixes are for whole numbers from 1024 on; anything else is shown as a decimal.
        if self.notation is Notation.BINARY and not rest and abs(units) >= 1024:
            return str(units) if units % 1024 else quantity.canonical(f"{units // 1024}Ki")
        unit = "e-9" if self.notation is Notation.EXPONENT else "n"
        return quantity.canonical(f"{self.nanos}{unit}")
