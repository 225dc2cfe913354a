"""Text without what terminals, chats, web pages and mails put around it."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.patterns import regex

_ESCAPES = regex(r"\x1b\[[0-9;?]*[A-Za-z]")
#: Quotations, frames of terminals and items of lists, before a line and behind it.
_BEFORE = regex(r"^(?:[+-](?=#))?[ \t]*(?:(?:>|&gt;|[│┃║▏]|(?:#+|//+)(?=\s|$))[ \t]?)+")
#: Emphasis in Markdown: by two stars, and of several words by underscores or single stars.
_STARS = regex(r"\*\*")
_UNDERLINED = regex(r"(?<![\w*])([_*])(?=(?:(?!\1)\S)+\s)((?:(?!\1).)+)(?<=\S)\1(?![\w*])")
#: An apostrophe within a string of a shell, or of YAML.
_APOSTROPHE = regex(r"(?<=\w)'(?:\\+'|\\*\"'\\*\"|')?'(?=\w)")
#: Rows of a table within a string.
_ROWS = regex(r"\\n(?=\s*(?:Warning|Normal)\s)")
#: Where a string of a program is continued by another, as one of them ends or begins with a space.
_CONTINUED = regex(r"(?<= )([\"'])[ \t]*[+\\]?[ \t]*\n[ \t]*\1|([\"'])[ \t]*[+\\]?[ \t]*\n[ \t]*\2(?= )")
#: What somebody notes behind a line, and marks of comments where lines were joined.
_NOTED = regex(r"\s{2,}(?:\u2190|<--?|#|//)\s.*$")
_COMMENT = regex(r"^\s*#+\s")
_MARKS_WITHIN = regex(r"(?<=\s)#+\s")
_BEHIND = regex(r"(?:[ \t]*[│┃║▕])+[ \t]*$")
_QUOTES = {"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u00a0": " ", "\u200b": "", "\ufeff": ""}
_TRANSLATION = str.maketrans(_QUOTES)
#: What closes a quotation by its mark: nothing of the same text follows.
_CLOSED = {'"': regex(r"\"(?=[\s,;:.)}\]`]|$)"), "'": regex(r"'(?=[\s,;:.)}\]`]|$)"), "`": regex(r"`")}
#: Each mark where it is no apostrophe and stands in no string of its own.
_MARKS = {'"': regex(r"(?<!\\)\""), "'": regex(r"(?<!\w)'|'(?!\w)"), "`": regex(r"`")}
_UNESCAPED = regex(r"(?<!\\)\"")
#: A string of JSON or Go ends no more than so many lines below.
_WRAPPED_LINES = 30
#: Between these, a line ends within a word.
_WITHIN_A_WORD = "/-._"
_ESCAPED = regex(r"\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


def plain_lines(text: str) -> Iterator[str]:
    """The lines, with straight quotation marks and without frames, prompts of quotations and escapes."""
    text = _CONTINUED.sub("", _ESCAPES.sub("", text).translate(_TRANSLATION))
    if "&" in text:
        from html import unescape  # noqa: PLC0415 (few texts come from web pages)

        text = unescape(text)
    lines = [*map(_plain_line, _ROWS.sub("\n", text).splitlines())]
    at = 0
    while at < len(lines):
        line, at = _with_its_strings(lines, at)
        yield line


def _plain_line(line: str) -> str:
    is_comment = _COMMENT.match(line) is not None
    line = _APOSTROPHE.sub("'", _UNDERLINED.sub(r"\2", line))
    line = _NOTED.sub("", _STARS.sub("", _BEHIND.sub("", _BEFORE.sub("", line)))).rstrip()
    return _MARKS_WITHIN.sub("", line) if is_comment else line


def _with_its_strings(lines: list[str], at: int) -> tuple[str, int]:
    """The line with those that its last string goes on in, as JSON has no line break there, and the next line's index.

    Only a string with quotation marks of its own in it is one without doubt. Cut where the text
    ends, it goes on in lines that have escapes as well.
    """
    line = lines[at]
    if '\\"' not in line or not _is_open(line):
        return line, at + 1
    is_cut = len(lines) <= at + _WRAPPED_LINES
    for end in range(at + 1, min(at + _WRAPPED_LINES, len(lines))):
        further = lines[end].strip()
        is_cut = is_cut and '\\"' in further and not further.startswith("{")
        line += further if line[-1:] in _WITHIN_A_WORD or further[:1] in _WITHIN_A_WORD else f" {further}"
        if not _is_open(line):
            return line, end + 1
    return (line, len(lines)) if is_cut else (lines[at], at + 1)


def _is_open(line: str) -> bool:
    return len(_UNESCAPED.findall(line)) % 2 == 1


def unquoted(line: str, start: int) -> str:
    """The line from a place on, up to the quotation mark that closes one right before that place.

    Escapes within are resolved, as JSON and Go write them; two single quotation marks are one, as in YAML.
    """
    mark, rest = line[start - 1 : start], line[start:].rstrip()
    if mark not in _CLOSED and mark != "\\":
        mark = open_mark(line[:start])
    if mark == "\\":
        # A quotation within a quotation.
        return _resolved(rest.split('\\"', 1)[0])
    if '\\"' in rest and (mark or _is_open(rest)):
        end = _UNESCAPED.search(rest)
        return _resolved(rest[: end.start()] if end else rest)
    if mark not in _CLOSED:
        return rest
    for end in _CLOSED[mark].finditer(rest):
        inner = rest[: end.start()]
        # Names within a message stand in quotation marks of the same kind, in pairs.
        if mark != '"' or inner.count(mark) % 2 == 0:
            return without_doubled(inner) if mark == "'" else inner
    return without_doubled(rest) if mark == "'" else rest


def open_mark(words: str) -> str:
    """The quotation mark that is open at the end of these words, the last one of several; empty if there is none."""
    places = {mark: [found.start() for found in pattern.finditer(words)] for mark, pattern in _MARKS.items()}
    return max(
        (mark for mark, found in places.items() if len(found) % 2), key=lambda mark: places[mark][-1], default=""
    )


def without_doubled(words: str) -> str:
    """Words within single quotation marks, as YAML writes them."""
    return words.replace("''", "'")


def _resolved(words: str) -> str:
    return _ESCAPED.sub(lambda match: _PLAIN.get(match[1], match[1]), words)
