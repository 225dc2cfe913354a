from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.completion import script
from kexplain.cli.tree import described
from kexplain.render import FORMATS


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("kexplain", "--no"), "--nodes --no-preemption --node"),
        (("kexplain", "pod.yaml", "-o", "m"), "markdown"),
        (("kexplain", "--color", ""), "auto always never"),
        (("kexplain", "completion", ""), "bash zsh fish"),
        (("kexplain", "comp"), "completion"),
        (("kexplain", "diff", "--to-k"), "--to-kubernetes-version"),
        (("kexplain", "diff", "-o", ""), "text json yaml markdown csv html"),
        (("kexplain", "snapshot", "--re"), "--redact --request-timeout"),
        (("kexplain", "pod.yaml", "--redact"), ""),
        (("kexplain", "schema", "di"), "diff"),
        (("kexplain", "lint", "-o", "sa"), "sarif"),
        (("kexplain", "de"), "deploy/"),
        (("kexplain", "pod/web", "st"), "sts/"),
        (("kexplain", "capacity", "jo"), "job/"),
        (("kexplain", "lint", "jo"), ""),
        (("kexplain", "rules", "-o", ""), "text json yaml markdown"),
    ],
)
def test_bash_completion(typed: tuple[str, ...], offered: str, tmp_path: Path) -> None:
    (tmp_path / "script").write_bytes(script("bash").encode())
    words = " ".join(f"'{word}'" for word in typed)
    line = f'source ./script; COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _kexplain; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_every_option(shell: str) -> None:
    printed = script(shell)
    for option in ("all-failures", "percentage-of-nodes-to-score", "output", "to-kubernetes-version", "redact"):
        assert option in printed


@pytest.mark.parametrize("name", COMMANDS)
def test_formats_are_those_of_the_table(name: str) -> None:
    known = {each.name for each in FORMATS}
    for option in described(name).options:
        if option.metavar.startswith("FORMAT"):
            assert option.choices
            assert set(option.choices) <= known
            assert all(re.search(rf"\b{choice}\b", option.help.partition(": ")[0]) for choice in option.choices)
