from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.features import Features
from kexplain.framework.filtering import Trial
from kexplain.framework.plugin import PreFiltered, Skip
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.framework.status import Code, Status
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod
from kexplain.plugins.inter_pod_affinity import AffinityFilterState, InterPodAffinity
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.spread_counts import SpreadFilterState
from kexplain.scheduler.cycle import Scheduler
from tests.sampling import examples

from .strategies import clusters, pods

pytestmark = pytest.mark.slow

PROFILE = default_profile()
SCHEDULER = Scheduler({"default-scheduler": PROFILE}, traces_everything=True)
FIT = NodeResourcesFit(Features())
SPREAD = PodTopologySpread(Features())
AFFINITY = InterPodAffinity()


def verdict(status: Status | None) -> tuple[object, ...] | None:
    """What a Status says, its evidence aside: among equals another domain may have the lowest count."""
    return (status.plugin, status.code, status.reasons) if status else None


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_removing_a_pod_never_worsens_resource_fit(made: Cluster, incoming: Pod) -> None:
    answer = FIT.pre_filter(incoming, made)
    assert isinstance(answer, PreFiltered)
    state = answer.state
    for info in made.node_infos:
        before = FIT.filter(incoming, state, info)
        for pod_info in list(info.pods):
            copy = info.copy()
            copy.remove_pod(pod_info)
            after = FIT.filter(incoming, state, copy)
            if after is not None:
                assert before is not None
                assert set(after.reasons) <= set(before.reasons)
                assert before.code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE or after.code is Code.UNSCHEDULABLE


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_removing_and_adding_a_pod_changes_no_verdict(made: Cluster, incoming: Pod) -> None:
    chain = run_pre_filters(PROFILE, incoming, made).chain
    for info in made.node_infos:
        trial = Trial(chain, info, made)
        before = verdict(trial.rejection())
        for pod_info in list(info.pods):
            trial.remove_pod(pod_info, info.name)
            trial.add_pod(pod_info, info.name)
            assert verdict(trial.rejection()) == before
        assert trial.node_info.requested.amounts() == info.requested.amounts()
        assert verdict(chain.first_rejection(info)) == before


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_decisions_are_consistent(made: Cluster, incoming: Pod) -> None:
    decision = SCHEDULER.schedule(incoming, made)
    assert (decision.outcome is Outcome.SCHEDULED) is bool(decision.feasible)
    assert not set(decision.feasible) & set(decision.statuses.by_node)
    assert not set(decision.feasible) & set(decision.matrix)
    assert decision.host == (decision.best[0] if decision.best else "")
    assert set(decision.best) <= set(decision.feasible)
    if not any(isinstance(answer, Status) for answer in decision.pre_filter.values()):
        assert len(decision.feasible) + len(decision.statuses.by_node) == decision.sampling.evaluated


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_matrix_agrees_with_the_first_rejection(made: Cluster, incoming: Pod) -> None:
    """Nobody is nominated here, so that the matrix sees what the scheduler saw."""
    decision = SCHEDULER.schedule(incoming, made)
    order = [plugin.name for plugin in PROFILE.filter]
    for name, status in decision.statuses.by_node.items():
        objections = decision.matrix[name]
        assert list(objections) == sorted(objections, key=order.index)
        assert next(iter(objections.values())) == status
        assert status.plugin == next(iter(objections))
    for name, objections in decision.matrix.items():
        assert name in decision.statuses.by_node or decision.statuses.absent.plugin or not objections


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_scores_stay_between_0_and_100(made: Cluster, incoming: Pod) -> None:
    decision = SCHEDULER.schedule(incoming, made)
    for node_score in decision.scores:
        for name, score in node_score.by_plugin.items():
            assert 0 <= score.normalized <= 100
            assert score.weighted == score.normalized * decision.weights[name]
        assert node_score.total == sum(score.weighted for score in node_score.by_plugin.values())
    if decision.scores:
        highest = max(score.total for score in decision.scores)
        assert decision.best == tuple(score.node_name for score in decision.scores if score.total == highest)


@settings(max_examples=examples(40))
@given(clusters(), pods("incoming"))
def test_preemption_clears_the_way(made: Cluster, incoming: Pod) -> None:
    """On each candidate the pod fits once its victims are gone, and does not while any of them is left."""
    preemption = SCHEDULER.schedule(incoming, made).preemption
    for candidate in preemption.candidates if preemption else ():
        cleared = made.without(candidate.victims)
        info = cleared.node_info_by_name[candidate.node_name]
        assert all(victim.priority < incoming.priority for victim in candidate.victims)
        if not any(pod_info.pod.metadata.deletion_timestamp for node in made.node_infos for pod_info in node.pods):
            assert run_pre_filters(PROFILE, incoming, cleared).chain.first_rejection(info) is None


# ------------------------------------------------------------------------------- state, updated and worked out anew


def counts(state: SpreadFilterState) -> list[tuple[dict[str, int], int]]:
    return [(domains.count_by_domain, domains.lowest[0]) for domains in state.counts]


def affinity_counts(answer: PreFiltered[AffinityFilterState] | Skip | Status) -> tuple[object, ...]:
    """The counters; a PreFilter that skips would have counted nobody."""
    assert not isinstance(answer, Status)
    if isinstance(answer, Skip):
        return ({}, {}, {})
    return (answer.state.existing_anti, answer.state.affinity, answer.state.anti)


@settings(max_examples=examples(40))
@given(clusters(deleting=False), pods("incoming"))
def test_removed_pods_leave_the_state_as_if_they_had_never_been(made: Cluster, incoming: Pod) -> None:
    spread, affinity = SPREAD.pre_filter(incoming, made), AFFINITY.pre_filter(incoming, made)
    for info in made.node_infos:
        for pod_info in info.pods:
            without = made.without([pod_info.pod])
            if isinstance(spread, PreFiltered):
                state = SPREAD.clone(spread.state)
                SPREAD.count_pod(incoming, state, pod_info, info, -1)
                anew = SPREAD.pre_filter(incoming, without)
                assert isinstance(anew, PreFiltered)
                assert counts(state) == counts(anew.state)
            if isinstance(affinity, PreFiltered):
                cloned = AFFINITY.clone(affinity.state)
                AFFINITY.count_pod(incoming, cloned, pod_info, info, -1)
                assert affinity_counts(PreFiltered(cloned)) == affinity_counts(AFFINITY.pre_filter(incoming, without))


@settings(max_examples=examples(40))
@given(clusters(deleting=False), pods("incoming"), pods("added", deleting=False), st.data())
def test_added_pods_leave_the_state_as_if_they_had_always_been(
    made: Cluster, incoming: Pod, added: Pod, data: st.DataObject
) -> None:
    info = data.draw(st.sampled_from(made.node_infos))
    assumed = made.assume(added, info.name)
    spread, affinity = SPREAD.pre_filter(incoming, made), AFFINITY.pre_filter(incoming, made)
    if isinstance(spread, PreFiltered):
        state = SPREAD.clone(spread.state)
        SPREAD.count_pod(incoming, state, made.pod_info(added), info, 1)
        anew = SPREAD.pre_filter(incoming, assumed)
        assert isinstance(anew, PreFiltered)
        assert counts(state) == counts(anew.state)
    if isinstance(affinity, PreFiltered):
        cloned = AFFINITY.clone(affinity.state)
        AFFINITY.count_pod(incoming, cloned, made.pod_info(added), info, 1)
        assert affinity_counts(PreFiltered(cloned)) == affinity_counts(AFFINITY.pre_filter(incoming, assumed))
