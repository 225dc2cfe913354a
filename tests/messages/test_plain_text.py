"""What stands around text, and where quotations end."""

from __future__ import annotations

import pytest

from kexplain.messages.plain_text import plain_lines, unquoted


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param("> > a\n>b", ["a", "b"], id="quotations"),
        pytest.param("\u2502  a b   \u2502", [" a b"], id="frame-of-a-terminal"),
        pytest.param("\x1b[31mred\x1b[0m", ["red"], id="colours"),
        pytest.param("the pod\u2019s \u201cname\u201d", ['the pod\'s "name"'], id="curly-marks"),
        pytest.param("didn&#39;t &lt;none&gt;", ["didn't <none>"], id="web-page"),
        pytest.param("a\u00a0b **c**", ["a b c"], id="no-break-space-and-stars"),
        pytest.param('"a": "b \\"c\\",\n  d"\ne', ['"a": "b \\"c\\", d"', "e"], id="string-over-two-lines"),
        pytest.param('"a": "b \\"c\\"/\nd"', ['"a": "b \\"c\\"/d"'], id="string-that-ends-within-a-word"),
        pytest.param('"a": "b \\"c\nd', ['"a": "b \\"c', "d"], id="string-without-an-end"),
        pytest.param('"a": "b \\"c\nd \\"e', ['"a": "b \\"c d \\"e'], id="string-that-is-cut"),
        pytest.param("- _a b._\n_c_ d_e", ["- a b.", "_c_ d_e"], id="underlined"),
        pytest.param("didn'\\''t didn'\"'\"'t didn'''t", ["didn't didn't didn't"], id="apostrophes-of-a-shell"),
        pytest.param("#   a\n// b\n#c", ["  a", "b", "#c"], id="comments"),
    ],
)
def test_lines_are_plain(text: str, lines: list[str]) -> None:
    assert list(plain_lines(text)) == lines


@pytest.mark.parametrize(
    ("line", "start", "words"),
    [
        pytest.param('"a b", c', 1, "a b", id="double"),
        pytest.param('"a "x", b", c', 1, 'a "x", b', id="names-inside"),
        pytest.param(r'"a \"x\", b", "c"', 1, 'a "x", b', id="escaped"),
        pytest.param("'isn''t' b", 1, "isn't", id="single-as-in-yaml"),
        pytest.param("`a` b", 1, "a", id="code"),
        pytest.param("a b  ", 0, "a b", id="bare"),
        pytest.param("'a b", 1, "a b", id="never-closed"),
    ],
)
def test_quotations_end_with_their_mark(line: str, start: int, words: str) -> None:
    assert unquoted(line, start) == words
