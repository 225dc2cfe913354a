"""Whether a plain value has the shape of a record or of a kind, and every place where it has not.

The fast way into a record is msgspec's own; this one is taken when that fails, since it stops at the first
fault, does not name the key at fault, and trips over nulls that Go accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import dropwhile, takewhile
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes

from kexplain.bounds import MAX_SUGGESTIONS, MAX_WORD
from kexplain.objects.json_values import EXPECTED, found, shown, without_nulls
from kexplain.objects.problem import Path, Problem, Stage, WordEdit
from kexplain.objects.quantity import QuantityError, parse, spellings
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.words import ask, clauses, did_you_mean, joined, slip_of

T = TypeVar("T")

#: So many things wrong with one object are enough.
MISFIT_LIMIT = 2_000
_QUOTE_IT = " (put it in quotes)"
_LETTER = r"[A-Za-z0-9+/][\r\n]*"
_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
_ZONE = r"(Z|[+-]\d\d:\d\d)"
#: The forms of texts, and what they are called. Base64 is as Go decodes it: padded, with line breaks anywhere.
_FORMS: Mapping[str, tuple[str, str]] = {
    "byte": (
        rf"^[\r\n]*(?:(?:{_LETTER}){{4}})*(?:(?:{_LETTER}){{2}}(?:=[\r\n]*){{2}}|(?:{_LETTER}){{3}}=[\r\n]*)?$",
        "base64",
    ),
    "date-time": (rf"^{_TIME}(\.\d+)?{_ZONE}$", "a time such as 2026-01-31T12:00:00Z"),
    "micro-time": (rf"^{_TIME}\.\d{{6}}{_ZONE}$", "a time such as 2026-01-31T12:00:00.000000Z"),
}
#: Texts that are of another type without their quotes.
_UNQUOTED = {"integer": regex(r"(0|[1-9][0-9]*)$", re.ASCII), "boolean": regex(r"(true|false)$")}
#: What Go makes of a null in a list or a map.
_ZEROS = table("zero-values", dict[str, Any])


class Shape(Struct, frozen=True):
    """What a value may be: an `object` with `fields`, a `map` or a `list` of `inner` values, or a scalar.

    Scalars are `string`, `boolean`, `integer`, `number`, `int-or-string`, `quantity` and `any`; `bounds` are those of
    whole numbers, `form` is that of a text. `name` is the definition of an object.
    """

    kind: str
    fields: Callable[[], Mapping[str, Shape]] = dict
    inner: Shape | None = None
    bounds: tuple[int, int] | None = None
    form: str = ""
    #: The only texts that it may be; nothing else limits a `choice`.
    choices: tuple[str, ...] = ()
    name: str = ""
    #: Whether fields that it does not have are listed, as there are few.
    lists_fields: bool = False


class _EnoughError(Exception):
    """A value has more faults than anybody will read."""


def decoded(value: object, shape: Shape, *, strict: bool = True) -> tuple[Any, list[Problem]]:
    """The value without nulls and without what is wrong with it, and what is, up to MISFIT_LIMIT things.

    Nulls count as absent within objects and as zero values in lists and maps, as they do in Go. Unknown fields are
    wrong if it is strict.
    """
    notes = _Notes(strict=strict)
    try:
        fitting = _decoded(value, shape, (), "", notes)
    except _EnoughError:
        return {}, notes.wrong
    return ({} if fitting is _NOTHING else fitting), notes.wrong


def fit(value: object, record: type[T]) -> tuple[T | None, list[Problem]]:
    """The record that a plain value makes, or None and what is wrong with the value; unknown fields are passed over."""
    shape: Any = record
    fitting, wrong = decoded(value, shape_of(shape), strict=False)
    return (None if wrong else msgspec.convert(fitting, record)), wrong


def unknown_fields(value: object, record: type) -> Iterator[Problem]:
    """Every key of a plain value that the record has no field for, with the nearest name that it has."""
    yield from (each for each in decoded(value, shape_of(record))[1] if each.is_about_key)


@cache
def shape_of(record: Any) -> Shape:
    """The shape of a record, which names all of its fields where one is unknown."""
    return _shape(shapes.type_info(record))


def _shape(kind: shapes.Type) -> Shape:
    match bare(kind):
        case shapes.StructType(cls=cls):
            return Shape("object", fields=partial(_record_fields, cls), lists_fields=True)
        case shapes.DictType(value_type=inner):
            return Shape("map", inner=_shape(inner))
        case shapes.VarTupleType(item_type=inner) | shapes.ListType(item_type=inner):
            return Shape("list", inner=_shape(inner))
        case shapes.StrType():
            return Shape("string")
        case shapes.EnumType(cls=cls):
            return Shape("choice", choices=tuple(each.value for each in cls))
        case shapes.BoolType():
            return Shape("boolean")
        case shapes.IntType(ge=least, le=most):
            return Shape("integer", bounds=None if least is None or most is None else (int(least), int(most)))
        case shapes.FloatType():
            return Shape("number")
        case shapes.UnionType(types=types) if any(isinstance(each, shapes.ListType) for each in types):
            return Shape("any")
        case shapes.UnionType(types=types):
            whole = next((_shape(each) for each in types if isinstance(each, shapes.IntType)), None)
            takes_fractions = any(isinstance(each, shapes.FloatType) for each in types)
            return Shape("quantity" if takes_fractions else "int-or-string", bounds=whole.bounds if whole else None)
        case _:
            return Shape("any")


@cache
def _record_fields(record: type) -> Mapping[str, Shape]:
    info = shapes.type_info(record)
    assert isinstance(info, shapes.StructType)  # noqa: S101 - records are structs
    return {field.encode_name: _shape(field.type) for field in info.fields}


def bare(shape: shapes.Type) -> shapes.Type:
    """A shape without its null, and without what a schema says of it."""
    if isinstance(shape, shapes.Metadata):
        return bare(shape.type)
    if isinstance(shape, shapes.UnionType):
        kept = [member for member in shape.types if not isinstance(member, shapes.NoneType)]
        return bare(kept[0]) if len(kept) == 1 else shapes.UnionType(tuple(kept))
    return shape


# --------------------------------------------------------------------------------------------- the walk

#: By how much people indent.
_INDENT = 2
#: In place of a value that was not decoded.
_NOTHING = object()


class _Outer(Struct, frozen=True):
    """An object that others stand in: its value, what fields it may have, and where it is."""

    value: Mapping[str, Any]
    shape: Shape
    field: str
    path: Path

    def lacks(self, name: str) -> bool:
        """Whether it may have a field of that name, and has none."""
        return name in self.shape.fields() and self.value.get(name) is None


class _Notes:
    """What is wrong, up to MISFIT_LIMIT things; whether unknown fields are."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.wrong: list[Problem] = []
        #: The objects around the one that is decoded, the outermost first.
        self.outer: list[_Outer] = []

    def add(self, each: Problem) -> object:
        self.wrong.append(each)
        if len(self.wrong) >= MISFIT_LIMIT:
            raise _EnoughError
        return _NOTHING


