from __future__ import annotations

from msgspec.structs import replace

from kexplain.queues.untried import is_untried
from kexplain.scheduler.pod_copies import MOST_EVICTIONS, anew, take_turns
from tests.factories import pod


def test_a_pod_that_comes_back_again_and_again_is_left_where_it_is() -> None:
    web, other = pod("web"), pod("other")
    assert not take_turns([web], [web] * (MOST_EVICTIONS - 1))
    assert take_turns([other, web], [web] * MOST_EVICTIONS)
    assert not take_turns([other], [web] * MOST_EVICTIONS)
    assert not take_turns([], [web] * MOST_EVICTIONS)


def test_a_pod_that_is_made_again_has_no_past() -> None:
    old = pod("a", node="n1")
    old = replace(old, metadata=replace(old.metadata, uid="a", creation_timestamp="2026-01-01T00:00:00Z"))
    again = anew(old)
    assert (again.metadata.creation_timestamp, again.spec.node_name, again.metadata.uid) == (None, None, "a")
    assert not is_untried(again, [])
