"""Runs command lines in processes that are forked from this one, a few hundred inputs each, within bounds."""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from io import BytesIO, TextIOWrapper
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import process_time
from traceback import extract_tb
from types import FrameType

from msgspec import Struct

from kexplain.cli import main as command
from kexplain.cli.app import COMMANDS
from tests.fuzzing.mutations import spoiled
from tests.fuzzing.scenarios import Scenario, command_line, scenarios

#: Of a processor.
SECONDS = 10
MEMORY = 2 << 30
#: Verdicts, messages, and clusters that cannot be reached.
EXPECTED = (0, 1, 2, 3)
_BATCH = 250


class Outcome(Struct, frozen=True):
    """How an input ended; `problem` says what is wrong with that, if anything is."""

    seed: int
    number: int
    words: list[str]
    code: int
    problem: str = ""
    seconds: float = 0

    @property
    def kind(self) -> str:
        """The same for problems that are alike."""
        return re.sub(r'"[^"]*"|\'[^\']*\'|\d+', "…", self.problem)[:200]

    def __str__(self) -> str:
        return f"--seed {self.seed} --only {self.number}: {self.problem} ({self.seconds:.1f} s): {self.words}"


class _TooLongError(BaseException):
    """The time is over."""


def outcomes(seed: int, numbers: range) -> Iterator[Outcome]:
    """What becomes of each input, in order; a process that dies is a problem of the input that it died of."""
    for name in COMMANDS:
        # Imported once, not by each process.
        import_module(f"kexplain.cli.commands.{name.replace('-', '_')}")
    at = numbers.start
    while at < numbers.stop:
        end = min(at + _BATCH, numbers.stop)
        for outcome in _batch(seed, range(at, end)):
            at = outcome.number + 1
            yield outcome


def _batch(seed: int, numbers: range) -> Iterator[Outcome]:
    ours, theirs = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_work, args=(seed, numbers, theirs))
    process.start()
    theirs.close()
    at = numbers.start
    while at < numbers.stop:
        try:
            outcome = ours.recv() if ours.poll(SECONDS * 12) else None
        except EOFError:
            outcome = None
        if outcome is None:
            process.kill()
            yield Outcome(seed, at, [], -1, "the process died, or could not be interrupted")
            break
        at = outcome.number + 1
        yield outcome
    process.join()


def _work(seed: int, numbers: range, results: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in numbers:
        with tempfile.TemporaryDirectory() as directory:
            results.send(run_one(seed, number, Path(directory)))
    results.close()
    os._exit(0)


@cache
def _known() -> list[Scenario]:
    return scenarios()


def run_one(seed: int, number: int, directory: Path) -> Outcome:
    """Make an input in a directory, and run its command there."""
    chance = Random(f"{seed}:{number}")  # noqa: S311 - it has to be the same again
    files = chance.choice(_known())
    others = [text for name, text in chance.choice(_known()).items() if name.endswith(("yaml", "json"))]
    for name, text in spoiled(files, others, chance).items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    words = command_line(files, chance)
    before = Path.cwd()
    os.chdir(directory)
    try:
        return _ran(seed, number, words)
    finally:
        os.chdir(before)


def _ran(seed: int, number: int, words: list[str]) -> Outcome:
    os.environ["KUBECONFIG"] = os.devnull
    errors = BytesIO()
    out, err = (TextIOWrapper(each, encoding="utf-8", errors="replace") for each in (BytesIO(), errors))
    bugs: list[str] = []
    told = command._bug

    def note(message: str) -> int:
        bugs.append(_where())
        return told(message)

    command._bug = note
    began = process_time()
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    code, problem = -1, ""
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = command.run(words)
    except _TooLongError:
        problem = f"takes longer than {SECONDS} s"
    except BaseException as error:
        problem = f"{type(error).__name__}: {error} at {_where()}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        command._bug = told
    err.flush()
    if not problem and code not in EXPECTED:
        said = errors.getvalue().decode(errors="replace")
        problem = f"exit {code}: {said.strip()[-200:]} at {bugs[-1] if bugs else '?'}"
    return Outcome(seed, number, words, code, problem, process_time() - began)


def _where() -> str:
    """Where the exception that is being handled was raised."""
    fault = sys.exc_info()[1]
    places = extract_tb(fault.__traceback__) if fault else []
    return " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(places[-3:]))


def _stop(_signal: int, frame: FrameType | None) -> None:
    raise _TooLongError
