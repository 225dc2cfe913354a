"""Things put together that have something in common."""

from collections import Counter, defaultdict
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


def counted(pairs: Iterable[tuple[Key, int]]) -> Counter[Key]:
    """The numbers summed up by their keys, in the order in which these come."""
    number_by_key: Counter[Key] = Counter()
    for key, number in pairs:
        number_by_key[key] += number
    return number_by_key
