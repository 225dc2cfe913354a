"""Whether the tests of a module notice a mutant of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "venv", ".*_cache", ".hypothesis", "build", "dist", "*.egg-info")
#: Every so many of the recorded command lines.
_EVERY = 4
_NO_TESTS = 5


def copied(root: Path, to: Path) -> Path:
    """A copy of the repository, in which modules may be changed."""
    shutil.copytree(root, to, ignore=_NOT_COPIED, symlinks=True)
    return to


def tests_of(copy: Path, module: str) -> list[str]:
    """The module's own tests, those of its room, and some of the recorded command lines."""
    room, stem = Path(module).parts[1].removesuffix(".py"), Path(module).stem
    own = [*sorted((copy / "tests" / room).rglob(f"test_{stem}.py")), copy / "tests" / f"test_{room}.py"]
    names = sorted(each.parent.name for each in (copy / "fixtures").glob("*/cmd"))[::_EVERY]
    test = "tests/golden/test_golden.py::test_the_command_prints_what_was_recorded"
    found = [path.relative_to(copy).as_posix() for path in (*own, copy / "tests" / room) if path.exists()]
    return [*found, *(f"{test}[{name}]" for name in names)]


def is_noticed(copy: Path, module: str, text: str, seconds: float) -> bool | None:
    """Whether a test fails while the module of a copy has this text; None if that takes longer."""
    path = copy / module
    original = path.read_bytes()
    path.write_text(text, encoding="utf-8")
    try:
        # Bytecode is told by size and time, which may be those of the text before.
        _forget(path)
        done = _run(copy, tests_of(copy, module), seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        path.write_bytes(original)
        _forget(path)
    return done.returncode not in (0, _NO_TESTS)


def _run(copy: Path, tests: Sequence[str], seconds: float) -> subprocess.CompletedProcess[bytes]:
    words = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow", *tests]
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(copy)}
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=environment, capture_output=True, check=False, timeout=seconds
    )


def _forget(path: Path) -> None:
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
