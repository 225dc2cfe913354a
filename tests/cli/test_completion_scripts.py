"""Completion in real shells, with a key pressed on a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.completion_scripts import script
from kexplain.cli.tree import described
from kexplain.render import FORMATS

ROOT = Path(__file__).parents[2]
FILE = "fixtures/workload-pending-pods-fit/cluster.yaml"
SECONDS = 30
#: How each shell is started, so that it reads no files of whoever runs the tests.
SHELLS = {"bash": ["bash", "--norc", "-i"], "zsh": ["zsh", "-f", "-i"]}
READY = {
    "bash": "bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; source ./script",
    "zsh": "autoload -Uz compinit; compinit -u -D; unsetopt beep; setopt no_list_beep; source ./script",
}

typed_words = pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        pytest.param("kexplain comp", "kexplain completion ", id="commands"),
        pytest.param("kexplain help exa", "kexplain help exactness ", id="pages"),
        pytest.param("kexplain rules node-selector-no", "kexplain rules node-selector-no-node ", id="rules"),
        pytest.param("kexplain --color=alw", "kexplain --color=always", id="values-behind-a-sign"),
        pytest.param("kexplain --kubernetes-version 1.22", "kexplain --kubernetes-version 1.22 ", id="releases"),
        pytest.param("kexplain --no-preem", "kexplain --no-preemption ", id="options"),
        pytest.param("kexplain sts", "kexplain sts/", id="kinds"),
        pytest.param(f"kexplain --nodes {FILE} --node worker-1", f"--nodes {FILE} --node worker-1 ", id="nodes"),
        pytest.param(
            f"kexplain --cluster {FILE} -n shop deploy/", f"--cluster {FILE} -n shop deploy/api", id="workloads"
        ),
        pytest.param("kexplain --cluster=fixtures/workload-pending-po", "workload-pending-pods-fit/", id="files"),
    ],
)


@pytest.mark.parametrize("shell", SHELLS)
@typed_words
def test_a_word_is_completed(shell: str, typed: str, becomes: str, tmp_path: Path) -> None:
    """The line that the shell shows after the key press is the longer one, without a word of error."""
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(script(shell))
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    (tmp_path / "kexplain").write_text(f'#!/bin/sh\nexec {sys.executable} -m kexplain "$@"\n')
    (tmp_path / "kexplain").chmod(0o755)
    shown = _pressed(shell, typed, becomes, tmp_path)
    assert becomes in shown
    assert "bad option" not in shown
    assert "command not found" not in shown


def _pressed(shell: str, typed: str, awaited: str, directory: Path) -> str:
    """What stands on the terminal after the words and a tab, at the latest when time is up."""
    terminal, end = pty.openpty()
    environment = {
        "PATH": f"{directory}:{os.environ['PATH']}",
        "HOME": str(directory),
        "PS1": "ready> ",
        "TERM": "dumb",
        "COLUMNS": "200",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        SHELLS[shell], stdin=end, stdout=end, stderr=end, cwd=directory, env=environment, start_new_session=True
    )
    os.close(end)
    try:
        os.write(terminal, f"{READY[shell]}; PS1='go'; PS1=\"${{PS1}}> \"\n".encode())
        _read_until(terminal, "go> ")
        os.write(terminal, f"{typed}\t".encode())
        return _read_until(terminal, awaited)
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def _read_until(terminal: int, awaited: str) -> str:
    shown, end = "", time.monotonic() + SECONDS
    while awaited not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.5)[0]:
            shown += os.read(terminal, 1 << 16).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\x08", "", shown)
    return shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_asks_kexplain(shell: str) -> None:
    assert "__complete" in script(shell)


@pytest.mark.parametrize("name", COMMANDS)
def test_formats_are_those_of_the_table(name: str) -> None:
    known = {each.name for each in FORMATS}
    for option in described(name).options:
        if option.metavar.startswith("FORMAT"):
            assert option.choices
            assert set(option.choices) <= known
            assert all(re.search(rf"\b{choice}\b", option.help.partition(": ")[0]) for choice in option.choices)