def _decoded(value: Any, shape: Shape, path: Path, field: str, notes: _Notes) -> Any:
    match shape.kind:
        case "object" if isinstance(value, dict):
            return _fields_of(value, shape, path, field, notes)
        case "map" if isinstance(value, dict) and shape.inner:
            inner = shape.inner
            items = (
                (str(key), _item(one, inner, (*path, key), f"{field}[{key}]", notes)) for key, one in value.items()
            )
            return {key: each for key, each in items if each is not _NOTHING}
        case "list" if isinstance(value, list) and shape.inner:
            kept: list[Any] = []
            for index, each in enumerate(value):
                item = _item(each, shape.inner, (*path, index), f"{field}[{index}]", notes)
                # What is wrong leaves its place, so that the paths of others stay.
                kept.append(_zero_beside(kept) if item is _NOTHING else item)
            return kept
        case "any":
            return without_nulls(value)
    problem, edit = _problem(value, shape, path)
    return value if problem is None else notes.add(Problem(path, problem, field, edit=edit, stage=Stage.DECODING))


def _fields_of(value: dict[Any, Any], shape: Shape, path: Path, field: str, notes: _Notes) -> dict[str, Any]:
    known = shape.fields()
    kept: dict[str, Any] = {}
    unknown = 0
    for key, inner in value.items():
        name = str(key)
        if name not in known:
            if not notes.strict:
                continue
            unknown += 1
            here = _Outer(value, shape, field, path)
            notes.add(_unknown(name, here, notes.outer, is_near=unknown <= MAX_SUGGESTIONS))
        elif inner is not None:
            below = f"{field}.{name}" if field else name
            notes.outer.append(_Outer(value, shape, field, path))
            each = _decoded(inner, known[name], (*path, name), below, notes)
            notes.outer.pop()
            if each is not _NOTHING:
                kept[name] = each
    return kept


