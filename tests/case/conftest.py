"""What is wrong with an input, and what a reader is told of it, is recorded for each test that comes upon it.

The recording is rewritten by `pytest tests/case --rewrite-golden` only; read its difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.said import Heard, listen_to_errors

HEARD = Heard(Path(__file__).parent / "said.txt")


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lines: list[str] = []
    listen_to_errors(monkeypatch, lines)
    yield
    HEARD.check(request, lines)


def pytest_sessionfinish() -> None:
    """Record what all tests have come upon."""
    HEARD.write()
