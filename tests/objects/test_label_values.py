"""What requirements leave of a label's values."""

from __future__ import annotations

import pytest

from kexplain.objects.core import NodeSelectorRequirement
from kexplain.objects.label_values import LabelValues, conflicts, narrowed


def values(text: str) -> LabelValues:
    """`key Operator value value`."""
    key, operator, *rest = text.split()
    return LabelValues.of(NodeSelectorRequirement(key=key, operator=operator, values=tuple(rest) or None))


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("k In a b", "k In b c", "k In [b]"),
        ("k In a", "k In b", "k DoesNotExist"),
        ("k In a b", "k NotIn a", "k In [b]"),
        ("k NotIn a", "k NotIn b", "k NotIn [a b]"),
        ("k Exists", "k In a", "k In [a]"),
        ("k Exists", "k DoesNotExist", "k DoesNotExist"),
        ("k Exists", "k NotIn a", "k NotIn [a]"),
        ("k Gt 1", "k In 1 2 a", "k In [2]"),
        ("k Gt 1", "k Lt 9", "k Exists >=2 <=8"),
        ("k Gt 9", "k Lt 1", "k DoesNotExist"),
        ("k Gte 2", "k Lte 2", "k Exists >=2 <=2"),
        ("k NotIn 2", "k Gt 1", "k NotIn [2] >=2"),
    ],
)
def test_both(one: str, other: str, both: str) -> None:
    assert str(values(one) & values(other)) == both
    assert str(values(other) & values(one)) == both


def test_many_values_are_cut_short() -> None:
    assert str(values("k In a b c d e f g")) == "k In [a b c d e and 2 others]"


@pytest.mark.parametrize(
    ("offered", "wanted", "clash"),
    [
        (["k In a b"], ["k In b"], []),
        (["k In a"], ["k In b"], ["k In [a]"]),
        ([], ["k In a"], ["None"]),
        ([], ["k Exists"], ["None"]),
        ([], ["k NotIn a"], []),
        ([], ["k DoesNotExist"], []),
        ([], ["cloud In a"], []),
        (["k In a"], ["k DoesNotExist"], ["k In [a]"]),
        (["k DoesNotExist"], ["k NotIn a"], []),
        (["topology.kubernetes.io/zone In a"], ["failure-domain.beta.kubernetes.io/zone In a"], []),
        (["k In a b", "k NotIn a"], ["k In a"], ["k In [b]"]),
    ],
)
def test_conflicts(offered: list[str], wanted: list[str], clash: list[str]) -> None:
    found = conflicts(narrowed(map(values, offered)), narrowed(map(values, wanted)), ["cloud"])
    assert [str(offer) for offer, _ in found] == clash
