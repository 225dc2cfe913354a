from __future__ import annotations

import re

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.manual.topics import TOPICS
from kexplain.cli.tree import described

from .command import ROOT, kexplain

PANELS = ("What to place", "The cluster", "The scheduler", "The report", "Reaching a live cluster")


def shown(*words: str) -> list[str]:
    done = kexplain(*words, environment={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def test_help_fits_one_screen_with_examples_first_and_a_panel_a_group() -> None:
    lines = shown("--help")
    assert len(lines) <= 40
    assert lines.index("Examples:") < 5
    assert [line.removesuffix(":") for line in lines if line.removesuffix(":") in PANELS] == list(PANELS)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "--help-all"])
def test_no_line_is_wider_than_the_terminal(name: str, option: str) -> None:
    if option in ("--help", *(each for info in described(name).options for each in info.names)):
        assert max(map(len, shown(name, option))) <= 80


@pytest.mark.parametrize("name", COMMANDS)
def test_everything_has_every_option_with_all_that_is_said_of_it(name: str) -> None:
    info = described(name)
    has_more = any("--help-all" in option.names for option in info.options)
    text = " ".join(" ".join(shown(name, "--help-all" if has_more else "--help")).split())
    for parameter in info.parameters:
        if parameter.panel:
            assert all(re.search(rf"(?<!\S){re.escape(each)}(?![\w-])", text) for each in parameter.names)
            assert parameter.help.rstrip(".") in text


def test_what_one_rarely_needs_is_left_to_everything() -> None:
    daily, everything = " ".join(shown("--help")), " ".join(shown("--help-all"))
    for option in ("--policy", "--max-pd-volumes", "--tls-server-name", "--start-index"):
        assert (option in daily, option in everything) == (False, True)
    assert "--help-all" in daily
    assert "Exit codes" in everything


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--taint", "n1", "--cordon", "n2"], '"n1" says no taint'),
        (["--taint", "a=b:NoSchedule"], '"a=b:NoSchedule" names nothing to change'),
        (["--set", "deploy/web"], '"deploy/web" says no field'),
        (["--label", "n1"], '"n1" says no label'),
    ],
)
def test_an_option_of_two_words_does_not_take_the_next_option(words: list[str], says: str) -> None:
    done = kexplain("what-if", *words, "--cluster", ROOT / "fixtures" / "what-if-scale")
    assert (done.returncode, says in done.stderr.decode()) == (2, True)


@pytest.mark.parametrize("page", ["", *TOPICS])
def test_no_line_of_the_manual_is_wider_than_the_terminal(page: str) -> None:
    commands = ("kexplain ", "- kexplain ", "kubectl ", "helm ", "jq ", "aws ", "CLOUDSDK", "az ")
    wide = [line for line in shown("help", page) if len(line) > 80]
    assert [line for line in wide if not line.strip().startswith(commands)] == []


@pytest.mark.parametrize(("name", "option"), [("", "--help-all"), ("drain", "--help-all"), ("version", "--help")])
def test_an_unknown_option_leads_to_the_help_of_its_own_command(name: str, option: str) -> None:
    words = [name] if name else []
    done = kexplain(*words, "--bogus")
    assert done.returncode == 2
    assert f"hint: {' '.join(['kexplain', *words, option])} lists every option" in done.stderr.decode()
    assert kexplain(*words, option).returncode == 0
