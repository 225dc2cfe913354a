"""A copy of the repository to follow a recipe in."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import copied


@pytest.fixture(name="copy")
def _copy(tmp_path: Path) -> Path:
    return copied(tmp_path / "kexplain")