def _unknown(name: str, here: _Outer, outer: Sequence[_Outer], *, is_near: bool) -> Problem:
    known = here.shape.fields()
    likely = known if is_near else ()
    certain = slip_of(name, likely)
    edit = WordEdit(certain) if certain and here.value.get(certain) is None else None
    hint = ""
    if is_near and not certain:
        hint, edit = _where_it_belongs(name, here, outer)
    hint = hint or did_you_mean(name, likely)
    hint = hint or (f"known are {', '.join(sorted(known))}" if here.shape.lists_fields else "")
    written = name if len(name) <= MAX_WORD else f"{name[:MAX_WORD]}…"
    text = f"{here.field}.{written}" if here.field else written
    message = clauses("there is no such field", hint)
    return Problem((*here.path, name), message, text, is_about_key=True, edit=edit, stage=Stage.DECODING)


def _where_it_belongs(name: str, here: _Outer, outer: Sequence[_Outer]) -> tuple[str, WordEdit | None]:
    """Where a field that is not known here is at home, the likely slip being its indentation; empty if nowhere near."""
    objects = ((each, shape) for each, shape in here.shape.fields().items() if shape.kind == "object")
    below = [each for each, shape in objects if _Outer(_mapping(here.value.get(each)), shape, "", ()).lacks(name)]
    above = takewhile(lambda key: key != name, map(str, here.value))
    last = next((key for key in reversed([*above]) if key in here.shape.fields()), "")
    # A map takes any name, and one without any has nothing else below it.
    is_empty_map = bool(last) and here.shape.fields()[last].kind == "map" and here.value[last] is None
    if last in below or is_empty_map:
        first = next(iter(_mapping(here.value[last])), None)
        # The key above it may be empty, but for what belongs there too.
        edit = WordEdit(indent=_INDENT) if first is None else WordEdit(beside=(*here.path, last, first))
        return f"it belongs under {last}: indent it", edit
    if len(below) == 1:
        return f"it belongs under {below[0]}", None
    if within := _lists_with(name, here):
        return _into_item(name, here, last if last in within else "", within[0])
    for each in reversed(outer):
        if name in each.shape.fields() and each.field:
            return f"it belongs under {each.field}", _moved_out(name, here, each)
    farther = [*_farther(name, here, outer)]
    return f"it belongs under {joined(farther, 'or')}" if farther else "", None


def _farther(name: str, here: _Outer, outer: Sequence[_Outer]) -> Iterator[str]:
    """The object of the same name within an outer one, as a pod's securityContext; what maps an amount is meant for."""
    key, value, known = str(here.path[-1]) if here.path else "", here.value[name], here.shape.fields()
    alike = ((f"{each.field}.{key}", each.shape.fields().get(key)) for each in reversed(outer))
    yield from (place for place, at in alike if at and at.kind == "object" and name in at.fields())
    if name in ("cpu", "memory", "ephemeral-storage") and _TAKES["quantity"](value):
        yield from (each for each, at in known.items() if at.kind == "map" and at.inner and at.inner.kind == "quantity")


def _lists_with(name: str, here: _Outer) -> list[str]:
    """The lists beside a field the items of which may have such a field."""
    inner = ((each, shape.inner) for each, shape in here.shape.fields().items() if _items(here, each))
    return [each for each, item in inner if item and item.kind == "object" and name in item.fields()]


def _items(here: _Outer, name: str) -> list[Any]:
    value = here.value.get(name)
    return value if isinstance(value, list) else []


