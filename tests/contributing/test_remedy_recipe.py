"""The recipe for a remedy, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_remedy(copy: Path) -> None:
    followed = recipe("Adding a remedy")
    assert len([file for file in followed.files if file.startswith("kexplain/")]) == 1
    followed.follow(copy)
