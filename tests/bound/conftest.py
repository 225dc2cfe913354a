"""What keeps pods that have a node from running, in all that is published of it, is recorded for each test.

The recording is rewritten by `pytest tests/bound --rewrite-golden` only; read its difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest

from kexplain.diagnosis.records import Held
from tests.bound import made
from tests.said import Heard, of_hold

HEARD = Heard(Path(__file__).parent / "heard.txt")


def _listening(ask: Callable[..., Any], lines: list[str]) -> Callable[..., Any]:
    def asked(*args: Any, **more: Any) -> Any:
        found = ask(*args, **more)
        if isinstance(found, Held):
            lines.extend(of_hold(found.hold))
        elif found is None:
            lines.append("nothing")
        return found

    return asked


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lines: list[str] = []
    for module in (made, request.module):
        for name, ask in list(vars(module).items()):
            if isfunction(ask) and ask.__module__.startswith("kexplain.bound."):
                monkeypatch.setattr(module, name, _listening(ask, lines))
    yield
    HEARD.check(request, lines)


def pytest_sessionfinish() -> None:
    """Record what all tests have come upon."""
    HEARD.write()
