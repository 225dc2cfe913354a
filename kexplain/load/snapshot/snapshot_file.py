"""Snapshots: a cluster in one compressed file, to be read back years later with the same decisions.

A snapshot is JSON, compressed by gzip: a head that says what it is, of which format, taken when and of which
release, and the records as they were decoded, so that it holds nothing that scheduling does not read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from kexplain.load.loaded import Loaded, Nowhere, Segment, Unlisted
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.record_types import API_VERSIONS, record_for
from kexplain.load.text.json_dump import any_record
from kexplain.load.text.source import Source
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.patterns import regex

if TYPE_CHECKING:
    from kexplain.load.text.source import Text

#: Raised whenever this version would misread what older versions of kexplain wrote.
FORMAT = 1

_LEVEL = 6
_API_VERSION = "kexplain/v1"
_KIND = "Snapshot"
_BEGINNING = regex(rb'\s*\{\s*"apiVersion"\s*:\s*"kexplain/v1"\s*,\s*"kind"\s*:\s*"Snapshot"')


class _Unlisted(msgspec.Struct):
    kind: str = ""
    resource: str = ""
    reason: str = ""
    purpose: str = ""


class _Head(msgspec.Struct, rename="camel"):
    api_version: str = _API_VERSION
    kind: str = _KIND
    format: int = 0
    taken_at: str = ""
    server_version: str = ""
    redacted: bool = False
    notes: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    unlisted: tuple[_Unlisted, ...] = ()
    #: What queues and schedulers of other projects have written, each with its place among all objects.
    others: tuple[tuple[int, Any], ...] = ()


class _Written(_Head, rename="camel"):
    items: tuple[Any, ...] = ()


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    fields = [("items", tuple[any_record(), ...], ())]  # type: ignore[misc] # known at run time only
    return msgspec.json.Decoder(msgspec.defstruct("Snapshot", fields, bases=(_Head,), rename="camel"))


def encode_snapshot(loaded: Loaded, *, taken_at: str, redacted: bool = False) -> bytes:
    """A snapshot of what was loaded; the same objects at the same time make the same bytes."""
    written = _Written(
        format=FORMAT,
        taken_at=taken_at,
        server_version=loaded.server_version,
        redacted=redacted,
        notes=tuple(loaded.notes),
        listed=tuple(sorted(kind.__name__ for kind in loaded.listed if not kind.is_of_queues)),
        unlisted=tuple(
            _Unlisted(each.record.__name__, each.resource, each.reason, each.purpose) for each in loaded.unlisted
        ),
        items=tuple(obj for obj in loaded.objects if not obj.is_of_queues and _is_kept(obj)),
        others=tuple(_of_queues(loaded)),
    )
    return zlib.compress(msgspec.json.encode(written), _LEVEL, wbits=zlib.MAX_WBITS | 16)


def _of_queues(loaded: Loaded) -> Iterator[tuple[int, KubernetesObject]]:
    """What queues wrote, each with its place among what is written."""
    place = 0
    for obj in loaded.objects:
        if obj.is_of_queues:
            yield place, obj
        place += _is_kept(obj)


def _is_kept(obj: KubernetesObject) -> bool:
    return not isinstance(obj, Event) or obj.is_telling


def is_snapshot(text: Text) -> bool:
    """Whether a text is a snapshot of any format."""
    return _BEGINNING.match(text[:200]) is not None


def _read_other(value: object) -> list[KubernetesObject]:
    """The record of an object of queues; none of anything else. Raises msgspec.ValidationError."""
    record = record_for(value.get("apiVersion", ""), value.get("kind", "")) if isinstance(value, dict) else None
    return [msgspec.convert(value, record)] if record is not None and record.is_of_queues else []


def read_snapshot(text: Text, source: Source, collector: ObjectCollector) -> None:
    """Take in a snapshot; one that cannot be read is a fault."""
    try:
        head = msgspec.json.decode(text, type=_Head)
        snapshot = _decoder().decode(text) if head.format == FORMAT else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        collector.text_fault(source.name, 0, 0, f"a damaged snapshot: {error}")
        return
    if snapshot is None:
        writer = "a newer kexplain" if head.format > FORMAT else "no kexplain"
        message = f"a snapshot of format {head.format}, written by {writer}: this one reads format {FORMAT}"
        collector.text_fault(source.name, 0, 0, message)
        return
    objects = list(snapshot.items)
    for place, other in snapshot.others:
        try:
            objects[place:place] = _read_other(other)
        except msgspec.ValidationError as error:
            collector.text_fault(source.name, 0, 0, f"a damaged snapshot: {error}")
    collector.loaded.add(Segment(source.name, Nowhere(), objects))
    collector.loaded.notes += snapshot.notes
    kinds = {kind.__name__: kind for kind in API_VERSIONS}
    collector.loaded.listed |= {kinds[name] for name in snapshot.listed if name in kinds}
    collector.loaded.unlisted += (
        Unlisted(kinds[each.kind], each.resource, each.reason, each.purpose)
        for each in snapshot.unlisted
        if each.kind in kinds
    )
    collector.loaded.server_version = collector.loaded.server_version or snapshot.server_version
