"""Whether a plain JSON value has the shape of a record, and every place where it has not.

The fast way into a record is msgspec's own; this one is taken when that fails, since it stops at the first
fault, does not name the key at fault, and trips over nulls that Go accepts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import inspect as shapes

from kexplain.bounds import MAX_SUGGESTIONS
from kexplain.objects.json_values import found
from kexplain.patterns import regex
from kexplain.words import did_you_mean

T = TypeVar("T")

#: Keys and indices from the root of an object to a value.
Path = tuple[str | int, ...]

#: So many things wrong with one object are enough.
MISFIT_LIMIT = 2_000
#: Of longer numbers, only the length is shown.
_NUMBER_SHOWN = 40
_QUOTE_IT = " (put it in quotes)"
_STEP = regex(r"\[(?P<index>\d+)\]|\[(?P<key>[^\]]*)\]|\.?(?P<name>[^.\[]+)")


class Misfit(NamedTuple):
    """A value that a record cannot hold at its path, and why."""

    path: Path
    message: str


class _EnoughError(Exception):
    """A value has more faults than anybody will read."""


def fit(value: object, record: type[T]) -> tuple[T | None, list[Misfit]]:
    """The record that a plain value makes, or None and what is wrong with the value, up to MISFIT_LIMIT things.

    Nulls count as absent within objects and as zero values in lists and maps, as they do in Go.
    """
    misfits: list[Misfit] = []
    shape: Any = record
    try:
        fitting = _fit(value, _shape(shape), (), misfits)
    except _EnoughError:
        return None, misfits
    return (None if misfits else msgspec.convert(fitting, record)), misfits


def unknown_fields(value: object, record: type) -> Iterator[Misfit]:
    """Every key of a plain value that the record has no field for, with the nearest name that it has."""
    yield from _unknown(value, _shape(record), ())


def path_text(path: Iterable[str | int]) -> str:
    """A path as Kubernetes writes it: `spec.containers[0].resources.requests[nvidia.com/gpu]`."""
    text = ""
    for step in path:
        if isinstance(step, int) or not step.replace("-", "").replace("_", "").isalnum():
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def path_steps(text: str) -> Path:
    """The keys and indices of a path as Kubernetes writes it: the inverse of `path_text`."""
    return tuple(
        int(match["index"]) if match["index"] else match["key"] or match["name"] for match in _STEP.finditer(text)
    )


@cache
def _shape(record: Any) -> shapes.Type:
    return shapes.type_info(record)


@cache
def _fields(record: type) -> dict[str, shapes.Type]:
    shape = _shape(record)
    assert isinstance(shape, shapes.StructType)  # noqa: S101 - records are structs
    return {field.encode_name: bare(field.type) for field in shape.fields}


def bare(shape: shapes.Type) -> shapes.Type:
    """A shape without its null."""
    if isinstance(shape, shapes.UnionType):
        kept = [member for member in shape.types if not isinstance(member, shapes.NoneType)]
        return kept[0] if len(kept) == 1 else shapes.UnionType(tuple(kept))
    return shape


def _note(misfits: list[Misfit], path: Path, message: str) -> None:
    misfits.append(Misfit(path, message))
    if len(misfits) >= MISFIT_LIMIT:
        raise _EnoughError


def _unknown(value: object, shape: shapes.Type, path: Path) -> Iterator[Misfit]:
    if isinstance(shape, shapes.StructType) and isinstance(value, dict):
        fields = _fields(shape.cls)
        unknown = 0
        for name, inner in value.items():
            if name in fields:
                yield from _unknown(inner, fields[name], (*path, name))
            else:
                unknown += 1
                likely = fields if unknown <= MAX_SUGGESTIONS else ()
                hint = did_you_mean(name, likely) or f"known are {', '.join(sorted(fields))}"
                yield Misfit((*path, name), f"there is no such field; {hint}")
    elif isinstance(shape, shapes.DictType) and isinstance(value, dict):
        for name, inner in value.items():
            yield from _unknown(inner, bare(shape.value_type), (*path, name))
    elif isinstance(shape, shapes.VarTupleType | shapes.ListType) and isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _unknown(inner, bare(shape.item_type), (*path, index))


def _fit(value: object, shape: shapes.Type, path: Path, misfits: list[Misfit]) -> Any:
    if isinstance(shape, shapes.StructType):
        return _fit_object(value, shape.cls, path, misfits)
    if isinstance(shape, shapes.DictType):
        return _fit_map(value, bare(shape.value_type), path, misfits)
    if isinstance(shape, shapes.VarTupleType | shapes.ListType):
        return _fit_list(value, bare(shape.item_type), path, misfits)
    if isinstance(shape, shapes.AnyType):
        return value
    problem = _scalar_problem(value, shape)
    if problem:
        _note(misfits, path, problem)
    return value


def _fit_object(value: object, record: type, path: Path, misfits: list[Misfit]) -> dict[str, Any]:
    if not isinstance(value, dict):
        _note(misfits, path, f"expected an object, found {found(value)}")
        return {}
    return {
        name: _fit(inner, shape, (*path, name), misfits)
        for name, shape in _fields(record).items()
        if (inner := value.get(name)) is not None
    }


def _fit_map(value: object, shape: shapes.Type, path: Path, misfits: list[Misfit]) -> dict[str, Any]:
    if not isinstance(value, dict):
        _note(misfits, path, f"expected an object, found {found(value)}")
        return {}
    return {
        key: _zero(shape) if inner is None else _fit(inner, shape, (*path, key), misfits)
        for key, inner in value.items()
    }


def _fit_list(value: object, shape: shapes.Type, path: Path, misfits: list[Misfit]) -> list[Any]:
    if not isinstance(value, list):
        _note(misfits, path, f"expected a list, found {found(value)}")
        return []
    return [
        _zero(shape) if inner is None else _fit(inner, shape, (*path, index), misfits)
        for index, inner in enumerate(value)
    ]


def _zero(shape: shapes.Type) -> object:
    if isinstance(shape, shapes.StructType | shapes.DictType):
        return {}
    if isinstance(shape, shapes.VarTupleType | shapes.ListType):
        return []
    if isinstance(shape, shapes.StrType):
        return ""
    return False if isinstance(shape, shapes.BoolType) else 0


def _whole_number_problem(value: object, shape: shapes.IntType) -> str | None:
    """What is wrong with a value that is no whole number, or one that a field of Go does not hold; None if it does."""
    if not isinstance(value, int) or isinstance(value, bool):
        return f"expected a whole number, found {value if isinstance(value, float) else found(value)}"
    least, most = shape.ge, shape.le
    if (least is None or value >= least) and (most is None or value <= most):
        return None
    text = str(value)
    shown = text if len(text) <= _NUMBER_SHOWN else f"a number of {len(text)} digits"
    return f"expected a whole number from {least} to {most}, found {shown}"


def _scalar_problem(value: object, shape: shapes.Type) -> str | None:
    """What is wrong with a value that should be a scalar; None if nothing is."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    whole = number and isinstance(value, int)
    text = isinstance(value, str)
    hint = ""
    match shape:
        case shapes.StrType():
            holds, expected = text, "a string"
            hint = _QUOTE_IT if isinstance(value, bool | int | float) else ""
        case shapes.BoolType():
            holds, expected = isinstance(value, bool), "true or false"
        case shapes.IntType():
            return _whole_number_problem(value, shape)
        case shapes.UnionType(types=types) if whole:
            return next(
                (_whole_number_problem(value, each) for each in types if isinstance(each, shapes.IntType)), None
            )
        case shapes.FloatType():
            holds, expected = number, "a number"
        case shapes.UnionType(types=types) if not any(isinstance(each, shapes.FloatType) for each in types):
            holds, expected = text or whole, "a whole number or a text"
        case _:
            holds, expected = text or number, "a quantity"
    return None if holds else f"expected {expected}, found {found(value)}{hint}"
