"""The functions that Kubernetes adds to CEL, as far as device selectors have a use for them.

Source: apiserver `cel/library`: quantity, semver, regex, lists; cel-go `ext.Sets`. A quantity or a version is handed
from one function to the next as bytes with a mark of its kind, equal wherever upstream's values are equal; the type
checker knows them as the opaque types that they are.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from kexplain.cel.versions import Version, normalized, parse_version
from kexplain.objects import quantity
from kexplain.patterns import compiled

QUANTITY, SEMVER = "kubernetes.Quantity", "kubernetes.Semver"
_Q, _V = ord("q"), ord("v")
_MAX_INT64 = 2**63 - 1
#: So many values a device's attributes may have. Source: `ResourceSliceMaxAttributeValuesPerDevice`.
LIST_MAX = 48


class Overload(Struct, frozen=True):
    """One way to call a function. Types are CEL's names; `member` functions are called on their first argument."""

    function: str
    id: str
    parameters: tuple[str, ...]
    returns: str
    call: Callable[..., Any]
    member: bool = True


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


def _normalized_version(text: str, normalize: bool) -> bytes:
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
    items = _plain(target) if isinstance(target, (list, tuple)) else [target]
    for index, item in enumerate(items):
        if index == LIST_MAX:
            raise ValueError(f"'includes' function cannot be applied to lists longer than {LIST_MAX} values")
        if isinstance(item, bool) is isinstance(wanted, bool) and item == wanted:
            return True
    return False


_LIST, _ANY = "list", "dyn"
_BOTH = tuple((kind, (type_, type_)) for kind, type_ in (("quantity", QUANTITY), ("semver", SEMVER)))

OVERLOADS: tuple[Overload, ...] = (
    Overload("quantity", "string_to_quantity", ("string",), QUANTITY, _parsed_quantity, member=False),
    Overload(
        "isQuantity",
        "is_quantity_string",
        ("string",),
        "bool",
        lambda text: _succeeds(_parsed_quantity, text),
        member=False,
    ),
    Overload("sign", "quantity_sign", (QUANTITY,), "int", _sign, member=False),
    *(Overload("isGreaterThan", f"{k}_is_greater_than", p, "bool", lambda a, b: _order(a, b) > 0) for k, p in _BOTH),
    *(Overload("isLessThan", f"{k}_is_less_than", p, "bool", lambda a, b: _order(a, b) < 0) for k, p in _BOTH),
    *(Overload("compareTo", f"{k}_compare_to", p, "int", _order) for k, p in _BOTH),
    Overload(
        "asApproximateFloat",
        "quantity_get_float",
        (QUANTITY,),
        "double",
        lambda q: _nanos(q) / quantity.NANOS_PER_UNIT,
    ),
    Overload("asInteger", "quantity_get_int", (QUANTITY,), "int", _integer),
    Overload("isInteger", "quantity_is_integer", (QUANTITY,), "bool", lambda q: _succeeds(_integer, q)),
    Overload("add", "quantity_add", (QUANTITY, QUANTITY), QUANTITY, lambda a, b: _sum(a, b, 1)),
    Overload("add", "quantity_add_int", (QUANTITY, "int"), QUANTITY, lambda a, b: _sum(a, b, 1)),
    Overload("sub", "quantity_sub", (QUANTITY, QUANTITY), QUANTITY, lambda a, b: _sum(a, b, -1)),
    Overload("sub", "quantity_sub_int", (QUANTITY, "int"), QUANTITY, lambda a, b: _sum(a, b, -1)),
    Overload("semver", "string_to_semver", ("string",), SEMVER, version_bytes, member=False),
    Overload("semver", "string_bool_to_semver", ("string", "bool"), SEMVER, _normalized_version, member=False),
    Overload(
        "isSemver", "is_semver_string", ("string",), "bool", lambda text: _succeeds(version_bytes, text), member=False
    ),
    Overload(
        "isSemver",
        "is_semver_string_bool",
        ("string", "bool"),
        "bool",
        lambda text, normalize: _succeeds(_normalized_version, text, normalize),
        member=False,
    ),
    Overload("major", "semver_major", (SEMVER,), "int", lambda v: _number(v, 0)),
    Overload("minor", "semver_minor", (SEMVER,), "int", lambda v: _number(v, 1)),
    Overload("patch", "semver_patch", (SEMVER,), "int", lambda v: _number(v, 2)),
    Overload("find", "string_find_string", ("string", "string"), "string", lambda t, p: (_found(t, p, 1) or [""])[0]),
    Overload("findAll", "string_find_all_string", ("string", "string"), "strings", _found),
    Overload("findAll", "string_find_all_string_int", ("string", "string", "int"), "strings", _found),
    Overload("isSorted", "list_is_sorted", (_LIST,), "bool", lambda items: _plain(items) == sorted(_plain(items))),
    Overload("sum", "list_sum", (_LIST,), _ANY, lambda items: sum(_plain(items))),
    Overload("min", "list_min", (_LIST,), _ANY, lambda items: min(_plain(items))),
    Overload("max", "list_max", (_LIST,), _ANY, lambda items: max(_plain(items))),
    Overload("sets.contains", "list_sets_contains_list", (_LIST, _LIST), "bool", _contains, member=False),
    Overload(
        "sets.equivalent",
        "list_sets_equivalent_list",
        (_LIST, _LIST),
        "bool",
        lambda a, b: _contains(a, b) and _contains(b, a),
        member=False,
    ),
    Overload(
        "sets.intersects",
        "list_sets_intersects_list",
        (_LIST, _LIST),
        "bool",
        lambda a, b: any(_contains(b, [item]) for item in a),
        member=False,
    ),
)

_SCALARS = ("string", "int", "bool", "double", SEMVER)
#: What there is where attributes may be lists, of any type as it is checked, and of each type as it is run.
OF_LISTS = (Overload("includes", "dra_includes_dyn_dyn", (_ANY, _ANY), "bool", _includes),)
OF_LISTS_AS_RUN = tuple(
    Overload("includes", f"includes_{target}_{wanted}", (target, wanted), "bool", _includes)
    for target in (_LIST, *_SCALARS)
    for wanted in (_LIST, *_SCALARS)
)
