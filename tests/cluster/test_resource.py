from __future__ import annotations

import pytest

from kexplain.cluster import Resource
from kexplain.cluster.resource import is_extended_resource_name, is_scalar_resource_name
from kexplain.objects.meta import RawQuantity
from kexplain.objects.quantity import QuantityError


@pytest.mark.parametrize(
    ("name", "extended", "scalar"),
    [
        ("nvidia.com/gpu", True, True),
        ("example.com/a-b_c.d", True, True),
        ("kubernetes.io/batteries", False, True),
        ("sub.kubernetes.io/thing", False, True),
        ("hugepages-2Mi", False, True),
        ("attachable-volumes-aws-ebs", False, True),
        ("requests.example.com/gpu", False, False),
        ("gpu", False, False),
        ("cpu", False, False),
        ("memory", False, False),
        ("UPPER.com/gpu", False, False),
        ("example.com/", False, False),
        ("example.com/a/b", False, False),
    ],
)
def test_resource_names(name: str, extended: bool, scalar: bool) -> None:
    assert is_extended_resource_name(name) is extended
    assert is_scalar_resource_name(name) is scalar


@pytest.mark.parametrize(
    ("name", "raw", "amount"),
    [
        ("cpu", "1500m", 1500),
        ("cpu", "0.1m", 1),
        ("cpu", 2, 2000),
        ("memory", "1Ki", 1024),
        ("memory", "100m", 1),
        ("ephemeral-storage", "1M", 10**6),
        ("pods", "110", 110),
        ("nvidia.com/gpu", "2", 2),
        ("nvidia.com/gpu", "1.5", 2),
        ("hugepages-2Mi", "4Mi", 4 * 1024**2),
        ("unheard-of", "7", 0),
    ],
)
def test_amounts_are_rounded_up(name: str, raw: RawQuantity, amount: int) -> None:
    assert Resource.of_list({name: raw}).amount(name) == amount


def test_absent_list_is_nothing() -> None:
    assert not any(Resource.of_list(None).amounts().values())


def test_amount_that_is_none_is_an_error() -> None:
    with pytest.raises(QuantityError):
        Resource.of_list({"cpu": "plenty"})


def test_sums_go_both_ways() -> None:
    total = Resource.of_list({"cpu": "1", "pods": 5})
    other = Resource.of_list({"cpu": "2", "memory": "1Ki", "ephemeral-storage": "3", "a.b/c": "4", "pods": 7})
    total.add(other)
    assert total.amounts() == {"cpu": 3000, "memory": 1024, "ephemeral-storage": 3, "a.b/c": 4}
    assert total.allowed_pods == 5
    total.add(other, -1)
    assert total.amounts() == {"cpu": 1000, "memory": 0, "ephemeral-storage": 0, "a.b/c": 0}


def test_copy_is_independent() -> None:
    original = Resource.of_list({"cpu": "1", "a.b/c": "1", "pods": 3})
    copy = original.copy()
    copy.add(Resource.of_list({"cpu": "1", "a.b/c": "1"}))
    assert original.amount("cpu") == 1000
    assert original.amount("a.b/c") == 1
    assert copy.amount("pods") == 3
