from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.config.component.default_profile import default_profile
from kexplain.objects.apps import DaemonSet, DaemonSetMeta, ReplicaSet, ReplicaSetMeta, WorkloadSpec
from kexplain.objects.core import Pod, PodStatus
from kexplain.objects.meta import Condition, KubernetesObject, LabelSelector, ObjectMeta
from kexplain.objects.policy import PodDisruptionBudget, PodDisruptionBudgetSpec
from kexplain.plugins.node_unschedulable import UNSCHEDULABLE_TAINT
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import (
    DAEMON_SET_STAYS,
    MIRROR_STAYS,
    DrainOptions,
    EvictionBudgets,
    Fate,
    cordoned,
    uncordoned,
    verdict,
)
from tests.factories import budget, cluster, controlled_by, node, pod, volume

DEFAULT = Scheduler({"default-scheduler": default_profile()})
WEB = controlled_by("ReplicaSet", "web")
AGENT = controlled_by("DaemonSet", "agent")
LOCAL_STORAGE = "cannot delete Pods with local storage (use delete_emptydir_data to override)"
NO_CONTROLLER = "cannot delete Pods that declare no controller (use force to override)"
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
            pod(owner=AGENT, phase="Failed"), DrainOptions(), Fate.ENDED, "it has finished", id="daemon set, finished"
        ),
        pytest.param(pod(mirror=True), BOTH, Fate.STAYS, MIRROR_STAYS, id="mirror"),
        pytest.param(
            pod(owner=controlled_by("Node", "n1", api_version="v1")),
            BOTH,
            Fate.STAYS,
            MIRROR_STAYS,
            id="mirror by its owner",
        ),
        pytest.param(pod(), DrainOptions(), Fate.REFUSED, NO_CONTROLLER, id="bare"),
        pytest.param(
            pod(owner=controlled_by("ReplicaSet", "web", controller=False)),
            DrainOptions(),
            Fate.REFUSED,
            NO_CONTROLLER,
            id="owned, not controlled",
        ),
        pytest.param(pod(), FORCE, Fate.GONE, "no controller recreates it", id="bare, forced"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), DrainOptions(), Fate.REFUSED, LOCAL_STORAGE, id="emptyDir"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), FORCE, Fate.REFUSED, LOCAL_STORAGE, id="emptyDir, forced"),
        pytest.param(pod(owner=WEB, volumes=LOCAL), EMPTY_DIR, Fate.EVICTED, "", id="emptyDir given up"),
        pytest.param(pod(volumes=LOCAL), DrainOptions(), Fate.REFUSED, LOCAL_STORAGE, id="emptyDir before bare"),
        pytest.param(pod(volumes=LOCAL), EMPTY_DIR, Fate.REFUSED, NO_CONTROLLER, id="bare, emptyDir given up"),
        pytest.param(pod(phase="Succeeded"), DrainOptions(), Fate.ENDED, "it has finished", id="finished, bare"),
        pytest.param(
            pod(volumes=LOCAL, phase="Failed"), DrainOptions(), Fate.ENDED, "it has finished", id="finished, emptyDir"
        ),
        pytest.param(
            pod(owner=WEB, deleting=True), DrainOptions(), Fate.ENDED, "it is being deleted already", id="deleting"
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


def _budget(**spec: Any) -> PodDisruptionBudget:
    selector = LabelSelector(match_labels={"app": "web"})
    metadata = ObjectMeta(name="web", namespace="default")
    return PodDisruptionBudget(metadata=metadata, spec=PodDisruptionBudgetSpec(selector=selector, **spec))


_OF_FIVE = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="default"), spec=WorkloadSpec(replicas=5))


@pytest.mark.parametrize(
    ("spec", "objects", "allowed"),
    [
        pytest.param({"min_available": 2}, (), 2, id="a number"),
        pytest.param({"min_available": 4}, (), 0, id="all that are healthy"),
        pytest.param({"min_available": "50%"}, (), 2, id="a share, rounded up, of the pods of who was not read"),
        pytest.param({"min_available": "50%"}, (_OF_FIVE,), 1, id="a share of what is wanted"),
        pytest.param({"max_unavailable": 1}, (), 1, id="some fewer"),
        pytest.param({"max_unavailable": 2}, (_OF_FIVE,), 1, id="some fewer than are wanted, of which one is missing"),
        pytest.param({"max_unavailable": "30%"}, (_OF_FIVE,), 1, id="a share of fewer, rounded up"),
    ],
)
def test_budgets_that_nobody_has_counted_are_counted_here(
    spec: dict[str, Any], objects: tuple[KubernetesObject, ...], allowed: int
) -> None:
    """Of four ready pods."""
    pods = [pod(f"web-{n}", labels={"app": "web"}, node="n1", owner=WEB, uid=str(n)) for n in range(4)]
    (protecting,) = EvictionBudgets(cluster([node("n1")], pods, _budget(**spec), *objects)).protecting(pods[0])
    assert protecting.allowed == allowed


@pytest.mark.parametrize(
    ("landed", "desired", "allowed"),
    [
        pytest.param(1, 2, 1, id="one that was pending serves, and one may go"),
        pytest.param(1, 3, 0, id="one came in place of another that has left"),
        pytest.param(1, None, 0, id="how many have to serve is not known"),
        pytest.param(0, 1, 0, id="nobody has landed, so what the budget says stands"),
    ],
)
def test_pods_that_have_landed_count_for_their_budget(landed: int, desired: int | None, allowed: int) -> None:
    """Beside two that serve; three did when the budget was counted."""
    there = [pod(f"web-{n}", labels={"app": "web"}, node="n1", owner=WEB, uid=str(n)) for n in range(2)]
    counted_before = budget("web", LabelSelector(match_labels={"app": "web"}), 0, healthy=3, desired=desired)
    around = cluster([node("n1")], there, counted_before)
    for number in range(landed):
        around = around.assume(pod(f"new-{number}", labels={"app": "web"}, owner=WEB, uid=f"new-{number}"), "n1")
    (protecting,) = EvictionBudgets(around).protecting(there[0])
    assert protecting.allowed == allowed


@pytest.mark.parametrize("deleted", [None, "2026-11-01T10:00:00Z"])
def test_nobody_stops_the_pods_of_a_node_that_is_lost(deleted: str | None) -> None:
    """`kubectl drain` waits until they are gone, which without a kubelet they never are."""
    silent = node("n1", taints=["node.kubernetes.io/unreachable:NoExecute"])
    running = pod("web", node="n1", owner=WEB, uid="1")
    leaving = replace(running, metadata=replace(running.metadata, deletion_timestamp=deleted))
    fate, reason = verdict(leaving, cluster([silent], [leaving]))
    assert (fate, reason.partition(",")[0]) == (Fate.BLOCKED, "its node is unreachable")


def test_a_budget_says_who_does_not_count() -> None:
    ready, status = Condition(type="Ready", status="True"), PodStatus(phase="Running")
    pods = [
        replace(pod(f"web-{n}", labels={"app": "web"}, node="n1", owner=WEB, uid=str(n)), status=each)
        for n, each in enumerate(
            (replace(status, conditions=(ready,)), replace(status, conditions=(replace(ready, status="False"),)))
        )
    ]
    budgets = EvictionBudgets(cluster([node("n1")], pods, _budget(min_available=1)))
    assert (budgets.evict(pods[0]) or ("",))[0].endswith("has 1 currently (web-1 on n1 is not ready)")
