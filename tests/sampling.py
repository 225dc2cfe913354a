"""How many of very many a run of the tests tries: some, and with `pytest --all` every one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

ItemT = TypeVar("ItemT")
#: Set by the option.
tries_all = False


def some(items: Iterable[ItemT], of: int) -> Iterator[ItemT]:
    """One in so many, the first of them included."""
    return islice(items, 0, None, 1 if tries_all else of)


def examples(most: int) -> int:
    """How many examples of a property are drawn anew in each run: half of those of a whole one."""
    return most if tries_all else most // 2
