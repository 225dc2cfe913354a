"""The recipe for a command, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_command(copy: Path) -> None:
    followed = recipe("Adding a command")
    followed.follow(copy)
    assert (copy / "man" / "man1" / "kexplain-tally.1").exists()
