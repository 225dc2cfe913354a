"""Recorded workloads end, and recorded queues settle, as they did with the real controllers and scheduler."""

from __future__ import annotations

import pytest

from tests.conformance.corpora import DEFAULT, Area, find
from tests.conformance.run import run
from tests.conformance.tally import Tally

AREAS = find([DEFAULT / name for name in ("workloads-v1.36", "changes-v1.36", "settled-v1.36", "capacity-v1.36")])


@pytest.mark.parametrize("area", AREAS, ids=lambda area: f"{area.corpus.name}-{area.name}")
def test_they_end_as_recorded(area: Area) -> None:
    tally = Tally()
    run(area, tally)
    assert tally.differences == []
    assert tally.failed == 0
    assert tally.passed > 0
