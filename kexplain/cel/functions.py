"""The functions that Kubernetes adds to CEL, as far as device selectors have a use for them.

Source: apiserver `cel/library`: quantity, semver, regex, lists; cel-go `ext.Sets`. A quantity or a version is handed
from one function to the next as bytes with a mark of its kind, equal wherever upstream's values are equal; the type
checker knows them as the opaque types that they are.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Any

from msgspec import Struct

from kexplain.cel.versions import Version, normalized, parse_version
from kexplain.objects import quantity
from kexplain.patterns import compiled
from kexplain.tables import table

QUANTITY, SEMVER = "kubernetes.Quantity", "kubernetes.Semver"
_Q, _V = ord("q"), ord("v")
_MAX_INT64 = 2**63 - 1
#: So many values a device's attributes may have. Source: `ResourceSliceMaxAttributeValuesPerDevice`.
LIST_MAX = 48


class Overload(Struct, frozen=True, array_like=True):
    """One way to call a function. Types are CEL's names; `member` functions are called on their first argument."""

    function: str
    id: str
    parameters: tuple[str, ...]
    returns: str
    member: bool = True

    @property
    def call(self) -> Callable[..., Any]:
        """What the function does."""
        return _CALLS[self.function]


def quantity_bytes(raw: str | float) -> bytes:
    """The quantity as expressions carry it. Raises QuantityError."""
    return b"q%d" % quantity.parse(raw)


def version_bytes(text: str) -> bytes:
    """The version as expressions carry it, its build left out. Raises ValueError."""
    parse_version(text)
    return b"v" + text.partition("+")[0].encode()


def _order(one: bytes, other: bytes) -> int:
    a, b = _comparable(one), _comparable(other)
    if isinstance(a, int) != isinstance(b, int):
        raise ValueError("no such overload")
    return (a > b) - (a < b)  # type: ignore[operator] # both are of one kind


def _comparable(value: bytes) -> int | Version:
    return _nanos(value) if value[0] == _Q else parse_version(value[1:].decode())


def _nanos(value: bytes) -> int:
    if value[0] != _Q:
        raise ValueError("no such overload")
    return int(value[1:])


def _number(value: bytes, part: int) -> int:
    if value[0] != _V:
        raise ValueError("no such overload")
    return int(parse_version(value[1:].decode())[part])  # type: ignore[arg-type] # the first three are numbers


def _parsed_quantity(text: str) -> bytes:
    return b"q%d" % quantity.parse_bare(text)


def _succeeds(call: Callable[..., Any], *arguments: Any) -> bool:
    try:
        call(*arguments)
    except ValueError:
        return False
    return True


def _version(text: str, normalize: bool = False) -> bytes:
    return version_bytes(normalized(text) if normalize else text)


def _integer(value: bytes) -> int:
    units, rest = divmod(_nanos(value), quantity.NANOS_PER_UNIT)
    if rest or abs(units) > _MAX_INT64:
        raise ValueError("cannot convert value to integer")
    return units


def _sum(one: bytes, other: bytes | int, sign: int) -> bytes:
    added = other * quantity.NANOS_PER_UNIT if isinstance(other, int) else _nanos(other)
    return b"q%d" % (_nanos(one) + sign * added)


def _sign(value: bytes) -> int:
    nanos = _nanos(value)
    return (nanos > 0) - (nanos < 0)


def _found(text: str, pattern: str, limit: int = -1) -> list[str]:
    engine = compiled(pattern)
    matches = (match[0] for match in engine.finditer(text)) if engine is not None else iter(())
    return list(matches if limit < 0 else islice(matches, limit))


def _plain(items: Sequence[Any]) -> list[Any]:
    return [item.plain_value() if hasattr(item, "plain_value") else item for item in items]


def _contains(items: Sequence[Any], others: Sequence[Any]) -> bool:
    values = _plain(items)
    return all(other in values for other in _plain(others))


def _includes(target: Any, wanted: Any) -> bool:
    """Whether a list has that item, or anything else is it."""
    for index, item in enumerate(_plain(target) if isinstance(target, (list, tuple)) else [target]):
        if index == LIST_MAX:
            raise ValueError(f"'includes' function cannot be applied to lists longer than {LIST_MAX} values")
        if isinstance(item, bool) is isinstance(wanted, bool) and item == wanted:
            return True
    return False


_CALLS: Mapping[str, Callable[..., Any]] = {
    "quantity": _parsed_quantity,
    "isQuantity": lambda text: _succeeds(_parsed_quantity, text),
    "sign": _sign,
    "isGreaterThan": lambda one, other: _order(one, other) > 0,
    "isLessThan": lambda one, other: _order(one, other) < 0,
    "compareTo": _order,
    "asApproximateFloat": lambda value: _nanos(value) / quantity.NANOS_PER_UNIT,
    "asInteger": _integer,
    "isInteger": lambda value: _succeeds(_integer, value),
    "add": lambda one, other: _sum(one, other, 1),
    "sub": lambda one, other: _sum(one, other, -1),
    "semver": _version,
    "isSemver": lambda *arguments: _succeeds(_version, *arguments),
    "major": lambda value: _number(value, 0),
    "minor": lambda value: _number(value, 1),
    "patch": lambda value: _number(value, 2),
    "find": lambda text, pattern: (_found(text, pattern, 1) or [""])[0],
    "findAll": _found,
    "isSorted": lambda items: _plain(items) == sorted(_plain(items)),
    "sum": lambda items: sum(_plain(items)),
    "min": lambda items: min(_plain(items)),
    "max": lambda items: max(_plain(items)),
    "sets.contains": _contains,
    "sets.equivalent": lambda one, other: _contains(one, other) and _contains(other, one),
    "sets.intersects": lambda one, other: any(_contains(other, [item]) for item in one),
    "includes": _includes,
}
_LIST, _ANY = "list", "dyn"
OVERLOADS = table("cel-overloads", tuple[Overload, ...])
_SCALARS = ("string", "int", "bool", "double", SEMVER)
#: What there is where attributes may be lists, of any type as it is checked, and of each type as it is run.
OF_LISTS = (Overload("includes", "dra_includes_dyn_dyn", (_ANY, _ANY), "bool"),)
OF_LISTS_AS_RUN = tuple(
    Overload("includes", f"includes_{target}_{wanted}", (target, wanted), "bool")
    for target, wanted in product((_LIST, *_SCALARS), repeat=2)
)
