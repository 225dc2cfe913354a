"""Text without what terminals, chats, web pages and mails put around it."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.patterns import regex

_ESCAPES = regex(r"\x1b\[[0-9;?]*[A-Za-z]")
#: Quotations, frames of terminals and items of lists, before a line and behind it.
_BEFORE = regex(r"^[ \t]*(?:(?:>|&gt;|[│┃║▏]|(?:#+|//+)(?=\s|$))[ \t]?)+")
#: Emphasis in Markdown.
_STARS = regex(r"\*\*")
_BEHIND = regex(r"[ \t]*[│┃║▕][ \t]*$")
_QUOTES = {"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u00a0": " ", "\u200b": "", "\ufeff": ""}
_TRANSLATION = str.maketrans(_QUOTES)
#: What closes a quotation by its mark: nothing of the same text follows.
_CLOSED = {'"': regex(r"\"(?=[\s,;:.)}\]]|$)"), "'": regex(r"'(?=[\s,;:.)}\]]|$)"), "`": regex(r"`")}
_UNESCAPED = regex(r"(?<!\\)\"")
_ESCAPED = regex(r"\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


def plain_lines(text: str) -> Iterator[str]:
    """The lines, with straight quotation marks and without frames, prompts of quotations and escapes."""
    text = _ESCAPES.sub("", text).translate(_TRANSLATION)
    if "&" in text:
        from html import unescape  # noqa: PLC0415 (few texts come from web pages)

        text = unescape(text)
    for line in text.splitlines():
        yield _STARS.sub("", _BEHIND.sub("", _BEFORE.sub("", line)).rstrip())


def unquoted(line: str, start: int) -> str:
    """The line from a place on, up to the quotation mark that closes one right before that place.

    Escapes within are resolved, as JSON and Go write them; two single quotation marks are one, as in YAML.
    """
    mark, rest = line[start - 1 : start], line[start:].rstrip()
    if mark == "\\":
        # A quotation within a quotation.
        return _resolved(rest.split('\\"', 1)[0])
    if '\\"' in rest:
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


def without_doubled(words: str) -> str:
    """Words within single quotation marks, as YAML writes them."""
    return words.replace("''", "'")


def _resolved(words: str) -> str:
    return _ESCAPED.sub(lambda match: _PLAIN.get(match[1], match[1]), words)
