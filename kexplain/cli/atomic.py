"""Files that are whole, or as they were before."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EBUSY, EPERM, EROFS, EXDEV
from tempfile import gettempdir
from typing import IO

from kexplain.errors import KexplainError

#: Where a name stands for an open file of this process, which must not be replaced.
_OPEN_FILES = ("/dev/", "/proc/")
#: Why a file that can be written to may still not be replaced by another one: its directory, or what is mounted on it.
_KEPT = (EACCES, EBUSY, EPERM, EROFS, EXDEV)


def write_atomically(path: str, content: bytes, *, mode: int = 0o666) -> None:
    """Have a file hold this, or what it held before if anything goes wrong; devices and pipes are written to.

    Raises KexplainError if it cannot be written.
    """
    with whole_file(path, mode=mode) as write:
        write(content)


@contextmanager
def whole_file(path: str, *, mode: int = 0o666) -> Iterator[Callable[[bytes], object]]:
    """What writes to a file that is there once all of it has been written, and as it was before if that fails.

    A file that is there keeps its owner, its rights, and the links to it; a new one has the rights of `mode` that the
    process gives new files. Raises KexplainError if it cannot be written.
    """
    with _told_as_error(path):
        target = os.path.realpath(path)
        found = os.stat(target) if os.path.exists(target) else None  # noqa: PTH110, PTH116 - a name is taken as it is
        if path.startswith(_OPEN_FILES) or (found is not None and not stat.S_ISREG(found.st_mode)):
            with open(path, "wb") as place:  # noqa: PTH123 - as above
                yield _writing(path, place)
            return
        name, file = _unfinished(target, mode, may_be_elsewhere=found is not None)
    try:
        with file:
            yield _writing(path, file)
            with _told_as_error(path):
                file.flush()
                # Only what has reached the disk may take the place of what is there.
                os.fsync(file.fileno())
                may_replace = found is None or (found.st_nlink == 1 and _belongs_alike(file, found))
        # Closed by now: Windows moves no open file.
        with _told_as_error(path):
            _put_in_place(name, target, is_new=found is None, may_replace=may_replace)
    finally:
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - as above


@contextmanager
def _told_as_error(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KexplainError(f"{path}: cannot be written: {error.strerror or error}") from error


def _writing(path: str, file: IO[bytes]) -> Callable[[bytes], object]:
    def write(content: bytes) -> None:
        with _told_as_error(path):
            file.write(content)

    return write


def _unfinished(target: str, mode: int, *, may_be_elsewhere: bool) -> tuple[str, IO[bytes]]:
    """A new file beside another one, or where it can be."""
    directory, name = os.path.split(target)
    unfinished = f".{name[:100]}.{os.urandom(6).hex()}"
    try:
        return _created(os.path.join(directory, unfinished), mode)  # noqa: PTH118 - as above
    except OSError as error:
        if not may_be_elsewhere or error.errno not in _KEPT:
            raise
    return _created(os.path.join(gettempdir(), unfinished), 0o600)  # noqa: PTH118 - as above


def _created(name: str, mode: int) -> tuple[str, IO[bytes]]:
    # Windows would write other line ends.
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    return name, os.fdopen(os.open(name, flags, mode), "w+b")


def _put_in_place(name: str, target: str, *, is_new: bool, may_replace: bool) -> None:
    if may_replace:
        try:
            os.replace(name, target)  # noqa: PTH105 - as above
        except OSError as error:
            if is_new or error.errno not in _KEPT:
                raise
        else:
            _keep_name(target)
            return
    _copy(name, target)


def _keep_name(target: str) -> None:
    """Have the disk know what a file is called now, where directories can be told so."""
    with suppress(OSError):
        directory = os.open(os.path.dirname(target), os.O_RDONLY)  # noqa: PTH120 - as above
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _belongs_alike(file: IO[bytes], found: os.stat_result) -> bool:
    """Whether a file has the owner and the rights of another, or could be given them."""
    if not hasattr(os, "fchown"):
        # Files have neither there, but what their folder gives them.
        return True
    own = os.fstat(file.fileno())
    try:
        if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
            os.fchown(file.fileno(), found.st_uid, found.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(found.st_mode))
    except PermissionError:
        return False
    return True


def _copy(name: str, target: str) -> None:
    """Write over a file, once there is room for all of it."""
    with open(name, "rb") as file, open(target, "r+b") as old:  # noqa: PTH123 - as above
        size = os.fstat(file.fileno()).st_size
        if hasattr(os, "posix_fallocate") and size:
            os.posix_fallocate(old.fileno(), 0, size)
        shutil.copyfileobj(file, old)
        old.truncate()
