"""python -m kexplain.cli.answering FILE...: reads the files of a cluster, and answers questions in copies of itself."""

import gc
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from kexplain.api import Inputs
from kexplain.cli.commands import capacity, drain, explain, lint, what_if  # noqa: F401 (imported once for all)
from kexplain.cli.inputs import read_before
from kexplain.cli.kept_cluster import LENGTH, Question
from kexplain.cli.main import ended
from kexplain.errors import KexplainError


def main(files: Sequence[str]) -> None:
    """Answer until nobody asks any more."""
    gc.disable()
    # Nobody waits for the copies.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # Each answer says why files cannot be read.
    with suppress(KexplainError):
        read_before[tuple(files)], _ = Inputs(files).read()
    with socket.socket(fileno=os.dup(0)) as hearing:
        while True:
            length, streams, *_ = socket.recv_fds(hearing, LENGTH, 4)
            if not length:
                return
            question = hearing.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)
            if not os.fork():
                _answer(msgspec.json.decode(question, type=Question), *streams)
            for each in streams:
                os.close(each)


def _answer(question: Question, given: int, said: int, noted: int, code: int) -> None:
    """Run, and leave."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.alarm(question.patience)
        for number, stream in enumerate((given, said, noted)):
            os.dup2(stream, number)
        os.chdir(question.folder)
        os.write(code, bytes([ended([*question.words])]))
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
