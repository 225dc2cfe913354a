"""Snapshots: a cluster in one file, to be read back years later with the same decisions.

A snapshot is a line of JSON, behind it the sections of its tables, and last the CRC-32 of all that, the highest byte
first. The line is a head that says what it is, of which format, taken when and of which release, and which tables there
are; these have the records as they were decoded, so that it holds nothing that scheduling does not read. Format 1 was
JSON, compressed by gzip.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain, groupby, islice
from typing import Any

import msgspec

from kexplain.grouping import counted, grouped
from kexplain.load.loaded import Loaded, Nowhere, Segment, Unlisted
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.record_types import API_VERSIONS, record_for, versions_of
from kexplain.load.snapshot.table import Count, DamagedError, Rows, Section, Table, decoded, pack, unpack, write_table
from kexplain.load.text.source import UNPACKED_LIMIT, Source, Text
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.stored_pods import StoredPods

#: Raised whenever this version would misread what older versions of kexplain wrote.
FORMAT = 2
CHECKSUM_SIZE = 4

_API_VERSION = "kexplain/v1"
_KIND = "Snapshot"


class Head(msgspec.Struct, rename="camel"):
    """What a snapshot of any format begins with."""

    api_version: str = _API_VERSION
    kind: str = _KIND
    format: int = 0
    taken_at: str = ""
    server_version: str = ""
    redacted: bool = False
    notes: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    unlisted: tuple[Unlisted, ...] = ()


class _Tables(Head, rename="camel", kw_only=True):
    #: Whose objects come how many in a row, in the order in which they were read: places of tables, and numbers.
    order: Section
    tables: tuple[Table, ...]

    @property
    def sections(self) -> Iterator[Section]:
        """All sections of the body, in their order."""
        return chain((self.order,), *(table.sections for table in self.tables))


class _Run(msgspec.Struct, array_like=True):
    """So many objects of a table, by its place."""

    table: Count
    count: Count


# ------------------------------------------------------------------------------------------------------ writing


def encode_snapshot(loaded: Loaded, *, taken_at: str, redacted: bool = False) -> bytes:
    """A snapshot of what was loaded; the same objects at the same time make the same bytes."""
    # A workload of another project is only read from what it wrote.
    known = (obj for obj in loaded.objects if not isinstance(obj, CustomWorkload))
    kept = [obj for obj in known if not isinstance(obj, Event) or obj.is_telling]
    by_kind = grouped((type(obj), obj) for obj in kept)
    table_by_kind = {kind: place for place, kind in enumerate(by_kind)}
    body = [b"\n"]
    runs = [_Run(table_by_kind[kind], sum(1 for _ in objects)) for kind, objects in groupby(kept, type)]
    head = _Tables(
        format=FORMAT,
        taken_at=taken_at,
        server_version=loaded.server_version,
        redacted=redacted,
        notes=tuple(loaded.notes),
        listed=tuple(sorted(kind.__name__ for kind in loaded.listed if not kind.is_of_queues)),
        unlisted=tuple(loaded.unlisted),
        order=pack(msgspec.json.encode(runs), body),
        tables=tuple(write_table(kind, _version_of(kind), objects, body) for kind, objects in by_kind.items()),
    )
    content = b"".join((msgspec.json.encode(head), *body))
    return content + checksum(content)


def _version_of(kind: type[KubernetesObject]) -> str:
    """The apiVersion of a table: our own, where objects have several."""
    return _API_VERSION if kind is OtherResource else versions_of(kind)[0]


def checksum(content: Text | memoryview) -> bytes:
    """What a snapshot ends with."""
    return zlib.crc32(content).to_bytes(CHECKSUM_SIZE)


# ------------------------------------------------------------------------------------------------------ reading


def read_snapshot(text: Text, source: Source, collector: ObjectCollector) -> None:
    """Take in a snapshot; one that cannot be read is a fault."""
    try:
        head = _head(text)
        if head.format == FORMAT:
            objects = _objects(text, collector.loaded)
        elif head.format == 1:
            # Nobody writes it any more.
            from kexplain.load.snapshot.first_format import objects_of  # noqa: PLC0415

            objects = objects_of(text)
        else:
            writer = "a newer kexplain" if head.format > FORMAT else "no kexplain"
            message = f"a snapshot of format {head.format}, written by {writer}: this one reads formats 1 and {FORMAT}"
            collector.text_fault(source.name, 0, 0, message)
            return
    except DamagedError as error:
        collector.text_fault(source.name, 0, 0, error.message)
        return
    collector.loaded.add(Segment(source.name, Nowhere(), objects))
    collector.loaded.notes += head.notes
    collector.loaded.is_redacted |= head.redacted
    kinds = {kind.__name__: kind for kind in API_VERSIONS}
    collector.loaded.listed |= {kinds[name] for name in head.listed if name in kinds}
    collector.loaded.unlisted += (each for each in head.unlisted if each.kind in kinds)
    collector.loaded.server_version = collector.loaded.server_version or head.server_version


def _head(text: Text) -> Head:
    """The head: the first line, or, of format 1, all that the text says but for its objects."""
    with suppress(DamagedError):
        line: Head = decoded(_first_line(text), Head)
        return line
    whole: Head = decoded(text, Head)
    return whole


def _first_line(text: Text) -> Text:
    end = text.find(b"\n")
    return text if end < 0 else text[:end]


def _objects(text: Text, loaded: Loaded) -> Objects:
    line = _first_line(text)
    head: _Tables = decoded(line, _Tables)
    checked = memoryview(text)[:-CHECKSUM_SIZE]
    body = checked[len(line) + 1 :]
    if sum(section.packed for section in head.sections) != len(body):
        raise DamagedError("it was cut off, or something follows it")
    if checksum(checked) != text[-CHECKSUM_SIZE:]:
        raise DamagedError("its checksum is another")
    if sum(section.unpacked for section in head.sections) > UNPACKED_LIMIT:
        raise DamagedError(f"more than {UNPACKED_LIMIT >> 20} MiB, unpacked")
    runs = decoded(unpack(head.order, body[: head.order.packed]), list[_Run])
    if counted((run.table, run.count) for run in runs) != Counter(
        {place: table.count for place, table in enumerate(head.tables)}
    ):
        raise DamagedError("its tables do not hold as many objects as it says")
    return _in_order(runs, _rows_by_table(head, body, loaded))


def _rows_by_table(head: _Tables, body: memoryview, loaded: Loaded) -> dict[int, Rows]:
    """The rows of each table by its place; kinds that are not known are passed over."""
    rows: dict[int, Rows] = {}
    start = head.order.packed
    for place, table in enumerate(head.tables):
        is_other = (table.api_version, table.kind) == (_API_VERSION, OtherResource.__name__)
        kind = OtherResource if is_other else record_for(table.api_version, table.kind)
        if kind is None:
            loaded.passed_over[f"{table.api_version}/{table.kind}"] += table.count
        else:
            rows[place] = Rows(kind, table, body[start:])
        start += sum(section.packed for section in table.sections)
    return rows


def _in_order(runs: Iterable[_Run], rows: Mapping[int, Rows]) -> Objects:
    """The objects of these tables, in the order of the runs."""
    walked = _Walked([run for run in runs if run.table in rows], rows)
    nodes, pods = (next((each for each in rows.values() if each.kind is kind), None) for kind in (Node, Pod))
    # Who has made a cluster anonymous may have left out more.
    stored = StoredPods.of(pods) if nodes and pods and any(nodes.column("metadata.uid").values) else None
    if stored is None:
        return Objects([*walked])
    walked.stored = stored
    return Objects.of_snapshot(walked)


class _Walked:
    """The objects of some tables, in the order of the runs."""

    stored: StoredPods

    def __init__(self, runs: Sequence[_Run], rows: Mapping[int, Rows]) -> None:
        self._runs = runs
        self._rows = rows

    def __len__(self) -> int:
        return sum(run.count for run in self._runs)

    def __iter__(self) -> Iterator[KubernetesObject]:
        return self._walk({place: iter(rows) for place, rows in self._rows.items()})

    @cached_property
    def others(self) -> list[KubernetesObject]:
        """All but the stored pods that run undisturbed."""
        loose = self.stored.loose
        walked = {
            place: map(loose.get, range(len(rows))) if rows.kind is Pod else iter(rows)
            for place, rows in self._rows.items()
        }
        return [obj for obj in self._walk(walked) if obj is not None]

    def _walk(self, by_table: Mapping[int, Iterator[Any]]) -> Iterator[Any]:
        return (obj for run in self._runs for obj in islice(by_table[run.table], run.count))
