from __future__ import annotations

from kexplain.scheduler.pod_copies import MOST_EVICTIONS, take_turns
from tests.factories import pod


def test_a_pod_that_comes_back_again_and_again_is_left_where_it_is() -> None:
    web, other = pod("web"), pod("other")
    assert not take_turns([web], [web] * (MOST_EVICTIONS - 1))
    assert take_turns([other, web], [web] * MOST_EVICTIONS)
    assert not take_turns([other], [web] * MOST_EVICTIONS)
    assert not take_turns([], [web] * MOST_EVICTIONS)
