"""Pods that run are compared under two schedulers as if each of these had decided alone, and from scratch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kexplain.api import Case, Scheduler, SchedulerSettings, build_scheduler
from kexplain.case import running_anew
from kexplain.case.case import running_pods
from kexplain.cluster import Cluster
from kexplain.explanation import ExplainOptions, PodExplanation, explain
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.scoring_strategy import ScoringStrategy
from kexplain.report.bearings import Bearings
from kexplain.report.decision_difference import compare_running, decision_difference
from kexplain.report.difference import PodDifference
from kexplain.scheduler.comparing import with_plugins_of
from tests.report.explained_difference import pod_difference, running_on
from tests.sampling import examples

from .strategies import clusters

RELEASES = ("1.22", "1.25", "1.28", "1.31", "1.34", "1.35", "1.36")


def of_release(release: str) -> Scheduler:
    return build_scheduler(SchedulerSettings(kubernetes_version=release))


def packing(scheduler: Scheduler) -> Scheduler:
    packs = NodeResourcesFit(scheduler.features, ScoringStrategy("MostAllocated"))
    profiles = {
        name: each.with_each(lambda plugin: packs if plugin.name == packs.name else plugin)
        for name, each in scheduler.profiles.items()
    }
    return replace(scheduler, profiles=profiles)


def weighing(scheduler: Scheduler, weights: Mapping[str, int]) -> Scheduler:
    profiles = {name: replace(each, weights={**each.weights, **weights}) for name, each in scheduler.profiles.items()}
    return replace(scheduler, profiles=profiles)


@st.composite
def schedulers(draw: st.DrawFn) -> Scheduler:
    """A scheduler of any release, which may pack nodes, weigh plugins otherwise, or lack one."""
    scheduler = of_release(draw(st.sampled_from(RELEASES)))
    if draw(st.booleans()):
        scheduler = packing(scheduler)
    plugins = [each.name for profile in scheduler.profiles.values() for each in profile.score]
    if draw(st.booleans()):
        scheduler = weighing(scheduler, {draw(st.sampled_from(plugins)): draw(st.integers(1, 100))})
    return scheduler


def from_scratch(made: Cluster, before: Scheduler, after: Scheduler) -> Iterator[PodDifference]:
    found = map(pod_difference, explained_anew(made, before), explained_anew(made, after))
    running = running_pods(Case(made, ()))
    return (running_on(each, pod.spec.node_name or "") for each, pod in zip(found, running, strict=True))


def explained_anew(made: Cluster, scheduler: Scheduler) -> Iterator[PodExplanation]:
    for alone in running_anew(Case(made.counted_by(scheduler.rules), ())):
        decision = scheduler.schedule(alone.pods[0].pod, alone.cluster.anew())
        yield explain(decision, ExplainOptions(seeks_help=False))


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(clusters(), schedulers(), schedulers())
def test_running_pods_compare_as_if_each_were_decided_from_scratch(
    made: Cluster, before: Scheduler, after: Scheduler
) -> None:
    expected = list(from_scratch(made, before, after))
    one = Case(made.counted_by(before.rules), (), scheduler=before)
    other = replace(one, scheduler=with_plugins_of(after, before), cluster=one.cluster.counted_by(after.rules))
    bearings = Bearings(before, after)
    assert [each.difference for each in compare_running(one, other, bearings)] == expected
    # Once more, with all that has been worked out by now.
    again = [each.difference for each in compare_running(other, one, bearings)]
    assert again == list(from_scratch(made, after, before))


@settings(max_examples=examples(60))
@given(clusters(), clusters(), schedulers())
def test_pods_compare_between_clusters_as_their_explanations_do(made: Cluster, other: Cluster, by: Scheduler) -> None:
    sides = made.counted_by(by.rules), other.counted_by(by.rules)
    for pod in islice(made.pods, 3):
        anew = replace(pod, spec=replace(pod.spec, node_name=None))
        decisions = [by.schedule(anew, side) for side in sides]
        explained = [explain(each, ExplainOptions(seeks_help=False)) for each in decisions]
        assert decision_difference(decisions[0], decisions[1]) == pod_difference(explained[0], explained[1])
