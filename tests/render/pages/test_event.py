from __future__ import annotations

import pytest

from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.event import EventReport, explain_message

OLD, NEW = "1 node(s) had taint {x: y}, that the pod didn't tolerate", "1 node(s) had untolerated taint(s)"
TIMELESS = "1 Insufficient cpu"


@pytest.mark.parametrize(
    ("texts", "says", "says_not"),
    [
        ([TIMELESS], "releases before 1.32 do not count nodes", "No release"),
        ([TIMELESS, NEW], "The counts do not add up to 4 nodes", "before 1.32"),
        ([OLD, NEW], "taint {x: y}, that the pod didn't tolerate” until 1.23 and “node(s) had", "before 1.32"),
        ([OLD, TIMELESS], "releases before 1.32 do not count nodes", "No release"),
    ],
)
def test_releases_that_say_a_message_are_those_that_say_all_of_it(texts: list[str], says: str, says_not: str) -> None:
    found = explain_message(f"0/4 nodes are available: {', '.join(texts)}.")
    text = "\n".join(line.plain for line in render(EventReport(events=(found,)), View()).lines(UNLIMITED))
    assert says in text
    assert says_not not in text
