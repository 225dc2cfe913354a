"""The real command line, run where it can see nothing of the machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.cli.fork_server import forked

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
    done = forked(tuple(words), folder, stdin.read_bytes() if stdin else b"", environment)
    # Recordings have the line ends of text files.
    printed = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, *printed)
