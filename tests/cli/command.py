"""Runs the real command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]


def kexplain(
    *words: str | Path, cwd: Path = ROOT, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What the command line does with these words; nothing of this machine's environment reaches it."""
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "kexplain", *map(str, words)],
        cwd=cwd,
        env={**own, **(environment or {})},
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return done
