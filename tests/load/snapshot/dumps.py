"""Dumps to take snapshots of: the scenarios, and recordings of real schedulers, each as one List."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from typing import Any

import msgspec

from kexplain.load import Loaded, load
from kexplain.load.snapshot.snapshot_file import CHECKSUM_SIZE
from kexplain.objects.custom_workloads import CustomWorkload
from tests.conformance.corpora import DEFAULT, Kind, find
from tests.conformance.scenario import Scenario
from tests.scenarios import loaded_scenarios

#: One in so many recordings is taken.
_APART = 120


def dumps() -> Iterator[tuple[str, bytes]]:
    """The name of each dump, and its bytes."""
    for folder, loaded in loaded_scenarios():
        # What others write is in no snapshot.
        kept = (obj for obj in loaded.objects if not isinstance(obj, CustomWorkload))
        yield folder.name, _as_list([*map(msgspec.json.encode, kept)])
    for area in find([DEFAULT]):
        if area.corpus.kind is Kind.SCHEDULING:
            for scenario in islice(area.rows(Scenario), 0, None, _APART):
                items = msgspec.json.decode(scenario.objects, type=list[msgspec.Raw])
                yield f"{area.corpus.name}/{scenario.id}", _as_list(list(map(bytes, items)))


def as_in_a_cluster(dump: bytes) -> bytes:
    """The dump as an API server gives it out: all have a uid, and pods that have a node run there."""
    document = json.loads(dump)
    for number, each in enumerate(document["items"]):
        each.setdefault("metadata", {}).setdefault("uid", str(number))
        if each["kind"] == "Pod":
            each["metadata"].setdefault("namespace", "default")
            if each.get("spec", {}).get("nodeName"):
                each.setdefault("status", {}).setdefault("phase", "Running")
    return json.dumps(document).encode()


def read(content: bytes) -> Loaded:
    """What a dump or a snapshot holds."""
    return load(["-"], stdin=BytesIO(content))


def _as_list(items: Sequence[bytes]) -> bytes:
    return b'{"apiVersion":"v1","kind":"List","items":[%b]}' % b",".join(items)


def in_first_format(loaded: Loaded) -> bytes:
    """A snapshot as it was written in format 1."""
    head = {"apiVersion": "kexplain/v1", "kind": "Snapshot", "format": 1, "serverVersion": loaded.server_version}
    items: list[Any] = []
    others: list[tuple[int, Any]] = []
    for obj in loaded.objects:
        plain: dict[str, Any] = json.loads(msgspec.json.encode(obj))
        if obj.is_of_queues:
            others.append((len(items) + len(others), plain))
        else:
            items.append(plain)
    return json.dumps({**head, "items": items, "others": others}).encode()


def head_of(content: bytes) -> dict[str, Any]:
    """What a snapshot says that it is."""
    head: dict[str, Any] = json.loads(content.partition(b"\n")[0])
    return head


def text_of(content: bytes) -> bytes:
    """All that a snapshot says, unpacked."""
    head, _, left = content.partition(b"\n")
    texts = [head]
    while len(left) > CHECKSUM_SIZE:
        unpacker = zlib.decompressobj()
        texts.append(unpacker.decompress(left))
        left = unpacker.unused_data
    return b"\n".join(texts)


def objects_in(loaded: Loaded) -> list[str]:
    """The contents of all objects: pods and nodes are compared by identity."""
    return [repr(obj) for obj in loaded.objects]
