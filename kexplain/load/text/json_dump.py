"""JSON text straight into records: what makes large dumps cheap.

The fast way decodes a whole List at once into the tagged union of all records. It gives up at an item of
another kind, without a kind, with a null where Go takes one, or with a fault; then each item is decoded alone.
"""

from __future__ import annotations

import json
import math
from codecs import getincrementaldecoder
from contextlib import suppress
from functools import cache
from itertools import starmap
from operator import attrgetter
from typing import Any, Union

import msgspec

from kexplain.bounds import MAX_DEPTH, TOO_DEEP
from kexplain.load.loaded import Segment
from kexplain.load.object_collector import Identity, ObjectCollector
from kexplain.load.record_types import API_VERSIONS, is_custom, record_for
from kexplain.load.text.json_places import JsonPlaces, position, skip, too_deep, value_length
from kexplain.load.text.source import Source, Text
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path
from kexplain.patterns import regex

_AT_BYTE = regex(r"(.*) \(byte (\d+)\)")
_SPACE = regex(rb"[ \t\r\n]*")


#: Larger texts come out of programs, which do not set a key twice; strict reading of them would cost time.
_WRITTEN_BY_HAND = 1 << 20
_LOGS, _LOGS_END = b"==== START logs for ", b"\n==== END logs for "
_LISTED: dict[str, Any] = {"items": []}
_VERSION = attrgetter("api_version")


class JsonError(ValueError):
    """Why a value is not JSON: where it begins, the byte at fault, and how many values precede it."""

    def __init__(self, start: int, offset: int, message: str, count: int) -> None:
        super().__init__(message)
        self.start = start
        self.offset = offset
        self.message = message
        self.count = count


#: Beyond them a number is too large for a float too.
_MOST_DIGITS = 310
#: So much of a text is decoded at once where a fault in it is sought.
_DECODED = 1 << 24
_ABSENT = msgspec.Raw()


class _Head(msgspec.Struct, rename="camel"):
    """What an object says it is, all else unread; what it does not say is empty."""

    api_version: msgspec.Raw = _ABSENT
    kind: msgspec.Raw = _ABSENT
    items: msgspec.Raw = _ABSENT
    metadata: msgspec.Raw = _ABSENT


@cache
def any_record() -> Any:
    """The tagged union of all records."""
    return Union[tuple(API_VERSIONS)]  # noqa: UP007 - the members are known at run time only


@cache
def _dump_decoder() -> msgspec.json.Decoder[Any]:
    fields = [
        ("api_version", str, ""),
        ("kind", str, ""),
        ("items", list[any_record()] | None, None),  # type: ignore[misc] # as above
    ]
    return msgspec.json.Decoder(msgspec.defstruct("Dump", fields, gc=False, rename="camel"))


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


def read_json(text: Text, source: Source, collector: ObjectCollector) -> None:
    """Take in the JSON values that follow one another in a text.

    Raises JsonError at the first that is none; those before it are taken in.
    """
    view = memoryview(text)
    start = skip(_SPACE, text, 0)
    count = 0
    while (start := _after_logs(text, start)) < len(text) and not collector.is_full:
        try:
            end = start + _read_value(view[start:], start, source, collector)
            if len(text) <= _WRITTEN_BY_HAND and _sets_keys_twice(text[start:end]):
                # PyYAML is not imported by runs that read sound JSON only.
                from kexplain.load.text.yaml_manifests import warn_of_duplicates  # noqa: PLC0415

                warn_of_duplicates(bytes(text[start:end]), position(text, start)[0], source, collector)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _syntax_error(error, text, start, count) from None
        count += 1
        start = skip(_SPACE, text, end)


