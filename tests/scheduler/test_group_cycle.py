from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.framework.permitting import run_permits
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.status import Code, Status, error, unschedulable
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Node, Pod
from kexplain.objects.scheduling import PodGroup
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate
from tests.factories import affinity, cluster, node, pod, pod_group, selector, term
from tests.framework.stubs import Scores, profile

TOPOLOGY = {"TopologyAwareWorkloadScheduling": True}
EVEN = Scores("Even", {})
GANGS = {"GenericWorkload": True, "GangScheduling": True}
WAITS = (
    "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, "
    "one or more plugins asked to wait and no plugin rejected pod"
)


def scheduler(**gates: bool) -> Scheduler:
    return build_scheduler(SchedulerSettings(feature_gates=GANGS | gates))


def decided(
    nodes: Sequence[Node],
    pods: Sequence[Pod],
    group: PodGroup,
    running: Sequence[Pod] = (),
    *,
    with_topology: bool = False,
) -> list[Decision]:
    return list(simulate(scheduler(**(TOPOLOGY if with_topology else {})), cluster(nodes, running, group), pods))


def members(count: int, cpu: str = "2", **more: object) -> list[Pod]:
    return [pod(f"g{place}", cpu=cpu, group="g", **more) for place in range(count)]  # type: ignore[arg-type]


def test_all_pods_of_a_gang_are_placed() -> None:
    made = decided([node("n1", cpu="4"), node("n2", cpu="4")], members(3), pod_group("g", 3))
    assert [decision.host for decision in made] == ["n1", "n2", "n1"]
    assert made[0].group is not None
    assert made[0].group.is_scheduled


def test_none_is_placed_where_one_is_missing() -> None:
    made = decided([node("n1", cpu="4")], members(3), pod_group("g", 3))
    assert [decision.host for decision in made] == ["", "", ""]
    assert [decision.outcome for decision in made] == [Outcome.UNSCHEDULABLE] * 3
    assert [decision.message for decision in made[:2]] == [WAITS, WAITS]
    assert made[2].message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    group = made[2].group
    assert group is not None
    assert (group.message, [each.node_name for each in group.members]) == (
        "pod group is unschedulable",
        ["n1", "n1", ""],
    )


def test_pods_beyond_those_that_are_needed_may_stay_behind() -> None:
    made = decided([node("n1", cpu="4")], members(3), pod_group("g", 2))
    assert [decision.host for decision in made] == ["n1", "n1", ""]


def test_pods_that_run_already_count() -> None:
    made = decided([node("n1", cpu="4")], members(1), pod_group("g", 2), [pod("old", cpu="1", group="g", node="n1")])
    assert made[0].host == "n1"


def test_pods_that_only_the_cluster_knows_are_tried_too() -> None:
    asked, *others = members(3)
    (decision,) = simulate(scheduler(), cluster([node("n1", cpu="4")], others, pod_group("g", 3)), [asked])
    assert decision.message == WAITS
    assert decision.group is not None
    assert [each.pod.name for each in decision.group.members] == ["g0", "g1", "g2"]


def test_without_the_gate_every_pod_is_for_itself() -> None:
    made = list(simulate(build_scheduler(), cluster([node("n1", cpu="4")], [], pod_group("g", 3)), members(3)))
    assert [decision.host for decision in made] == ["n1", "n1", ""]
    assert all(decision.group is None for decision in made)


def test_what_fits_keeps_its_place_while_others_leave() -> None:
    """The second pod needs the room of one of lower priority, so that the whole group waits."""
    made = decided(
        [node("n1", cpu="4")],
        members(2, priority=9),
        pod_group("g", 2),
        [pod("low", cpu="2", node="n1", priority=1)],
    )
    assert [decision.nominated_node for decision in made] == ["n1", "n1"]
    assert made[0].message == "pod group is unschedulable, pod group is waiting for preemption to complete"
    assert made[1].message == "0/1 nodes are available: 1 Insufficient cpu."
    assert made[0].group is not None
    assert [victim.name for victim in made[0].group.victims] == ["low"]
    assert made[0].group.awaits_preemption


def test_pods_are_evicted_for_a_group_that_cannot_run_anyway() -> None:
    made = decided(
        [node("n1", cpu="4")],
        members(3, priority=9),
        pod_group("g", 3),
        [pod("low", cpu="2", node="n1", priority=1)],
    )
    assert [decision.nominated_node for decision in made] == ["", "", ""]
    assert made[1].message == WAITS
    assert made[0].group is not None
    assert [victim.name for victim in made[0].group.victims] == ["low"]


def test_a_group_has_one_scheduler() -> None:
    both = {"default-scheduler": profile(EVEN), "other": profile(EVEN)}
    made = Scheduler(both, features=scheduler().features)
    pods = [pod("a", group="g"), pod("b", group="g", scheduler_name="other")]
    told = 'all pods in a single pod group should have the same .spec.schedulerName set, got: "default-scheduler"'
    for decision in simulate(made, cluster([node("n1")], [], pod_group("g")), pods):
        assert (decision.outcome, decision.message) == (Outcome.ERROR, f'{told} and "other"')


