"""YAML texts into records, document by document."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from kexplain.errors import Fault
from kexplain.load.loaded import NOWHERE, Mark, Segment
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.source import Source, Text
from kexplain.load.text.yaml import Chunk, Document, find, parse, places, split
from kexplain.load.text.yaml_builder import MAX_VALUES, Marked, TooManyValuesError, YamlError
from kexplain.objects.untrusted import at as value_at

#: A longer document is a dump: its places are worked out only if one of them is asked for.
_WRITTEN_BY_HAND = 64 << 10


class YamlPlaces(Struct, eq=False):
    """Finds values of one document of a source."""

    _source: Source
    _chunk: Chunk
    _root: Marked | None = None

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:
        """The value at the path, or its nearest ancestor; where asked for, the key that the value stands behind."""
        if self._root is None:
            text = self._source.read_again()
            if text is None:
                return NOWHERE
            try:
                self._root = places(bytes(text[self._chunk.start : self._chunk.end]), self._chunk.first_line)
            except YamlError:
                # The file has changed since it was read.
                return NOWHERE
        return find(self._root, path, of_key=of_key)

    def value(self, path: Sequence[str | int]) -> Any:
        """The plain value at the path, of a dump read once more; None if its text is gone."""
        if self._root is None:
            self.mark(path)
        # Where the file has changed since it was read, there is nothing of that path.
        return value_at(self._root.value, *path) if self._root is not None else None


def read_yaml(text: Text, source: Source, collector: ObjectCollector, start: int) -> bool:
    """Take in the documents of a text from a byte on; null documents are dropped.

    Every document is read, whatever is wrong with those before it. The answer is whether all of them were YAML
    that holds objects, be there other faults in them or not.
    """
    readable = True
    left = MAX_VALUES
    for chunk in split(text, start):
        if collector.is_full:
            break
        try:
            if isinstance(chunk, YamlError):
                raise chunk
            written = chunk.end - chunk.start <= _WRITTEN_BY_HAND
            document = parse(bytes(text[chunk.start : chunk.end]), chunk.first_line, size_max=left, with_places=written)
        except YamlError as error:
            collector.text_fault(source.name, error.line, error.column, error.message)
            readable = False
            if isinstance(error, TooManyValuesError):
                break
            continue
        left -= document.size
        _warn(document, source, collector)
        if document.value is not None:
            readable = readable and isinstance(document.value, dict)
            segment = Segment(source.name, YamlPlaces(source, chunk, document.places))
            collector.take(segment, document.value, ())
            collector.loaded.add(segment)
    return readable


def warn_of_duplicates(text: bytes, first_line: int, source: Source, collector: ObjectCollector) -> None:
    """Warn of keys that are set twice in a JSON text, which is YAML too, and this reading knows places."""
    with suppress(YamlError):
        _warn(parse(text, first_line), source, collector)


def _warn(document: Document, source: Source, collector: ObjectCollector) -> None:
    """Pass on what strict reading would refuse."""
    for line, column, key, is_override in document.duplicates:
        if not is_override:
            message = f'the key "{key}" is set twice; the last one counts'
            collector.loaded.warn(Fault(source.name, line, column, "", message))
    if document.unread is not None:
        line, column = document.unread
        message = "the text from here on is ignored, as by kubectl: separate documents with ---"
        collector.loaded.warn(Fault(source.name, line, column, "", message))
