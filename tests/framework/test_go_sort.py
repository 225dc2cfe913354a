from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kexplain.framework.go_sort import MAX_INSERTION, go_sorted

KEYED = st.lists(st.integers(0, 5), max_size=300).map(lambda keys: list(zip(keys, range(len(keys)), strict=True)))


def by_key(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0]


@given(KEYED)
def test_it_sorts(items: list[tuple[int, int]]) -> None:
    done = go_sorted(items, by_key)
    assert sorted(done) == sorted(items)
    assert [key for key, _ in done] == sorted(key for key, _ in items)


@given(KEYED.filter(lambda items: len(items) <= MAX_INSERTION))
def test_few_items_keep_the_order_of_their_ties(items: list[tuple[int, int]]) -> None:
    assert go_sorted(items, by_key) == sorted(items, key=lambda item: item[0])


@given(st.lists(st.integers(), unique=True, max_size=300))
def test_without_ties_it_is_any_sort(items: list[int]) -> None:
    assert go_sorted(items, lambda one, other: one < other) == sorted(items)


@given(st.integers(0, MAX_INSERTION))
def test_where_the_first_always_wins_a_few_items_turn_around(count: int) -> None:
    assert go_sorted(range(count), lambda one, other: True) == list(reversed(range(count)))


def test_many_ties_do_not_keep_their_order() -> None:
    items = [(0 if index % 2 else 1, index) for index in range(40)]
    assert go_sorted(items, by_key) != sorted(items, key=lambda item: item[0])
