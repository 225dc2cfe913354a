from __future__ import annotations

from kexplain.framework.evidence import LeftOutByExtender
from tests.explain.objections.asking import cause, proposals, words


def test_nodes_that_an_extender_says_nothing_about() -> None:
    assert words(LeftOutByExtender()) == cause(LeftOutByExtender(), LeftOutByExtender()) == "left out without a reason"
    assert proposals(LeftOutByExtender()) == []
