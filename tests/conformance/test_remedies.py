"""A few recorded cases of each area; `python -m tests.conformance.remedies` checks them all."""

from __future__ import annotations

import pytest

from .corpora import Area
from .remedies import areas, cases

EACH = 2


@pytest.mark.parametrize("area", areas(), ids=lambda area: area.name)
def test_what_was_tried_helps_and_nothing_of_it_is_in_vain(area: Area) -> None:
    for case in cases(area, EACH):
        if case.objects:
            assert list(case.faults()) == []