def _into_item(name: str, here: _Outer, before: str, other: str) -> tuple[str, WordEdit | None]:
    """That a field belongs to an item of the list `before` it, if there is one, the only one of which is meant."""
    items = _items(here, before or other)
    item = _mapping(items[-1])
    if not before or not item or item.get(name) is not None:
        return f"it belongs to an item of {before or other}", None
    inner = here.shape.fields()[before].inner
    known = inner.fields() if inner else {}
    between = takewhile(lambda key: key != name, dropwhile(lambda key: key != before, map(str, here.value)))
    # What stands between them and stays would take it in.
    is_certain = len(items) == 1 and all(key in (before, *known) for key in between)
    edit = WordEdit(beside=(*here.path, before, 0, next(iter(item)))) if is_certain else None
    return f"it belongs under {before}[{len(items) - 1}]: indent it", edit


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _moved_out(name: str, here: _Outer, to: _Outer) -> WordEdit | None:
    """The edit that moves the last fields of an object, and of all around it, to an outer one that lacks them."""
    steps = here.path[len(to.path) :]
    inner: Any = to.value
    for step in steps:
        is_last = step == (len(inner) - 1 if isinstance(inner, list) else next(reversed(inner)))
        if not is_last and inner is not to.value:
            return None
        inner = inner[step]
    following = dropwhile(lambda key: key != name, map(str, inner))
    return WordEdit(beside=(*to.path, steps[0])) if all(map(to.lacks, following)) else None


def _item(value: Any, shape: Shape, path: Path, field: str, notes: _Notes) -> Any:
    """A value of a list or a map, where a null is a zero."""
    if value is None and shape.kind != "choice":
        return _ZEROS.get(shape.kind, [] if shape.kind == "list" else {})
    return _decoded(value, shape, path, field, notes)


def _zero_beside(items: list[Any]) -> Any:
    return "" if any(isinstance(item, str) for item in items) else {}


def _problem(value: Any, shape: Shape, path: Path) -> tuple[str | None, WordEdit | None]:
    """Why a value is not of a shape, None if it is; and the edit that makes it so."""
    if shape.kind == "choice":
        word = f"{shown(value)}{' (as YAML reads on, off, yes and no)' if isinstance(value, bool) else ''}"
        return (None if value in shape.choices else f"{word} is not one of {', '.join(shape.choices)}"), None
    if not _TAKES.get(shape.kind, _never)(value):
        hint = _QUOTE_IT if shape.kind == "string" and isinstance(value, bool | int | float) else ""
        what = shown(value) if shape.kind == "integer" and isinstance(value, float) else found(value)
        return f"expected {EXPECTED[shape.kind]}, found {what}{hint}", _requoted(value, shape.kind)
    if shape.kind == "quantity":
        return _quantity_problem(value, str(path[-1]) if path else "")
    if isinstance(value, str):
        return _form_problem(value, shape.form), None
    if shape.bounds and not shape.bounds[0] <= value <= shape.bounds[1]:
        return f"{shown(value)} is not between {shape.bounds[0]} and {shape.bounds[1]}", None
    return None, None


def _form_problem(text: str, form: str) -> str | None:
    if not form:
        return None
    pattern, name = _FORMS[form]
    # What is base64 may be a secret.
    said = "the value" if form == "byte" else shown(text)
    return None if re.match(pattern, text) else f"{said} is not {name}"


def _never(_: Any) -> bool:
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TAKES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or _is_whole(value)),
    "number": _is_number,
    "int-or-string": lambda value: isinstance(value, str) or (_is_number(value) and isinstance(value, int)),
    "quantity": lambda value: isinstance(value, str) or _is_number(value),
}


def _is_whole(value: float) -> bool:
    return value.is_integer() and abs(value) < 1 << 63


def _quantity_problem(value: Any, resource: str) -> tuple[str | None, WordEdit | None]:
    try:
        parse(value)
    except QuantityError:
        meant = spellings(value, resource) if isinstance(value, str) else ()
        such = "" if meant else " such as 500m, 2 or 1Gi"
        said = clauses(f"{shown(value)} is not a quantity{such}", ask(*meant))
        return said, WordEdit(meant[0]) if len(meant) == 1 else None
    return None, None


def _requoted(value: object, kind: str) -> WordEdit | None:
    """The edit that makes a value of the wanted type of the same word."""
    if kind == "string" and isinstance(value, bool | int | float):
        return WordEdit(is_quoted=True)
    means = _UNQUOTED.get(kind) if isinstance(value, str) else None
    return WordEdit(is_quoted=False) if means and means.match(str(value)) else None
