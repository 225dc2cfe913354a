from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.load import Loaded
from kexplain.objects.apps import StatefulSet
from kexplain.objects.batch import Job
from kexplain.objects.core import Node, Pod, PodStatus, ResourceQuota, ResourceQuotaSpec
from kexplain.objects.events import Event, Subject
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import HAS_SEVERAL_BUDGETS, VIOLATES_BUDGET, DrainOptions, Fate
from kexplain.world.draining import Drain, Leaver
from tests.factories import budget, cluster, controlled_by, node, pod, selector

DEFAULT = Scheduler({"default-scheduler": default_profile()})
EVICTION_IS_NO_FAILURE = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
WEB = controlled_by("ReplicaSet", "web")


def web(name: str, on: str, cpu: str = "1", *, priority: int | None = None, ready: bool = True) -> Pod:
    conditions = [Condition(type="Ready", status="True")] if ready else []
    labels = {"app": "web"}
    return pod(
        name, node=on, cpu=cpu, owner=WEB, labels=labels, phase="Running", priority=priority, conditions=conditions
    )


class Drained(NamedTuple):
    pods: list[Leaver]
    cluster: Cluster


def drained(
    pods: Sequence[Pod],
    *others: KubernetesObject,
    nodes: Sequence[Node] = (node("n1", cpu="8"), node("n2", cpu="2")),
    drains: Sequence[str] = ("n1",),
    options: DrainOptions = DrainOptions(),  # noqa: B008
) -> Drained:
    made: Cluster = cluster(nodes, pods, *others)
    builder = CaseBuilder(Contents(Loaded(), [*nodes, *pods, *others], DEFAULT))
    drain = Drain(builder, DEFAULT, made, options)
    return Drained(drain.step(drains), drain.cluster)


def told(result: Drained) -> list[tuple[str, Fate, str | None, int]]:
    return [
        (leaver.pod.name, leaver.fate, leaver.decision.host if leaver.decision else None, leaver.round)
        for leaver in result.pods
    ]


def test_pods_are_placed_anew_in_queue_order() -> None:
    result = drained([web("a", "n1"), web("b", "n1", priority=5), web("c", "n1", cpu="2")])
    assert told(result) == [("b", Fate.EVICTED, "n2", 1), ("a", Fate.EVICTED, "n2", 1), ("c", Fate.EVICTED, "", 1)]
    decision = result.pods[-1].decision
    assert decision is not None
    assert decision.message.startswith("0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.")
    assert [info.pod.name for info in result.cluster.node_info_by_name["n1"].pods] == []


def test_what_refuses_stays_and_the_others_leave() -> None:
    result = drained([pod("bare", node="n1", cpu="1"), web("a", "n1")])
    assert told(result) == [("bare", Fate.REFUSED, None, 1), ("a", Fate.EVICTED, "n2", 1)]
    assert [info.pod.name for info in result.cluster.node_info_by_name["n1"].pods] == ["bare"]


def test_nodes_are_cordoned_before_the_first_is_emptied() -> None:
    nodes = (node("n1", cpu="2"), node("n2", cpu="9"), node("n3", cpu="2"))
    result = drained([web("a", "n1"), web("b", "n2")], nodes=nodes, drains=("n1", "n2"))
    assert told(result) == [("a", Fate.EVICTED, "n3", 1), ("b", Fate.EVICTED, "n3", 1)]


ONE_MORE = selector({"app": "web"})


@pytest.mark.parametrize(
    ("budgets", "fates", "held_up"),
    [
        pytest.param(
            [budget("web", ONE_MORE, 0, healthy=2, desired=2)],
            [("a", Fate.BLOCKED, None, 1), ("b", Fate.BLOCKED, None, 1)],
            2,
            id="none left",
        ),
        pytest.param(
            [budget("web", ONE_MORE, 1, healthy=2, desired=1)],
            [("a", Fate.EVICTED, "n2", 1), ("b", Fate.EVICTED, "n2", 2)],
            1,
            id="one of two: the second goes once the first runs again",
        ),
        pytest.param(
            [budget("web", ONE_MORE, 2, healthy=2, desired=0)],
            [("a", Fate.EVICTED, "n2", 1), ("b", Fate.EVICTED, "n2", 1)],
            0,
            id="both",
        ),
        pytest.param(
            [budget("web", ONE_MORE, 0, namespace="other")],
            [("a", Fate.EVICTED, "n2", 1), ("b", Fate.EVICTED, "n2", 1)],
            0,
            id="of another namespace",
        ),
        pytest.param(
            [budget("web", ONE_MORE, 2), budget("all", selector(), 2)],
            [("a", Fate.BLOCKED, None, 1), ("b", Fate.BLOCKED, None, 1)],
            2,
            id="two budgets",
        ),
    ],
)
def test_budgets(
    budgets: list[PodDisruptionBudget], fates: list[tuple[str, Fate, str | None, int]], held_up: int
) -> None:
    result = drained([web("a", "n1"), web("b", "n1")], *budgets)
    assert told(result) == fates
    assert sum(bool(leaver.held_up_by) for leaver in result.pods) == held_up


