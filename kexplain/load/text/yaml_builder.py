"""One YAML document from the parser's events: its value, or the places of its values.

Source: go-yaml v2 `decode.go`. The surprises: `<<` wins over keys before it, tags on lists and objects
count for nothing, and aliases may expand up to a share of the document that falls with its size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

import yaml
from msgspec import Struct
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from kexplain.bounds import MAX_DEPTH, TOO_DEEP
from kexplain.load.loaded import Mark
from kexplain.load.text.yaml_scalars import Scalar, as_json, key_text, resolve, resolve_tagged
from kexplain.patterns import regex

#: Texts of more values are refused, keys included: twice what 1,000 nodes and 10,000 pods come to.
MAX_VALUES = 10_000_000
_TOO_MANY_VALUES = f"more than {MAX_VALUES} values of YAML; large dumps are read as JSON: kubectl get … -o json"

_ESCAPE = regex(r"\\(.)", re.DOTALL)
_MERGE_TAG = "tag:yaml.org,2002:merge"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlError(ValueError):
    """Why a text is not YAML that kubectl reads, and where; line and column count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.message = message


class TooManyValuesError(YamlError):
    """A text that would take too long to read to its end."""


class Marked(NamedTuple):
    """Where a value stands, the places within it under their keys or indices, where its own key stands; the value."""

    mark: Mark
    within: dict[str, Marked] | list[Marked] | None
    key: Mark | None = None
    value: Any = None


class Duplicate(NamedTuple):
    """A key that is set a second time; the last value counts, and strict reading refuses it."""

    line: int
    column: int
    key: str
    #: Whether it was merged before, and so is there to be set anew; kubectl sends what comes of it.
    is_override: bool


class _Anchored(Struct, frozen=True):
    """What an anchor refers to: its value, its value as a key, and how many nodes Go decodes to read it."""

    value: Any
    key: Any
    size: int


