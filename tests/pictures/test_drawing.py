"""The pictures are drawn, and those in the repository show what the program says now."""

from __future__ import annotations

import html
import re

import pytest

from tests.browser.chromium import program
from tests.pictures.drawing import PICTURES, page, terminal


def words(svg: str) -> list[str]:
    lines = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    return [html.unescape(line).replace("\xa0", " ").strip() for line in lines]


def test_the_terminal_shows_what_is_printed() -> None:
    drawn = terminal()
    assert words(drawn) == words((PICTURES / "terminal.svg").read_text())
    assert any("does not fit on any of 4 nodes" in line for line in words(drawn))
    assert "@font-face" not in drawn


@pytest.mark.slow
@pytest.mark.skipif(program() is None, reason="chromium is not installed: apt-get install chromium")
def test_the_page_is_drawn() -> None:
    assert page().startswith(b"\x89PNG")


def test_pictures_are_small() -> None:
    assert all(each.stat().st_size < 150_000 for each in PICTURES.iterdir())
