"""Documents that kexplain itself publishes and reads again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from kexplain.bounds import TOO_DEEP, is_too_deep
from kexplain.errors import Fault, InputError
from kexplain.load.decoding import decoded, shape_of
from kexplain.load.text.json_places import JsonPlaces
from kexplain.objects.problem import Problem, path_steps, path_text
from kexplain.patterns import regex

if TYPE_CHECKING:
    from kexplain.load.text.source import Source, Text

T = TypeVar("T")
#: So many faults of one document are enough.
_FAULT_LIMIT = 50
_MISSING = regex(r"Object missing required field `(\w+)`")


def decode_published(source: Source, text: Text, kind: type[T]) -> T:
    """The document in the text of a source.

    Raises InputError with every value that does not fit and its place; with the first that is missing if all others do.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
        # msgspec stops at the first fault, and says no line.
        record: Any = kind
        problems = decoded(_plain(source, text), shape_of(record), strict=False)[1] or [_problem(str(fault))]
    marks = ((each, JsonPlaces(source, 0).mark(each.path)) for each in problems[:_FAULT_LIMIT])
    raise InputError([Fault(source.name, at.line, at.column, path_text(each.path), each.message) for each, at in marks])


def _plain(source: Source, text: Text) -> Any:
    """Raises InputError where the text is not JSON, or nested too deep."""
    try:
        document = msgspec.json.decode(text)
    except RecursionError:
        raise source.error(TOO_DEEP) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise source.error(f"not JSON: {fault}") from None
    if is_too_deep(document):
        raise source.error(TOO_DEEP)
    return document


def _problem(said: str) -> Problem:
    """What msgspec says of a value that is missing, or is none of those that there may be."""
    what, _, at = said.partition(" - at `$")
    missing = _MISSING.fullmatch(what)
    return Problem(path_steps(at.rstrip("`")), f"{missing[1]} is required" if missing else what)