@pytest.mark.parametrize(
    ("protecting", "fate"),
    [
        pytest.param(budget("web", ONE_MORE, 0), Fate.BLOCKED, id="guarded like others"),
        pytest.param(budget("web", ONE_MORE, 0, healthy=1, desired=1), Fate.EVICTED, id="enough others are ready"),
        pytest.param(budget("web", ONE_MORE, 0, healthy=0, desired=1), Fate.BLOCKED, id="too few others are"),
        pytest.param(budget("web", ONE_MORE, 0, unhealthy_go=True), Fate.EVICTED, id="may always go"),
    ],
)
def test_pods_that_are_not_ready(protecting: PodDisruptionBudget, fate: Fate) -> None:
    result = drained([web("a", "n1", ready=False)], protecting)
    assert [leaver.fate for leaver in result.pods] == [fate]


def test_words_of_a_budget() -> None:
    result = drained([web("a", "n1")], budget("web", ONE_MORE, 0, healthy=1, desired=2))
    needs = "The disruption budget web needs 2 healthy pods and has 1 currently"
    assert [leaver.reason for leaver in result.pods] == [f"{VIOLATES_BUDGET} {needs}"]
    result = drained([web("a", "n1")], budget("web", ONE_MORE), budget("too", ONE_MORE))
    assert [leaver.reason for leaver in result.pods] == [HAS_SEVERAL_BUDGETS]


def test_one_that_finds_no_place_gives_nothing_back() -> None:
    result = drained([web("a", "n1", cpu="4"), web("b", "n1")], budget("web", ONE_MORE, 1))
    assert told(result) == [("a", Fate.EVICTED, "", 1), ("b", Fate.BLOCKED, None, 2)]


def test_eviction_can_be_left_out() -> None:
    options = DrainOptions(disable_eviction=True)
    result = drained([web("a", "n1")], budget("web", ONE_MORE, 0), options=options)
    assert told(result) == [("a", Fate.EVICTED, "n2", 1)]


def test_whom_the_evicted_preempt_is_placed_anew_too() -> None:
    low = [web("low", "n2", priority=0), pod("bare", node="n2", cpu="1", priority=0)]
    nodes = (node("n1", cpu="8"), node("n2", cpu="2"), node("n3", cpu="1"))
    result = drained([web("a", "n1", cpu="2", priority=9), *low], nodes=nodes)
    assert sorted(told(result)) == [
        ("a", Fate.EVICTED, "n2", 1),
        ("bare", Fate.GONE, None, 1),
        ("low", Fate.PREEMPTED, "n3", 1),
    ]
    assert {leaver.reason for leaver in result.pods} == {"", "preempted by default/a"}


# ------------------------------------------------------------------------------------------- what controllers make


def _template(cpu: str = "1") -> dict[str, Any]:
    containers = [{"name": "c", "image": "c:1", "resources": {"requests": {"cpu": cpu}}}]
    return {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": containers}}


def stateful(replicas: int = 3, **spec: Any) -> StatefulSet:
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "db"}}, "template": _template(), **spec}
    return msgspec.convert({"metadata": {"name": "db", "namespace": "default", "uid": "db"}, "spec": spec}, StatefulSet)


def member(ordinal: int, on: str, cpu: str = "1", *, deleting: bool = False) -> Pod:
    ready = [Condition(type="Ready", status="True")]
    return pod(
        f"db-{ordinal}",
        node=on,
        cpu=cpu,
        owner=controlled_by("StatefulSet", "db"),
        labels={"app": "db"},
        phase="Running",
        conditions=ready,
        deleting=deleting,
    )


def quota(**hard: str | int | float) -> ResourceQuota:
    return ResourceQuota(metadata=ObjectMeta(name="team", namespace="default"), spec=ResourceQuotaSpec(hard=hard))


def test_of_an_ordered_set_one_waits_for_the_one_before() -> None:
    members = [member(2, "n1"), member(0, "n1", cpu="4"), member(1, "n2")]
    result = drained(members, stateful())
    assert sorted(told(result)) == [("db-0", Fate.EVICTED, "", 1), ("db-2", Fate.NOT_CREATED, None, 1)]
    assert [leaver.reason for leaver in result.pods if leaver.pod.name == "db-2"] == ["db-0 has to run first"]


def test_of_an_ordered_set_none_is_made_behind_one_that_is_not_ready() -> None:
    conditions = [Condition(type="Ready", status="False")]
    members = [member(0, "n2"), replace(member(1, "n2"), status=PodStatus(conditions=tuple(conditions)))]
    result = drained([*members, member(2, "n1")], stateful())
    assert told(result) == [("db-2", Fate.NOT_CREATED, None, 1)]
    assert result.pods[0].reason == "db-1 is not ready, and has to be first"


