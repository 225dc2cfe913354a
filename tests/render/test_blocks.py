"""Lines are broken where rich would break them, and styled as it would style them."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text as RichText

from kexplain.render.blocks import Command, Group, Indented, Item, Text, cell_len

#: Letters, blanks, where names are broken, a mark of reports, wide characters, and one that takes no room.
TEXTS = st.text("ab -/→日本é\u0301", max_size=30)
CONSOLE = Console(file=io.StringIO(), width=100, color_system=None)


def as_rich(text: str, width: int, overflow: Any) -> list[str]:
    """Blanks at the end of a line are left aside: nobody sees them."""
    return [line.plain.rstrip() for line in RichText(text).wrap(CONSOLE, width, overflow=overflow)]


@given(TEXTS, st.integers(2, 12))
def test_lines_break_where_rich_breaks_them_and_no_word_does(text: str, width: int) -> None:
    text = text.lstrip()
    found = [line.plain.rstrip() for line in Text(text).lines(width)]
    if all(cell_len(word) <= width for word in text.split()):
        assert found == as_rich(text, width, "fold")
    assert [word for line in found for word in line.split()] == text.split()
    assert all(cell_len(line.strip()) <= width or len(line.split()) == 1 for line in found)


@given(TEXTS, st.integers(2, 12))
def test_what_is_not_folded_ends_in_an_ellipsis(text: str, width: int) -> None:
    found = list(Text(text).lines(width, is_whole=False))
    assert all(line.cell_len <= width for line in found)
    assert [line.plain.rstrip() for line in found if "…" not in line.plain] == [
        line for line in as_rich(text, width, "ellipsis") if "…" not in line
    ]


@given(TEXTS)
def test_widths_are_those_of_a_terminal(text: str) -> None:
    text = text.replace("\n", "")
    assert cell_len(text) == RichText(text).cell_len


@given(st.lists(st.tuples(TEXTS, st.sampled_from(["", "dim", "bold red"])), max_size=4), st.lists(st.integers(0, 60)))
def test_parts_keep_their_styles(runs: list[tuple[str, str]], places: list[int]) -> None:
    text = Text(style="bold")
    for content, style in runs:
        text.append(content, style)
    parts = text.divide(sorted(place for place in places if place <= len(text)))
    assert "".join(part.plain for part in parts) == text.plain
    letters = [(letter, style) for content, style in text.runs for letter in content]
    assert [(letter, style) for part in parts for content, style in part.runs for letter in content] == letters


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(Text("a"), "a", id="plain"),
        pytest.param(Text("a", "bold cyan"), "\x1b[1;36ma\x1b[0m", id="styled"),
        pytest.param(
            Text("a", "bold red").append_text(Text("b", "dim")),
            "\x1b[1;31ma\x1b[0m\x1b[1;2;31mb\x1b[0m",
            id="what is appended has the style of the whole, too",
        ),
        pytest.param(Text("a", "red").append("b", "green"), "\x1b[31ma\x1b[0m\x1b[32mb\x1b[0m", id="one colour counts"),
    ],
)
def test_styles_are_escape_sequences(text: Text, shown: str) -> None:
    assert text.ansi() == shown


def test_blocks_stand_one_below_the_other() -> None:
    block = Group(Text("one two"), Indented(Item(Text("- "), Text("three four")), 1), Command("kubectl get nodes"))
    assert [line.plain for line in block.lines(9)] == ["one two", " - three ", "   four", "kubectl get nodes"]
