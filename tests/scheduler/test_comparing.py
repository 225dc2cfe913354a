from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Scheduler, SchedulerSettings, build_scheduler
from kexplain.framework.answer_cache import AnswerCache
from kexplain.framework.plugin import SKIP
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.scoring_strategy import ScoringStrategy
from kexplain.scheduler.comparing import with_plugins_of
from tests.factories import cluster, node, pod
from tests.framework.stubs import Filters, NodeByNodeScores, PreFilters, profile

PLAIN = build_scheduler(SchedulerSettings(kubernetes_version="1.36"))


def in_common(scheduler: Scheduler, other: Scheduler) -> set[str]:
    """The names of the very plugins that both have."""
    theirs = {id(plugin) for profile in other.profiles.values() for plugin in profile.plugins}
    return {each.name for profile in scheduler.profiles.values() for each in profile.plugins if id(each) in theirs}


@pytest.mark.parametrize(
    ("settings", "cache", "own"),
    [
        pytest.param(SchedulerSettings(), {"NodeResourcesFit", "PodTopologySpread", "ImageLocality"}, set(), id="same"),
        pytest.param(
            SchedulerSettings(kubernetes_version="1.34"), {"NodePorts", "VolumeZone"}, {"ImageLocality"}, id="release"
        ),
    ],
)
def test_plugins_that_are_made_of_the_same_are_shared(
    settings: SchedulerSettings, cache: set[str], own: set[str]
) -> None:
    built = build_scheduler(settings)
    assert in_common(built, PLAIN) == set()
    found = in_common(with_plugins_of(built, PLAIN), PLAIN)
    assert (cache - found, own & found) == (set(), set())


def test_a_plugin_that_scores_otherwise_still_filters_the_same() -> None:
    profile = PLAIN.profiles["default-scheduler"]
    packs = NodeResourcesFit(PLAIN.features, ScoringStrategy("MostAllocated"))
    packing = profile.with_each(lambda plugin: packs if plugin.name == packs.name else plugin)
    found = with_plugins_of(replace(PLAIN, profiles={"default-scheduler": packing}), PLAIN).profiles[
        "default-scheduler"
    ]
    assert (found.filter, found.pre_filter) == (profile.filter, profile.pre_filter)
    assert (packs in found.score, packs in found.pre_score, packs in found.filter) == (True, True, False)


def test_what_both_have_is_asked_once_for_both() -> None:
    """The second scheduler has a filter more, which changes nothing about which nodes fit."""
    prepares, filters, scores = PreFilters("P", SKIP), Filters("F"), NodeByNodeScores("S", {"n1": 1, "n2": 2}, key=None)
    one = Scheduler({"default-scheduler": profile(prepares, filters, scores)})
    other = Scheduler({"default-scheduler": profile(prepares, filters, scores, Filters("G"), weights={"S": 3})})
    cache, made = AnswerCache(), cluster([node("n1"), node("n2")])
    decisions = [scheduler.schedule(pod(), made, cache=cache) for scheduler in (one, one, other)]
    assert [each.scores.total_by_node for each in decisions] == [{"n1": 1, "n2": 2}] * 2 + [{"n1": 3, "n2": 6}]
    assert (prepares.calls, scores.calls) == (["P"], ["n1", "n2"])
    assert filters.calls == ["F:n1", "F:n2"] * 2


def test_a_plugin_that_another_scheduler_weighs_otherwise_counts_as_it_does_there() -> None:
    """TaintToleration looks at single nodes, and what it says is normalized."""
    by_default = PLAIN.profiles["default-scheduler"]
    weighing = replace(by_default, weights={**by_default.weights, "TaintToleration": 1})
    cache, made = AnswerCache(), cluster([node("n1"), node("n2")])
    one, other = (
        replace(PLAIN, profiles={"default-scheduler": each}).schedule(pod(), made, cache=cache).scores.total_by_node
        for each in (by_default, weighing)
    )
    assert one["n1"] - other["n1"] == 100 * (by_default.weights["TaintToleration"] - 1)
