"""Files of scenarios: JSON lines, compressed, the same bytes for the same rows."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

_SUFFIXES = (".jsonl.gz", ".jsonl")


def write(file: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Write the rows, a line each, and say how many there were."""
    lines = [json.dumps(row, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() for row in rows]
    write_lines(file, lines)
    return len(lines)


def write_lines(file: Path, lines: Iterable[bytes]) -> None:
    """Write lines that are JSON already."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # Without a time and a name in it, the same lines make the same file.
    file.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0))


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of scenarios in a folder, by area; or the one file."""
    found = [folder] if folder.is_file() else sorted(folder.iterdir())
    for file in found:
        if file.name.endswith(_SUFFIXES):
            yield file.name.partition(".")[0], file


def lines(file: Path) -> list[bytes]:
    """The lines of a file, compressed or not."""
    content = file.read_bytes()
    whole = gzip.decompress(content) if file.suffix == ".gz" else content
    return [line for line in whole.split(b"\n") if line.strip()]
