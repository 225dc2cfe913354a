"""YAML texts into records, document by document."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from kexplain.errors import Fault
from kexplain.load.builder import MAX_VALUES, Place, TooManyValuesError, YamlError
from kexplain.load.intake import Intake
from kexplain.load.loaded import Segment
from kexplain.load.source import Source, Text
from kexplain.load.yaml import Chunk, Document, find, parse, places, split


class YamlPlaces:
    """Finds values of one document of a source."""

    def __init__(self, source: Source, chunk: Chunk) -> None:
        self._source = source
        self._chunk = chunk
        self._root: Place | None = None

    def locate(self, path: Sequence[str | int]) -> tuple[int, int]:
        """Line and column from 1 of the value at the path, or of its nearest ancestor.

        Zeros if the text is gone: a pipe, or a file that has changed.
        """
        if self._root is None:
            text = self._source.read_again()
            if text is None:
                return 0, 0
            try:
                self._root = places(bytes(text[self._chunk.start : self._chunk.end]), self._chunk.first_line)
            except YamlError:
                # The file has changed since it was read.
                return 0, 0
        return find(self._root, path)


def read_yaml(text: Text, source: Source, intake: Intake, start: int = 0) -> bool:
    """Take in the documents of a text from a byte on; null documents are dropped.

    Every document is read, whatever is wrong with those before it. The answer is whether all of them were YAML
    that holds objects, be there other faults in them or not.
    """
    readable = True
    left = MAX_VALUES
    for chunk in split(text, start):
        if intake.is_full:
            break
        try:
            if isinstance(chunk, YamlError):
                raise chunk
            document = parse(bytes(text[chunk.start : chunk.end]), chunk.first_line, size_max=left)
        except YamlError as error:
            intake.text_fault(source.name, error.line, error.column, error.message)
            readable = False
            if isinstance(error, TooManyValuesError):
                break
            continue
        left -= document.size
        _warn(document, source, intake)
        if document.value is not None:
            readable = readable and isinstance(document.value, dict)
            segment = Segment(source.name, YamlPlaces(source, chunk))
            intake.take(segment, document.value, ())
            intake.loaded.add(segment)
    return readable


def warn_of_duplicates(text: bytes, first_line: int, source: Source, intake: Intake) -> None:
    """Warn of keys that are set twice in a JSON text, which is YAML too, and this reading knows places."""
    with suppress(YamlError):
        _warn(parse(text, first_line), source, intake)


def _warn(document: Document, source: Source, intake: Intake) -> None:
    """Pass on what strict reading would refuse."""
    for line, column, key in document.duplicates:
        message = f'the key "{key}" is set twice; the last one counts'
        intake.loaded.warn(Fault(source.name, line, column, "", message))
    if document.unread is not None:
        line, column = document.unread
        message = "not read on from here, nor does kubectl: documents are parted by ---"
        intake.loaded.warn(Fault(source.name, line, column, "", message))
