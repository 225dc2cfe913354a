"""Policies become profiles as Kubernetes 1.22 made them."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.config.policy.names import DEFAULT_PRIORITIES
from kexplain.config.policy.policy_scheduler import scheduler_of_policy
from kexplain.config.releases.release import POLICY_RELEASE, behaviour_of
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import UsageError
from kexplain.framework.profile import Profile
from kexplain.objects.core import AWSElasticBlockStore, Volume
from kexplain.objects.requests import DEFAULT_RULES
from tests.factories import cluster, node, pod


def profile_of(**fields: Any) -> Profile:
    scheduler = scheduler_of_policy({"kind": "Policy", "apiVersion": "v1", **fields})
    (profile,) = scheduler.profiles.values()
    return profile


def filters(profile: Profile) -> list[str]:
    return [plugin.name for plugin in profile.filter]


def preference(label: str, *, weight: int) -> dict[str, Any]:
    return {"name": label, "weight": weight, "argument": {"labelPreference": {"label": label, "presence": True}}}


def ebs_volume(name: str) -> Volume:
    return Volume(name=name, aws_elastic_block_store=AWSElasticBlockStore(volume_id=name))


def test_without_lists_there_are_the_defaults() -> None:
    profile = profile_of()
    assert "EBSLimits" in filters(profile)
    assert profile.weights["NodePreferAvoidPods"] == DEFAULT_PRIORITIES["NodePreferAvoidPodsPriority"]


def test_of_empty_lists_only_what_is_mandatory_is_left() -> None:
    profile = profile_of(predicates=[], priorities=[])
    assert filters(profile) == ["NodeUnschedulable", "TaintToleration"]
    assert profile.weights == {}


def test_predicates_run_in_an_order_of_their_own() -> None:
    profile = profile_of(predicates=[{"name": "MatchInterPodAffinity"}, {"name": "PodFitsPorts"}, {"name": "HostName"}])
    assert filters(profile) == ["NodeUnschedulable", "NodeName", "NodePorts", "TaintToleration", "InterPodAffinity"]


def test_label_preferences_weigh_once_each() -> None:
    assert profile_of(priorities=[preference("a", weight=3), preference("b", weight=3)]).weights == {"NodeLabel": 6}


def test_of_two_priorities_for_one_plugin_the_first_by_name_counts() -> None:
    spread = [{"name": "SelectorSpreadPriority", "weight": 9}, {"name": "EvenPodsSpreadPriority", "weight": 2}]
    assert profile_of(priorities=spread).weights == {"PodTopologySpread": 2}


def test_extenders_are_spelled_in_any_case() -> None:
    extender = {"URLPrefix": "http://x/", "filterverb": "filter", "httpTimeout": 250_000_000, "enableHttps": True}
    (made,) = scheduler_of_policy({"kind": "Policy", "apiVersion": "v1", "extenders": [extender]}).extenders
    assert (made.url_prefix, made.filter_verb, made.timeout_seconds, made.enable_https) == (
        "http://x/",
        "filter",
        0.25,
        True,
    )


def test_1_4_is_known_by_name() -> None:
    scheduler = build_scheduler(SchedulerSettings(policy="default-1.4"))
    (profile,) = scheduler.profiles.values()
    assert scheduler.release == "1.22"
    assert "CheckNodeMemoryPressure" in filters(profile)


def test_requests_count_as_they_did() -> None:
    assert build_scheduler(SchedulerSettings(policy="default-1.4")).rules == behaviour_of(POLICY_RELEASE).rules
    assert behaviour_of(POLICY_RELEASE).rules != DEFAULT_RULES


def test_what_a_policy_gives_its_plugins_is_listed() -> None:
    profile = profile_of(
        predicates=[{"name": "Racked", "argument": {"labelsPresence": {"labels": ["rack"], "presence": True}}}],
        priorities=[{"name": "InterPodAffinityPriority", "weight": 1}],
        hardPodAffinitySymmetricWeight=7,
    )
    assert profile.arguments == {
        "NodeLabel": {"presentLabels": ("rack",)},
        "InterPodAffinity": {"hardPodAffinityWeight": 7},
    }


@pytest.mark.parametrize(("max_volumes", "host"), [(None, "n1"), (5, "n1"), (4, "")])
def test_how_many_disks_a_node_takes_can_be_set(max_volumes: int | None, host: str) -> None:
    scheduler = build_scheduler(SchedulerSettings(policy="default-1.4", max_pd_volumes=max_volumes))
    volumes = [ebs_volume(f"v{index}") for index in range(5)]
    assert scheduler.schedule(pod(volumes=volumes), cluster([node("n1")])).host == host


def test_how_many_disks_a_node_takes_is_for_policies_only() -> None:
    with pytest.raises(UsageError, match="max_pd_volumes works only with policy"):
        build_scheduler(SchedulerSettings(max_pd_volumes=3))


@pytest.mark.parametrize("other", [{"config": "x"}, {"kubernetes_version": "1.30"}, {"feature_gates": {"A": True}}])
def test_a_policy_goes_with_nothing_else_that_says_how_to_decide(other: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        build_scheduler(SchedulerSettings(policy="default-1.4", **other))
