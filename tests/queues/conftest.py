"""What holds pods back, in all that people and programs read of it, is recorded for each test that comes upon it.

The recording is rewritten by `pytest tests/queues --rewrite-golden` only; read its difference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kexplain.diagnosis.records import Held
from tests.said import Heard, of_hold

HEARD = Heard(Path(__file__).parent / "said.txt")
#: What tests ask: for one hold, or for each piece of work that waits.
_ASKED = ("hold", "held_by_yunikorn", "waiting_work")


def _in_lines(held: Held) -> Iterator[str]:
    found = held.hold
    yield from of_hold(found)
    ahead = "" if found.ahead is None else f", behind {found.ahead}"
    yield f"  {found.api_version or 'no version'}, queue {found.queue or 'unknown'}{ahead}: {found.fix or 'no fix'}"
    yield from (f"  {use.figures}" for use in found.quota)


def _listening(ask: Callable[..., Any], lines: list[str]) -> Callable[..., Any]:
    def asked(*args: Any, **more: Any) -> Any:
        found = ask(*args, **more)
        if found is not None and not isinstance(found, Held):
            found = [*found]
        for each in [work.hold for work in found] if isinstance(found, list) else [found]:
            lines.extend(_in_lines(each) if each else ["nothing"])
        return found

    return asked


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lines: list[str] = []
    for module in [each for name, each in sys.modules.items() if name.startswith("tests.queues.")]:
        for name in _ASKED:
            if ask := vars(module).get(name):
                monkeypatch.setattr(module, name, _listening(ask, lines))
    yield
    HEARD.check(request, lines)


def pytest_sessionfinish() -> None:
    """Record what all tests have come upon."""
    HEARD.write()
