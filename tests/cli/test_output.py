from __future__ import annotations

import pytest

from kexplain.cli.output import as_text, wants_color
from kexplain.render.blocks import Text
from kexplain.render.view import View


@pytest.mark.parametrize(
    ("color", "environment", "terminal", "wanted"),
    [
        pytest.param("always", {"NO_COLOR": "1"}, False, True, id="the option counts most"),
        pytest.param("never", {"FORCE_COLOR": "1"}, True, False, id="never"),
        pytest.param("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False, id="then NO_COLOR"),
        pytest.param("auto", {"FORCE_COLOR": "1"}, False, True, id="then FORCE_COLOR"),
        pytest.param("auto", {"TERM": "dumb"}, True, False, id="then what the terminal can do"),
        pytest.param("auto", {"TERM": "xterm"}, True, True, id="a terminal"),
        pytest.param("auto", {"TERM": "xterm"}, False, False, id="no terminal"),
    ],
)
def test_colour(
    monkeypatch: pytest.MonkeyPatch, color: str, environment: dict[str, str], *, terminal: bool, wanted: bool
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(color, terminal=terminal) == wanted


@pytest.mark.parametrize(("columns", "width"), [("", 80), ("200", 200), ("wide", 80), ("0", 80)])
def test_rows_that_are_stacked_are_as_wide_as_columns_says_where_they_are_piped(
    monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert as_text(lambda view: f"{view.width} {view.piped}", View(), color="never", terminal=False) == f"None {width}"


def test_a_piped_text_is_as_wide_as_it_takes_and_ends_without_blanks() -> None:
    long = "word " * 100
    assert as_text(lambda _: Text(long), View(), color="never", terminal=False) == f"{long.rstrip()}\n"


def test_the_width_that_is_asked_for_folds_it() -> None:
    text = as_text(lambda _: Text("word " * 10), View(width=20), color="never", terminal=False)
    assert max(map(len, text.splitlines())) <= 20


def test_text_is_left_as_it_is() -> None:
    assert as_text(lambda view: f"{view.width} \n", View(width=30), color="always", terminal=True) == "30 \n"
