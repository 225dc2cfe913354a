"""YAML text exactly as kubectl reads it.

PyYAML's C parser supplies the events, which agree with Go's; what they mean is decided here. Source: go-yaml
v2 `decode.go` and sigs.k8s.io/yaml; for several documents in a file, apimachinery's `YAMLReader`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import yaml
from msgspec import Struct

from kexplain.bounds import PARSER_TOO_DEEP, TOO_DEEP
from kexplain.load.loaded import Mark
from kexplain.load.text.yaml_builder import MAX_VALUES, Builder, Duplicate, Marked, YamlError
from kexplain.load.text.yaml_scalars import Scalar, resolve
from kexplain.patterns import regex

#: How often a text is amended where Go reads more than the C parser does, and how many bytes are read anew for that.
_AMENDMENTS = 50
_AMENDED_BYTES = 8 << 20
#: The C parser compares each directive with all before it.
_DIRECTIVES_MAX = 100
_DIRECTIVE = regex(rb"^%", re.MULTILINE)

_SEPARATOR = regex(rb"^---([^\n]*)(?:\n|\Z)", re.MULTILINE)


class Document(Struct, frozen=True):
    """One document as JSON would hold it, and where it came from.

    `size` is the number of its values, `unread` the line and column where text begins that is not read,
    after `...` for example. `places` are those of its values, if they were asked for.
    """

    value: Any
    duplicates: tuple[Duplicate, ...]
    unread: tuple[int, int] | None
    text: bytes
    first_line: int
    size: int = 0
    places: Marked | None = None

    def locate(self, path: Sequence[str | int]) -> tuple[int, int]:
        """Line and column of the value at the path, or of its nearest ancestor that exists."""
        return find(self.places or places(self.text, self.first_line), path)[:2]


class Chunk(Struct, frozen=True):
    """The bounds of one document within a text, in bytes, and the line that it begins on."""

    start: int
    end: int
    first_line: int


def split(text: bytes | bytearray, start: int = 0) -> Iterator[Chunk | YamlError]:
    """The documents of a text from a byte on, empty ones among them: lines that begin with `---` part them.

    A YamlError marks a separator followed by anything but a comment, which kubectl refuses.
    """
    line = text.count(b"\n", 0, start) + 1
    for match in _SEPARATOR.finditer(text, start):
        if match.start() > start:
            yield Chunk(start, match.start(), line)
        line += text.count(b"\n", start, match.start())
        rest = match[1].strip()
        if rest and not rest.startswith(b"#"):
            yield YamlError(line, 4, "only a comment may follow the document separator ---")
        line += 1
        start = match.end()
    if start < len(text):
        yield Chunk(start, len(text), line)


def parse(
    text: bytes,
    first_line: int = 1,
    *,
    size_max: int = MAX_VALUES,
    with_places: bool = False,
    resolve: Callable[[str], Scalar] = resolve,
) -> Document:
    """The first document of a UTF-8 text; what follows it is not looked at, as in Go.

    Places cost half as much again. `resolve` says what plain scalars mean.
    Raises YamlError where the text is no YAML, or where JSON cannot hold what it says.
    """
    found = next(islice(_DIRECTIVE.finditer(text), _DIRECTIVES_MAX, None), None)
    if found is not None:
        line = first_line + text.count(b"\n", 0, found.start())
        raise YamlError(line, 1, f"more than {_DIRECTIVES_MAX} lines begin with %, which no manifest does")
    amended: bytes | None = text
    for _ in range(min(_AMENDMENTS, max(2, _AMENDED_BYTES // max(len(text), 1)))):
        builder = Builder(amended or b"\n", first_line, with_places=with_places, size_max=size_max, resolve=resolve)
        try:
            return _document(builder, builder.build(), text)
        except yaml.YAMLError as error:
            reason = _translated(error, text, first_line)
            amended = _amended(error, amended or b"\n")
            if amended is None:
                break
    raise reason


def _document(builder: Builder, value: Any, text: bytes) -> Document:
    root = None
    if builder.with_places:
        root = value if isinstance(value, Marked) else Marked(Mark(builder.first_line, 1, 0), None)
        value = root.value
    return Document(value, tuple(builder.duplicates), builder.unread, text, builder.first_line, builder.size, root)


def places(text: bytes, first_line: int = 1) -> Marked:
    """The places of all values of a text that `parse` has read before without them."""
    root = parse(text, first_line, with_places=True).places
    assert root is not None  # noqa: S101 - they were asked for
    return root


def find(place: Marked, path: Sequence[str | int], *, of_key: bool = False) -> Mark:
    """The value at a path below a place, or its nearest ancestor that exists; where asked for, the value's key."""
    for step in path:
        within = place.within
        if isinstance(within, dict) and step in within:
            place = within[str(step)]
        elif isinstance(within, list) and isinstance(step, int) and step < len(within):
            place = within[step]
        else:
            return place.mark._replace(length=0)
    return place.key if of_key and place.key else place.mark


def _amended(error: yaml.YAMLError, text: bytes) -> bytes | None:
    """A text that means to the C parser what the one it refused means to Go; None if Go refuses it too."""
    if not isinstance(error, yaml.MarkedYAMLError) or not error.problem_mark or not error.context_mark:
        return None
    # The parser may have stopped before bytes that are no UTF-8; these are found when it gets there.
    characters = text.decode("utf-8-sig", "surrogateescape")
    start, at = error.context_mark.index, error.problem_mark.index
    if error.problem == "found unknown escape character" and characters[at : at + 2] == "\\'":
        return (characters[:at] + characters[at + 1 :]).encode(errors="surrogateescape")
    if error.problem == "found unexpected ':'":
        # `{a:}`: to Go the colon is part of the word.
        word = characters[start : at + 1].replace("'", "''")
        return f"{characters[:start]}'{word}'{characters[at + 1 :]}".encode(errors="surrogateescape")
    return None


def _translated(error: yaml.YAMLError, text: bytes, first_line: int) -> YamlError:
    """The parser's complaint in our words where they help, at the place that helps most."""
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position]
        line = before.count(b"\n")
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace"))
        return YamlError(first_line + line, column + 1, _unreadable(error))
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return YamlError(first_line, 1, str(error))
    mark, message = error.problem_mark, error.problem or "this is not YAML"
    if "end of stream" in message and error.context_mark is not None:
        mark, message = error.context_mark, "the quote that opens here is never closed"
    elif PARSER_TOO_DEEP in message:
        message = TOO_DEEP
    elif "cannot start any token" in message:
        message = _no_token(text, mark.line, mark.column)
    elif error.context:
        message = f"{message} {error.context}"
        if error.context_mark is not None and error.context_mark.line != mark.line:
            message += f" that begins on line {first_line + error.context_mark.line}"
    return YamlError(first_line + mark.line, mark.column + 1, message)


def _unreadable(error: yaml.reader.ReaderError) -> str:
    # The C parser hands over a number, the Python one a character.
    character: Any = error.character
    code = character if isinstance(character, int) else ord(character[:1] or "\0")
    if "control" in error.reason or "special" in error.reason:
        return f"control character U+{code:04X}{' is not allowed' if code else ': this is not a text file'}"
    return f"this is not UTF-8 ({error.reason})"


def _no_token(text: bytes, line: int, column: int) -> str:
    lines = text.split(b"\n", line + 1)
    found = lines[line].decode(errors="replace")[column : column + 1] if line < len(lines) else ""
    if found == "\t":
        return "a tab cannot indent YAML; use spaces"
    return f"{found} cannot begin a value; put it in quotes"
