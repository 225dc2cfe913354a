from __future__ import annotations

from kexplain.cli.app import COMMANDS
from kexplain.cli.manual.topics import TOPICS
from tests.cli.command import ROOT
from tests.documents.man import pages


def test_the_pages_are_those_that_are_installed() -> None:
    installed = {path.relative_to(ROOT / "man").as_posix(): path.read_text() for path in (ROOT / "man").rglob("*.?")}
    assert installed == pages()


def test_a_page_has_examples_and_a_section_a_panel() -> None:
    page = pages()["man1/kexplain-diff.1"]
    assert page.index(".SH EXAMPLES") < page.index(".SH OPTIONS") < page.index(".SS The change")
    assert r"\fB\-\-to\-kubernetes\-version\fR \fIVERSION\fR" in page


def test_there_is_a_page_a_command_and_one_a_topic() -> None:
    commands = {"man1/kexplain.1", *(f"man1/kexplain-{name}.1" for name in COMMANDS[1:])}
    assert set(pages()) == commands | {f"man7/kexplain-{name}.7" for name in TOPICS}
