"""Text without what terminals, chats, web pages and mails put around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.messages.named_patterns import NamedPatterns
from kexplain.patterns import regex

_FORM = NamedPatterns("plain-text")

_TRANSLATION = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2009\u202f", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
_MOST_LAYERS = 4
_FEWEST_MARKED = 2
#: What closes a quotation by its mark: nothing of the same text follows.
_CLOSED = {'"': regex(r"\"(?=[\s,;:.)}\]`]|$)"), "'": regex(r"'(?=[\s,;:.)}\]`]|$)"), "`": regex(r"`")}
#: Each mark where it is no apostrophe and stands in no string of its own.
_MARKS = {'"': regex(r"(?<!\\)\""), "'": regex(r"(?<!\w)'|'(?!\w)"), "`": regex(r"`")}
_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


def plain_lines(text: str) -> Iterator[str]:
    """The lines, with straight quotation marks and without markup, frames, prompts of quotations and escapes."""
    text = _FORM.continued.sub("", _without_markup(text))
    rows = [
        row for line in _FORM.rows.sub("\n", text).splitlines() for row in _with_one_level(line).splitlines() or [""]
    ]
    yield from map(_plain_line, _without_common_mark(rows))


def _without_markup(text: str) -> str:
    """The text without what is put around it, layer by layer, as a page may show the source of another."""
    for _ in range(_MOST_LAYERS):
        before = text
        text = _FORM.code.sub(r"`\1`", _FORM.blocks.sub("\n", _FORM.escapes.sub("", text)))
        text = _FORM.link.sub(r"\1", _FORM.monospaced.sub(r"\1", _FORM.inline.sub("", text)))
        if "&" in text:
            from html import unescape  # noqa: PLC0415 (few texts come from web pages)

            text = unescape(text)
        text = _FORM.unicode.sub(lambda match: chr(int(match[1], 16)), text.translate(_TRANSLATION))
        if text == before:
            break
    return text


def _with_one_level(line: str) -> str:
    """The line with its strings' own strings escaped once, where programs logged the log of another."""
    while '\\\\\\"' in line:
        line = _resolved(line)
    return line


def _without_common_mark(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the mark that all of them begin with, such as that of a table, a comment or a difference."""
    marked = [_FORM.mark.match(line) for line in lines if line.strip()]
    marks = {each[1] if each else "" for each in marked}
    if len(marked) < _FEWEST_MARKED or len(marks) > 1 or "" in marks:
        return lines
    return [_FORM.mark.sub("", line) for line in lines]


def _plain_line(line: str) -> str:
    is_comment = _FORM.comment.match(line) is not None
    line = _FORM.apostrophe.sub("'", _FORM.underlined.sub(r"\2", line))
    line = _FORM.noted.sub("", _FORM.stars.sub("", _FORM.behind.sub("", _FORM.before.sub("", line)))).rstrip()
    line = _FORM.doubled.sub(r'"\1"', _FORM.remarks.sub("", line))
    return _FORM.marks_within.sub("", line) if is_comment else line


def unquoted(line: str, start: int) -> str:
    """The line from a place on, up to the quotation mark that closes one right before that place.

    Escapes within are resolved, as JSON and Go write them; two single quotation marks are one, as in YAML.
    """
    mark, rest = _mark_before(line, start), line[start:].rstrip()
    if mark in _BRACKETS:
        depth = 1
        for at, letter in enumerate(rest):
            depth += (letter == mark) - (letter == _BRACKETS[mark])
            if not depth:
                return rest[:at]
        return rest
    if mark == "\\":
        # A quotation within a quotation.
        return _resolved(rest.split('\\"', 1)[0])
    if '\\"' in rest and (mark or len(_FORM.unescaped.findall(rest)) % 2 == 1):
        end = _FORM.unescaped.search(rest)
        return _resolved(rest[: end.start()] if end else rest)
    if mark not in _CLOSED:
        return rest
    for end in _CLOSED[mark].finditer(rest):
        inner = rest[: end.start()]
        # Names within a message stand in quotation marks of the same kind, in pairs.
        if mark != '"' or inner.count(mark) % 2 == 0:
            return without_doubled(inner) if mark == "'" else inner
    return without_doubled(rest) if mark == "'" else rest


def _mark_before(line: str, start: int) -> str:
    """What opens a quotation right before that place, or before that; a backslash where one stands within another."""
    mark = "\\" if line[max(start - 2, 0) : start] == '\\"' else line[start - 1 : start]
    return mark if mark in {*_CLOSED, *_BRACKETS, "\\"} else open_mark(line[:start])


def open_mark(words: str) -> str:
    """The quotation mark that is open at the end of these words, the last one of several; empty if there is none."""
    places = {mark: [found.start() for found in pattern.finditer(words)] for mark, pattern in _MARKS.items()}
    return max((mark for mark, seen in places.items() if len(seen) % 2), key=lambda mark: places[mark][-1], default="")


def without_doubled(words: str) -> str:
    """Words within single quotation marks, as YAML writes them."""
    return words.replace("''", "'")


def _resolved(words: str) -> str:
    return _FORM.escaped.sub(lambda match: _PLAIN.get(match[1], match[1]), words)
