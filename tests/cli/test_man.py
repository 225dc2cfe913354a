from __future__ import annotations

from kexplain.cli.app import COMMANDS
from kexplain.cli.man import pages

from .command import ROOT


def test_the_pages_are_those_that_are_installed() -> None:
    assert {path.name: path.read_text() for path in (ROOT / "man").iterdir()} == pages()


def test_a_page_has_examples_and_a_section_a_panel() -> None:
    page = pages()["kexplain-diff.1"]
    assert page.index(".SH EXAMPLES") < page.index(".SH OPTIONS") < page.index(".SS The change")
    assert r"\fB\-\-to\-kubernetes\-version\fR \fIVERSION\fR" in page


def test_there_is_a_page_a_command() -> None:
    assert set(pages()) == {"kexplain.1", *(f"kexplain-{name}.1" for name in COMMANDS[1:])}
