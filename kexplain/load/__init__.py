"""Bytes to typed objects: YAML as kubectl reads it, JSON dumps, directories, standard input."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from kexplain.errors import InputError
from kexplain.load.kindless_lists import guessed
from kexplain.load.loaded import Loaded, Origin, fault, not_shown
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.quantity_checks import check_quantities, quantity_problems
from kexplain.load.reading_progress import ReadingProgress, ReadListener
from kexplain.load.recognition import is_foreign, is_snapshot, is_table
from kexplain.load.text.source import KUSTOMIZATIONS, STDIN, Source, Text, is_json, sources

if TYPE_CHECKING:
    from kexplain.load.kustomize.tree import KustomizationTree
    from kexplain.load.text.json_dump import JsonError

__all__ = [
    "Loaded", "Origin", "ReadListener", "check_quantities", "fault", "load", "quantity_problems", "read", "uncollected",
]  # fmt: skip

#: Only larger files can be read in pieces; for others nothing that does so is imported.
_LARGE = 1 << 20
#: A text that is no JSON after all is tried as YAML up to this size.
_SECOND_TRY_LIMIT = 32 << 20


def load(
    paths: Sequence[str],
    *,
    recursive: bool = False,
    stdin: BinaryIO | None = None,
    progress: ReadListener | None = None,
    is_dump: bool = False,
) -> Loaded:
    """The objects in files, directories and archives (their .yaml, .yml and .json files by name) and, for `-`, stdin.

    Raises InputError with every fault in all of them. Files of directories that cannot be read, or that are nothing of
    Kubernetes', are passed over with a note; of a dump also what is wrong in them, and what is sound there is kept.
    Source: kubectl's resource builder, which skips hidden files no more than it skips others; here they are skipped,
    as editors leave them behind.
    `progress` hears how far reading is.
    """
    collector = ObjectCollector()
    named = frozenset((*paths, STDIN))
    with uncollected():
        found = [*sources(paths, recursive=recursive, stdin=stdin)]
        files = [each for each in found if isinstance(each, Source)]
        tree = _kustomizations(each.path for each in files if each.path)
        reading = progress and ReadingProgress(files, progress)
        for source in found:
            if collector.is_full:
                break
            if isinstance(source, InputError):
                _refuse(source, collector, named)
            elif tree is None or not tree.holds(source):
                _read(source, collector, reading, named, is_dump=is_dump)
        if tree is not None:
            for directory in tree.roots:
                tree.build(directory, collector)
            collector.faults += tree.faults
            collector.loaded.notes += tree.notes()
    if collector.faults:
        raise InputError(collector.faults, not_shown(collector.uncounted))
    if len(found) > 1:
        # Support archives have a list of pods, and each of them in a file of its own.
        collector.loaded.drop_repeated()
    return collector.loaded


def _kustomizations(paths: Iterable[str]) -> KustomizationTree | None:
    """The kustomizations among some files; None if there are none."""
    listed = [*paths]
    if not any(path.endswith(KUSTOMIZATIONS) for path in listed):
        return None
    # Most runs read none.
    from kexplain.load.kustomize.tree import KustomizationTree  # noqa: PLC0415

    return KustomizationTree(listed, ())


def _refuse(error: InputError, collector: ObjectCollector, named: Collection[str]) -> None:
    """Note what cannot be read: a fault where it was named, else one of many files."""
    for each in error.faults:
        if each.source in named:
            collector.faults.append(each)
        else:
            collector.loaded.notes.append(f"{each.source} is not read: {each.message}")


def _read(
    source: Source,
    collector: ObjectCollector,
    reading: ReadingProgress | None,
    named: Collection[str],
    *,
    is_dump: bool,
) -> None:
    is_read = False
    if source.size >= _LARGE:
        from kexplain.load.text.json_pieces import read_in_pieces  # noqa: PLC0415 (most inputs are small)

        is_read = read_in_pieces(source, collector, reading.within if reading else None)
    if not is_read:
        _read_whole(source, collector, named, is_dump=is_dump)
    if reading:
        reading.has_read(source)


def _read_whole(source: Source, collector: ObjectCollector, named: Collection[str], *, is_dump: bool) -> None:
    try:
        text = source.read()
    except InputError as error:
        _refuse(error, collector, named)
        return
    own = ObjectCollector(collector.listener)
    read(text, source, own)
    is_cut_off = own.has_broken_text and guessed({}, source.name) is not None
    if source.name not in named and not is_cut_off and is_foreign(text, own):
        collector.loaded.foreign.append(source.name)
        return
    if is_dump and own.faults and source.name not in named:
        more = f" (and {own.count_of_faults - 1} more)" if own.count_of_faults > 1 else ""
        own.loaded.notes.append(f"read in part only: {own.faults[0]}{more}")
        own.loaded.in_part.append(source.name)
        own.faults, own.uncounted = [], 0
    elif not (own.loaded.count or own.faults):
        own.loaded.empty.append(source.name)
    collector.absorb(own)


def read(text: Text, source: Source, collector: ObjectCollector) -> None:
    """Take in the text of a source, whatever it is; faults are added in the order of their places."""
    before = len(collector.faults)
    if is_snapshot(text):
        # Most runs read none.
        from kexplain.load.snapshot.snapshot_file import read_snapshot  # noqa: PLC0415

        read_snapshot(text, source, collector)
    elif is_table(text):
        from kexplain.load.text.csv_tables import read_table  # noqa: PLC0415 - few inputs are tables

        read_table(text, source, collector)
    elif not is_json(text):
        _read_yaml(text, source, collector)
    else:
        from kexplain.load.text.json_dump import JsonError, read_json  # noqa: PLC0415 (manifests are YAML)

        try:
            read_json(text, source, collector)
        except JsonError as error:
            _read_second(text, source, collector, error)
    collector.faults[before:] = sorted(collector.faults[before:], key=lambda found: (found.line, found.column))
    source.forget()


def _read_yaml(text: Text, source: Source, collector: ObjectCollector, start: int = 0) -> bool:
    # PyYAML is not imported by runs that read JSON only.
    from kexplain.load.text.yaml_manifests import read_yaml  # noqa: PLC0415

    return read_yaml(text, source, collector, start)


def _read_second(text: Text, source: Source, collector: ObjectCollector, error: JsonError) -> None:
    """Take in the rest of a text that is not JSON from some byte on, as YAML if it is that."""
    # After several JSON values there is no way back to YAML, as in Go.
    is_short = error.count <= 1 and len(text) - error.start <= _SECOND_TRY_LIMIT
    if is_short:
        attempt = ObjectCollector(collector.listener)
        if _read_yaml(text, source, attempt, error.start):
            collector.absorb(attempt)
            return
    from kexplain.load.text.json_places import position  # noqa: PLC0415 (few inputs have faults)

    line, column = position(text, error.offset)
    collector.text_fault(source.name, line, column, error.message)


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from walking a heap that only grows."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
