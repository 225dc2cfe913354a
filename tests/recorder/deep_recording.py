"""Having the program in deep/ decide scenarios."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from .store import files, lines, write_lines


class RecorderError(Exception):
    """The recorder could not be run, or gave up."""


def record(recorder: Path, scenarios: Path, output: Path, *, replay: bool = False) -> Iterator[tuple[str, int]]:
    """Write a file of recordings for each of scenarios, and say how many it holds. Raises RecorderError."""
    for area, file in files(scenarios):
        asked = lines(file)
        recorded = _recorded(recorder, asked, replay=replay)
        if len(recorded) != len(asked):
            raise RecorderError(f"{recorder} decided {len(recorded)} of the {len(asked)} scenarios in {file}")
        write_lines(output / f"{area}.jsonl.gz", recorded)
        yield area, len(recorded)


def _recorded(recorder: Path, asked: list[bytes], *, replay: bool) -> list[bytes]:
    command = [str(recorder.resolve()), *(["--replay"] if replay else [])]
    try:
        done = subprocess.run(command, input=b"\n".join(asked), capture_output=True, check=False)
    except OSError as fault:
        raise RecorderError(f"{recorder}: {fault}") from fault
    if done.returncode:
        raise RecorderError(done.stderr.decode(errors="replace").strip() or f"{recorder} ended with {done.returncode}")
    return [line for line in done.stdout.split(b"\n") if line]
