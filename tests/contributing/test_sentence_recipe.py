"""The recipe for a sentence that a component writes, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_sentence(copy: Path) -> None:
    followed = recipe("Adding a sentence that a component writes")
    assert len(followed.files) == 1
    followed.follow(copy)
