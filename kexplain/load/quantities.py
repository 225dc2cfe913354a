"""Every quantity of every object, checked at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec import inspect as shapes

from kexplain.errors import InputError
from kexplain.load.loaded import Loaded, fault
from kexplain.load.shape import Path, bare
from kexplain.objects.meta import RawQuantity
from kexplain.objects.quantity import QuantityError, parse


class _Field(NamedTuple):
    """A field that holds quantities: itself one or a list of them (no inner plan), or records with such fields."""

    attribute: str
    name: str
    inner: tuple[_Field, ...] | None
    is_list: bool


def check_quantities(loaded: Loaded) -> None:
    """Return if every quantity in the objects can be read.

    Raises InputError with all that cannot.
    """
    distinct: set[RawQuantity] = set()
    for obj in loaded.objects:
        _gather(obj, _plan(type(obj)), distinct)
    bad = {raw for raw in distinct if not _is_quantity(raw)}
    if bad:
        raise InputError(
            [
                fault(loaded, obj, path, f"{_shown(raw)} is not a quantity")
                for obj in loaded.objects
                for path, raw in _walk(obj, _plan(type(obj)), ())
                if raw in bad
            ]
        )


def _gather(record: object, plan: tuple[_Field, ...], distinct: set[RawQuantity]) -> None:
    """Add all quantities of a record to a set."""
    for attribute, _, inner, is_list in plan:
        value = getattr(record, attribute)
        if not value:
            continue
        if inner is None:
            distinct.update(value.values() if isinstance(value, dict) else (value,))
        elif is_list:
            for item in value:
                _gather(item, inner, distinct)
        else:
            _gather(value, inner, distinct)


def _walk(record: object, plan: tuple[_Field, ...], path: Path) -> Iterator[tuple[Path, RawQuantity]]:
    """All quantities of a record with their paths."""
    for attribute, name, inner, is_list in plan:
        value = getattr(record, attribute)
        if not value:
            continue
        if inner is None and not isinstance(value, dict):
            yield (*path, name), value
        elif inner is None:
            yield from (((*path, name, resource), raw) for resource, raw in value.items())
        elif is_list:
            for index, item in enumerate(value):
                yield from _walk(item, inner, (*path, name, index))
        else:
            yield from _walk(value, inner, (*path, name))


@cache
def _plan(record: type) -> tuple[_Field, ...]:
    """The fields of a record that hold quantities, worked out from its types."""
    shape = shapes.type_info(record)
    assert isinstance(shape, shapes.StructType)  # noqa: S101 - records are structs
    fields = []
    for field in shape.fields:
        inner = bare(field.type)
        is_list = isinstance(inner, shapes.VarTupleType)
        item = bare(inner.item_type) if isinstance(inner, shapes.VarTupleType) else inner
        if isinstance(item, shapes.StructType):
            if plan := _plan(item.cls):
                fields.append(_Field(field.name, field.encode_name, plan, is_list))
        elif _is_amount(item) or (isinstance(item, shapes.DictType) and _is_amount(item.value_type)):
            fields.append(_Field(field.name, field.encode_name, None, is_list=False))
    return tuple(fields)


def _is_amount(shape: shapes.Type) -> bool:
    """Whether this is where a quantity goes: no other field takes a fraction as well as a text."""
    return isinstance(shape, shapes.UnionType) and any(isinstance(each, shapes.FloatType) for each in shape.types)


def _is_quantity(raw: RawQuantity) -> bool:
    try:
        parse(raw)
    except QuantityError:
        return False
    return True


def _shown(raw: RawQuantity) -> str:
    text = f'"{raw}"' if isinstance(raw, str) else str(raw)
    return text if len(text) <= 60 else f"{text[:59]}…"
