"""A few recorded cases of each area; `python -m tests.conformance --all` checks them all."""

from __future__ import annotations

from functools import cache

import pytest

from .corpora import Area
from .remedies import ENOUGH, Case, areas, cases

pytestmark = pytest.mark.slow

EACH = 2


@cache
def sample(area: Area) -> tuple[Case, ...]:
    return tuple(cases(area, EACH))


@pytest.mark.parametrize("area", areas(), ids=lambda area: area.name)
def test_what_was_tried_helps_and_nothing_of_it_is_in_vain(area: Area) -> None:
    assert [fault for case in sample(area) for fault in case.faults()] == []


def test_something_was_tried_for_nearly_all() -> None:
    every = [case for area in areas() for case in sample(area)]
    assert sum(any(remedy.tried for remedy in case.remedies) for case in every) >= ENOUGH * len(every)
