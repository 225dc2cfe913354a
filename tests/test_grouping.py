"""What has one key stands together, in the order in which it comes."""

from __future__ import annotations

from kexplain.grouping import counted, grouped


def test_keys_and_items_keep_their_order() -> None:
    found = grouped((len(word), word) for word in ("node", "pod", "taint", "zone", "pod"))
    assert [*found.items()] == [(4, ["node", "zone"]), (3, ["pod", "pod"]), (5, ["taint"])]
    assert grouped(()) == {}
    assert 7 not in found


def test_numbers_are_summed_up_by_key() -> None:
    found = counted([("cpu", 2), ("pods", 1), ("cpu", 3), ("memory", 0)])
    assert [*found.items()] == [("cpu", 5), ("pods", 1), ("memory", 0)]
    assert found["none"] == 0
