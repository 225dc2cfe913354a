"""Go's `sort.Slice`, which is not stable: where elements tie, the order it leaves them in is part of the outcome.

Source: Go `sort.pdqsort_func`. Up to twelve elements it is an insertion sort, beyond that a pattern-defeating
quicksort. Only the places of ties depend on it, so callers that have none need not come here.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Generic, TypeVar

Item = TypeVar("Item")

MAX_INSERTION = 12
_SHORTEST_NINTHER = 50
_MAX_SWAPS = 4 * 3
_MAX_STEPS = 5
_SHORTEST_SHIFTING = 50
_UINT64 = 2**64 - 1


def go_sorted(items: Sequence[Item], less: Callable[[Item, Item], bool]) -> list[Item]:
    """The items as `sort.Slice` with this comparison leaves them."""
    sorter = _Sorter(list(items), less)
    sorter.quicksort(0, len(items), len(items).bit_length())
    return sorter.items


class _Hint(Enum):
    UNKNOWN = 0
    INCREASING = 1
    DECREASING = 2


class _Sorter(Generic[Item]):
    def __init__(self, items: list[Item], less: Callable[[Item, Item], bool]) -> None:
        self.items = items
        self._compare = less

    def _less(self, i: int, j: int) -> bool:
        return self._compare(self.items[i], self.items[j])

    def _swap(self, i: int, j: int) -> None:
        self.items[i], self.items[j] = self.items[j], self.items[i]

    def quicksort(self, a: int, b: int, limit: int) -> None:
        """Sort [a, b); after `limit` bad pivots a heap sort takes over."""
        balanced = partitioned = True
        while b - a > MAX_INSERTION:
            if limit == 0:
                self._heap_sort(a, b)
                return
            if not balanced:
                self._break_patterns(a, b)
                limit -= 1
            pivot, hint = self._choose_pivot(a, b)
            if hint is _Hint.DECREASING:
                self.items[a:b] = self.items[a:b][::-1]
                pivot = (b - 1) - (pivot - a)
                hint = _Hint.INCREASING
            if balanced and partitioned and hint is _Hint.INCREASING and self._partial_insertion_sort(a, b):
                return
            if a > 0 and not self._less(a - 1, pivot):
                a = self._partition_equal(a, b, pivot)
                continue
            length = b - a
            middle, partitioned = self._partition(a, b, pivot)
            balanced = min(middle - a, b - middle) >= length // 8
            if middle - a < b - middle:
                self.quicksort(a, middle, limit)
                a = middle + 1
            else:
                self.quicksort(middle + 1, b, limit)
                b = middle
        self._insertion_sort(a, b)

    def _insertion_sort(self, a: int, b: int) -> None:
        for i in range(a + 1, b):
            j = i
            while j > a and self._less(j, j - 1):
                self._swap(j, j - 1)
                j -= 1

    def _heap_sort(self, first: int, end: int) -> None:
        length = end - first
        for root in reversed(range((length - 1) // 2 + 1)):
            self._sift_down(root, length, first)
        for last in reversed(range(length)):
            self._swap(first, first + last)
            self._sift_down(0, last, first)

    def _sift_down(self, root: int, end: int, first: int) -> None:
        while (child := 2 * root + 1) < end:
            if child + 1 < end and self._less(first + child, first + child + 1):
                child += 1
            if not self._less(first + root, first + child):
                return
            self._swap(first + root, first + child)
            root = child

    def _partition(self, a: int, b: int, pivot: int) -> tuple[int, bool]:
        """Where the pivot ends up, and whether everything was in its half already."""
        self._swap(a, pivot)
        i, j = self._converge(a, a + 1, b - 1)
        if i > j:
            self._swap(j, a)
            return j, True
        while i <= j:
            self._swap(i, j)
            i, j = self._converge(a, i + 1, j - 1)
        self._swap(j, a)
        return j, False

    def _converge(self, pivot: int, i: int, j: int) -> tuple[int, int]:
        while i <= j and self._less(i, pivot):
            i += 1
        while i <= j and not self._less(j, pivot):
            j -= 1
        return i, j

    def _partition_equal(self, a: int, b: int, pivot: int) -> int:
        """The first place behind those equal to the pivot."""
        self._swap(a, pivot)
        i, j = a + 1, b - 1
        while True:
            while i <= j and not self._less(a, i):
                i += 1
            while i <= j and self._less(a, j):
                j -= 1
            if i > j:
                return i
            self._swap(i, j)
            i += 1
            j -= 1

    def _partial_insertion_sort(self, a: int, b: int) -> bool:
        """Whether a few shifts were enough."""
        i = a + 1
        for _ in range(_MAX_STEPS):
            while i < b and not self._less(i, i - 1):
                i += 1
            if i == b:
                return True
            if b - a < _SHORTEST_SHIFTING:
                return False
            self._swap(i, i - 1)
            if i - a >= 2:
                self._shift(range(i - 1, 0, -1))
            if b - i >= 2:
                self._shift(range(i + 1, b))
        return False

    def _shift(self, places: range) -> None:
        for place in places:
            if not self._less(place, place - 1):
                return
            self._swap(place, place - 1)

    def _break_patterns(self, a: int, b: int) -> None:
        """Scatter a few elements, by a generator that is seeded with the length: the same every time."""
        length = b - a
        random = length
        mask = (1 << length.bit_length()) - 1
        middle = a + (length // 4) * 2 - 1
        for i in range(3):
            random ^= (random << 13) & _UINT64
            random ^= random >> 7
            random ^= (random << 17) & _UINT64
            other = random & mask
            self._swap(middle - 1 + i, a + (other - length if other >= length else other))

    def _choose_pivot(self, a: int, b: int) -> tuple[int, _Hint]:
        length = b - a
        i, j, k = (a + length // 4 * quarter for quarter in (1, 2, 3))
        swaps = 0
        if length >= _SHORTEST_NINTHER:
            i, swaps = self._median(i - 1, i, i + 1, swaps)
            j, swaps = self._median(j - 1, j, j + 1, swaps)
            k, swaps = self._median(k - 1, k, k + 1, swaps)
        j, swaps = self._median(i, j, k, swaps)
        hints = {0: _Hint.INCREASING, _MAX_SWAPS: _Hint.DECREASING}
        return j, hints.get(swaps, _Hint.UNKNOWN)

    def _median(self, a: int, b: int, c: int, swaps: int) -> tuple[int, int]:
        if self._less(b, a):
            a, b, swaps = b, a, swaps + 1
        if self._less(c, b):
            b, c, swaps = c, b, swaps + 1
        if self._less(b, a):
            a, b, swaps = b, a, swaps + 1
        return b, swaps
