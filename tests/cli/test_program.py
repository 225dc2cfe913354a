from __future__ import annotations

import pytest

from kexplain.cli.program import program_name, spelled


@pytest.mark.parametrize(
    ("path", "name"),
    [("/usr/bin/kexplain", "kexplain"), ("/usr/bin/kubectl-kexplain", "kubectl kexplain"), ("x.py", "kexplain")],
)
def test_the_program_is_called_as_it_was_started(path: str, name: str) -> None:
    assert program_name(path) == name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see kexplain --help", "see kubectl kexplain --help"),
        ("kubectl kexplain pod/web", "kubectl kexplain pod/web"),
        ("kexplain/v1 and .kexplain.yaml", "kexplain/v1 and .kexplain.yaml"),
    ],
)
def test_commands_in_texts_are_those_of_the_program(text: str, shown: str) -> None:
    assert spelled(text, "kubectl kexplain") == shown
