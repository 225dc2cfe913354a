"""Texts as plain values with the places of everything in them: for what is no object of a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from kexplain.errors import Fault, InputError
from kexplain.load.text.source import Source, Text
from kexplain.load.text.yaml import find, parse, split
from kexplain.load.text.yaml_builder import Marked, YamlError
from kexplain.objects.problem import Problem, path_text
from kexplain.objects.untrusted import at as value_at


class PlainDocument(Struct):
    """One document of a text; JSON is YAML too, and read alike.

    `first_line` and `indent` say where the text is in its source; where it cannot be mapped line by line,
    `within` is the path of the value that holds it, and every fault is placed there. A value that stands in no text is
    a document too, whose faults have paths but no lines.
    """

    source: str
    value: Any
    text: bytes = b""
    first_line: int = 1
    indent: int = 0
    duplicates: tuple[Fault, ...] = ()
    outer: PlainDocument | None = None
    within: tuple[str | int, ...] = ()
    _places: Marked | None = None

    def locate(self, path: Sequence[str | int] = ()) -> tuple[int, int]:
        """Line and column from 1 of the value at the path, or of its nearest ancestor."""
        if self.outer is not None:
            return self.outer.locate(self.within)
        if self._places is None:
            return 0, 0
        line, column, *_ = find(self._places, path)
        return line, column + self.indent

    def fault(self, path: Sequence[str | int], message: str) -> Fault:
        """A fault at a path of the document."""
        return Fault(self.source, *self.locate(path), path_text(path), message)

    def refuse(self, problems: Iterable[Problem], more: Iterable[Fault] = ()) -> None:
        """Raise InputError with these problems, each once, with keys that are set twice and more faults, if any."""
        faults = [*self.duplicates, *(self.fault(each.path, each.message) for each in dict.fromkeys(problems)), *more]
        if faults:
            raise InputError(sorted(faults, key=lambda each: (each.line, each.column)))

    def embedded(self, path: Sequence[str | int]) -> PlainDocument:
        """The document that the string at a path holds, with its own places where it is written line by line.

        Raises InputError where it is no YAML.
        """
        text = str(value_at(self.value, *path))
        block = self._block(path)
        if block is not None:
            first_line, indent = block
            return _document(self.source, text.encode(), first_line, indent)
        try:
            return PlainDocument(self.source, parse(text.encode()).value, text.encode(), outer=self, within=tuple(path))
        except YamlError as error:
            message = f"line {error.line} of the text: {error.message}"
            raise InputError([self.fault(path, message)]) from None

    def _block(self, path: Sequence[str | int]) -> tuple[int, int] | None:
        """The line that a literal block begins on and its indentation; None for strings written otherwise."""
        if self.outer is not None:
            return None
        line, column = self.locate(path)
        lines = self.text.decode(errors="replace").split("\n")
        at = line - self.first_line
        if at >= len(lines) or not lines[at][column - 1 - self.indent :].startswith("|"):
            return None
        body = next((each for each in lines[at + 1 :] if each.strip()), "")
        return line + 1, len(body) - len(body.lstrip(" ")) + self.indent


def read_plain(path: str) -> list[PlainDocument]:
    """The documents of a file, empty ones left out.

    Raises InputError with every fault of the text.
    """
    source = Source(path, path)
    return plain_documents(source, source.read())


def plain_documents(source: Source, text: Text) -> list[PlainDocument]:
    """The documents in the text of a source. Raises as `read_plain` does."""
    documents: list[PlainDocument] = []
    faults: list[Fault] = []
    for chunk in split(text):
        try:
            if isinstance(chunk, YamlError):
                raise chunk
            document = _document(source.name, bytes(text[chunk.start : chunk.end]), chunk.first_line, 0)
        except InputError as error:
            faults += error.faults
        except YamlError as error:
            faults.append(Fault(source.name, error.line, error.column, "", error.message))
        else:
            if document.value is not None:
                documents.append(document)
    if faults:
        raise InputError(faults)
    return documents


def _document(source: str, text: bytes, first_line: int, indent: int) -> PlainDocument:
    """Raises InputError where the text is no YAML."""
    try:
        parsed = parse(text, first_line, with_places=True)
    except YamlError as error:
        raise InputError([Fault(source, error.line, error.column + indent, "", error.message)]) from None
    twice = tuple(Fault(source, one.line, one.column + indent, one.key, "is set twice") for one in parsed.duplicates)
    return PlainDocument(source, parsed.value, text, first_line, indent, twice, _places=parsed.places)
