"""Progress is for terminals, and for runs that take a while."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from kexplain.cli import progress
from kexplain.cli.inputs import watched
from kexplain.cli.main import run
from kexplain.cli.progress import Progress
from tests.cli.command import ROOT


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
    assert ("placing [#######.................] 3 of 10 replicas" in stream.getvalue()) is says
    shown.end()
    assert not says or stream.getvalue().endswith(" \r")


def test_a_bar_is_never_longer_than_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not known how much there is, there is none."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    shown = Progress(quiet=False)
    shown.placed(7, 0, "clusters tried")
    shown.placed(12, 10)
    assert [line.strip() for line in stream.getvalue().split("\r")][1:] == [
        "placing: 7 clusters tried",
        f"placing [{'#' * 24}] 12 of 10 replicas",
    ]


def test_reading_ends_with_what_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    shown = Progress(quiet=False)
    shown.loaded(3 << 20, 10 << 20)
    shown.loaded(4 << 20, 10 << 20)
    shown.loaded(10 << 20, 10 << 20)
    assert [line.strip() for line in stream.getvalue().split("\r")] == [
        "",
        "reading: 3 of 10 MiB",
        "read 10 MiB; putting pods on their nodes",
    ]


def test_items_are_watched_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    assert [*Progress(quiet=False).over("ab", 2)] == ["a", "b"]
    said = stream.getvalue()
    assert "] 1 of 2 pods" in said
    assert said.index("] 1 of 2") < said.index("] 2 of 2")
    assert said.endswith(" \r")


@pytest.mark.parametrize(
    ("words", "is_seen"),
    [
        pytest.param(("-o", "text"), True, id="at-the-end"),
        pytest.param(("-o", "json"), False, id="which-are-seen-themselves"),
        pytest.param(("-o", "json=report"), True, id="into-a-file"),
    ],
)
@pytest.mark.parametrize("is_streamed", [True, False])
def test_pods_are_watched_while_they_are_explained(
    words: tuple[str, ...], is_seen: bool, is_streamed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stream, screen = Terminal(), Terminal()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr("kexplain.cli.commands.explain.shares", lambda *_: is_streamed)
    assert run(["--cluster", str(ROOT / "fixtures" / "everything-pending"), *words]) == 1
    assert ("placing [" in stream.getvalue()) is (is_seen or not is_streamed)


def test_a_line_is_wiped_however_reading_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with pytest.raises(KeyboardInterrupt):
        _interrupted()
    assert stream.getvalue().endswith(" \r")


def _interrupted() -> None:
    with watched(quiet=False) as shown:
        shown.loaded(3 << 20, 10 << 20)
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("seconds", "left"), [pytest.param(10, "30 s left", id="seconds"), pytest.param(90, "4 min left", id="minutes")]
)
def test_it_says_how_long_it_will_take_at_the_pace_so_far(
    monkeypatch: pytest.MonkeyPatch, seconds: float, left: str
) -> None:
    stream, clock = Terminal(), iter([0.0, 5.0, 5.0, 5.0 + seconds, 5.0 + seconds])
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    shown = Progress(quiet=False)
    shown.placed(100, 200, "pods")
    shown.placed(125, 200, "pods")
    first, second = stream.getvalue().split("\r")[1:]
    assert first.endswith("100 of 200 pods")
    assert second.endswith(f"125 of 200 pods, {left}")
