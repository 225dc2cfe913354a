"""Likely slips of the pen in amounts: a number in the wrong unit."""

from __future__ import annotations

from msgspec import Struct

from kexplain.words import ask, clauses, plural

_CORE_MILLI = 1000
#: No node has as many cores.
_ABSURD_CORES = 1000
#: From here on a round number of cores is likelier a number of thousandths.
_MANY_CORES = 100
_ROUND = 50
#: So many cores are another resource's amount.
_BEYOND_TYPOS = 1_000_000
_BYTE_NANOS = 10**9
_MEBIBYTE_BYTES = 1 << 20


class Slip(Struct, frozen=True):
    """What an amount means as it is written, and the amount that it probably should be, if that is known."""

    message: str
    instead: str = ""


def cpu_slip(raw: object, milli: int, largest_milli: int = 0) -> Slip | None:
    """An amount of CPU that is probably meant in thousandths; None if it may be right.

    A node as large as that, `largest_milli`, makes any amount plausible.
    """
    cores, rest = divmod(milli, _CORE_MILLI)
    is_round = cores >= _ABSURD_CORES or cores % _ROUND == 0
    if rest or cores < _MANY_CORES or not is_round or milli <= largest_milli:
        return None
    instead = f"{cores}m" if cores < _BEYOND_TYPOS else ""
    return Slip(clauses(f"{raw} means {cores} whole CPUs", ask(instead) if instead else ""), instead)


def memory_slip(raw: object, nanos: int) -> Slip | None:
    """An amount of memory that no process can live on; None if it may be right."""
    if not 0 < nanos < _MEBIBYTE_BYTES * _BYTE_NANOS:
        return None
    text = str(raw)
    what = "less than a byte" if nanos < _BYTE_NANOS else plural(-(-nanos // _BYTE_NANOS), "byte")
    number = text.removesuffix("m")
    instead = f"{number}Mi" if number.isdigit() else ""
    return Slip(clauses(f"{text} means {what}", ask(instead) if instead else "did you mean a larger unit?"), instead)
