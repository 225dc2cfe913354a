"""The recipe for a scenario, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow


def test_recipe_of_a_scenario(copy: Path) -> None:
    followed = recipe("Adding a scenario")
    followed.follow(copy)
    recorded = (copy / "fixtures/wrong-disk-type/expected").read_text()
    assert recorded.endswith("--- exit 1 ---\n")
    assert "disktype" in recorded
