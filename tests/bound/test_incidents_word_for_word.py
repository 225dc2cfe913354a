"""What is said first, and what helps, in clusters as people had them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queues.test_work_of_incidents import SAID, said


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_incidents(name: str, tmp_path: Path) -> None:
    assert said(name, tmp_path) == SAID[name]
