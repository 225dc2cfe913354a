"""What the README shows is what the program prints, and what it names exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from kexplain.cli.tree import commands
from kexplain.render import FORMATS
from tests.conformance.corpora import DEFAULT, find
from tests.conformance.recorded import as_markdown

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_CONSOLE = re.compile(r"```console\n\$ (?P<command>.+)\n(?P<output>(?:.*\n)*?)```")


def _run(command: str) -> str:
    _, *words = shlex.split(command)
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "kexplain", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout


def test_the_report_shown_is_what_the_command_prints(request: pytest.FixtureRequest) -> None:
    text = README.read_text()
    blocks = list(_CONSOLE.finditer(text))
    assert blocks
    for block in blocks:
        printed = _run(block["command"])
        if request.config.getoption("--rewrite-golden"):
            text = text.replace(block[0], f"```console\n$ {block['command']}\n{printed}```")
            README.write_text(text)
        else:
            assert block["output"] == printed


def test_the_table_of_recordings_is_what_the_runner_prints(request: pytest.FixtureRequest) -> None:
    text = README.read_text()
    shown = re.search(r"<!-- recorded -->\n(?P<table>.*?)<!-- /recorded -->", text, re.DOTALL)
    assert shown is not None
    table = "".join(f"{line}\n" for line in as_markdown(find([DEFAULT])))
    if request.config.getoption("--rewrite-golden"):
        README.write_text(f"{text[: shown.start('table')]}{table}{text[shown.end('table') :]}")
    else:
        assert shown["table"] == table


def test_every_option_it_names_exists() -> None:
    known = {name for command in commands() for option in command.options for name in option.names}
    known |= {"--editable", "--recorded", "--tail"}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README.read_text()))
    assert named - known == set()


def test_every_format_it_names_exists() -> None:
    listed = re.findall(r"`-o (text\|[a-z|]+)`", README.read_text().replace("\\|", "|"))
    assert listed
    assert {name for names in listed for name in names.split("|")} <= {each.name for each in FORMATS}
