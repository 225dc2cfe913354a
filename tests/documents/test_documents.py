"""What the README and the manual show is what the program prints, and what they name exists."""

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

from .pages import PAGES, ROOT

EXACTNESS = ROOT / "kexplain" / "cli" / "manual" / "exactness.md"
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


@pytest.mark.parametrize(
    "page", [each for each in PAGES if _CONSOLE.search(each.read_text())], ids=lambda each: each.stem
)
def test_the_report_shown_is_what_the_command_prints(page: Path, request: pytest.FixtureRequest) -> None:
    text = page.read_text()
    for block in list(_CONSOLE.finditer(text)):
        printed = _run(block["command"])
        if request.config.getoption("--rewrite-golden"):
            text = text.replace(block[0], f"```console\n$ {block['command']}\n{printed}```")
            page.write_text(text)
        else:
            assert block["output"] == printed


def test_the_table_of_recordings_is_what_the_runner_prints(request: pytest.FixtureRequest) -> None:
    text = EXACTNESS.read_text()
    shown = re.search(r"<!-- recorded -->\n(?P<table>.*?)<!-- /recorded -->", text, re.DOTALL)
    assert shown is not None
    table = "".join(f"{line}\n" for line in as_markdown(find([DEFAULT])))
    if request.config.getoption("--rewrite-golden"):
        EXACTNESS.write_text(f"{text[: shown.start('table')]}{table}{text[shown.end('table') :]}")
    else:
        assert shown["table"] == table


def test_every_option_it_names_exists() -> None:
    known = {name for command in commands() for option in command.options for name in option.names}
    known |= {"--editable", "--from", "--help", "--recorded"}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "".join(page.read_text() for page in PAGES)))
    assert named - known == set()


def test_every_format_it_names_exists() -> None:
    named = {name for page in PAGES for name in re.findall(r"(?<!\S)-o ([a-z]+)(?=[ `,=])", page.read_text())}
    assert {"text", "json"} <= named <= {each.name for each in FORMATS}