def test_affinity_that_the_group_brings_is_not_seen_by_it() -> None:
    """The first pod repels the second; upstream notes only where such pods were before."""
    repelling = pod(
        "g0", cpu="1", group="g", labels={"app": "g"}, affinity=affinity(far=[term(selector({"app": "g"}))])
    )
    other = pod("g1", cpu="1", group="g", labels={"app": "g"})
    made = decided([node("n1", cpu="4")], [repelling, other], pod_group("g", 2))
    assert [decision.host for decision in made] == ["n1", "n1"]
    before = pod("before", labels={"app": "x"}, affinity=affinity(far=[term(selector({"app": "x"}))]), node="n1")
    made = decided([node("n1", cpu="4")], [repelling, other], pod_group("g", 2), [before])
    assert [decision.host for decision in made] == ["", ""]


# ------------------------------------------------------------------------------------------------- placements


def zoned(name: str, zone: str, cpu: str) -> Node:
    return node(name, cpu=cpu, labels={"zone": zone})


def test_a_group_goes_to_the_placement_that_takes_more_of_it() -> None:
    nodes = [zoned("a1", "a", "4"), zoned("b1", "b", "4"), zoned("b2", "b", "2")]
    made = decided(nodes, members(3), pod_group("g", 2, key="zone"), with_topology=True)
    assert sorted(decision.host for decision in made) == ["b1", "b1", "b2"]
    group = made[0].group
    assert group is not None
    assert (group.placement, [(each.name, each.fitting, each.total) for each in group.placements]) == (
        "b", [("a", 2, 66), ("b", 3, 100)],
    )  # fmt: skip


def test_nodes_outside_of_the_placement_are_not_counted() -> None:
    nodes = [zoned("a1", "a", "2"), zoned("b1", "b", "2"), zoned("b2", "b", "1")]
    made = decided(nodes, members(2), pod_group("g", 2, key="zone"), with_topology=True)
    told = "preemption: not eligible due to placement-based pod group scheduling limitation"
    assert made[1].message == (f"0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, {told}")
    assert made[0].group is not None
    assert made[0].group.message == ("0/2 placements are available, first placement status: pod group is unschedulable")


def test_no_placement_at_all() -> None:
    made = decided([node("n1")], members(2), pod_group("g", 2, key="zone"), with_topology=True)
    assert [decision.message for decision in made] == ["no feasible placements found"] * 2
    assert made[0].outcome is Outcome.UNSCHEDULABLE


def test_topology_asks_for_the_group_itself() -> None:
    made = build_scheduler(SchedulerSettings(feature_gates={"GenericWorkload": True, **TOPOLOGY}))
    for decision in simulate(made, cluster([node("n1")]), members(1)):
        told = 'podgroup.scheduling.k8s.io "g" not found'
        assert (decision.outcome, decision.message) == (Outcome.ERROR, told)


# ----------------------------------------------------------------------------------------------------- permit


class Permits:
    binding_points = (ExtensionPoint.PERMIT,)

    def __init__(self, name: str, answer: Status | None) -> None:
        self.name = name
        self._answer = answer

    def permit(self, pod: Pod, cluster: Cluster) -> Status | None:
        return self._answer


WAIT = Status(Code.WAIT, ("later",))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([None, None], None),
        (
            [WAIT, None],
            Status(Code.WAIT, ("later", "one or more plugins asked to wait and no plugin rejected pod"), (), "P0"),
        ),
        ([WAIT, unschedulable("no")], Status(Code.UNSCHEDULABLE, ("no",), (), "P1")),
        ([error("broken")], Status(Code.ERROR, ('running Permit plugin "P0": broken',), (), "P0")),
    ],
)
def test_permits(answers: Sequence[Status | None], expected: Status | None) -> None:
    plugins = [Permits(f"P{place}", answer) for place, answer in enumerate(answers)]
    assert run_permits(profile(*plugins, EVEN), pod(), cluster([])) == expected


@pytest.mark.parametrize(
    ("answer", "outcome", "told"),
    [
        (unschedulable("no"), Outcome.UNSCHEDULABLE, "0/1 nodes are available: 1 no."),
        (error("broken"), Outcome.ERROR, 'running Permit plugin "P": broken'),
    ],
)
def test_a_pod_of_a_group_that_is_not_permitted(answer: Status, outcome: Outcome, told: str) -> None:
    plugins = profile(Permits("P", answer), EVEN)
    made = Scheduler({"default-scheduler": plugins}, features=scheduler().features)
    (decision,) = simulate(made, cluster([node("n1")], [], pod_group("g")), members(1))
    assert (decision.outcome, decision.message) == (outcome, told)