class Builder(Struct, eq=False):
    """Builds the value of one document, or the places of its values with these.

    Raises yaml.YAMLError where the parser gives up, YamlError where Go does.
    """

    text: bytes
    first_line: int
    with_places: bool
    size_max: int = MAX_VALUES
    resolve: Callable[[str], Scalar] = resolve
    duplicates: list[Duplicate] = []
    #: Line and column where the text continues after the document.
    unread: tuple[int, int] | None = None
    _next: Any = None
    #: Rarely needed, and then to see what the parser does not report.
    _escaped_slashes: str = ""
    #: None while the anchored node is still being read.
    _anchors: dict[str, _Anchored | None] = {}
    _decoded: int = 1
    _aliased: int = 0
    _flow: int = 0

    def __post_init__(self) -> None:
        self._next = _Loader(self.text).get_event
        self._escaped_slashes = self.text.decode("utf-8-sig", "replace") if b"\\/" in self.text else ""

    @property
    def size(self) -> int:
        """How many values have been read, keys included; those that aliases repeat are not."""
        return self._decoded - self._aliased

    def build(self) -> Any:
        """The value of the first document, plain or Marked; None if there is none."""
        self._next()
        start = self._next()
        if isinstance(start, StreamEndEvent):
            return None
        version: tuple[int, int] | None = start.version
        if version not in (None, (1, 1)):
            self._fail(start, "kubectl reads YAML 1.1 only")
        value = self._node(self._next(), 0)
        end = self._next().end_mark
        if not self._is_over():
            self.unread = (self.first_line + end.line, end.column + 1)
        return value

    def _is_over(self) -> bool:
        with suppress(yaml.YAMLError):
            return isinstance(self._next(), StreamEndEvent)
        return False

    def _node(self, event: Any, depth: int) -> Any:
        self._decoded += 1
        if self.size > self.size_max:
            mark = event.start_mark
            raise TooManyValuesError(self.first_line + mark.line, mark.column + 1, _TOO_MANY_VALUES)
        kind = type(event)
        if kind is ScalarEvent:
            scalar = self._scalar(event)
            try:
                value: Any = as_json(scalar)
            except ValueError as error:
                self._fail(event, str(error))
            if event.anchor is not None:
                value = self._placed(event, value)
                self._anchors[event.anchor] = _Anchored(value, scalar, 1)
                return value
            return self._placed(event, value)
        if kind is AliasEvent:
            return self._alias(event).value
        if depth >= MAX_DEPTH:
            self._fail(event, TOO_DEEP)
        return self._collection(event, depth)

    def _collection(self, event: Any, depth: int) -> Any:
        before = self._decoded - 1
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._flow += event.flow_style
        inside: Any = self._mapping(depth + 1) if type(event) is MappingStartEvent else self._sequence(depth + 1)
        self._flow -= event.flow_style
        value = self._placed(event, inside)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(value, inside, self._decoded - before)
        return value

    def _placed(self, event: Any, value: Any) -> Any:
        if not self.with_places:
            return value
        if isinstance(value, dict):
            return Marked(self._mark(event), value, value={key: each.value for key, each in value.items()})
        if isinstance(value, list):
            return Marked(self._mark(event), value, value=[each.value for each in value])
        return Marked(self._mark(event), None, value=value)

    def _mark(self, event: Any) -> Mark:
        start, end = event.start_mark, event.end_mark
        is_word = type(event) is ScalarEvent and start.line == end.line
        return Mark(self.first_line + start.line, start.column + 1, end.column - start.column if is_word else 0)

    def _scalar(self, event: Any) -> Scalar:
        text: str = event.value
        plain = event.implicit[0]
        if event.tag is not None:
            try:
                return resolve_tagged(event.tag, text)
            except ValueError as error:
                self._fail(event, str(error))
        if not plain:
            if self._escaped_slashes and event.style == '"' and "/" in text:
                raw = self._escaped_slashes[event.start_mark.index : event.end_mark.index]
                if "/" in _ESCAPE.findall(raw):
                    self._fail(event, "\\/ is not an escape that kubectl knows; a slash needs none")
            return text
        if self._flow and "?" in text:
            self._fail(event, "a ? within [] or {} must be quoted")
        return self.resolve(text)

    def _sequence(self, depth: int) -> list[Any]:
        items = []
        while type(event := self._next()) is not SequenceEndEvent:
            items.append(self._node(event, depth))
        return items

    def _mapping(self, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        # Go distinguishes 1, "1" and 1.0, though they end up as one key: noted from the first key that is not a string.
        identities: set[object] | None = None
        # What was merged is there to be set anew.
        merged: set[str] = set()
        while type(event := self._next()) is not MappingEndEvent:
            if type(event) is ScalarEvent and event.value == "<<" and (event.implicit[0] or event.tag == _MERGE_TAG):
                self._merge(values, merged, depth)
                continue
            key = self._key(event, depth)
            text = key if type(key) is str else self._key_text(event, key)
            if identities is None and type(key) is not str:
                identities = set(values)
            if identities is None:
                known = text in values
            else:
                identity = key if type(key) is str else (type(key), key)
                known = identity in identities
                identities.add(identity)
            if known:
                self._report_duplicate(event, text, is_override=text in merged)
            merged.discard(text)
            value = self._node(self._next(), depth)
            values[text] = value._replace(key=self._mark(event)) if self.with_places else value
        return values

    def _key(self, event: Any, depth: int) -> Any:
        """The key before it is turned into a string; it is counted as a node of its own."""
        if type(event) is ScalarEvent:
            self._decoded += 1
            key = self._scalar(event)
            if event.anchor is not None:
                self._anchors[event.anchor] = _Anchored(self._placed(event, as_json(key)), key, 1)
            return key
        if type(event) is AliasEvent:
            self._decoded += 1
            return self._alias(event).key
        return self._node(event, depth)

    def _key_text(self, event: Any, key: Any) -> str:
        if isinstance(key, dict | list | Marked):
            self._fail(event, "a list or an object cannot be a key (a template has to be rendered first)")
        try:
            return key_text(key)
        except ValueError as error:
            self._fail(event, str(error))

    def _alias(self, event: Any) -> _Anchored:
        name = event.anchor
        if name not in self._anchors:
            self._fail(event, f"there is no anchor &{name}")
        anchored = self._anchors[name]
        if anchored is None:
            self._fail(event, f"the anchor &{name} contains itself")
        # The value is shared, but counted as often as Go builds it: the same texts are too much for both.
        self._decoded += anchored.size
        self._aliased += anchored.size
        excessive = self._aliased > _allowed_alias_ratio(self._decoded) * self._decoded
        if self._aliased > 100 and self._decoded > 1000 and excessive:
            self._fail(event, "aliases repeat too much of the document")
        return anchored

    def _merge(self, values: dict[str, Any], merged: set[str], depth: int) -> None:
        """Set what `<<` names, even over keys before it: Go does so, against the YAML specification."""
        event = self._next()
        if type(event) is SequenceStartEvent:
            sources = []
            while type(item := self._next()) is not SequenceEndEvent:
                sources.append((item, self._node(item, depth)))
        else:
            sources = [(event, self._node(event, depth))]
        for source, value in reversed(sources):
            inside = value.within if isinstance(value, Marked) else value
            if not isinstance(inside, dict) or type(source) is ScalarEvent:
                self._fail(source, "<< takes an object or a list of objects")
            for key, each in inside.items():
                if key in values:
                    self._report_duplicate(source, key, is_override=key in merged)
                values[key] = each
            merged.update(inside)

    def _report_duplicate(self, event: Any, key: str, *, is_override: bool) -> None:
        mark = event.start_mark
        self.duplicates.append(Duplicate(self.first_line + mark.line, mark.column + 1, key, is_override))

    def _fail(self, event: Any, message: str) -> NoReturn:
        mark = event.start_mark
        raise YamlError(self.first_line + mark.line, mark.column + 1, message)


def _allowed_alias_ratio(decoded: int) -> float:
    # Go's own limits: nearly everything in small documents, a tenth in very large ones.
    if decoded <= 400_000:
        return 0.99
    return 0.10 if decoded >= 4_000_000 else 0.99 - 0.89 * (decoded - 400_000) / 3_600_000
