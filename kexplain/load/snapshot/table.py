"""Objects of one kind as a table of columns: what many of them share is written once, and each row says which it has.

Pods and nodes have a column for each field of their metadata, spec and status; any other kind has one column, of whole
objects. A column has up to three sections of bytes, each compressed by itself, so that a reader unpacks only what it
asks for: its values as a JSON array, one for all rows or one a row; or, where few are distinct, these, and the place
among them of each row's, as whole numbers of 1, 2 or 4 bytes, the lowest first; and where values are lists whose items
recur, the distinct items, by whose places the lists are written.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Struct

from kexplain.errors import KexplainError
from kexplain.load.text.source import Text
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject, Record
from kexplain.objects.stored_pods import Values

_LEVEL = 6
#: Kinds of which there are many alike.
_SPLIT = (Pod, Node)
_NAME = "metadata.name"
_TYPE_CODES = {1: "B", 2: "H", 4: "I"}
#: A number of what there may be none of.
Count = Annotated[int, msgspec.Meta(ge=0)]
_Places = tuple[Count, ...] | None
_encode = msgspec.json.Encoder().encode


class DamagedError(KexplainError):
    """Why a snapshot cannot be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"a damaged snapshot: {reason}")


class Section(Struct, array_like=True):
    """Some bytes of a file: how many, and how many these become."""

    packed: Count
    unpacked: Count


class Column(Struct, rename="camel", omit_defaults=True):
    """The sections of a field, which come in this order."""

    field: str
    values: Section
    places: Section | None = None
    items: Section | None = None

    @property
    def sections(self) -> list[Section]:
        return [each for each in (self.values, self.places, self.items) if each is not None]


class Table(Struct, rename="camel"):
    """The columns of a kind; a field without one is as it is in an object that lacks it."""

    api_version: str
    kind: str
    count: Count
    columns: list[Column]

    @property
    def sections(self) -> Iterator[Section]:
        return (section for column in self.columns for section in column.sections)


class _Field(NamedTuple):
    """A field of a kind: what it is called in the file, the attributes that lead there, and what it is a field of."""

    name: str
    path: tuple[str, ...]
    record: type[Record]
    type: Any
    default: object


@cache
def _fields(kind: type[KubernetesObject]) -> dict[str, _Field]:
    fields = _fields_within(kind, (), "") if kind in _SPLIT else [_Field("", (), kind, kind, None)]
    return {each.name: each for each in fields}


def _fields_within(kind: type[Record], path: tuple[str, ...], name: str) -> Iterator[_Field]:
    for each in msgspec.structs.fields(kind):
        within, called = (*path, each.name), f"{name}{each.encode_name}"
        if isinstance(each.type, type) and issubclass(each.type, Record):
            yield from _fields_within(each.type, within, f"{called}.")
        else:
            yield _Field(called, within, kind, each.type, each.default)


# ------------------------------------------------------------------------------------------------------ writing


class _Distinct:
    """Values that are written alike are the same; each has its place, in the order in which they first came."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._place_by_text: dict[bytes, int] = {}

    def place(self, value: object) -> int:
        place = self._place_by_text.setdefault(_encode(value), len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


def pack(content: bytes, body: list[bytes]) -> Section:
    """The section of this content, which is added to the body of a file."""
    body.append(zlib.compress(content, _LEVEL))
    return Section(len(body[-1]), len(content))


def write_table(
    kind: type[KubernetesObject], api_version: str, objects: Sequence[KubernetesObject], body: list[bytes]
) -> Table:
    """The table of these objects, whose sections are added to the body of a file."""
    columns: list[Column] = []
    for field in _fields(kind).values():
        values = [*map(attrgetter(".".join(field.path)), objects)] if field.path else objects
        columns += _columns(field, values, body)
    return Table(api_version, kind.__name__, len(objects), columns)


def _columns(field: _Field, values: Sequence[Any], body: list[bytes]) -> Iterator[Column]:
    """The column of a field; none where all values are the default."""
    distinct = _Distinct()
    places = [*map(distinct.place, values)]
    count = len(distinct.values)
    if count == 1 and _encode(values[0]) == _encode(field.default):
        return
    # There is a name for each row, so that no table has more rows than bytes.
    is_plain = field.name == _NAME or 2 * count > len(values)
    kept = values if is_plain else distinct.values
    lists, items = _by_items(field, kept)
    column = Column(field.name, pack(_encode(lists if items else kept), body))
    if not is_plain and count > 1:
        width = next(width for width in _TYPE_CODES if count <= 1 << 8 * width)
        column.places = pack(_in_order(array(_TYPE_CODES[width], places)).tobytes(), body)
    if items:
        column.items = pack(_encode(items), body)
    yield column


def _by_items(field: _Field, values: Sequence[Any]) -> tuple[list[list[int] | None], list[Any]]:
    """Lists by the places of their items, and these; none where they hardly recur, or the values are no lists."""
    if _item_type(field.type) is None:
        return [], []
    items = _Distinct()
    lists = [value if value is None else [*map(items.place, value)] for value in values]
    return lists, items.values if 2 * len(items.values) < sum(map(len, filter(None, lists))) else []


def _item_type(type_: Any) -> Any:
    """The type of the items of lists; None for a type that is none of lists."""
    found = [each for each in (type_, *get_args(type_)) if get_origin(each) is tuple]
    return get_args(found[0])[0] if found else None


def _in_order(numbers: array[int]) -> array[int]:
    """Numbers of this machine with the lowest byte first, or the other way round."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


