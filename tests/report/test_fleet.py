"""Which of several clusters comes first."""

from __future__ import annotations

import random

import pytest

from kexplain.report.fleet import FleetMember, ranked

#: The first is the one to choose.
IN_ORDER = [
    FleetMember(cluster="roomy", pods=2, fitting=2, room=9),
    FleetMember(cluster="narrow", pods=1, fitting=1, room=2),
    FleetMember(cluster="a-unknown", pods=2, fitting=2),
    FleetMember(cluster="b-unknown", pods=2, fitting=2),
    FleetMember(cluster="most", pods=3, fitting=2),
    FleetMember(cluster="half", pods=2, fitting=1),
    FleetMember(cluster="none", pods=2, fitting=0),
    FleetMember(cluster="nothing-asked"),
    FleetMember(cluster="down", error="no route to host"),
]


@pytest.mark.parametrize("seed", range(3))
def test_the_first_is_the_one_to_choose(seed: int) -> None:
    shuffled = random.Random(seed).sample(IN_ORDER, len(IN_ORDER))  # noqa: S311 (the same ones again)
    assert [*ranked(shuffled).clusters] == IN_ORDER


def test_where_all_fit() -> None:
    assert [each.cluster for each in IN_ORDER if each.fits] == ["roomy", "narrow", "a-unknown", "b-unknown"]
