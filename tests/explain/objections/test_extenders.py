from __future__ import annotations

from kexplain.explain.objections.extenders import LeftOutFact
from tests.explain.objections.asking import cause, proposals, words


def test_nodes_that_an_extender_says_nothing_about() -> None:
    assert words(LeftOutFact()) == cause(LeftOutFact(), LeftOutFact()) == "left out without a reason"
    assert proposals(LeftOutFact()) == []
