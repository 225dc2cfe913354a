"""Finding recordings, and what the name of their folder says about them."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeVar

import msgspec

DEFAULT = Path(__file__).parents[2] / "fixtures" / "conformance"
ACCEPTED, REJECTED = "accepted", "rejected"

Row = TypeVar("Row")

_FOLDER = re.compile(
    r"(?:(?P<prefix>policy|admission|capacity|changes|devices|groups|kinds|live|settled|workloads)-)?v(?P<release>[0-9]+\.[0-9]+)|text"
)
_SUFFIXES = (".jsonl", ".jsonl.gz")


class CorpusError(Exception):
    """A path that is no recording, or one that cannot be read."""


class Kind(Enum):
    """What was recorded."""

    SCHEDULING = "scheduling"
    POLICY = "policy"
    ADMISSION = "admission"
    CAPACITY = "capacity"
    CHANGES = "changes"
    DEVICES = "devices"
    GROUPS = "groups"
    KINDS = "kinds"
    LIVE = "live"
    SETTLED = "settled"
    TEXT = "text"
    WORKLOADS = "workloads"


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the name of a folder says; `release` is empty where there is none."""

    name: str
    kind: Kind
    release: str = ""

    @classmethod
    def of(cls, folder: Path) -> Corpus | None:
        """The corpus of a folder with this name; None if it is not named like one."""
        match = _FOLDER.fullmatch(folder.name)
        if match is None:
            return None
        if not match["release"]:
            return cls(folder.name, Kind.TEXT)
        return cls(folder.name, Kind(match["prefix"] or Kind.SCHEDULING.value), match["release"])


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a corpus: one file, or half of one where the verdict tells two areas apart."""

    corpus: Corpus
    name: str
    file: Path

    def rows(self, kind: type[Row]) -> Iterator[Row]:
        """The recordings, a line each. Raises CorpusError if the file cannot be read, or holds something else."""
        decoder = msgspec.json.Decoder(kind)
        for number, line in enumerate(self._content().split(b"\n"), start=1):
            if line.strip():
                try:
                    yield decoder.decode(line)
                except msgspec.DecodeError as fault:
                    raise CorpusError(f"{self.file}:{number}: {fault}") from fault

    def _content(self) -> bytes:
        try:
            content = self.file.read_bytes()
            return gzip.decompress(content) if self.file.suffix == ".gz" else content
        except (OSError, EOFError, zlib.error) as fault:
            raise CorpusError(f"{self.file}: {fault}") from fault


def find(paths: Sequence[Path], names: Iterable[str] = ()) -> list[Area]:
    """The areas under these paths, in order and once each; only those of these names, if any are given.

    Raises CorpusError on a path that is no recording, and on a name that none of them has.
    """
    areas = list(dict.fromkeys(area for path in paths for area in _areas(path.resolve())))
    wanted = set(names)
    missing = wanted - {area.name for area in areas}
    if missing:
        known = ", ".join(sorted({area.name for area in areas}))
        raise CorpusError(f"no area {', '.join(sorted(missing))}; there are {known}")
    return [area for area in areas if not wanted or area.name in wanted]


def _areas(path: Path) -> Iterator[Area]:
    if path.is_file():
        corpus = Corpus.of(path.parent)
        if corpus is None or not path.name.endswith(_SUFFIXES):
            raise CorpusError(f"{path} is not a .jsonl or .jsonl.gz file in a folder named like v1.36")
        yield from _of_file(corpus, path)
        return
    if not path.is_dir():
        raise CorpusError(f"{path} is not there")
    folders = [path] if Corpus.of(path) else sorted(each for each in path.iterdir() if each.is_dir())
    found = [(corpus, file) for folder in folders if (corpus := Corpus.of(folder)) for file in _files(folder)]
    if not found:
        raise CorpusError(f"{path} holds no recordings")
    for corpus, file in found:
        yield from _of_file(corpus, file)


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name.endswith(_SUFFIXES))


def _of_file(corpus: Corpus, file: Path) -> Iterator[Area]:
    names = (ACCEPTED, REJECTED) if corpus.kind is Kind.ADMISSION else (file.name.partition(".")[0],)
    return (Area(corpus, name, file) for name in names)
