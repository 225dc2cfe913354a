from __future__ import annotations

from functools import reduce
from typing import Any

import pytest

from kexplain.bounds import MAX_DEPTH, MAX_WORD, Budget, is_too_deep
from kexplain.errors import TooMuchError
from kexplain.words import did_you_mean, slip_of


def nested(levels: int, *, within: object = 1) -> Any:
    return reduce(lambda value, level: {"a": value} if level % 2 else [value], range(levels), within)


@pytest.mark.parametrize("value", [1, [], {}, nested(MAX_DEPTH), [nested(MAX_DEPTH - 1), 1]])
def test_what_is_not_too_deep(value: object) -> None:
    assert not is_too_deep(value)


@pytest.mark.parametrize("value", [nested(MAX_DEPTH + 1), [1, nested(MAX_DEPTH)], nested(5000)])
def test_what_is_too_deep(value: object) -> None:
    assert is_too_deep(value)


def test_a_budget_that_is_spent_stays_spent() -> None:
    budget = Budget(10, "values")
    budget.spend(10)
    for count in (1, 0, 5):
        with pytest.raises(TooMuchError, match="comes to more than 10 values"):
            budget.spend(count)


def test_nobody_meant_a_word_of_any_length() -> None:
    known = ["replicas"] * 2
    assert (did_you_mean("replica", known), slip_of("replica", known[:1])) == ("did you mean replicas?", "replicas")
    endless = "replicas" + "s" * MAX_WORD * 1000
    assert (did_you_mean(endless, known), slip_of(endless, known)) == ("", "")
