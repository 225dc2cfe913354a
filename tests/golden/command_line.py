"""The command line, run where it can see nothing of the machine."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.cli.command import kexplain

FIXTURES = Path(__file__).parents[2] / "fixtures"


def run(words: Sequence[str], folder: Path, stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What the command printed, run in a folder."""
    given = stdin.read_bytes() if stdin else b""
    done = kexplain(*words, cwd=folder, stdin=given, environment={"NO_COLOR": "1"})
    # Recordings have the line ends of text files.
    printed = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
    return subprocess.CompletedProcess(done.args, done.returncode, *printed)
