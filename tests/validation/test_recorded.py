"""Every recorded manifest and pod is taken, or refused for the same fields, as the API server did."""

from __future__ import annotations

import pytest

from tests.conformance.corpora import DEFAULT, Area, find
from tests.conformance.run import run
from tests.conformance.tally import Tally

AREAS = find([DEFAULT / "kinds-v1.36", DEFAULT / "admission-v1.36"])


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_manifests_are_judged_as_recorded(area: Area) -> None:
    tally = Tally()
    run(area, tally)
    assert tally.differences == []
    assert tally.failed == 0
    assert tally.passed > 100
