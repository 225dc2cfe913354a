"""The recipe for a lint rule, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_lint_rule(copy: Path) -> None:
    followed = recipe("Adding a lint rule")
    assert len(followed.files) == 2
    followed.follow(copy)
