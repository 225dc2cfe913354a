"""One kind of objects from an API server: in chunks, straight into records."""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from threading import Lock
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from kexplain.errors import ClusterError, InputError
from kexplain.load.live.api_client import ApiClient, RefusedError
from kexplain.load.live.api_resources import Resource
from kexplain.load.loaded import not_shown
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.json_dump import JsonError, read_json
from kexplain.load.text.source import JSON_LIMIT, Source
from kexplain.objects.meta import KubernetesObject
from kexplain.parameters import parameter

#: Objects a request, as kubectl asks for them.
CHUNK = 500
#: After so many chunks that hold less than was asked for, a list has no end.
_SHORT_CHUNKS = 1000
#: Bytes of a list in chunks: as many as it may have in one piece.
_LONGEST_LIST = JSON_LIMIT
#: Objects of a kind; the largest clusters have a tenth.
_MOST_OBJECTS = 1_500_000


class Listener(Protocol):
    """Called with the progress of reading a cluster, from several threads."""

    def has_read(self, resource: Resource, count: int, to_come: int) -> None:
        """So many objects of a kind have been read, and so many are to come as far as the server says."""

    def has_ended(self) -> None:
        """Nothing more will be read."""


class _ListMeta(msgspec.Struct, rename="camel"):
    continue_: str | None = msgspec.field(default=None, name="continue")
    remaining_item_count: int | None = None


class _Head(msgspec.Struct, rename="camel"):
    kind: str = ""
    metadata: _ListMeta = msgspec.field(default_factory=_ListMeta)


_HEAD_DECODER = msgspec.json.Decoder(_Head)
#: What reading with care needs of msgspec is worked out when it is first used, by one thread at a time.
_CARE = Lock()


def prepare(resources: Iterable[Resource]) -> None:
    """Work out how these kinds are decoded, before threads do so: msgspec must not be asked by several at once."""
    for resource in resources:
        _decoder(resource.record)


@cache
def _decoder(record: type[KubernetesObject]) -> msgspec.json.Decoder[Any]:
    fields = [
        ("kind", str, ""),
        ("metadata", _ListMeta, msgspec.field(default_factory=_ListMeta)),
        ("items", list[record] | None, None),  # type: ignore[valid-type] # known at run time only
    ]
    return msgspec.json.Decoder(msgspec.defstruct(f"{record.__name__}Chunk", fields, gc=False))


def list_all(
    server: ApiClient, resource: Resource, *, cached: bool = False, listener: Listener | None = None
) -> list[KubernetesObject]:
    """All objects of a kind in the server's order, of the newest apiVersion that it has.

    A list that expires while it is read is read once more, in one piece, which cannot expire.
    Raises RefusedError where the kind is forbidden or not there, ClusterError where there is no answer to be had.
    """
    refusal: RefusedError | None = None
    for api_version, path in resource.paths():
        try:
            return _list(server, resource, api_version, path, cached=cached, listener=listener)
        except RefusedError as error:
            # A server does not say whether a forbidden resource exists, so older versions are not tried.
            if error.is_forbidden:
                if resource.is_optional:
                    # Its group is listed for everybody, or not there: then that is the refusal.
                    server.get(f"/apis/{resource.group}")
                raise
            refusal = refusal or error
    raise refusal or AssertionError


def first_written(server: ApiClient, path: str) -> list[KubernetesObject]:
    """What is read of the first objects of a kind that only another project knows. Raises as `list_all` does."""
    return _decoded_with_care(server, path, server.get(path, {"limit": str(CHUNK)}))


def _list(
    server: ApiClient, resource: Resource, api_version: str, path: str, *, cached: bool, listener: Listener | None
) -> list[KubernetesObject]:
    chosen = {"fieldSelector": resource.field_selector} if resource.field_selector else {}
    query = {**chosen, "resourceVersion": "0"} if cached else {**chosen, "limit": str(CHUNK)}
    objects: list[KubernetesObject] = []
    is_second_time = False
    short = size = 0
    while True:
        try:
            text = server.get(path, query)
        except RefusedError as error:
            if not error.is_expired:
                raise
            if is_second_time:
                advice = f"try again, or read the server's cache with {parameter('cached_read')}"
                raise ClusterError(
                    f"{server.transport.address}: the list of {resource.plural} expired twice", advice
                ) from None
            objects, query, is_second_time = [], chosen, True
            continue
        items, metadata = _decoded(server, resource, api_version, path, text)
        objects += items
        if listener:
            listener.has_read(resource, len(objects), metadata.remaining_item_count or 0)
        if not metadata.continue_:
            return objects
        short += len(items) < CHUNK
        size += len(text)
        is_endless = short > _SHORT_CHUNKS or size > _LONGEST_LIST or len(objects) > _MOST_OBJECTS
        if is_endless or metadata.continue_ == query.get("continue"):
            raise server.not_json(path, "it goes on without an end")
        query = {**chosen, "limit": str(CHUNK), "continue": metadata.continue_}


def _decoded(
    server: ApiClient, resource: Resource, api_version: str, path: str, text: bytes
) -> tuple[list[KubernetesObject], _ListMeta]:
    """The objects of a chunk, each with the apiVersion that the list as a whole has, and the list's metadata."""
    try:
        chunk = _decoder(resource.record).decode(text)
    except msgspec.ValidationError:
        chunk, items = _head(server, path, text), _decoded_with_care(server, path, text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise server.not_json(path, str(error)) from None
    else:
        items = chunk.items or []
    if chunk.kind != f"{resource.record.__name__}List":
        raise server.not_json(path, f"it is a {chunk.kind or 'thing without a kind'}")
    return [replace(obj, api_version=api_version) for obj in items], chunk.metadata


def _head(server: ApiClient, path: str, text: bytes) -> Any:
    try:
        return _HEAD_DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise server.not_json(path, str(error)) from None


def _decoded_with_care(server: ApiClient, path: str, text: bytes) -> list[KubernetesObject]:
    """The objects of a chunk with nulls where Go takes some. Raises InputError on what no server would send."""
    collector = ObjectCollector()
    source = Source(f"{server.transport.address}{path}", None, BytesIO(text))
    try:
        with _CARE:
            read_json(source.read(), source, collector)
    except JsonError as error:
        raise server.not_json(path, error.message) from None
    if collector.faults:
        raise InputError(collector.faults, not_shown(collector.uncounted))
    return [*collector.loaded.objects]
