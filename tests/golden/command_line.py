"""The real command line, run where it can see nothing of the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"


def run(words: Sequence[str], folder: Path, stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What the command printed, run in a folder."""
    # Nothing of the machine that runs the tests may show: no colours, no terminal, no locale.
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(FIXTURES.parent),
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", "kexplain", *words],
        cwd=folder,
        env=environment,
        input=stdin.read_text() if stdin else "",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
