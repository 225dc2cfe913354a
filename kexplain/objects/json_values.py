"""Plain values, as JSON and YAML have them."""

from typing import Any

from kexplain.tables import table

_SHOWN_LENGTH = 60
#: What is expected of a value, by what JSON Schema and shapes call it.
EXPECTED = table("expected", dict[str, str])


def found(value: object) -> str:
    """What a value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "an object"


def shown(value: object) -> str:
    """A value as a message shows it: in quotes if it is a text, and not too long."""
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[: _SHOWN_LENGTH - 1]}…"


def without_nulls(value: Any) -> Any:
    """A copy in which null is absent in objects, and an empty value in lists, as it is to Go; all keys are strings."""
    if isinstance(value, dict):
        return {str(key): without_nulls(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        empty: Any = "" if any(isinstance(item, str) for item in value) else {}
        return [empty if item is None else without_nulls(item) for item in value]
    return value
