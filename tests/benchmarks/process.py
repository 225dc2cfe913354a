"""Runs a command as a process of its own, and says what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FLOOR = Path(__file__).with_name("floor.py")
#: `ru_maxrss` counts in bytes here, and everywhere else in kilobytes.
_COUNTS_BYTES = sys.platform == "darwin"


class RunFailedError(Exception):
    """A run did not end as it must."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall time of a whole process, start to finish, the most memory it held, and its processor time."""

    seconds: float
    megabytes: float
    cpu: float = 0.0

    def least(self, other: Cost) -> Cost:
        """The better of two runs in either respect."""
        return Cost(min(self.seconds, other.seconds), min(self.megabytes, other.megabytes), min(self.cpu, other.cpu))


def kexplain(*arguments: str) -> list[str]:
    """The command that runs kexplain from this checkout."""
    return [sys.executable, "-m", "kexplain", *arguments]


@contextmanager
def server(dump: Path, kubeconfig: Path) -> Iterator[None]:
    """An API server that holds a dump while this lasts; the kubeconfig leads there."""
    command = [sys.executable, "-m", "tests.benchmarks.server", str(dump), str(kubeconfig)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.stdin.close()


def floor(dump: Path) -> list[str]:
    """The command that only reads a dump."""
    return [sys.executable, str(FLOOR), str(dump)]


def _with_bytecode() -> dict[str, str]:
    """This environment, in which Python keeps what it has compiled, as it does of what is installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: Sequence[str], exit_code: int = 0) -> Cost:
    """Run with stdout thrown away. Raises RunFailedError if it ends in any other way than that code."""
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, cwd=ROOT, env=_with_bytecode())
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != exit_code:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()
            raise RunFailedError(f"exit code {process.returncode}, not {exit_code}: {' '.join(command)}\n{said}")
    megabytes = usage.ru_maxrss / (1 << 20 if _COUNTS_BYTES else 1 << 10)
    return Cost(seconds, megabytes, usage.ru_utime + usage.ru_stime)


def best_of(runs: int, commands: Sequence[tuple[Sequence[str], int]]) -> list[Cost]:
    """The best that each command did, all of them run in turn, so that a slow spell hits none in particular."""
    best = [run(command, exit_code) for command, exit_code in commands]
    for _ in range(runs - 1):
        again = [run(command, exit_code) for command, exit_code in commands]
        best = [cost.least(other) for cost, other in zip(best, again, strict=True)]
    return best