def _sets_keys_twice(text: bytes | bytearray) -> bool:
    found = False

    def see(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len({key for key, _ in pairs}) < len(pairs)

    json.loads(text.decode(), object_pairs_hook=see, parse_int=float)
    return found


def _read_value(view: memoryview, start: int, source: Source, collector: ObjectCollector) -> int:
    """Take in the JSON value that a view begins with; its length is returned."""
    segment = Segment(source.name, JsonPlaces(source, start))
    length = len(view)
    if collector.listener is not None:
        length = value_length(view)
        collector.take(segment, _plain(view[:length]), ())
        collector.loaded.add(segment)
        return length
    dump = _decode_dump(view)
    if dump is None:
        length = value_length(view)
        if length < len(view):
            dump = _decode_dump(view[:length])
    has_items = dump is not None and dump.items is not None
    if not has_items or not keep_dump(segment, (dump.api_version, dump.kind), dump.items, collector):
        _read_object(view[:length], segment, (), None, collector)
        collector.loaded.add(segment)
    return length


def keep_dump(
    segment: Segment, identity: tuple[str, str], items: list[KubernetesObject], collector: ObjectCollector
) -> bool:
    """Take in the items of a document by its API version and kind; False, with nothing taken in, if it is no list.

    Those of other API groups are left aside.
    """
    kinds = {*zip(map(type, items), map(_VERSION, items), strict=True)}
    unknown = {(kind, version) for kind, version in kinds if version not in API_VERSIONS[kind]}
    if not Identity(*identity).is_list(_LISTED) or any(starmap(_has_another_record, unknown)):
        return False
    if unknown:
        kept = [index for index, obj in enumerate(items) if (type(obj), obj.api_version) not in unknown]
        others = (obj for obj in items if (type(obj), obj.api_version) in unknown)
        collector.loaded.passed_over.update(f"{obj.api_version}/{obj.kind}" for obj in others)
        segment.paths = [("items", index) for index in kept]
        items = [items[index] for index in kept]
    segment.objects = items
    for index, obj in enumerate(items):
        if not obj.metadata.name:
            collector.check_name(segment, obj, segment.path(index))
    collector.loaded.add(segment)
    return True


def _has_another_record(kind: type[KubernetesObject], version: str | None) -> bool:
    """Whether another project has a kind of the same name, which is read as well."""
    return version is not None and (is_custom(version) or record_for(version, kind.__name__) is not None)


def _decode_dump(view: memoryview) -> Any:
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _dump_decoder().decode(view)
    return None


def _read_object(
    view: memoryview, segment: Segment, path: Path, default: Identity | None, collector: ObjectCollector
) -> None:
    """Take in one object, or one List with all that it holds."""
    try:
        head = _decoder(_Head).decode(view)
    except msgspec.ValidationError:
        collector.take(segment, _plain(view), path, default)
        return
    told = {name: _plain(raw) for name, raw in (("apiVersion", head.api_version), ("kind", head.kind)) if raw}
    told |= {"metadata": {}} if head.metadata else {}
    if not told.get("kind") and (head.items or head.metadata) and default is None:
        collector.take(segment, _plain(view), path)
        return
    identity = collector.identify(segment, told, path, default)
    if identity is None:
        return
    if identity.is_list(_LISTED if head.items else {}):
        _read_items(head.items, segment, path, identity, collector)
        return
    record = record_for(*identity)
    if record is None:
        _pass_over(view, segment, path, identity, collector)
        return
    try:
        obj = _decoder(record).decode(view)
    except msgspec.ValidationError:
        collector.take(segment, _plain(view), path, default)
    else:
        collector.keep(segment, obj, path)


def _pass_over(view: memoryview, segment: Segment, path: Path, identity: Identity, collector: ObjectCollector) -> None:
    """Count an object of a kind without a record, unless it is another project's, which may make pods."""
    if is_custom(identity.api_version):
        collector.take(segment, _plain(view), path, identity)
    else:
        collector.loaded.passed_over[str(identity)] += 1


def _read_items(
    items: msgspec.Raw, segment: Segment, path: Path, identity: Identity, collector: ObjectCollector
) -> None:
    try:
        raws = _decoder(list[msgspec.Raw] | None).decode(items or b"null") or ()
    except msgspec.ValidationError:
        collector.take_items(segment, _plain(items), path, None)
        return
    default = identity.of_items()
    decoder = _decoder(any_record())
    for index, raw in enumerate(raws):
        if collector.is_full:
            return
        at = (*path, "items", index)
        try:
            obj = decoder.decode(raw)
        except (msgspec.ValidationError, UnicodeDecodeError, RecursionError):
            _read_object(memoryview(raw), segment, at, default, collector)
            continue
        if obj.api_version in API_VERSIONS[type(obj)]:
            collector.keep(segment, obj, at)
        elif not _keep_of_queues(raw, obj, segment, at, collector):
            _read_object(memoryview(raw), segment, at, default, collector)


def _keep_of_queues(
    raw: msgspec.Raw, same_kind: KubernetesObject, segment: Segment, path: Path, collector: ObjectCollector
) -> bool:
    """Keep an object of another project, whose kind has a record here as well; False if it is none, or of odd form."""
    record = record_for(same_kind.api_version or "", same_kind.kind)
    if record is None or not record.is_of_queues:
        return False
    with suppress(msgspec.ValidationError, UnicodeDecodeError, RecursionError):
        collector.keep(segment, _decoder(record).decode(raw), path)
        return True
    return False


def _plain(view: Any) -> Any:
    """The value as Python has it, for what is faulty or small."""
    # Of bytes, the library would take halves of surrogate pairs, which are no UTF-8.
    return json.loads(bytes(view).decode(), parse_int=_whole)


def _whole(digits: str) -> int | float:
    """A whole number; infinity where it has more digits than Python reads, and no field takes so many."""
    return int(digits) if len(digits) <= _MOST_DIGITS else math.inf


def _after_logs(text: Text, start: int) -> int:
    """Behind the logs of containers that `kubectl cluster-info dump` writes between its lists."""
    while text.startswith(_LOGS, start):
        end = text.find(_LOGS_END, start)
        line_end = text.find(b"\n", end + 1) if end >= 0 else -1
        start = skip(_SPACE, text, line_end) if line_end >= 0 else len(text)
    return start


def _first_not_utf8(text: Text) -> int:
    """The first byte that is no part of UTF-8, of a text that has one."""
    decoder = getincrementaldecoder("utf-8")()
    for start in range(0, len(text), _DECODED):
        begun = len(decoder.getstate()[0])
        try:
            decoder.decode(text[start : start + _DECODED], start + _DECODED >= len(text))
        except UnicodeDecodeError as error:
            return start - begun + error.start
    return len(text) - 1


def _syntax_error(error: Exception, text: Text, start: int, count: int) -> JsonError:
    if isinstance(error, RecursionError):
        return JsonError(start, too_deep(text, start, MAX_DEPTH), TOO_DEEP, count)
    message = str(error)
    # msgspec has an error of its own for that from 0.23 on.
    if isinstance(error, UnicodeDecodeError) or "UTF-8" in message:
        first = _first_not_utf8(text)
        return JsonError(start, first, f"this is not UTF-8 (byte 0x{text[first]:02x})", count)
    if match := _AT_BYTE.fullmatch(message):
        return JsonError(start, start + int(match[2]), match[1].replace("JSON is malformed", "this is not JSON"), count)
    return JsonError(start, len(text), "the JSON ends early: it was cut off", count)
