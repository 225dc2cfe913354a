"""Each folder under fixtures/ is one case through the real command line: its `cmd`, and what that printed.

Recordings are rewritten by `pytest tests/golden --rewrite-golden` only.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.scenarios import FIXTURES, SCENARIOS

from .command_line import run

RECORDING = "expected"


def transcript(folder: Path) -> str:
    """The command, what it printed on stdout and stderr, and its exit code."""
    command = (folder / "cmd").read_text().strip()
    program, *words = shlex.split(command)
    assert program == "kexplain"
    stdin = None
    if "<" in words:
        at = words.index("<")
        stdin, words = folder / words[at + 1], words[:at]
    done = run(words, folder, stdin)
    assert "Traceback" not in done.stderr
    parts = [f"$ {command}\n", done.stdout]
    if done.stderr:
        parts += ["--- stderr ---\n", done.stderr]
    return "".join([*parts, f"--- exit {done.returncode} ---\n"])


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.name)
def test_the_command_prints_what_was_recorded(folder: Path, request: pytest.FixtureRequest) -> None:
    recording = folder / RECORDING
    printed = transcript(folder)
    if request.config.getoption("--rewrite-golden"):
        recording.write_text(printed)
    assert printed == recording.read_text()


#: The commands of a report that look at the same again, at the end of their lines.
_AGAIN = re.compile(r"(?:^| )kexplain (?=(?:\w+/|drain |what-if )\S+ .*--cluster )(.*)$", re.MULTILINE)


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.name)
def test_what_a_report_says_to_run_can_be_run(folder: Path) -> None:
    recorded = (folder / RECORDING).read_text().partition("\n")[2]
    for words in dict.fromkeys(_AGAIN.findall(recorded)):
        done = run(shlex.split(words), folder)
        assert done.returncode in (0, 1), (words, done.stderr)
        assert "nothing is pending" not in done.stdout, words


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 25


def test_every_folder_is_listed_with_a_line() -> None:
    listed = (FIXTURES / "README.md").read_text()
    assert [folder.name for folder in SCENARIOS if folder.name not in listed] == []
