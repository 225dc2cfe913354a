"""What is on the page of a scheduler about the traits of its release."""

from __future__ import annotations

import pytest

from kexplain.render.pages import Sheet, document_of
from kexplain.render.view import View
from kexplain.report.listing import ListedTrait, SchedulerListing


@pytest.mark.parametrize(
    ("trait", "row"),
    [
        pytest.param(
            ListedTrait(name="one way", effect="What it does.", release="1.36", is_on=False),
            ("one way", "no", "1.36", "—", "What it does."),
            id="of-the-release",
        ),
        pytest.param(
            ListedTrait(name="Gangs", effect="It does.", release="1.35", is_on=True, gate="Gangs", maturity="beta"),
            ("Gangs", "yes", "1.35", "beta", "It does."),
            id="a-gate",
        ),
        pytest.param(
            ListedTrait(
                name="Old", effect="It did.", release="1.30", is_on=True, gate="Old", maturity="GA", is_locked=True,
                is_built=False,
            ),
            ("Old", "yes", "1.30", "GA, locked", "It did. Not simulated here."),
            id="a-gate-that-cannot-be-set",
        ),
    ],
)  # fmt: skip
def test_traits(trait: ListedTrait, row: tuple[str, ...]) -> None:
    listed = SchedulerListing(
        kubernetes_version="1.36", percentage_of_nodes_to_score=0, profiles=(), extenders=(), traits=(trait,)
    )
    parts = [part for each in document_of(listed, View(verbose=True)).pages for part in each.parts]
    (sheet,) = (part for part in parts if isinstance(part, Sheet))
    assert [*sheet.rows] == [row]
