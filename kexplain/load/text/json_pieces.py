"""Large dumps read piece by piece, so that their text is never held whole.

A piece ends behind an item of the one list that a dump is. The first items that look like the one before them, near the
end of what has been read, show where that is; decoding proves it, as a piece that is cut elsewhere is no list. Where
it proves them wrong, each item is passed over from the start of the piece on. Any other text is read whole.
"""

import os
import stat
from collections.abc import Callable, Iterator
from functools import cache
from io import FileIO
from typing import Any

import msgspec

from kexplain.load.loaded import Segment
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.json_dump import any_record, keep_dump
from kexplain.load.text.json_places import JsonPlaces, value_length
from kexplain.load.text.source import Source
from kexplain.objects.meta import KubernetesObject
from kexplain.patterns import regex

#: Small enough to be decoded out of a processor's cache.
PIECE = 16 << 20
#: How much of a piece is searched for the end of its last item: more than most objects are long.
_NEAR_THE_END = PIECE >> 6
_HEAD = 1 << 16
#: All in front of the list, and the first item up to the name of its first field.
_START = regex(rb'(?P<head>\s*\{[^\[]*)\[(?P<opening>\s*\{\s*"[^"\\]*"\s*:)')
_CLOSING = ord("]")


class _WholeError(Exception):
    """The dump has to be read whole."""


@cache
def _items_decoder() -> msgspec.json.Decoder[list[KubernetesObject]]:
    return msgspec.json.Decoder(list[any_record()])  # type: ignore[misc] # known at run time only


@cache
def _frame_decoder() -> msgspec.json.Decoder[Any]:
    """Of a list without its items."""
    metadata: Any = dict[str, str | int]
    fields: list[Any] = [("api_version", str, ""), ("kind", str, ""), ("metadata", metadata, {}), ("items", tuple[()])]
    return msgspec.json.Decoder(
        msgspec.defstruct("Frame", fields, gc=False, rename="camel", forbid_unknown_fields=True, kw_only=True)
    )


def read_in_pieces(source: Source, collector: ObjectCollector, progress: Callable[[int], None] | None) -> bool:
    """Take in a large dump; False, with nothing taken in, if the source is something else or has to be read whole.

    The listener hears how many bytes have been read.
    """
    if source.path is None or collector.listener is not None:
        return False
    try:
        # Before it is opened, which would wait for whoever writes to a pipe.
        status = os.stat(source.path)
        if not stat.S_ISREG(status.st_mode) or status.st_size <= PIECE:
            return False
        with FileIO(source.path) as file:
            identity, items = _decoded(file, progress)
    except (_WholeError, msgspec.DecodeError, OSError, ValueError, RecursionError):
        return False
    return keep_dump(Segment(source.name, JsonPlaces(source, 0)), identity, items, collector)


def _decoded(file: FileIO, progress: Callable[[int], None] | None) -> tuple[tuple[str, str], list[KubernetesObject]]:
    """What the list says that it is, and its items; what `read_in_pieces` catches is raised."""
    start = _START.match(file.read(_HEAD))
    if start is None:
        raise _WholeError
    decode_frame = _frame_decoder().decode
    decode_frame(start["head"] + b"[]}")
    file.seek(len(start["head"]))
    buffer = bytearray(PIECE)
    view = memoryview(buffer)
    items: list[KubernetesObject] = []
    filled = _fill(file, view, 0)
    while filled == PIECE:
        comma = _take_piece(buffer, b"}," + start["opening"], items)
        rest = bytes(view[comma + 1 :])
        view[1 : 1 + len(rest)] = rest
        filled = _fill(file, view, 1 + len(rest))
        if progress is not None:
            progress(file.tell() - filled)
    # Behind the list are texts and numbers only.
    end = buffer.rfind(_CLOSING, 0, filled) + 1
    items += _items_decoder().decode(view[:end])
    frame = decode_frame(start["head"] + b"[]" + view[end:filled])
    return (frame.api_version, frame.kind), items


def _take_piece(buffer: bytearray, between: bytes, items: list[KubernetesObject]) -> int:
    """Decode all items that the buffer has whole behind its bracket; where the comma is that follows them."""
    view = memoryview(buffer)
    for comma in _ends(buffer, between):
        view[comma] = _CLOSING
        try:
            items += _items_decoder().decode(view[: comma + 1])
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            view[comma] = ord(",")
        else:
            return comma
    raise _WholeError


def _ends(buffer: bytearray, between: bytes) -> Iterator[int]:
    """The comma behind the last whole item: at first as it seems, then as it is."""
    at = buffer.find(between, max(0, len(buffer) - _NEAR_THE_END))
    while at >= 0:
        comma, closed = _last_comma(buffer, at + 1)
        if not closed:
            yield comma
            break
        # This was a list within an item.
        at = buffer.find(between, closed)
    comma, _ = _last_comma(buffer, 0)
    if comma:
        yield comma


def _last_comma(buffer: bytearray, comma: int) -> tuple[int, int]:
    """The last comma of a list, from one of them or its bracket on, and where it ends; 0 if not within the buffer."""
    view = memoryview(buffer)
    while True:
        try:
            end = comma + 1 + value_length(view[comma + 1 :])
        except (msgspec.DecodeError, RecursionError):
            return comma, 0
        if buffer[end : end + 1] != b",":
            return comma, 0 if end == len(buffer) else end
        comma = end


def _fill(file: FileIO, view: memoryview, filled: int) -> int:
    """How far the view is filled once all that it has room for, or all that is left, has been read."""
    while filled < len(view) and (count := file.readinto(view[filled:])):
        filled += count
    return filled
