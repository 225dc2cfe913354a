"""Runs the real command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.cli.fork_server import forked

ROOT = Path(__file__).parents[2]


def kexplain(
    *words: str | Path, cwd: Path = ROOT, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What the command line does with these words; nothing of this machine's environment reaches it."""
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = forked(tuple(map(str, words)), cwd, stdin, {**own, **(environment or {})})
    assert b"Traceback" not in done.stderr
    return done
