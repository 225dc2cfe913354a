"""Large dumps read piece by piece, so that their text is never held whole.

A piece ends between two items of the one list that a dump is. Line breaks are never within a JSON string, so that such
a place is known by the brackets' indentation; whatever a piece turns out to hold beside items, the dump is read whole.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from io import FileIO
from typing import Any

import msgspec

from kexplain.load.loaded import Segment
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.json_dump import any_record, keep_dump
from kexplain.load.text.json_places import JsonPlaces
from kexplain.load.text.source import Source
from kexplain.objects.meta import KubernetesObject
from kexplain.patterns import regex

PIECE = 64 << 20
_HEAD = 1 << 16
_FIRST_ITEM = regex(rb'"items": ?\[[ \t\r]*\n([ \t]*)\{')
_OPENING = b'{"items":['
_CLOSING = b"]}"


class _WholeError(Exception):
    """The dump has to be read whole."""


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    items: Any = list[any_record()]  # type: ignore[misc] # known at run time only
    metadata: Any = dict[str, str | int]
    fields: list[Any] = [("api_version", str, ""), ("kind", str, ""), ("metadata", metadata, {}), ("items", items)]
    piece = msgspec.defstruct("Piece", fields, gc=False, rename="camel", forbid_unknown_fields=True, kw_only=True)
    return msgspec.json.Decoder(piece)


def read_in_pieces(source: Source, collector: ObjectCollector) -> bool:
    """Take in a large dump; False, with nothing taken in, if the source is something else or has to be read whole."""
    if source.path is None or collector.listener is not None:
        return False
    try:
        # Before it is opened, which would wait for whoever writes to a pipe.
        status = os.stat(source.path)  # noqa: PTH116 (pathlib takes longer to import)
        if not stat.S_ISREG(status.st_mode) or status.st_size <= PIECE:
            return False
        with FileIO(source.path) as file:
            identity, items = _decoded(file)
    except (_WholeError, msgspec.DecodeError, OSError, ValueError, RecursionError):
        return False
    segment = Segment(source.name, JsonPlaces(source, 0))
    return keep_dump(segment, identity, items, collector)


def _decoded(file: FileIO) -> tuple[tuple[str, str], list[KubernetesObject]]:
    """What the list says that it is, and its items; what `read_in_pieces` catches is raised."""
    decode = _decoder().decode
    api_version = kind = ""
    items: list[KubernetesObject] = []
    for text in _pieces(file):
        piece = decode(text)
        api_version, kind = piece.api_version or api_version, piece.kind or kind
        items += piece.items
    return (api_version, kind), items


def _pieces(file: FileIO) -> Iterator[memoryview]:
    """The dump as several lists, each to be decoded before the next is asked for: they share their memory."""
    first = _FIRST_ITEM.search(os.pread(file.fileno(), _HEAD, 0))
    if first is None:
        raise _WholeError
    indentation = first[1]
    buffer = bytearray(PIECE)
    view = memoryview(buffer)
    filled = _fill(file, view, 0)
    between = b"\n%b},\n%b{" % (indentation, indentation)
    while filled == PIECE:
        # Behind the bracket of the last item that is there whole.
        end = buffer.rfind(between) + len(indentation) + 2
        if end <= first.end():
            raise _WholeError
        rest = bytes(view[end + 2 :])
        view[end : end + 2] = _CLOSING
        yield view[: end + 2]
        view[: len(_OPENING)] = _OPENING
        kept = len(_OPENING) + len(rest)
        view[len(_OPENING) : kept] = rest
        filled = _fill(file, view, kept)
    yield view[:filled]


def _fill(file: FileIO, view: memoryview, filled: int) -> int:
    """How far the view is filled once all that it has room for, or all that is left, has been read."""
    while filled < len(view) and (count := file.readinto(view[filled:])):
        filled += count
    return filled
