"""One command gets what scheduling reads, wherever it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.load.dump_command import COMMAND
from tests.cli.command import ROOT


@pytest.mark.parametrize("path", ["README.md", "kexplain/cli/manual/cluster.md"])
def test_the_command_is_the_same_everywhere(path: str) -> None:
    assert COMMAND in Path(ROOT / path).read_text()
