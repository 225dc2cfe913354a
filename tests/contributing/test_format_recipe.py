"""The recipe for a report format, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import recipe, run

pytestmark = pytest.mark.slow


def test_recipe_of_a_report_format(copy: Path) -> None:
    followed = recipe("Adding a report format")
    assert len(followed.files) == 3, "the module, its line in the table, and its test"
    followed.follow(copy)
    assert "outcome or event" in run("python -m kexplain --help-all", copy)
