from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.meta import Condition, KubernetesObject
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


# ------------------------------------------------------------------------------------------ from 1.37 on


def newer(
    running: Sequence[Pod], *objects: KubernetesObject, pods: int = 2, needs: int = 2, key: str = "", **gates: bool
) -> list[Decision]:
    asked = [pod(f"g{place}", cpu="2", group="g", priority=9) for place in range(pods)]
    group = pod_group("g", needs, priority=9, key=key)
    settings = SchedulerSettings(kubernetes_version="1.37", feature_gates={"GenericWorkload": True} | gates)
    return list(simulate(build_scheduler(settings), cluster(NODES, running, group, *objects), asked))


def test_nodes_are_kept_for_the_whole_group() -> None:
    """Once all have left its pods fit best apart, so that both victims are in the way; before, one was enough."""
    made = newer(FULL)
    found = "pod group preemption: found a placement for podgroup, preempting 2 victims"
    group = made[0].group
    assert group is not None
    assert [victim.name for victim in group.victims] == ["b", "a"]
    assert group.awaits_preemption
    assert group.message == f"minCount (2) cannot be satisfied: 0 scheduled, 1 remaining, {found}"
    assert [decision.nominated_node for decision in made] == ["n1", "n2"]


def test_as_many_pods_as_possible_find_room() -> None:
    """One victim would be enough for the gang; before, all but that one were spared."""
    made = newer(FULL, pods=4)
    assert made[0].group is not None
    assert [victim.name for victim in made[0].group.victims] == ["b", "a"]


def test_a_topology_is_no_obstacle() -> None:
    made = newer(FULL, key="kubernetes.io/hostname", TopologyAwareWorkloadScheduling=True)
    assert made[0].group is not None
    assert [victim.name for victim in made[0].group.victims] == ["a"]


@pytest.mark.parametrize(
    ("objects", "running", "leave"),
    [
        pytest.param(
            [pod_group("old", mode="All", priority=1)],
            [low("a", "n1", "4", group="old"), low("c", "n2", group="old"), low("b", "n2", priority=0)],
            ["a", "c"],
            id="a-group-leaves-as-a-whole",
        ),
        pytest.param(
            [pod_group("old", mode="Single", priority=9)],
            [low("a", "n1", "4", group="old"), low("b", "n2", "4")],
            ["b"],
            id="pods-have-the-priority-of-their-group",
        ),
    ],
)
def test_who_leaves_in_newer_releases(
    objects: Sequence[KubernetesObject], running: Sequence[Pod], leave: list[str]
) -> None:
    group = newer(running, *objects)[0].group
    assert group is not None
    assert [victim.name for victim in group.victims] == leave


def test_what_has_been_made_already_is_waited_for() -> None:
    going = pod(
        "going", cpu="4", node="n1", priority=1, deleting=True,
        conditions=[Condition(type="DisruptionTarget", status="True", reason="PreemptionByScheduler")],
    )  # fmt: skip
    asked = [pod(f"g{place}", cpu="2", group="g", priority=9, nominated="n1") for place in range(2)]
    settings = SchedulerSettings(kubernetes_version="1.37", feature_gates={"GenericWorkload": True})
    made = cluster(NODES, [going, FULL[1]], pod_group("g", 2, priority=9))
    found = list(simulate(build_scheduler(settings), made, asked))
    assert found[0].group is not None
    assert found[0].group.message.endswith("pod group preemption: ongoing preemption on nominated nodes")
    assert [decision.nominated_node for decision in found] == ["n1", "n1"]


def test_the_policy_is_the_groups_where_that_gate_is_on() -> None:
    asked = [pod("g0", cpu="2", group="g", priority=9, preemption_policy="Never")]
    group = pod_group("g", 1, priority=9)
    group = replace(group, spec=replace(group.spec, preemption_policy="Never"))
    gates = {"GenericWorkload": True, "PodGroupPreemptionPolicy": True}
    settings = SchedulerSettings(kubernetes_version="1.37", feature_gates=gates)
    (decision,) = simulate(build_scheduler(settings), cluster(NODES, FULL, group), asked)
    assert decision.group is not None
    assert decision.group.message.endswith("pod group preemption: not eligible due to preemptionPolicy=Never.")
