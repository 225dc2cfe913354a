"""Known findings, which are recognized by their subjects, not by their lines, fields or figures.

A finding is known where its rule has found the same value, or something that is no value, in the same object of the
same file before, as often as it did.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explain.records import API_VERSION
from kexplain.lint.findings import Finding
from kexplain.load.published import decode_published
from kexplain.load.text.source import Source

KIND = "LintBaseline"


class KnownFinding(Output, frozen=True):
    """A finding; its `source` is relative to the directory of the baseline, older ones of which lack `written`."""

    fingerprint: str
    rule: str = ""
    source: str = ""
    object: str = ""
    message: str = ""
    written: str | None = None


class Baseline(Output, frozen=True):
    """All findings at one time."""

    findings: tuple[KnownFinding, ...]
    api_version: str = API_VERSION
    kind: str = KIND


class Known(msgspec.Struct, frozen=True):
    """What the baseline in a directory holds."""

    findings: tuple[KnownFinding, ...] = ()
    directory: Path = Path()

    def without(self, findings: Sequence[Finding]) -> tuple[Sequence[Finding], Sequence[KnownFinding]]:
        """The findings that are new, and what is known and not found any more."""
        new, gone = [*findings], [*self.findings]
        older = [each for each in gone if each.written is None]
        gone = [each for each in gone if each.written is not None]
        for about in (attrgetter("fingerprint"), self._subject):
            of_value = partial(_of_value, about)
            new, gone = _beyond(new, gone, of_value), _beyond(gone, new, of_value)
        for about in (attrgetter("fingerprint"), self._subject):
            new, older = _beyond(new, older, about), _beyond(older, new, about)
        return new, [*older, *gone]

    def file_of(self, source: str) -> str:
        """A file as the baseline names it."""
        return source if source.startswith("<") else os.path.relpath(source, self.directory)

    def is_outdated(self, known: KnownFinding, sources: Iterable[str]) -> bool:
        """Whether somebody has looked for it in one of these files, or its file is gone."""
        name = os.path.normpath(known.source)
        return not (self.directory / name).exists() or name in map(self.file_of, sources)

    def _subject(self, each: Finding | KnownFinding) -> tuple[str, str, str]:
        source = os.path.normpath(each.source) if isinstance(each, KnownFinding) else self.file_of(_file(each))
        return each.rule, source, each.object


def _file(finding: Finding) -> str:
    return finding.rendered_from or finding.source


def _of_value(about: Callable[[Any], object], each: Finding | KnownFinding) -> tuple[object, str | None]:
    return about(each), each.written


def _beyond(items: Sequence[Any], known: Sequence[Any], identity: Callable[[Any], object]) -> list[Any]:
    """The items that are not among the known; of several alike, those beyond as many as are known."""
    left, kept = Counter(map(identity, known)), []
    for each in items:
        if left[identity(each)] > 0:
            left[identity(each)] -= 1
        else:
            kept.append(each)
    return kept


def baseline_of(findings: Sequence[Finding], path: str) -> str:
    """The findings as the text of a baseline that is written to a path."""
    place = Known(directory=Path(path).absolute().parent)
    known = (msgspec.convert(each, KnownFinding, from_attributes=True) for each in findings)
    located = tuple(replace(each, source=place.file_of(_file(of))) for each, of in zip(known, findings, strict=True))
    return msgspec.json.format(msgspec.json.encode(Baseline(findings=located)), indent=2).decode() + "\n"


def read_baseline(path: str) -> Known:
    """What is known. Raises InputError if the file is no baseline."""
    source = Source(path, path)
    baseline = decode_published(source, source.read(), Baseline)
    if baseline.kind != KIND or baseline.api_version != API_VERSION:
        raise source.error(f"this is {baseline.api_version} {baseline.kind}, not {API_VERSION} {KIND}")
    return Known(baseline.findings, Path(path).absolute().parent)
