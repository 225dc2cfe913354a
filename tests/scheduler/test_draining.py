from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.objects.apps import DaemonSet, DaemonSetMeta
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Condition, KubernetesObject
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import (
    DAEMON_SET_STAYS,
    HAS_SEVERAL_BUDGETS,
    MIRROR_STAYS,
    VIOLATES_BUDGET,
    Drained,
    DrainOptions,
    Fate,
    cordoned,
    drain,
    has_local_storage,
    has_no_controller,
    uncordoned,
    verdict,
)
from tests.factories import budget, cluster, controlled_by, node, pod, selector, volume

DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB = controlled_by("ReplicaSet", "web")
AGENT = controlled_by("DaemonSet", "agent")
LOCAL = (volume("cache", empty_dir=True),)
FORCE, EMPTY_DIR = DrainOptions(force=True), DrainOptions(delete_emptydir_data=True)
BOTH = DrainOptions(force=True, delete_emptydir_data=True)
OTHER_DAEMON_SET = DaemonSet(metadata=DaemonSetMeta(name="other", namespace="default"))


@pytest.mark.parametrize(
    ("made", "options", "fate", "reason"),
    [
        pytest.param(pod(owner=WEB), DrainOptions(), Fate.EVICTED, "", id="replicated"),
        pytest.param(pod(owner=AGENT), DrainOptions(), Fate.STAYS, DAEMON_SET_STAYS, id="daemon set"),
        pytest.param(pod(owner=AGENT, volumes=LOCAL), BOTH, Fate.STAYS, DAEMON_SET_STAYS, id="daemon set, all flags"),
        pytest.param(
            pod(owner=AGENT, phase="Failed"), DrainOptions(), Fate.GONE, "it has finished", id="daemon set, finished"
        ),
        pytest.param(pod(mirror=True), BOTH, Fate.STAYS, MIRROR_STAYS, id="mirror"),
        pytest.param(
            pod(owner=controlled_by("Node", "n1", api_version="v1")),
            BOTH,
            Fate.STAYS,
            MIRROR_STAYS,
            id="mirror by its owner",
        ),
        pytest.param(pod(), DrainOptions(), Fate.REFUSED, has_no_controller(), id="bare"),
        pytest.param(
            pod(owner=controlled_by("ReplicaSet", "web", controller=False)),
            DrainOptions(),
            Fate.REFUSED,
            has_no_controller(),
            id="owned, not controlled",
        ),
        pytest.param(pod(), FORCE, Fate.GONE, "no controller recreates it", id="bare, forced"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), DrainOptions(), Fate.REFUSED, has_local_storage(), id="emptyDir"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), FORCE, Fate.REFUSED, has_local_storage(), id="emptyDir, forced"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), EMPTY_DIR, Fate.EVICTED, "", id="emptyDir given up"),
        pytest.param(pod(volumes=LOCAL), DrainOptions(), Fate.REFUSED, has_local_storage(), id="emptyDir before bare"),
        pytest.param(pod(volumes=LOCAL), EMPTY_DIR, Fate.REFUSED, has_no_controller(), id="bare, emptyDir given up"),
        pytest.param(pod(phase="Succeeded"), DrainOptions(), Fate.GONE, "it has finished", id="finished, bare"),
        pytest.param(
            pod(volumes=LOCAL, phase="Failed"), DrainOptions(), Fate.GONE, "it has finished", id="finished, emptyDir"
        ),
        pytest.param(
            pod(owner=WEB, deleting=True), DrainOptions(), Fate.GONE, "it is being deleted already", id="deleting"
        ),
    ],
)
def test_who_leaves(made: Pod, options: DrainOptions, fate: Fate, reason: str) -> None:
    assert verdict(made, cluster([node("n1")]), options) == (fate, reason)


@pytest.mark.parametrize(
    ("options", "fate"), [pytest.param(DrainOptions(), Fate.REFUSED), pytest.param(FORCE, Fate.GONE)]
)
def test_daemon_pod_whose_daemon_set_is_not_there(options: DrainOptions, fate: Fate) -> None:
    made = cluster([node("n1")], [], OTHER_DAEMON_SET)
    assert verdict(pod(owner=AGENT), made, options) == (fate, 'daemonsets.apps "agent" not found')


def test_cordon_and_back() -> None:
    plain = node("n1")
    there = cordoned(plain)
    assert there.spec.unschedulable
    assert there.spec.taints == (UNSCHEDULABLE_TAINT,)
    assert cordoned(there) == there or cordoned(there).spec == there.spec
    assert uncordoned(there).spec == plain.spec


# ------------------------------------------------------------------------------------------- where everybody goes


def web(name: str, on: str, cpu: str = "1", *, priority: int | None = None, ready: bool = True) -> Pod:
    conditions = [Condition(type="Ready", status="True")] if ready else []
    labels = {"app": "web"}
    return pod(
        name, node=on, cpu=cpu, owner=WEB, labels=labels, phase="Running", priority=priority, conditions=conditions
    )


def drained(
    pods: Sequence[Pod],
    *others: KubernetesObject,
    nodes: Sequence[Node] = (node("n1", cpu="8"), node("n2", cpu="2")),
    drains: Sequence[str] = ("n1",),
    options: DrainOptions = DrainOptions(),  # noqa: B008
) -> Drained:
    made: Cluster = cluster(nodes, pods, *others)
    return drain(DEFAULT, made, drains, options)


def told(result: Drained) -> list[tuple[str, Fate, str | None, int]]:
    return [
        (leaver.pod.name, leaver.fate, leaver.decision.host if leaver.decision else None, leaver.round)
        for leaver in result.pods
    ]


def test_pods_are_placed_anew_in_queue_order() -> None:
    result = drained([web("a", "n1"), web("b", "n1", priority=5), web("c", "n1", cpu="2")])
    assert told(result) == [
        ("b", Fate.EVICTED, "n2", 1),
        ("a", Fate.EVICTED, "n2", 1),
        ("c", Fate.EVICTED, "", 1),
    ]
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
