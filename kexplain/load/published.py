"""Documents that kexplain itself publishes and reads again, held to their JSON Schema where they do not decode."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from kexplain.bounds import TOO_DEEP, is_too_deep
from kexplain.errors import Fault, InputError
from kexplain.load.text.json_places import JsonPlaces
from kexplain.objects.json_values import EXPECTED, found, shown
from kexplain.objects.problem import path_text
from kexplain.words import joined, verb

if TYPE_CHECKING:
    from jsonschema import ValidationError

    from kexplain.load.text.source import Source, Text

T = TypeVar("T")

#: So many faults of one document are enough.
_FAULT_LIMIT = 50


def decode_published(source: Source, text: Text, kind: type[T]) -> T:
    """The document in the text of a source. Raises InputError with every fault and its place."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as fault:
        # msgspec stops at the first fault and says no line; jsonschema takes 0.1 s to import, and finds them all.
        faults = [*dict.fromkeys(islice(_faults(source, _plain(source, text), kind), _FAULT_LIMIT))]
        raise InputError(faults or source.error(str(fault)).faults) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        _plain(source, text)
        raise


def _plain(source: Source, text: Text) -> Any:
    """Raises InputError where the text is not JSON, or nested too deep."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise source.error(TOO_DEEP) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise source.error(f"not JSON: {fault}") from None


def _faults(source: Source, document: Any, kind: type) -> Iterator[Fault]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    if is_too_deep(document):
        yield from source.error(TOO_DEEP).faults
        return
    places = JsonPlaces(source, 0)
    for each in map(_innermost, Draft202012Validator(msgspec.json.schema(kind)).iter_errors(document)):
        path = tuple(each.absolute_path)
        mark = places.mark(path)
        yield Fault(source.name, mark.line, mark.column, path_text(path), _message(each))


def _innermost(fault: ValidationError) -> ValidationError:
    """Of the alternatives that a value does not fit, what is wrong with the one that it fits furthest."""
    inner = max(fault.context or (), key=lambda each: len(each.absolute_path), default=fault)
    return _innermost(inner) if len(inner.absolute_path) > len(fault.absolute_path) else fault


def _message(fault: ValidationError) -> str:
    """What is wrong, without a value that may be as long as it likes."""
    asked: Any = fault.validator_value
    there: Any = fault.instance
    match fault.validator:
        case "type":
            return f"expected {EXPECTED[asked]}, found {found(there)}"
        case "anyOf":
            kinds = [EXPECTED[each.get("type", "object")] for each in asked]
            return f"expected {' or '.join(kinds)}, found {found(there)}"
        case "required":
            missing = [name for name in asked if name not in there]
            return f"{joined(missing)} {verb(len(missing), 'is')} required"
        case _:
            return f"{shown(there)} does not fit: {fault.validator} {shown(asked)}"