def test_of_a_parallel_set_nobody_waits() -> None:
    members = [member(2, "n1"), member(0, "n1", cpu="4"), member(1, "n2")]
    result = drained(members, stateful(podManagementPolicy="Parallel"))
    assert sorted(told(result)) == [("db-0", Fate.EVICTED, "", 1), ("db-2", Fate.EVICTED, "n2", 1)]


def test_a_quota_that_was_lowered_refuses_another() -> None:
    result = drained([member(0, "n1"), member(1, "n2")], stateful(2), quota(pods="1"))
    assert told(result) == [("db-0", Fate.NOT_CREATED, None, 1)]
    assert [leaver.reason for leaver in result.pods] == [
        "ResourceQuota team allows 1 of pods: 1 is used, and this asks for 1"
    ]


def test_a_quota_that_is_full_takes_back_what_comes_in_place() -> None:
    result = drained([member(0, "n1"), member(1, "n2")], stateful(2), quota(pods="2"))
    assert told(result) == [("db-0", Fate.EVICTED, "n2", 1)]


def test_what_a_controller_does_not_want_any_more_does_not_come_back() -> None:
    result = drained([member(1, "n1"), member(0, "n2")], stateful(1))
    assert told(result) == [("db-1", Fate.GONE, None, 1)]


@pytest.mark.parametrize(
    ("spec", "failed", "fate"),
    [
        ({"backoffLimit": 0}, 0, Fate.NOT_CREATED),
        ({"backoffLimit": 2}, 2, Fate.NOT_CREATED),
        ({"backoffLimit": 2}, 1, Fate.EVICTED),
        ({}, 0, Fate.EVICTED),
        ({"backoffLimit": 0, "podFailurePolicy": {"rules": [EVICTION_IS_NO_FAILURE]}}, 0, Fate.EVICTED),
    ],
    ids=["none-may", "as-many-as-may", "one-more-may", "six-by-default", "evictions-do-not-count"],
)
def test_a_job_fails_once_more_of_its_pods_have_than_may(spec: dict[str, Any], failed: int, fate: Fate) -> None:
    spec = {"parallelism": 2, "completions": 2, "template": _template(), **spec}
    metadata = {"name": "db", "namespace": "default", "uid": "db"}
    job = msgspec.convert({"metadata": metadata, "spec": spec, "status": {"failed": failed}}, Job)
    owner = controlled_by("Job", "db", api_version="batch/v1")
    pods = [pod(name, node=on, owner=owner, phase="Running") for name, on in (("db-x", "n1"), ("db-y", "n2"))]
    result = drained(pods, job)
    # With it, the others end, too.
    others = [("db-y", fate)] if fate is Fate.NOT_CREATED else []
    assert [(each.pod.name, each.fate) for each in result.pods] == [("db-x", fate), *others]
    left = [info.pod.name for info in result.cluster.node_info_by_name["n2"].pods]
    assert left == ([] if fate is Fate.NOT_CREATED else ["db-y", "db-x"])


def test_what_is_on_its_way_out_is_made_again_once_it_is_gone() -> None:
    result = drained([member(1, "n1", deleting=True), member(0, "n2")], stateful(2))
    assert told(result) == [("db-1", Fate.ENDED, "n2", 1)]


def test_what_webhooks_have_put_into_a_pod_is_in_the_next_one_too() -> None:
    result = drained([member(0, "n1", cpu="3"), member(1, "n2")], stateful(2))
    assert told(result) == [("db-0", Fate.EVICTED, "", 1)]


def test_a_pending_pod_counts_for_its_controller() -> None:
    nodes = (node("n1", cpu="8"), node("n2", cpu="8"))
    waits, leaves = member(1, ""), member(0, "n1")
    builder = CaseBuilder(Contents(Loaded(), [*nodes, waits, leaves, stateful(2)], DEFAULT))
    drain = Drain(builder, DEFAULT, cluster(nodes, [leaves]), pending=[waits])
    assert [(each.pod.name, each.decision and each.decision.host) for each in drain.step(["n1"])] == [("db-0", "n2")]
    assert [info.pod.name for info in drain.cluster.node_info_by_name["n2"].pods] == ["db-0"]


@pytest.mark.parametrize(("reason", "deleting", "fate"), [
    ("FailedKillPod", True, Fate.BLOCKED), ("FailedKillPod", False, Fate.EVICTED), ("Killing", True, Fate.ENDED),
])  # fmt: skip
def test_a_pod_that_its_kubelet_cannot_stop_is_in_the_way(reason: str, deleting: bool, fate: Fate) -> None:
    stuck = pod("a", node="n1", owner=WEB, deleting=deleting)
    said = Event(
        metadata=ObjectMeta(name="e", namespace="default"),
        reason=reason,
        message="no answer",
        involved_object=Subject(kind="Pod", namespace="default", name="a"),
    )
    (leaver,) = drained([stuck], said).pods
    assert leaver.fate is fate
    assert ("cannot stop it" in leaver.reason and "no answer" in leaver.reason) is (fate is Fate.BLOCKED)
