from __future__ import annotations

import pytest

from kexplain.framework.plugin import SKIP, normalize_to_maximum
from kexplain.framework.postfilter import PostFiltered
from kexplain.plugins.scheduling_gates import SchedulingGates

from .stubs import Both, Filters, PostFilters, PreFilters, PreScores, Scores, profile, profile_of


def test_plugins_run_wherever_they_implement_something() -> None:
    both, scores, prepared = Both("B", SKIP), Scores("S", {}), PreScores("P", {})
    made = profile(SchedulingGates(), PreFilters("A", SKIP), both, Filters("F"), scores, prepared)
    assert [plugin.name for plugin in made.pre_enqueue] == ["SchedulingGates"]
    assert [plugin.name for plugin in made.pre_filter] == ["A", "B"]
    assert [plugin.name for plugin in made.filter] == ["B", "F"]
    assert made.post_filter == ()
    assert made.pre_score == (prepared,)
    assert made.score == (scores, prepared)
    assert made.queue_sort.name == "PrioritySort"
    assert made.not_evaluated == ()


def test_weights_are_those_of_scoring_plugins_and_default_to_one() -> None:
    made = profile(Scores("S", {}), Scores("T", {}), Filters("F"), weights={"T": 7, "F": 3, "Z": 9})
    assert made.weights == {"S": 1, "T": 7}


def test_queue_sort_is_needed() -> None:
    with pytest.raises(IndexError):
        profile_of([Filters("F")])


def test_post_filters() -> None:
    assert [plugin.name for plugin in profile(PostFilters("P", PostFiltered(None))).post_filter] == ["P"]


def test_skip_reads_as_such() -> None:
    assert repr(SKIP) == "SKIP"


@pytest.mark.parametrize(
    ("scores", "shares", "reversed_"),
    [
        pytest.param({}, {}, {}, id="no-nodes"),
        pytest.param({"a": 0, "b": 0}, {"a": 0, "b": 0}, {"a": 100, "b": 100}, id="all-zero"),
        pytest.param({"a": 1, "b": 2}, {"a": 50, "b": 100}, {"a": 50, "b": 0}, id="shares"),
        pytest.param({"a": 1, "b": 3, "c": 0}, {"a": 33, "b": 100, "c": 0}, {"a": 67, "b": 0, "c": 100}, id="cut-off"),
    ],
)
def test_normalize_to_maximum(scores: dict[str, int], shares: dict[str, int], reversed_: dict[str, int]) -> None:
    assert normalize_to_maximum(scores) == shares
    assert normalize_to_maximum(scores, reverse=True) == reversed_
