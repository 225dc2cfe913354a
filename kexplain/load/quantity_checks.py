"""Every quantity of every object, checked at once."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache, reduce
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from kexplain.errors import InputError
from kexplain.load.loaded import FAULT_LIMIT, Loaded, fault, not_shown
from kexplain.objects.json_values import shown
from kexplain.objects.meta import KubernetesObject, RawQuantity
from kexplain.objects.problem import Path, Problem
from kexplain.objects.quantity import QuantityError, parse, spellings
from kexplain.words import ask, clauses

Many = Literal["", "list", "map"]


class _Field(Struct, frozen=True):
    """A field that holds quantities: they are its values (no inner plan), or in records with such fields.

    `many` says how: one value, a `list` of them, or a `map`.
    """

    attribute: str
    name: str
    inner: tuple[_Field, ...] | None
    many: Many

    def values(self, record: object) -> Iterator[tuple[Path, Any]]:
        """What the field holds, with the steps to it."""
        value = getattr(record, self.attribute)
        if value is None:
            return
        if self.many == "list":
            yield from (((self.name, index), item) for index, item in enumerate(value))
        elif self.many == "map":
            yield from (((self.name, key), item) for key, item in value.items())
        else:
            yield (self.name,), value


def check_quantities(loaded: Loaded, objects: Collection[KubernetesObject] | None = None) -> None:
    """Return if every quantity in all objects, or in these of them, can be read and is not negative.

    Raises InputError with all that cannot; those beyond FAULT_LIMIT are counted only.
    """
    if objects is None:
        objects = loaded.objects
    distinct: set[RawQuantity] = set()
    for obj in objects:
        _gather(obj, _plan(type(obj)), distinct)
    if any(map(_problem, distinct)):
        found = [(obj, each) for obj in objects for each in quantity_problems(obj)]
        faults = [fault(loaded, obj, each.path, each.message) for obj, each in found[:FAULT_LIMIT]]
        raise InputError(faults, not_shown(len(found) - len(faults)))


def quantity_problems(obj: KubernetesObject) -> Iterator[Problem]:
    """The quantities of one object that cannot be read, or are negative."""
    for path, raw in _walk(obj, _plan(type(obj)), ()):
        if problem := _problem(raw, str(path[-1])):
            yield Problem(path, f"{shown(raw)} {problem}")


def _gather(record: object, plan: tuple[_Field, ...], distinct: set[RawQuantity]) -> None:
    """Add all quantities of a record to a set."""
    for field in plan:
        for _, value in field.values(record):
            if field.inner is None:
                distinct.add(value)
            else:
                _gather(value, field.inner, distinct)


def _walk(record: object, plan: tuple[_Field, ...], path: Path) -> Iterator[tuple[Path, RawQuantity]]:
    """All quantities of a record with their paths."""
    for field in plan:
        for steps, value in field.values(record):
            if field.inner is None:
                yield (*path, *steps), value
            else:
                yield from _walk(value, field.inner, (*path, *steps))


@cache
def _plan(record: type[Struct]) -> tuple[_Field, ...]:
    """The fields of a record that hold quantities, worked out from its types."""
    return tuple(planned for field in fields(record) if (planned := _planned(field)) is not None)


def _planned(field: FieldInfo) -> _Field | None:
    item, many = _within(_bare(field.type))
    if isinstance(item, type) and issubclass(item, Struct):
        inner = _plan(item)
        return _Field(field.name, field.encode_name, inner, many) if inner else None
    # No other field takes a fraction as well as a text.
    is_amount = isinstance(item, UnionType) and float in get_args(item)
    return _Field(field.name, field.encode_name, None, many) if is_amount else None


def _within(kind: Any) -> tuple[Any, Many]:
    """What a collection holds, and how; anything else as it is."""
    match get_origin(kind), get_args(kind):
        case builtins.tuple, (item, builtins.Ellipsis):
            return _bare(item), "list"
        case builtins.dict, (_, item):
            return _bare(item), "map"
        case _:
            return kind, ""


def _bare(kind: Any) -> Any:
    if not isinstance(kind, UnionType) or NoneType not in get_args(kind):
        return kind
    return reduce(or_, (each for each in get_args(kind) if each is not NoneType))


def _problem(raw: RawQuantity, resource: str = "") -> str:
    with suppress(QuantityError):
        return "is negative" if parse(raw) < 0 else ""
    return clauses("is not a quantity", ask(*spellings(str(raw), resource)))
