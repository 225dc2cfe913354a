"""Progress is for terminals, and for runs that take a while."""

from __future__ import annotations

import io
import sys

import pytest

from kexplain.cli import progress
from kexplain.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "patience", "quiet", "says"),
    [
        pytest.param(Terminal(), 0.0, False, True, id="a terminal"),
        pytest.param(Terminal(), 0.0, True, False, id="quiet"),
        pytest.param(Terminal(), 60.0, False, False, id="a short run"),
        pytest.param(io.StringIO(), 0.0, False, False, id="a pipe"),
    ],
)
def test_it_is_shown_where_somebody_watches(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, patience: float, quiet: bool, says: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", patience)
    shown = Progress(quiet=quiet)
    shown.placed(3, 10)
    assert ("placing: 3 of 10 replicas" in stream.getvalue()) is says
    shown.end()
    assert not says or stream.getvalue().endswith(" \r")
