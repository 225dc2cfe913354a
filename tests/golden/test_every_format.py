"""Some scenarios as they stand, in every format that its command can write, and in full."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from kexplain.cli import EXIT_BUG
from kexplain.cli.app import COMMANDS, DEFAULT_COMMAND
from kexplain.cli.tree import described
from tests.sampling import some
from tests.scenarios import SCENARIOS

from .command_line import run

#: Options that choose what is written, and end where nothing is.
_OUTPUT = ("-o", "--output", "--fix", "--write", "-q", "-v", "-vv", "--verbose", "--watch")


def _words(folder: Path) -> tuple[list[str], Path | None]:
    """The words of a scenario but for its formats, and what it reads on stdin."""
    _, *words = shlex.split((folder / "cmd").read_text().strip())
    stdin = folder / words[words.index("<") + 1] if "<" in words else None
    words = words[: words.index("<")] if "<" in words else words
    kept: list[str] = []
    after = ""
    for word in words:
        is_value = after in ("-o", "--output") or (after == "--fix" and word.isdigit())
        if not is_value and not word.startswith(_OUTPUT):
            kept.append(word)
        after = word
    return kept, stdin


@pytest.mark.slow
@pytest.mark.parametrize("folder", [*some(SCENARIOS, 3)], ids=lambda folder: folder.name)
def test_no_format_ends_in_an_internal_error(folder: Path, tmp_path: Path) -> None:
    words, stdin = _words(folder)
    name = next((word for word in words if word in COMMANDS), DEFAULT_COMMAND)
    of_output = [option for option in described(name).options if option.metavar.startswith("FORMAT")]
    verbose = ["-v"] if any("-v" in option.names for option in described(name).options) else []
    formats = [word for option in of_output for word in option.choices]
    files = [part for each in formats for part in ("-o", f"{each}={tmp_path}/{each}")]
    for more in ([*verbose, *files], ["-vv"] if verbose else []):
        done = run([*words, *more], folder, stdin)
        assert "internal error" not in done.stderr
        assert done.returncode != EXIT_BUG
    if done.returncode in (0, 1) and files:
        assert {path.name for path in tmp_path.iterdir()} == set(formats)
