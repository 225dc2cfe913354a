"""The files of a cluster, read once for many questions: a process has them, which answers in copies of itself.

A file that has changed is read again.
"""

import os
import select
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock

import msgspec

from kexplain.load.text.source import KUSTOMIZATIONS

#: Before each question, its length in so many bytes.
LENGTH = 8
#: The exit code of a run that somebody has ended.
_KILLED = -signal.SIGTERM


class Question(msgspec.Struct):
    """The words of a command line, the folder to run in, and how many seconds the run may take.

    With it come standard input, output and error, and where to write the exit code.
    """

    words: tuple[str, ...]
    folder: str
    patience: int


class KeptCluster:
    """The process is started by the first question; threads may share it."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files
        self._lock = Lock()
        self._state: list[tuple[object, ...]] = []
        self._process: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def run(self, words: Sequence[str], folder: str, given: str, patience: int) -> subprocess.CompletedProcess[bytes]:
        """What a run in that folder answers, which is given a text.

        Raises TimeoutExpired, and OSError where the cluster cannot be kept.
        """
        question = msgspec.json.encode(Question((*words,), folder, patience))
        reading, writing = os.pipe()
        with (
            TemporaryFile() as asked,
            TemporaryFile() as said,
            TemporaryFile() as noted,
            os.fdopen(reading, "rb") as end,
        ):
            asked.write(given.encode())
            asked.seek(0)
            try:
                streams = [*(each.fileno() for each in (asked, said, noted)), writing]
                with self._lock:
                    process = self._reading_process()
                    socket.send_fds(process, [len(question).to_bytes(LENGTH, "big")], streams)
                    process.sendall(question)
            finally:
                os.close(writing)
            if not select.select([end], (), (), patience)[0]:
                raise subprocess.TimeoutExpired([*words], patience)
            code = end.read()
            said.seek(0)
            noted.seek(0)
            return subprocess.CompletedProcess([*words], code[0] if code else _KILLED, said.read(), noted.read())

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            process, asking = self._process
            asking.close()
            process.wait()
            self._process = None

    def _reading_process(self) -> socket.socket:
        """Where the process hears questions that has read the files as they are now. Raises OSError."""
        state = [state for each in self._files for state in _states(Path(each))]
        if self._process is None or state != self._state:
            self.close()
            asking, hearing = socket.socketpair()
            line = [sys.executable, "-m", "kexplain.cli.answering", *self._files]
            with hearing:
                quiet = subprocess.DEVNULL
                process = subprocess.Popen(line, stdin=hearing.fileno(), stdout=quiet, stderr=quiet)  # noqa: S603 (ourselves)
            self._process, self._state = (process, asking), state
        return self._process[1]


def _states(path: Path) -> Iterator[tuple[object, ...]]:
    """What another file would not have, nor this one once it has been written to; of a directory, all that is in it.

    Raises OSError for what is neither, and for kustomizations, which are built of files that may stand anywhere.
    """
    for each in (path, *sorted(path.rglob("*"))):
        found = each.stat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)) or each.name in KUSTOMIZATIONS:
            raise OSError(f"{each} is no file that can be kept")
        yield each, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
