"""Manifests as somebody wrote them: every object as plain values beside its record, and the text around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from kexplain.errors import Fault, InputError
from kexplain.load import read, uncollected
from kexplain.load.loaded import Loaded, Origin, Segment
from kexplain.load.object_collector import Identity, ObjectCollector
from kexplain.load.shape import Path
from kexplain.load.text.source import Source, Text, sources, unread
from kexplain.objects.meta import KubernetesObject

STDIN = "<stdin>"
#: What Helm writes above each object that it renders.
_RENDERED_FROM = re.compile(rb"^# Source: +(\S+)[ \t]*\r?$", re.MULTILINE)
#: Braces of a template that has not been rendered: no YAML value begins so.
_TEMPLATE = re.compile(rb"\{\{[-\s]*[.$a-zA-Z_(/]")


class Manifest(Struct, frozen=True):
    """One object: what it says, and its record, None for kinds that are not read and for values that do not fit it."""

    value: dict[str, Any]
    identity: Identity
    origin: Origin
    obj: KubernetesObject | None


class Written(Struct):
    """All that was read.

    `faults` are those of texts that could be read in part, `unreadable` are inputs of which nothing could be read.
    `foreign` are files that a directory holds beside manifests, `templates` those that have to be rendered first.
    `lines` are the texts that contain the marker. `unread` counts the files in subdirectories of directories that were
    not to be read.
    """

    loaded: Loaded = msgspec.field(default_factory=Loaded)
    manifests: list[Manifest] = msgspec.field(default_factory=list)
    faults: list[Fault] = msgspec.field(default_factory=list)
    more_faults: int = 0
    unreadable: list[Fault] = msgspec.field(default_factory=list)
    sources: list[str] = msgspec.field(default_factory=list)
    foreign: list[str] = msgspec.field(default_factory=list)
    templates: list[str] = msgspec.field(default_factory=list)
    lines: dict[str, list[str]] = msgspec.field(default_factory=dict)
    unread: dict[str, int] = msgspec.field(default_factory=dict)
    _texts: dict[str, Source] = msgspec.field(default_factory=dict)
    _rendered: dict[str, list[tuple[int, str]]] = msgspec.field(default_factory=dict)

    def text(self, source: str) -> Text | None:
        """The text of a source that was read; None where it is gone."""
        found = self._texts.get(source)
        return found.read_again() if found else None

    def rendered_from(self, source: str, line: int) -> str:
        """The template that a line of a source was rendered from, if a comment above it says so."""
        notes = self._rendered.get(source)
        if not notes:
            return ""
        at = bisect_right(notes, (line, "\U0010ffff"))
        return notes[at - 1][1] if at else ""

    def absorb(self, other: Written) -> None:
        """Take in all that another reading holds."""
        self.loaded.absorb(other.loaded)
        self.manifests += other.manifests
        self.faults += other.faults
        self.unreadable += other.unreadable
        self.sources += other.sources
        self.foreign += other.foreign
        self.templates += other.templates
        self.more_faults += other.more_faults
        self.lines |= other.lines
        self.unread |= other.unread
        self._texts |= other._texts
        self._rendered |= other._rendered

    def take(self, source: Source, *, marker: bytes, is_named: bool) -> None:
        """Read one source; what is not a manifest at all is passed over, unless it was named."""
        try:
            text = source.read()
        except InputError as error:
            self.unreadable += error.faults
            return
        found: list[Manifest] = []

        def note(
            segment: Segment, path: Path, identity: Identity, value: dict[str, Any], obj: KubernetesObject | None
        ) -> None:
            found.append(Manifest(value, identity, Origin(segment.source, segment.places, path), obj))

        collector = ObjectCollector(note)
        read(text, source, collector)
        if collector.faults and _TEMPLATE.search(text):
            self.templates.append(source.name)
            return
        if not is_named and not found and collector.faults and len(collector.faults) == collector.foreign:
            self.foreign.append(source.name)
            return
        self.sources.append(source.name)
        self._texts[source.name] = source
        self.loaded.absorb(collector.loaded)
        self.manifests += found
        self.faults += collector.faults
        self.more_faults += collector.uncounted
        if marker in text:
            self.lines[source.name] = text.decode(errors="replace").split("\n")
        if notes := _rendered(text):
            self._rendered[source.name] = notes


def load_written(
    paths: Sequence[str],
    marker: str,
    *,
    recursive: bool = False,
    stdin: BinaryIO | None = None,
    stdin_name: str = STDIN,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """The manifests in files, directories and, for `-`, stdin; lines are kept of texts that hold the marker.

    Faults do not end it: what is sound is there beside them. `progress` is called with the number of files read so far.
    """
    written = Written()
    named = {*paths, stdin_name}
    with uncollected():
        for count, source in enumerate(sources(paths, recursive=recursive, stdin=stdin)):
            if progress is not None:
                progress(count)
            if isinstance(source, InputError):
                written.unreadable += source.faults
            else:
                source.name = stdin_name if source.name == STDIN else source.name
                written.take(source, marker=marker.encode(), is_named=source.name in named)
    if not recursive:
        written.unread = {path: count for path in paths if (count := unread(path))}
    return written


def _rendered(text: Text) -> list[tuple[int, str]]:
    """Where which template begins, if the text was rendered."""
    notes = []
    line, before = 1, 0
    for match in _RENDERED_FROM.finditer(text):
        line += text.count(b"\n", before, match.start())
        before = match.start()
        notes.append((line, match[1].decode(errors="replace")))
    return notes
