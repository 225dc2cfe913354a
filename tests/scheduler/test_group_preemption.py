from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.scheduler.simulate import simulate
from tests.factories import budget, cluster, node, pod, pod_group, selector

GATES = {"GenericWorkload": True, "GangScheduling": True, "WorkloadAwarePreemption": True}
NODES = [node("n1", cpu="4"), node("n2", cpu="4")]


def decided(
    running: Sequence[Pod], *objects: KubernetesObject, priority: int = 9, policy: str | None = None
) -> list[Decision]:
    pods = [pod(f"g{place}", cpu="2", group="g", preemption_policy=policy) for place in range(2)]
    group = pod_group("g", 2, priority=priority)
    made = build_scheduler(SchedulerSettings(feature_gates=GATES))
    return list(simulate(made, cluster(NODES, running, group, *objects), pods))


def low(name: str, on: str, cpu: str = "2", priority: int = 1, group: str | None = None, **labels: str) -> Pod:
    return pod(name, cpu=cpu, node=on, priority=priority, group=group, labels=labels, uid=name)


FULL = [low("a", "n1", "4"), low("b", "n2", "4", priority=3)]


def test_the_fewest_that_let_the_group_run_leave() -> None:
    made = decided(FULL)
    group = made[0].group
    assert group is not None
    assert [victim.name for victim in group.victims] == ["a"]
    assert (group.awaits_preemption, group.message) == (True, "pod group is unschedulable")
    assert made[0].message.endswith("preemption: not eligible due to workload aware preemption enabled")


@pytest.mark.parametrize(
    ("objects", "running", "leave"),
    [
        pytest.param(
            [pod_group("old", mode="PodGroup", priority=1)],
            [low("a", "n1", "4", group="old"), low("c", "n2", group="old"), low("b", "n2", priority=0)],
            ["a", "c"],
            id="a-group-leaves-as-a-whole",
        ),
        pytest.param(
            [pod_group("old", mode="Pod")],
            [low("a", "n1", "4", group="old"), low("c", "n2", group="old"), low("b", "n2", priority=0)],
            ["c", "b"],
            id="a-group-of-single-pods",
        ),
        pytest.param(
            [budget("b", selector({"app": "a"}), allowed=0)],
            [low("a", "n1", "4", priority=1, app="a"), low("b", "n2", "4", priority=3)],
            ["b"],
            id="a-budget-spares",
        ),
    ],
)
def test_who_leaves(objects: Sequence[KubernetesObject], running: Sequence[Pod], leave: list[str]) -> None:
    group = decided(running, *objects)[0].group
    assert group is not None
    assert [victim.name for victim in group.victims] == leave


@pytest.mark.parametrize(
    ("running", "priority", "policy", "reason"),
    [
        (FULL, 1, None, "No preemption victims found for incoming preemptor"),
        (FULL, 9, "Never", "not eligible due to preemptionPolicy=Never."),
        (
            [*FULL, low("high", "n1", "3", priority=9), low("higher", "n2", "3", priority=9)],
            9,
            None,
            "pod group is unschedulable",
        ),
    ],
    ids=["none-is-less-important", "policy", "does-not-help"],
)
def test_nobody_leaves(running: Sequence[Pod], priority: int, policy: str | None, reason: str) -> None:
    group = decided(running, priority=priority, policy=policy)[0].group
    assert group is not None
    assert (group.victims, group.message) == ((), f"pod group is unschedulable, {reason}")
