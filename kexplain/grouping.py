"""Things put together that have something in common."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


def grouped(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """The items by their keys; keys, and what is under each, in the order in which they come."""
    items_by_key: defaultdict[Key, list[Item]] = defaultdict(list)
    for key, item in pairs:
        items_by_key[key].append(item)
    return dict(items_by_key)
