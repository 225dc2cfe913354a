"""Manifests as somebody wrote them: every object as plain values beside its record, and the text around it."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from kexplain.errors import Fault, InputError
from kexplain.load import read, uncollected
from kexplain.load.kustomize.tree import KustomizationTree
from kexplain.load.loaded import Loaded, Origin, Segment
from kexplain.load.object_collector import Identity, Listener, ObjectCollector
from kexplain.load.recognition import is_expectation, is_foreign, is_template
from kexplain.load.text.source import STDIN, Source, Text, sources, unread
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path
from kexplain.patterns import regex

#: What Helm writes above each object that it renders.
_RENDERED_FROM = regex(rb"^# Source: +(\S+)[ \t]*\r?$", re.MULTILINE)
#: What makes a directory a Helm chart.
_CHART = "Chart.yaml"
_YAML = (".yaml", ".yml")


class Manifest(Struct, frozen=True):
    """One object: what it says, and its record, None for kinds that are not read and for values that do not fit it."""

    value: dict[str, Any]
    identity: Identity
    origin: Origin
    obj: KubernetesObject | None
    #: The kustomization that it was built by, which others have nothing to do with; empty for what stands in a file.
    world: str = ""
    #: Whether it stands with a kustomization that does not name it, or among the steps of a test: it may be a part.
    is_loose: bool = False


class Written(Struct):
    """All that was read.

    `faults` are those of texts that could be read in part, and of files of directories that could not be read at all;
    `unreadable` are inputs that were named, and of which nothing could be read; `broken` is YAML in directories that
    cannot be read, and does not say that it is a manifest.
    `templates` are files that have to be rendered first, `expected` those that tests compare objects with.
    `lines` are the texts that contain the marker. `unread` counts the files in subdirectories of directories that were
    not to be read, `charts` the templates of Helm charts. `notes` say what of kustomizations could not be built.
    """

    loaded: Loaded = msgspec.field(default_factory=Loaded)
    manifests: list[Manifest] = msgspec.field(default_factory=list)
    faults: list[Fault] = msgspec.field(default_factory=list)
    more_faults: int = 0
    unreadable: list[Fault] = msgspec.field(default_factory=list)
    broken: list[Fault] = msgspec.field(default_factory=list)
    sources: list[str] = msgspec.field(default_factory=list)
    templates: list[str] = msgspec.field(default_factory=list)
    expected: list[str] = msgspec.field(default_factory=list)
    lines: dict[str, list[str]] = msgspec.field(default_factory=dict)
    unread: dict[str, int] = msgspec.field(default_factory=dict)
    charts: dict[str, int] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)
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
        self.more_faults += other.more_faults
        for name in self.__struct_fields__:
            own, further = getattr(self, name), getattr(other, name)
            if isinstance(own, list):
                own += further
            elif isinstance(own, dict):
                own |= further

    def take(self, source: Source, *, marker: bytes, is_named: bool, is_loose: bool = False) -> None:
        """Read one source; what is not a manifest at all is passed over, unless it was named."""
        if source.path and not is_named and is_expectation(source.path):
            self.expected.append(source.name)
            return
        try:
            text = source.read()
        except InputError as error:
            (self.unreadable if is_named else self.faults).extend(error.faults)
            return
        is_unrendered = is_template(text)
        chart, is_its_template = _chart_of(source.path) if source.path and is_unrendered else ("", False)
        if is_its_template:
            self._pass_over(source, chart)
            return
        found: list[Manifest] = []
        collector = ObjectCollector(_listener(found, "", is_loose=is_loose))
        read(text, source, collector)
        if not is_named and is_foreign(text, collector):
            is_broken = collector.has_broken_text and not is_unrendered
            self._pass_over_foreign(source.name, collector.faults[:1] if is_broken else ())
            return
        if collector.has_broken_text and is_unrendered:
            # In a chart, its templates may take it in.
            self._pass_over(source, chart)
            return
        self._keep(found, collector)
        self._note(source, text, marker)
        if notes := _rendered(text):
            self._rendered[source.name] = notes

    def _pass_over_foreign(self, name: str, faults: Iterable[Fault]) -> None:
        """Note that a text says nothing of Kubernetes, and what is wrong with it if it is YAML."""
        if faults and name.endswith(_YAML):
            self.broken += faults
        elif not FilePath(name).with_name(_CHART).is_file():
            self.loaded.foreign.append(name)

    def _pass_over(self, source: Source, chart: str) -> None:
        """Note that a text is a template, of a chart if it belongs to one."""
        if chart:
            self.charts[chart] = self.charts.get(chart, 0) + 1
        else:
            self.templates.append(source.name)

    def _keep(self, found: list[Manifest], collector: ObjectCollector) -> None:
        self.loaded.absorb(collector.loaded)
        self.manifests += found
        self.faults += collector.faults
        self.more_faults += collector.uncounted

    def _note(self, source: Source, text: Text, marker: bytes) -> None:
        """Keep what a finding in a text may need of it."""
        self.sources.append(source.name)
        self._texts[source.name] = source
        if marker in text:
            self.lines[source.name] = text.decode(errors="replace").split("\n")

    def drop_repeated(self) -> None:
        """As of what is loaded: support archives have a list of pods, and each of them in a file of its own."""
        self.loaded.drop_repeated()
        kept = {id(obj) for obj in self.loaded.objects}
        self.manifests = [each for each in self.manifests if each.obj is None or id(each.obj) in kept]

    def build(self, tree: KustomizationTree, marker: bytes) -> None:
        """Take in what kustomizations come to, with the texts that they are made of."""
        for directory in tree.roots:
            found: list[Manifest] = []
            collector = ObjectCollector(_listener(found, directory))
            tree.build(directory, collector)
            self._keep(found, collector)
        self.faults += tree.faults
        self.notes += tree.notes()
        for source in tree.reader.sources.values():
            text = source.read_again()
            if text is not None:
                self._note(source, text, marker)
                source.forget()


def load_written(
    paths: Sequence[str],
    marker: str,
    *,
    recursive: bool = False,
    stdin: BinaryIO | None = None,
    stdin_name: str = STDIN,
    passed_over: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Written:
    """The manifests in files, directories and, for `-`, stdin; lines are kept of texts that hold the marker.

    What holds no object is an error where it is named, unless it may be `passed_over`. Faults do not end it: what is
    sound is there beside them. `progress` is called with the number of files read so far.
    """
    written = Written()
    named = {*paths, stdin_name}
    found = [*sources(paths, recursive=recursive, stdin=stdin)]
    files = [each.path for each in found if isinstance(each, Source) and each.path]
    tree = KustomizationTree(files, [each for each in files if each in named])
    may_be_part = _loose(tree, files)
    with uncollected():
        for count, source in enumerate(found):
            if progress is not None:
                progress(count)
            if isinstance(source, InputError):
                for each in source.faults:
                    (written.unreadable if each.source in named else written.faults).append(each)
            elif not tree.holds(source):
                source.name = stdin_name if source.name == STDIN else source.name
                is_named = source.name in named.difference(passed_over)
                is_loose = not is_named and may_be_part(source)
                written.take(source, marker=marker.encode(), is_named=is_named, is_loose=is_loose)
        written.build(tree, marker.encode())
    written.drop_repeated()
    if not recursive:
        written.unread = dict(_unread(paths, tree.files))
    return written


def _loose(tree: KustomizationTree, files: Collection[str]) -> Callable[[Source], bool]:
    """Whether a source stands with a kustomization, or among the steps of a test."""
    of_tests = {os.path.dirname(each) for each in files if is_expectation(each)}
    return lambda source: tree.surrounds(source) or os.path.dirname(source.path or "") in of_tests


def _unread(paths: Sequence[str], files: Collection[str]) -> Iterator[tuple[str, int]]:
    """How many files in subdirectories of which directory are not read, and belong to no kustomization either."""
    for path in paths:
        left = [each for each in unread(path) if os.path.realpath(each) not in files]
        if left:
            yield path, len(left)


def _listener(found: list[Manifest], world: str, *, is_loose: bool = False) -> Listener:
    def note(
        segment: Segment, path: Path, identity: Identity, value: dict[str, Any], obj: KubernetesObject | None
    ) -> None:
        found.append(Manifest(value, identity, Origin(segment.source, segment.places, path), obj, world, is_loose))

    return note


def _chart_of(path: str) -> tuple[str, bool]:
    """The directory of the Helm chart that a file belongs to, if any, and whether it is one of its templates."""
    for each in FilePath(path).parents:
        if (each / _CHART).is_file():
            return str(each), FilePath(path).relative_to(each).parts[0] == "templates"
    return "", False


def _rendered(text: Text) -> list[tuple[int, str]]:
    """Where which template begins, if the text was rendered."""
    notes = []
    line, before = 1, 0
    for match in _RENDERED_FROM.finditer(text):
        line += text.count(b"\n", before, match.start())
        before = match.start()
        notes.append((line, match[1].decode(errors="replace")))
    return notes
