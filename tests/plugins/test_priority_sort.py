from __future__ import annotations

from kexplain.plugins.priority_sort import PrioritySort
from tests.factories import pod


def test_higher_priority_goes_first_then_arrival() -> None:
    queue = [pod("a"), pod("b", priority=5), pod("c", priority=-1), pod("d", priority=5), pod("e", priority=0)]
    assert [each.name for each in sorted(queue, key=PrioritySort().sort_key)] == ["b", "d", "a", "e", "c"]
