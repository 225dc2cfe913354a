"""Every quantity of every object, checked at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any, Literal

from msgspec import Struct
from msgspec import inspect as shapes

from kexplain.errors import InputError
from kexplain.load.loaded import FAULT_LIMIT, Loaded, fault, not_shown
from kexplain.load.shape import Path, bare
from kexplain.objects.meta import KubernetesObject, RawQuantity
from kexplain.objects.quantity import QuantityError, parse


class _Field(Struct, frozen=True):
    """A field that holds quantities: they are its values (no inner plan), or in records with such fields.

    `many` says how: one value, a `list` of them, or a `map`.
    """

    attribute: str
    name: str
    inner: tuple[_Field, ...] | None
    many: Literal["", "list", "map"]

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
    bad = {raw: problem for raw in distinct if (problem := _problem(raw))}
    if bad:
        found = [(obj, path, raw) for obj in objects for path, raw in _walk(obj, _plan(type(obj)), ()) if raw in bad]
        faults = [fault(loaded, obj, path, f"{_shown(raw)} {bad[raw]}") for obj, path, raw in found[:FAULT_LIMIT]]
        raise InputError(faults, not_shown(len(found) - len(faults)))


def quantity_problems(obj: KubernetesObject) -> Iterator[tuple[Path, str]]:
    """The quantities of one object that cannot be read, or are negative: their paths, and why."""
    for path, raw in _walk(obj, _plan(type(obj)), ()):
        if problem := _problem(raw):
            yield path, f"{_shown(raw)} {problem}"


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
def _plan(record: type) -> tuple[_Field, ...]:
    """The fields of a record that hold quantities, worked out from its types."""
    return _planned(shapes.type_info(record), {})


def _planned(record: shapes.Type, known: dict[type, tuple[_Field, ...]]) -> tuple[_Field, ...]:
    """The same of the shape of a record, each record within worked out once."""
    assert isinstance(record, shapes.StructType)  # noqa: S101 - records are structs
    if record.cls in known:
        return known[record.cls]
    fields = []
    for field in record.fields:
        item: shapes.Type = bare(field.type)
        many: Literal["", "list", "map"] = ""
        if isinstance(item, shapes.VarTupleType):
            item, many = bare(item.item_type), "list"
        elif isinstance(item, shapes.DictType):
            item, many = bare(item.value_type), "map"
        if isinstance(item, shapes.StructType):
            if plan := _planned(item, known):
                fields.append(_Field(field.name, field.encode_name, plan, many))
        elif _is_amount(item):
            fields.append(_Field(field.name, field.encode_name, None, many))
    known[record.cls] = tuple(fields)
    return known[record.cls]


def _is_amount(shape: shapes.Type) -> bool:
    """Whether this is where a quantity goes: no other field takes a fraction as well as a text."""
    return isinstance(shape, shapes.UnionType) and any(isinstance(each, shapes.FloatType) for each in shape.types)


def _problem(raw: RawQuantity) -> str:
    try:
        return "is negative" if parse(raw) < 0 else ""
    except QuantityError:
        return "is not a quantity"


def _shown(raw: RawQuantity) -> str:
    text = f'"{raw}"' if isinstance(raw, str) else str(raw)
    return text if len(text) <= 60 else f"{text[:59]}…"
