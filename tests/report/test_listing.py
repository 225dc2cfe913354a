from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.config.component.default_profile import default_profile
from kexplain.config.component.plugin_sets import PluginRef, PluginSet, build_profile
from kexplain.config.releases.release import traits
from kexplain.framework.extender import ExtenderConfig, ManagedResource
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.plugins.out_of_tree import OutOfTreePlugin
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.report.listing import ListedExtender, ListedPlugin, ListedProfile, SchedulerListing, listing
from kexplain.scheduler.cycle import Scheduler


def listed(*, percentage: int | None = None) -> SchedulerListing:
    profile = replace(default_profile(scheduler_name="a"), percentage_of_nodes_to_score=percentage)
    return listing(Scheduler({"a": profile}))


def plugins_at(profile: ListedProfile, point: str) -> tuple[ListedPlugin, ...]:
    return next(each.plugins for each in profile.points if each.extension_point == point)


def test_points_come_in_the_order_of_a_cycle_and_only_where_something_runs() -> None:
    (profile,) = listed().profiles
    assert [each.extension_point for each in profile.points] == [
        "preEnqueue", "queueSort", "preFilter", "filter", "postFilter", "preScore", "score",
        "reserve", "preBind", "bind", "placementScore",
    ]  # fmt: skip


def test_only_scores_weigh() -> None:
    (profile,) = listed().profiles
    assert plugins_at(profile, "filter")[2] == ListedPlugin(name="TaintToleration")
    assert plugins_at(profile, "score")[0] == ListedPlugin(name="TaintToleration", weight=3)
    assert plugins_at(profile, "placementScore") == (ListedPlugin(name="NodeResourcesFit", weight=1),)


def test_a_percentage_of_its_own() -> None:
    assert [listed(percentage=share).profiles[0].percentage_of_nodes_to_score for share in (None, 0, 7)] == [None, 0, 7]


def test_plugins_that_are_not_evaluated() -> None:
    names = ("PrioritySort", "DefaultBinder", "Coscheduling")

    def make(name: str) -> Plugin:
        return IN_TREE_PLUGINS[name](Features()) if name in IN_TREE_PLUGINS else OutOfTreePlugin(name, ("filter",))

    sets = {
        "multiPoint": PluginSet(tuple(PluginRef(name) for name in names[:2])),
        "filter": PluginSet((PluginRef(names[2]),)),
    }
    elsewhere = {"multiPoint": PluginSet(tuple(map(PluginRef, names)))}
    (profile,) = listing(Scheduler({"a": build_profile(sets, make, scheduler_name="a")})).profiles
    assert plugins_at(profile, "filter") == (ListedPlugin(name="Coscheduling", evaluated=False),)
    (profile,) = listing(Scheduler({"a": build_profile(elsewhere, make, scheduler_name="a")})).profiles
    assert plugins_at(profile, "multiPoint") == (ListedPlugin(name="Coscheduling", evaluated=False),)


def test_extenders() -> None:
    config = ExtenderConfig(
        url_prefix="https://one",
        filter_verb="filter",
        bind_verb="bind",
        weight=3,
        managed_resources=(ManagedResource(name="example.com/foo"),),
    )
    scheduler = replace(Scheduler({"a": default_profile(scheduler_name="a")}), extenders=(config,))
    assert listing(scheduler).extenders == (
        ListedExtender(url="https://one", verbs=("filter", "bind"), weight=3, managed_resources=("example.com/foo",)),
    )


def test_traits_are_named_in_words() -> None:
    names = [each.name for each in listing(build_scheduler(SchedulerSettings()), traits("1.36", {})).traits]
    assert names
    assert not any("_" in name for name in names)
    assert any(" " in name for name in names)


def test_arguments_are_what_is_given_and_the_defaults_of_the_rest() -> None:
    strategy = {"scoringStrategy": {"type": "MostAllocated"}}
    profile = replace(default_profile(), arguments={"NodeResourcesFit": strategy, "Other": {"mine": 1}})
    arguments = listing(Scheduler({"a": profile})).profiles[0].arguments
    both = ({"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1})
    assert arguments["NodeResourcesFit"] == {"scoringStrategy": {"type": "MostAllocated", "resources": both}}
    assert arguments["DefaultPreemption"] == {"minCandidateNodesPercentage": 10, "minCandidateNodesAbsolute": 100}
    assert arguments["PodTopologySpread"] == {"defaultingType": "System"}
    assert arguments["Other"] == {"mine": 1}
    assert "NodeAffinity" not in arguments


def test_how_a_plugin_scores_counts_only_where_it_does() -> None:
    (profile,) = listing(build_scheduler(SchedulerSettings(policy="default-1.4"))).profiles
    assert "NodeResourcesFit" not in profile.arguments
    assert profile.arguments["InterPodAffinity"]["hardPodAffinityWeight"] == 1


@pytest.mark.parametrize(
    ("release", "gates", "devices", "shape"),
    [
        ("1.33", {}, {}, None),
        ("1.34", {"DRADeviceBindingConditions": True}, {"filterTimeout": "10s"}, None),
        ("1.34", {"DRASchedulerFilterTimeout": False}, {}, None),
        ("1.35", {}, {"filterTimeout": "10s"}, None),
        ("1.35", {"DRADeviceBindingConditions": True}, {"filterTimeout": "10s", "bindingTimeout": "10m0s"}, None),
        ("1.36", {}, {"filterTimeout": "10s", "bindingTimeout": "10m0s"}, None),
        ("1.32", {"VolumeCapacityPriority": True}, {}, [(0, 0), (100, 10)]),
        (
            "1.36",
            {"StorageCapacityScoring": True},
            {"filterTimeout": "10s", "bindingTimeout": "10m0s"},
            [(0, 10), (100, 0)],
        ),
    ],
)
def test_some_defaults_are_behind_gates(
    release: str, gates: dict[str, bool], devices: dict[str, str], shape: list[tuple[int, int]] | None
) -> None:
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=release, feature_gates=gates))
    arguments = listing(scheduler).profiles[0].arguments
    assert arguments.get("DynamicResources", {}) == devices
    assert arguments["VolumeBinding"]["bindTimeoutSeconds"] == 600
    points = [(each["utilization"], each["score"]) for each in arguments["VolumeBinding"].get("shape", ())]
    assert points == (shape or [])
