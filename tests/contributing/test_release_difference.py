"""The recipe for a difference between releases, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_difference_between_releases(copy: Path) -> None:
    followed = recipe("Adding a difference between releases")
    assert len(followed.files) <= 4
    followed.follow(copy)
