"""Work that falls into independent shares, done by as many processes: copies of this one, with all it has loaded."""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import BinaryIO

from kexplain.errors import KexplainError, PluginError

#: Before each part of an answer, its length; behind a length of none, the kind of an error and its text.
_LENGTH = 8
_ERRORS: Mapping[str, type[Exception]] = {each.__name__: each for each in (PluginError, KexplainError)}


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_share() -> bool:
    """Whether this system can copy a process as it stands."""
    return hasattr(os, "fork")


def shared_out(work: Callable[[range], Iterable[bytes]], workers: int, parts: int) -> Iterator[bytes]:
    """So many parts in their order, each made by `work` of its place, in turn by each worker.

    Raises the error that a worker met, and KexplainError if one has gone.
    """
    started: list[tuple[int, BinaryIO]] = []
    try:
        for number in range(workers):
            # One by one, so that those that run are known if the next one cannot be started.
            started.append(_start(work, range(number, parts, workers)))  # noqa: PERF401
        yield from (_read(started[place % workers][1]) for place in range(parts))
    finally:
        for process, answer in started:
            answer.close()
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def _start(work: Callable[[range], Iterable[bytes]], places: range) -> tuple[int, BinaryIO]:
    """The process of a worker, and what it answers."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        os.close(writing)
        return process, open(reading, "rb")  # noqa: PTH123 - a pipe, closed by whoever reads it
    try:
        os.close(reading)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # A terminal interrupts all at once; what becomes of the work is for the one that asked for it to say.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with open(writing, "wb") as answer:  # noqa: PTH123 - a pipe
            _answer(answer, work(places))
    finally:
        # Nothing of what this process shares with its parent is to be flushed or taken apart twice.
        os._exit(0)


def _answer(answer: BinaryIO, parts: Iterable[bytes]) -> None:
    try:
        for part in parts:
            answer.write(len(part).to_bytes(_LENGTH, "big") + part)
            answer.flush()
    except Exception as error:
        kind = next((name for name, known in _ERRORS.items() if isinstance(error, known)), type(error).__name__)
        answer.write(bytes(_LENGTH) + f"{kind}\n{error}".encode())


def _read(answer: BinaryIO) -> bytes:
    head = answer.read(_LENGTH)
    if len(head) < _LENGTH:
        raise KexplainError("a worker process died", "try again with --workers 1")
    length = int.from_bytes(head, "big")
    if not length:
        kind, _, text = answer.read().decode().partition("\n")
        raise _ERRORS.get(kind, RuntimeError)(text)
    return answer.read(length)