# ------------------------------------------------------------------------------------------------------ reading


def unpack(section: Section, packed: memoryview) -> bytes:
    """What a section becomes, which is never more than it says. Raises DamagedError."""
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(packed, section.unpacked + 1)
    except zlib.error as error:
        raise DamagedError(str(error)) from None
    if len(content) != section.unpacked or not unpacker.eof:
        raise DamagedError(f"a section does not become the {section.unpacked} bytes that it should")
    return content


def decoded(content: Text, type_: Any) -> Any:
    """JSON of a snapshot as values of a type. Raises DamagedError."""
    try:
        return msgspec.json.decode(content, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedError(str(error)) from None


class _Part(NamedTuple):
    """A part of an object: its attribute, empty for the object itself, its type, and what fields of it there are."""

    name: str
    record: type[Record]
    shared: dict[str, Any]
    columns: list[tuple[str, Values]]


class Rows:
    """The objects of a table, each made when it is first asked for. Raises DamagedError, now or then."""

    def __init__(self, kind: type[KubernetesObject], table: Table, body: memoryview) -> None:
        """`body` begins with the sections of the table."""
        self.kind = kind
        self._count = table.count
        self._packed: dict[str, tuple[Column, list[memoryview]]] = {}
        for column in table.columns:
            packed = []
            for section in column.sections:
                packed.append(body[: section.packed])
                body = body[section.packed :]
            self._packed[column.field] = column, packed
        self._every = tuple(self._packed)
        self._values: dict[str, Values] = {}
        self._plans: dict[tuple[str, ...], list[_Part]] = {}
        #: The objects that have been asked for, by their rows.
        self.made: dict[int, Any] = {}
        is_short = table.count > sum(section.unpacked for section in table.sections)
        if is_short or len(self.column(_NAME if kind in _SPLIT else "").values) != table.count:
            raise DamagedError(f"it does not hold the {table.count} objects of kind {table.kind} that it should")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return map(self.__getitem__, range(self._count))

    def __getitem__(self, row: int) -> Any:
        made = self.made.get(row)
        if made is None:
            made = self.made[row] = self.only(row, self._every)
        return made

    def only(self, row: int, fields: tuple[str, ...]) -> Any:
        """The object with these fields alone."""
        if self.kind not in _SPLIT:
            return self.column("").values[row]
        if fields not in self._plans:
            self._plans[fields] = self._plan(fields)
        made: dict[str, Any] = {}
        for name, record, shared, columns in self._plans[fields]:
            own = {field: values[row if places is None else places[row]] for field, (values, places) in columns}
            if name:
                made[name] = record(**shared, **own)
            else:
                made |= shared | own
        return self.kind(**made)

    def _plan(self, fields: Iterable[str]) -> list[_Part]:
        """How these fields are put together."""
        plan: dict[str, _Part] = {}
        for field in [known for each in fields if (known := _fields(self.kind).get(each))]:
            name, attribute = "".join(field.path[:-1]), field.path[-1]
            part = plan.setdefault(name, _Part(name, field.record, {}, []))
            column = self.column(field.name)
            if len(column.values) == 1:
                part.shared[attribute] = column.values[0]
            else:
                part.columns.append((attribute, column))
        return [*plan.values()]

    def column(self, field: str) -> Values:
        """The values of a field, as it is called in the file."""
        if field not in self._values:
            self._values[field] = self._read(_fields(self.kind)[field])
        return self._values[field]

    def _read(self, field: _Field) -> Values:
        if field.name not in self._packed:
            return Values([field.default], bytes(self._count))
        column, packed = self._packed[field.name]
        contents = [*map(unpack, column.sections, packed)]
        if column.items is None:
            values = decoded(contents[0], list[field.type])  # type: ignore[name-defined] # known at run time only
        else:
            items = decoded(contents[-1], list[_item_type(field.type)])  # type: ignore[misc] # as above
            values = _lists(decoded(contents[0], list[_Places]), items)
        if column.places is not None:
            return Values(values, _places(contents[1], self._count, len(values)))
        if len(values) == self._count:
            return Values(values, None)
        if len(values) != 1:
            raise DamagedError(f"{len(values)} values of {field.name} for {self._count} objects")
        return Values(values, bytes(self._count))


def _lists(lists: list[_Places], items: list[Any]) -> list[Any]:
    try:
        return [places and tuple(map(items.__getitem__, places)) for places in lists]
    except IndexError:
        raise DamagedError("an item that is not there") from None


def _places(content: bytes, count: int, values: int) -> Sequence[int]:
    """The place of each row's value among so many values."""
    width = len(content) // count if count else 0
    if width not in _TYPE_CODES or len(content) != width * count:
        raise DamagedError(f"{len(content)} bytes for {count} places")
    places = _in_order(array(_TYPE_CODES[width], content))
    if max(places) >= values:
        raise DamagedError("a value that is not there")
    return places
