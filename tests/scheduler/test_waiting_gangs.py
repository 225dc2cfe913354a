from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, SchedulerSettings, build_scheduler, explain
from kexplain.cluster import Cluster
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod, WorkloadReference
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.scheduling import (
    GangSchedulingPolicy,
    PodGroupSchedulingPolicy,
    Workload,
    WorkloadPodGroup,
    WorkloadSpec,
)
from kexplain.scheduler.simulate import simulate
from tests.factories import cluster, node, pod

GATES = {"GenericWorkload": True, "GangScheduling": True}
SCHEDULER = build_scheduler(SchedulerSettings(kubernetes_version="1.35", feature_gates=GATES))
TIMED_OUT = "0/1 nodes are available: 1 rejected due to timeout after waiting 5m0s at plugin GangScheduling."
FULL = (
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: "
    "1 No preemption victims found for incoming pod."
)
TOO_LARGE = FULL.replace("No preemption victims found for incoming pod", "Preemption is not helpful for scheduling")
TOO_FEW = "waiting for minCount pods from a gang to appear in scheduling queue"


def workload(*groups: tuple[str, int]) -> Workload:
    """Its groups, with how many pods each needs at once; 0 for one that is no gang."""
    made = (
        WorkloadPodGroup(
            name=name, policy=PodGroupSchedulingPolicy(gang=GangSchedulingPolicy(min_count=needs) if needs else None)
        )
        for name, needs in groups
    )
    return Workload(metadata=ObjectMeta(name="w", namespace="default"), spec=WorkloadSpec(pod_groups=tuple(made)))


def member(name: str, cpu: str = "2", group: str = "g", *, on: str = "") -> Pod:
    made = pod(name, cpu=cpu, node=on or None)
    return replace(made, spec=replace(made.spec, workload_ref=WorkloadReference(name="w", pod_group=group)))


def around(*there: Pod, needs: int = 2) -> Cluster:
    return cluster([node("n1", cpu="4")], there, workload(("g", needs), ("basic", 0)))


@pytest.mark.parametrize(
    ("made", "asked", "told"),
    [
        pytest.param(around(), [member("a"), member("b")], ["n1", "n1"], id="both-have-a-node"),
        pytest.param(
            around(needs=3), [member("a"), member("b"), member("c")], [TIMED_OUT, TIMED_OUT, FULL], id="one-has-none",
        ),
        pytest.param(around(), [member("a"), member("b"), member("c")], ["n1", "n1", FULL], id="more-than-are-needed"),
        pytest.param(around(member("x", on="n1")), [member("a"), member("b")], ["n1", FULL], id="one-runs-already"),
        pytest.param(around(), [member("a"), member("b", cpu="9")], [TIMED_OUT, TOO_LARGE], id="the-other-fits-not"),
        pytest.param(
            around(), [member("a", group="basic"), member("b", "9", "basic")], ["n1", TOO_LARGE],
            id="no-gang",
        ),
        pytest.param(around(), [member("a")], [TOO_FEW], id="too-few-exist"),
        pytest.param(around(), [member("a"), member("b"), pod("c", cpu="2")], ["n1", "n1", FULL], id="a-pod-of-none"),
        pytest.param(
            around(), [member("a"), member("b", cpu="9"), pod("c", cpu="3")],
            [TIMED_OUT, TOO_LARGE, FULL], id="what-waits-takes-its-room",
        ),
    ],
)  # fmt: skip
def test_pods_wait_for_each_other_on_their_nodes(made: Cluster, asked: Sequence[Pod], told: list[str]) -> None:
    assert [each.host or each.message for each in simulate(SCHEDULER, made, asked)] == told


def test_those_are_tried_too_that_only_the_cluster_knows() -> None:
    made = around(member("b", cpu="9"), member("c", cpu="1"), needs=3)
    (decision,) = simulate(SCHEDULER, made, [member("a")])
    assert (decision.message, decision.outcome) == (TIMED_OUT, Outcome.UNSCHEDULABLE)
    assert decision.group is not None
    assert [(each.pod.name, each.node_name) for each in decision.group.members] == [("a", "n1"), ("b", ""), ("c", "n1")]


def test_the_sentence_says_who_keeps_the_gang_from_running() -> None:
    case = Case(around(), tuple(PodToPlace(each) for each in (member("a"), member("b", "9"))), scheduler=SCHEDULER)
    report = explain(case)
    said = report.pods[0].diagnosis
    assert said is not None
    assert said.text == "it fits, but its group default/w/g cannot run: 1 pod of it fits nowhere"
