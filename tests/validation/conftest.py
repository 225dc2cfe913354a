"""Every word that manifests are refused with is recorded: tests themselves look at the fields.

The recording is rewritten by `pytest tests/validation --rewrite-golden` only; read its difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kexplain.objects.problem import WordEdit
from kexplain.validation.field import Field

RECORDING = Path(__file__).parent / "said.txt"
SAID = frozenset(RECORDING.read_text(encoding="utf-8").splitlines())
#: Values stand in quotes, and those that are shown differ from case to case.
_VALUE = re.compile(r'"(?:[^"\\…]|\\.)*["…]')
_HEARD = pytest.StashKey[set[str]]()


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is said that is not recorded; what properties come upon differs from run to run, and is left out."""
    texts: set[str] = set()
    reject = Field.reject

    def listening(
        self: Field, message: str, known: Iterable[str] = (), key: str = "", *, edit: WordEdit | None = None
    ) -> None:
        texts.add(_VALUE.sub("…", message).replace("\n", " "))
        reject(self, message, known, key, edit=edit)

    monkeypatch.setattr(Field, "reject", listening)
    yield
    if hasattr(request.function, "hypothesis"):
        return
    if request.config.getoption("--rewrite-golden"):
        request.config.stash.setdefault(_HEARD, set()).update(texts)
    else:
        assert texts <= SAID, "said otherwise than recorded"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Record what all tests have heard."""
    if found := session.config.stash.get(_HEARD, set()):
        RECORDING.write_text("".join(f"{line}\n" for line in sorted(found)), encoding="utf-8")
