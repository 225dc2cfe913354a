"""Values that somebody else wrote, looked at without trust in their form: what is not as expected is as if absent."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct


class WrittenCondition(Struct, frozen=True):
    """A condition as most projects write them; what is missing is empty."""

    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""
    since: str = ""


def at(value: Any, *path: str | int) -> Any:
    """What stands at a path of keys and indices; None where there is nothing."""
    for key in path:
        is_item = isinstance(value, list) and isinstance(key, int) and key < len(value)
        value = value[key] if is_item else value.get(key) if isinstance(value, dict) else None
    return value


def text(value: Any, *path: str) -> str:
    """The text at a path of keys, a number as text; empty where there is neither."""
    found = at(value, *path)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return found if isinstance(found, str) else f"{found}" if is_number else ""


def number(value: Any, *path: str) -> int | None:
    """The whole number at a path of keys."""
    found = at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def entries(value: Any, *path: str) -> Iterator[dict[str, Any]]:
    """The objects of the list at a path of keys."""
    found = at(value, *path)
    yield from (each for each in found if isinstance(each, dict)) if isinstance(found, list) else ()


def texts(value: Any, *path: str) -> dict[str, str]:
    """The texts of the object at a path of keys, numbers as text."""
    found = at(value, *path)
    if not isinstance(found, dict):
        return {}
    return {key: text(found, key) for key in found if isinstance(key, str) and text(found, key)}


def conditions(value: Any, *path: str) -> dict[str, WrittenCondition]:
    """The conditions of the list at a path of keys, by type; the last of a type counts."""
    found = ((text(each, "type"), each) for each in entries(value, *path))
    fields = ("type", "status", "reason", "message", "lastTransitionTime")
    return {kind: WrittenCondition(*(text(each, field) for field in fields)) for kind, each in found if kind}
