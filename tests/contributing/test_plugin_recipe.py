"""The recipe for a plugin, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe

pytestmark = pytest.mark.slow

#: Where a plugin has its line, and the test that knows these lines by heart.
LINES = {
    "kexplain/plugins/registry.py",
    "kexplain/tables/default-plugins.json",
    "tests/config/component/test_default_profile.py",
}


def test_recipe_of_a_plugin(copy: Path) -> None:
    followed = recipe("Adding a plugin")
    assert len(set(followed.files) - LINES) == 4
    followed.follow(copy)
