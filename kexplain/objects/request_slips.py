"""Likely slips of the pen in amounts: a number in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kexplain.objects import quantity
from kexplain.objects.core import Pod
from kexplain.objects.meta import RawQuantity
from kexplain.objects.requests import CPU, MEMORY, resource_units
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
#: Amounts as far apart as that have nothing to do with each other.
_FAR = 4
#: Whoever asks for so many times what the largest node has did not mean to, and which unit is next to each.
_ABSURD, _SMALLER = 10, {"G": "M", "Gi": "Mi", "T": "G", "Ti": "Gi"}


def requested_by_mistake(
    pod: Pod, resource: str, largest: int, before: tuple[Pod, int] | None
) -> Iterator[tuple[RawQuantity, Slip]]:
    """The amounts in containers that are larger than any node, `largest` in the resource's unit, and probably slips.

    A pod of an earlier template, `before`, asked for about as much as is meant then.
    """
    for container in pod.spec.every_container:
        raw = container.requests.get(resource)
        units = resource_units(resource, raw) if raw is not None else 0
        if raw is None or not 0 < largest < units:
            continue
        slip = cpu_slip(raw, units, largest) if resource == CPU else None
        slip = memory_slip(raw, quantity.parse(raw), largest) if resource == MEMORY else slip
        meant = resource_units(resource, slip.instead) if slip and slip.instead and before else 0
        if slip and (not (meant and before) or meant <= _FAR * before[1] <= _FAR * _FAR * meant):
            yield raw, slip


class Slip(Struct, frozen=True):
    """What an amount means as it is written, and what it probably should be, or a question where that is open."""

    meaning: str
    instead: str = ""
    question: str = ""

    @property
    def message(self) -> str:
        """What it means, and what was meant."""
        return clauses(self.meaning, ask(self.instead) if self.instead else self.question)


def cpu_slip(raw: object, milli: int, largest_milli: int = 0) -> Slip | None:
    """An amount of CPU that is probably meant in thousandths; None if it may be right.

    A node as large as that, `largest_milli`, makes any amount plausible.
    """
    cores, rest = divmod(milli, _CORE_MILLI)
    is_round = cores >= _ABSURD_CORES or cores % _ROUND == 0
    if rest or cores < _MANY_CORES or not is_round or milli <= largest_milli:
        return None
    # Who writes M means m: no node has a million cores.
    number = str(cores) if cores < _BEYOND_TYPOS else str(raw).rpartition("M")[0]
    return Slip(f"{raw} means {cores} whole CPUs", f"{number}m" if number.isdigit() else "")


def memory_slip(raw: object, nanos: int, largest_bytes: int = 0) -> Slip | None:
    """An amount of memory that no process can live on, or far more than any node has; None if it may be right.

    `largest_bytes` is the most that one has.
    """
    text = str(raw)
    times = nanos // (largest_bytes * _BYTE_NANOS) if largest_bytes else 0
    number = text.rstrip("iGT")
    if times >= _ABSURD and number.isdigit() and (unit := _SMALLER.get(text.removeprefix(number))):
        return Slip(f"{text} is {times} times what any node has", f"{number}{unit}")
    if not 0 < nanos < _MEBIBYTE_BYTES * _BYTE_NANOS:
        return None
    what = "less than a byte" if nanos < _BYTE_NANOS else plural(-(-nanos // _BYTE_NANOS), "byte")
    number = text.removesuffix("m")
    instead = f"{number}Mi" if number.isdigit() else ""
    return Slip(f"{text} means {what}", instead, "did you mean a larger unit?")
