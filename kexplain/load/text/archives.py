"""Archives of files, read as they are: support bundles, and dumps that somebody has packed."""

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator

from kexplain.errors import InputError, fault_of

#: More members than these no bundle has.
_MOST_MEMBERS = 500_000
_CUT_OFF = (EOFError, OSError, tarfile.TarError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError)


def members(path: str, is_meant: Callable[[str], bool], most_bytes: int) -> Iterator[tuple[str, bytes] | InputError]:
    """The files of an archive that are meant by their names, each with the archive's before it, and what they hold.

    An InputError follows where it was cut off or is damaged, and where more than `most_bytes` would be read.
    """
    read = 0
    try:
        for number, (name, size, content) in enumerate(_zipped(path) if path.endswith(".zip") else _in_tar(path)):
            read += size
            if read > most_bytes or number >= _MOST_MEMBERS:
                what = f"{most_bytes >> 20} MiB, unpacked" if read > most_bytes else f"{_MOST_MEMBERS} files"
                yield fault_of(path, f"more than {what}")
                return
            if is_meant(name.rpartition("/")[2]) and not any(step.startswith(".") for step in name.split("/")):
                yield f"{path}/{name}", content()
    except _CUT_OFF as error:
        yield fault_of(path, f"it was cut off, or is damaged: {' '.join(str(error).split())}")


def _in_tar(path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Name, size and content of each file; links lead nowhere."""
    with tarfile.open(path, "r:*") as archive:
        for member in archive:
            if member.isreg():
                file = archive.extractfile(member)
                yield member.name.removeprefix("./"), member.size, file.read if file else bytes


def _zipped(path: str) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    with zipfile.ZipFile(path) as archive:
        for each in archive.infolist():
            if not each.is_dir():
                # Of no more than it says that it holds, whatever it holds.
                yield each.filename, each.file_size, lambda each=each: archive.open(each).read(each.file_size)  # type: ignore[misc]
