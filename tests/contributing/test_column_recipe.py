"""The recipe for a column of the tables of nodes, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_column(copy: Path) -> None:
    followed = recipe("Adding a column")
    assert len([file for file in followed.files if file.startswith("kexplain/")]) == 3, "record, verdict, row"
    followed.follow(copy)
