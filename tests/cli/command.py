"""Runs the command line in the process of the tests, where it sees nothing of this machine."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from kexplain.cli import output
from kexplain.cli.main import ended

ROOT = Path(__file__).parents[2]
_PROGRAM = str(ROOT / "kexplain" / "__main__.py")


def kexplain(
    *words: str | Path, cwd: Path = ROOT, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> CompletedProcess[bytes]:
    """What the command line does with these words; nothing of this machine's environment reaches it."""
    own = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(environment or {})}
    streams = [io.TextIOWrapper(io.BytesIO(given), encoding="utf-8") for given in (stdin, b"", b"")]
    arguments = [*map(str, words)]
    with contextlib.ExitStack() as during:
        during.enter_context(contextlib.chdir(cwd))
        during.enter_context(patch.dict(os.environ, own, clear=True))
        during.enter_context(patch.object(sys, "argv", [_PROGRAM, *arguments]))
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            during.enter_context(patch.object(sys, name, stream))
        code = ended(arguments)
    # A process would end here, with what it keeps until then.
    output.kept.clear()
    _, out, err = (stream.detach() for stream in streams)
    assert isinstance(out, io.BytesIO)
    assert isinstance(err, io.BytesIO)
    return CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
