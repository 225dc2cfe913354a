"""Runs command lines in processes that are forked from this one, a few hundred inputs each, within bounds."""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from io import BytesIO, TextIOWrapper
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from shutil import rmtree
from time import process_time
from traceback import extract_tb
from types import FrameType

from msgspec import Struct

from kexplain.cli import app
from kexplain.cli import main as command
from kexplain.cli.app import COMMANDS, DEFAULT_COMMAND
from tests.fuzzing.agents import answered, question
from tests.fuzzing.commands import EVERY, Words, command_lines, lines_in_format
from tests.fuzzing.live import served
from tests.fuzzing.scenarios import Known, known, spoiled, written

#: Of a processor.
SECONDS = 10
MEMORY = 2 << 30
#: Verdicts, messages, and clusters that cannot be reached.
EXPECTED = (0, 1, 2, 3)
_BATCH = 250
_TO_WARM_UP = 100
_LONGEST_SHOWN = 80
#: Looking for garbage takes longer than most runs.
_UNTIL_COLLECTED = 25
#: Which share of the inputs is read from a server.
_LIVE = 0.02
#: Which share is asked by agents.
_OF_AGENTS = 0.1
_Make = Callable[[int, int, Path], "Outcome"]


class Outcome(Struct, frozen=True):
    """How an input ended; `problem` says what is wrong with that, if anything is. `memory` is in bytes, at most."""

    seed: int
    number: int
    words: Words
    code: int
    problem: str = ""
    seconds: float = 0
    memory: int = 0

    @property
    def kind(self) -> str:
        """The same for problems that are alike."""
        return re.sub(r'"[^"]*"|\'[^\']*\'|\d+', "…", self.problem)[:200]

    @property
    def command(self) -> str:
        """The name of the command that ran."""
        return self.words[0] if self.words and self.words[0] in COMMANDS else DEFAULT_COMMAND

    def __str__(self) -> str:
        return f"--seed {self.seed} --only {self.number}: {self.problem} ({self.seconds:.1f} s): {self.words}"


class _TooLongError(BaseException):
    """The time is over."""


@cache
def _known() -> Known:
    return known()


def unspoiled() -> int:
    """How many inputs there are of the scenarios as they stand: each with every command in every format."""
    return len(_known().scenarios) * len(EVERY)


def outcomes(seed: int, numbers: range, *, as_they_stand: bool = False) -> Iterator[Outcome]:
    """What becomes of each input, in order; a process that dies is a problem of the input that it died of.

    Unless scenarios are taken `as_they_stand`, they are spoiled.
    """
    # Made anew for each run they take a fifth of the time.
    vars(command)["command"] = cache(app.command)
    for name in COMMANDS:
        # Imported once, not by each process.
        import_module(f"kexplain.cli.commands.{name.replace('-', '_')}")
    with tempfile.TemporaryDirectory() as directory:
        # What is imported late and made once is there before the processes part.
        for number in range(_TO_WARM_UP):
            run_one(0, number, Path(directory))
            _clear(Path(directory))
    at = numbers.start
    make = _as_it_stands if as_they_stand else run_one
    while at < numbers.stop:
        end = min(at + _BATCH, numbers.stop)
        for outcome in _batch(make, seed, range(at, end)):
            at = outcome.number + 1
            yield outcome


def _batch(make: _Make, seed: int, numbers: range) -> Iterator[Outcome]:
    ours, theirs = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=_work, args=(make, seed, numbers, theirs))
    process.start()
    theirs.close()
    at = numbers.start
    while at < numbers.stop:
        try:
            outcome = ours.recv() if ours.poll(SECONDS * 60) else None
        except EOFError:
            outcome = None
        if outcome is None:
            process.kill()
            yield Outcome(seed, at, [], -1, "the process died, or could not be interrupted")
            break
        at = outcome.number + 1
        yield outcome
    process.join()


def _work(make: _Make, seed: int, numbers: range, results: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # As in a run of its own, where nothing looks for garbage: it counts as memory.
    gc.freeze()
    gc.disable()
    with tempfile.TemporaryDirectory() as directory:
        for number in numbers:
            results.send(make(seed, number, Path(directory)))
            _clear(Path(directory))
            if number % _UNTIL_COLLECTED == 0:
                gc.collect()
    results.close()
    os._exit(0)


def _clear(directory: Path) -> None:
    for path in directory.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path)
        else:
            path.unlink()


def run_one(seed: int, number: int, directory: Path) -> Outcome:
    """Make an input in a directory, and run its command there."""
    chance = Random(f"{seed}:{number}")  # noqa: S311 - it has to be the same again
    files = spoiled(_known(), chance)
    written(files, directory)
    with chdir(directory):
        what = chance.random()
        if what < _LIVE:
            with served(files, directory, chance) as lines:
                return _ran_in_turn(seed, number, lines)
        if what < _LIVE + _OF_AGENTS:
            asked = question(files, chance)
            words = ["mcp", asked.tool, json.dumps(asked.arguments)]
            return _ran(seed, number, words, lambda _: answered(asked, directory))
        return _ran_in_turn(seed, number, command_lines(files, chance))


def _as_it_stands(seed: int, number: int, directory: Path) -> Outcome:
    """The same of a scenario as it is, with one of EVERY."""
    place, at = divmod(number, len(EVERY))
    files = _known().scenarios[place]
    written(files, directory)
    chance = Random(f"{seed}:{number}")  # noqa: S311
    with chdir(directory):
        return _ran_in_turn(seed, number, lines_in_format(files, chance, at))


def _ran_in_turn(seed: int, number: int, lines: list[Words]) -> Outcome:
    """How the first line ended that does not end as it should, or else the last one that ran."""
    outcome = _ran(seed, number, lines[0])
    for words in lines[1:]:
        if outcome.problem or outcome.code:
            break
        outcome = _ran(seed, number, words)
    return outcome


def _ran(seed: int, number: int, words: Words, run: Callable[[Words], int] = command.run) -> Outcome:
    os.environ["KUBECONFIG"] = os.devnull
    errors = BytesIO()
    out, err = (TextIOWrapper(each, encoding="utf-8", errors="replace") for each in (BytesIO(), errors))
    bugs: list[str] = []
    told = command._bug

    def note(message: str) -> int:
        bugs.append(f"{_where()}: {message[:200]}")
        return told(message)

    command._bug = note
    _forget_peak()
    began = process_time()
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    code, problem = -1, ""
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(words)
    except _TooLongError:
        problem = f"takes longer than {SECONDS} s at {_where()}"
    except BaseException as error:
        problem = f"{type(error).__name__}: {error} at {_where()}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        command._bug = told
    err.flush()
    said = errors.getvalue().decode(errors="replace")
    if not problem and (bugs or code not in EXPECTED):
        problem = f"exit {code}: {said.strip()[-200:]} at {bugs[-1] if bugs else '?'}"
    if "Traceback" in said:
        problem = problem or "a traceback"
    shown = [word[:_LONGEST_SHOWN] for word in words]
    return Outcome(seed, number, shown, code, problem, process_time() - began, _peak())


def _forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    with suppress(OSError):
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
        return int(found[1]) << 10 if found else 0
    return 0


def _where() -> str:
    """Where the exception that is being handled was raised."""
    fault = sys.exc_info()[1]
    places = extract_tb(fault.__traceback__) if fault else []
    return " < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in reversed(places[-3:]))


def _stop(_signal: int, frame: FrameType | None) -> None:
    raise _TooLongError
