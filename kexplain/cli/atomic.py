"""Files that are whole, or as they were before."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from kexplain.errors import KexplainError


def write_atomically(path: str, content: bytes) -> None:
    """Have a file hold this, or what it held before if anything goes wrong; devices and pipes are written to.

    Raises KexplainError if it cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise KexplainError(f"{path}: cannot be written: {error.strerror or error}") from error


def _replace(target: Path, content: bytes) -> None:
    handle, unfinished = mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if target.exists():
                os.fchmod(handle, stat.S_IMODE(target.stat().st_mode))
            # Only what has reached the disk may take the place of what is there.
            os.fsync(file.fileno())
        Path(unfinished).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(unfinished).unlink()
        raise
