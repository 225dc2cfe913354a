"""Lists that do not say of what, and objects that do not say what they are: support archives hold both, as a client of
Kubernetes has them.
"""

from functools import cache
from typing import Any

from kexplain.load.record_types import API_VERSIONS, versions_of
from kexplain.tables import table

#: Short names that archives use for folders.
_SHORT = table("short-plurals", dict[str, str])
#: An API version and a kind.
Told = tuple[str, str]


def nameless_items(value: object) -> list[Any] | None:
    """The items of a list that says nothing of itself; None if it is another value."""
    if isinstance(value, dict) and not (value.get("kind") or value.get("apiVersion")):
        value = value.get("items")
    every = value if isinstance(value, list) else []
    may_be = all(isinstance(each, dict) and isinstance(each.get("metadata"), dict) for each in every)
    return every if every and may_be else None


def is_stored(value: dict[str, Any]) -> bool:
    """Whether an API server has given an object its identity, so that a client wrote it rather than an author."""
    metadata = value.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("uid"))


def guessed(item: dict[str, Any], source: str) -> Told | None:
    """What an item is, by what only such an object has, or by the name of its file or directory; None if unknown."""
    spec, status = item.get("spec"), item.get("status")
    if isinstance(spec, dict) and isinstance(spec.get("containers"), list):
        return "v1", "Pod"
    if isinstance(status, dict) and isinstance(status.get("allocatable"), dict):
        return "v1", "Node"
    *directories, name = source.lower().split("/")
    names = (each.replace("-", "").replace("_", "") for each in (name.partition(".")[0], *directories[-1:]))
    return next((_by_plural()[each] for each in names if each in _by_plural()), None)


@cache
def _by_plural() -> dict[str, Told]:
    """What the lists of kinds are called."""
    plurals = {plural_of(record.__name__): (versions_of(record)[0], record.__name__) for record in API_VERSIONS}
    return plurals | {short: plurals[plural] for short, plural in _SHORT.items()}


def plural_of(kind: str) -> str:
    """How an API server calls the kind in paths."""
    name = kind.lower()
    if name.endswith("y"):
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith("s") else f"{name}s"
