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
        pytest.param("\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\ [31mb[0m ^[[1mc", ["a b c"], id="links-and-lost-escapes"),
        pytest.param(
            "<p>a <b>b</b></p>c &lt;code&gt;d&lt;/code&gt; <none>", ["", "a b", "c d <none>"], id="source-of-a-page"
        ),
        pytest.param(
            "{code:java}\na\n{code} {{b {x}}} {color:red}c{color}", ["", "", "a", "", " b {x} c"], id="tracker"
        ),
        pytest.param("[quote]a[/quote]\n```text\nb\n~~~\n~~c~~", ["", "a", "", "", "b", "", "c"], id="forum"),
        pytest.param(
            "\u250c\u2500\u2500\u2510\n\u2502 a \u2502\n\u2514\u2500\u2500\u2518", ["", "a", ""], id="frame-of-a-box"
        ),
        pytest.param("| a\n|\n| b", ["a", "", "b"], id="mark-that-all-lines-have"),
        pytest.param("| a\nb", ["| a", "b"], id="mark-that-one-line-has"),
        pytest.param(
            '{"log": "{\\"a\\": \\"b \\\\\\"c\\\\\\"\\\\n\\"}"}',
            ['{"log": "{"a": "b \\"c\\"\\n"}"}'],
            id="log-of-a-log",
        ),
        pytest.param('a,"b ""c"" d"', ['a,"b "c" d"'], id="table-of-commas"),
        pytest.param("isn\\u0027t", ["isn't"], id="escaped-letter"),
        pytest.param("a (x5 over 10m)\nb   5m ago\nc ???\nd! */", ["a", "b", "c", "d"], id="remarks"),
        pytest.param("- _a b._\n_c_ d_e", ["- a b.", "_c_ d_e"], id="underlined"),
        pytest.param("didn'\\''t didn'\"'\"'t didn'''t", ["didn't didn't didn't"], id="apostrophes-of-a-shell"),
        pytest.param("#   a\n// b\n#c", ["  a", "b", "#c"], id="comments"),
    ],
)
def test_lines_are_plain(text: str, lines: list[str]) -> None:
    assert list(filter(None, plain_lines(text))) == [*filter(None, lines)]


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
