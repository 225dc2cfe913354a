"""Where a value is in a JSON text: searched for only when there is a fault to report."""

from __future__ import annotations

import json
import re
from bisect import bisect, insort
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import msgspec

from kexplain.load.loaded import NOWHERE, Mark
from kexplain.load.text.source import Source, Text
from kexplain.patterns import regex

_GAP = regex(rb"[\s,]*")
_KEY = regex(rb'[\s,]*("(?:[^"\\]|\\.)*")\s*:\s*', re.DOTALL)
_STRING = regex(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = regex(rb"[^\s,\]}\[{]+")
_NESTING = regex(rb'"(?:[^"\\]|\\.)*"|(?P<open>[\[{])|[\]}]', re.DOTALL)
_TRAILING = regex(r"trailing characters \(byte (\d+)\)")
_QUOTE = ord('"')
_ANY = msgspec.json.Decoder(msgspec.Raw)


class JsonPlaces:
    """Finds values of the JSON value that begins at a byte of a source."""

    def __init__(self, source: Source, start: int) -> None:
        self._source = source
        self._start = start
        # Where the items of a list or an object begin, by where it does: each is walked through once.
        self._item_starts: dict[int, tuple[list[int], Iterator[int]]] = {}
        #: Where the key of each member and its value begin.
        self._member_starts: dict[int, dict[str, tuple[int, int]]] = {}
        #: Lines that have been asked for: where each begins, in order, and its number.
        self._lines = [0], {0: 1}

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:
        """The value at the path, or its nearest ancestor; where asked for, the key that the value stands behind."""
        text = self._text()
        if text is None:
            return NOWHERE
        try:
            start, end = self._find(text, path, of_key=of_key)
        except (msgspec.DecodeError, ValueError, RecursionError):
            # The file has changed since it was read.
            return NOWHERE
        return Mark(*self._position(text, start), len(text[start:end].decode(errors="replace")))

    def value(self, path: Sequence[str | int]) -> Any:
        """The plain value at the path, read once more; None if the text is gone."""
        text = self._text()
        if text is None:
            return None
        try:
            start, _ = self._find(text, path, of_key=False)
            view = memoryview(text)[start:]
            return msgspec.json.decode(view[: value_length(view)])
        except (msgspec.DecodeError, ValueError, RecursionError):
            # The file has changed since it was read.
            return None

    def _position(self, text: Text, offset: int) -> tuple[int, int]:
        """The same as `position`: every replica of a workload in a large dump asks again."""
        starts, numbers = self._lines
        line_start = text.rfind(b"\n", 0, offset) + 1
        if line_start not in numbers:
            before = starts[bisect(starts, line_start) - 1]
            numbers[line_start] = numbers[before] + text.count(b"\n", before, line_start)
            insort(starts, line_start)
        return numbers[line_start], _column(text, line_start, offset)

    def _text(self) -> Text | None:
        return self._source.read_again()

    def _find(self, text: Text, path: Sequence[str | int], *, of_key: bool) -> tuple[int, int]:
        """The bytes where it begins and ends; the same where it is no single word."""
        at, key = self._start, None
        for step in path:
            key, inner = self._item(text, at, step) if isinstance(step, int) else self._member(text, at, step)
            if inner is None:
                return at, at
            at = inner
        if of_key and key is not None:
            quoted = _STRING.match(text, key)
            return key, quoted.end() if quoted else key
        word = _STRING.match(text, at) or _WORD.match(text, at)
        return at, word.end() if word else at

    def _item(self, text: Text, start: int, index: int) -> tuple[None, int | None]:
        if text[start : start + 1] != b"[":
            return None, None
        if start not in self._item_starts:
            self._item_starts[start] = [], _items(text, start)
        starts, following = self._item_starts[start]
        starts.extend(islice(following, max(0, index + 1 - len(starts))))
        return None, starts[index] if index < len(starts) else None

    def _member(self, text: Text, start: int, name: str) -> tuple[int | None, int | None]:
        if text[start : start + 1] != b"{":
            return None, None
        if start not in self._member_starts:
            self._member_starts[start] = {each: (key, value) for each, key, value in _members(text, start)}
        return self._member_starts[start].get(name, (None, None))


def too_deep(text: Text, start: int, depth: int) -> int:
    """The byte at which a JSON value that begins at another is nested deeper than so many levels."""
    level = 0
    for match in _NESTING.finditer(text, start):
        if match["open"]:
            level += 1
            if level > depth:
                return match.start()
        elif text[match.start()] != _QUOTE:
            level -= 1
    return start


def position(text: Text, offset: int) -> tuple[int, int]:
    """Line and column from 1 of a byte of a text."""
    line_start = text.rfind(b"\n", 0, offset) + 1
    return text.count(b"\n", 0, line_start) + 1, _column(text, line_start, offset)


def _column(text: Text, line_start: int, offset: int) -> int:
    return len(text[line_start:offset].decode(errors="replace")) + 1


def value_length(view: memoryview) -> int:
    """The length in bytes of the JSON value that a view begins with, with the space behind it.

    Raises msgspec.DecodeError or RecursionError where it is none.
    """
    try:
        _ANY.decode(view)
    except msgspec.DecodeError as error:
        if trailing := _TRAILING.search(str(error)):
            return int(trailing[1]) - _counted_in()
        raise
    return len(view)


@cache
def _counted_in() -> int:
    """How many bytes too many msgspec reports where something follows a value: asked, since it is not documented."""
    try:
        _ANY.decode(b"0 0")
    except msgspec.DecodeError as error:
        if trailing := _TRAILING.search(str(error)):
            return int(trailing[1]) - 2
    return 0


def _items(text: Text, start: int) -> Iterator[int]:
    """Where the items of the list begin that begins at a byte."""
    view = memoryview(text)
    at = skip(_GAP, text, start + 1)
    while text[at : at + 1] != b"]":
        yield at
        at = skip(_GAP, text, at + value_length(view[at:]))


def _members(text: Text, start: int) -> Iterator[tuple[str, int, int]]:
    """The keys of the object that begins at a byte, and where they and their values begin."""
    view = memoryview(text)
    match = _KEY.match(text, start + 1)
    while match:
        yield json.loads(match[1].decode(errors="replace")), match.start(1), match.end()
        match = _KEY.match(text, match.end() + value_length(view[match.end() :]))


def skip(pattern: re.Pattern[bytes], text: Text, at: int) -> int:
    """Where the text goes on behind what the pattern finds there, if anything."""
    match = pattern.match(text, at)
    return match.end() if match else at
