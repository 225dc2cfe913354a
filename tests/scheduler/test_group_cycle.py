from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        [node("n1", cpu="4")], members(2, priority=9), pod_group("g", 2), [pod("low", cpu="2", node="n1", priority=1)]
    )
    assert [decision.nominated_node for decision in made] == ["n1", "n1"]
    assert made[0].message == "pod group is unschedulable, pod group is waiting for preemption to complete"
    assert made[1].message == "0/1 nodes are available: 1 Insufficient cpu."
    assert made[0].group is not None
    assert [victim.name for victim in made[0].group.victims] == ["low"]
    assert made[0].group.awaits_preemption


def test_pods_are_evicted_for_a_group_that_cannot_run_anyway() -> None:
    made = decided(
        [node("n1", cpu="4")], members(3, priority=9), pod_group("g", 3), [pod("low", cpu="2", node="n1", priority=1)]
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
    found = [(each.name, each.fitting, each.score and each.score.total) for each in group.placements]
    assert (group.placement, found) == ("b", [("a", 2, 66 + 52), ("b", 3, 100 + 51)])
    best = group.placements[1].score
    assert best is not None
    assert {name: (each.raw, each.weighted) for name, each in best.by_plugin.items()} == {
        "NodeResourcesFit": (51, 51), "PodGroupPodsCount": (3, 100),
    }  # fmt: skip


def test_a_group_goes_to_the_placement_that_it_fills_most() -> None:
    """Both take all of it, and the second one has less room left then."""
    nodes = [zoned("a1", "a", "8"), zoned("b1", "b", "4"), zoned("c1", "c", "6")]
    made = decided(nodes, members(2), pod_group("g", 2, key="zone"), with_topology=True)
    assert [decision.host for decision in made] == ["b1", "b1"]
    group = made[0].group
    assert group is not None
    assert [each.score and each.score.total for each in group.placements] == [100 + 27, 100 + 52, 100 + 35]


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


# ----------------------------------------------------------------------------------------- from 1.37 on


def newer(
    nodes: Sequence[Node],
    pods: Sequence[Pod],
    group: PodGroup,
    running: Sequence[Pod] = (),
    release: str = "1.37",
    gates: Mapping[str, bool] | None = None,
) -> list[Decision]:
    settings = SchedulerSettings(
        kubernetes_version=release, feature_gates={"GenericWorkload": True} | dict(gates or {})
    )
    return list(simulate(build_scheduler(settings), cluster(nodes, running, group), pods))


NOT_ELIGIBLE = "pod group preemption: No preemption victims found for incoming preemptor"
NO_ROOM = "0/1 nodes are available: 1 Insufficient cpu."


def test_newer_releases_stop_where_too_few_are_left() -> None:
    """The third of four does not fit, so that the fourth is not tried."""
    made = newer([node("n1", cpu="4")], members(4), pod_group("g", 4))
    counts = "minCount (4) cannot be satisfied: 2 scheduled, 1 remaining"
    fitting = f"pod group is unschedulable, {counts}, {NOT_ELIGIBLE}"
    assert [decision.message for decision in made] == [fitting, fitting, NO_ROOM, counts]
    group = made[0].group
    assert group is not None
    assert (group.message, len(group.members)) == (f"{counts}, {NOT_ELIGIBLE}", 3)


def test_newest_releases_say_why_alone() -> None:
    made = newer([node("n1", cpu="4")], members(4), pod_group("g", 4), release="1.38")
    counts = "minCount (4) cannot be satisfied: 2 scheduled, 1 remaining"
    assert [decision.message for decision in made] == [f"{counts}, {NOT_ELIGIBLE}"] * 2 + [NO_ROOM, counts]


@pytest.mark.parametrize(
    ("release", "message"), [("1.37", "pod group is unschedulable"), ("1.38", "no pods were schedulable")]
)
def test_at_least_one_pod_must_fit(release: str, message: str) -> None:
    """The pods that the gang needs run already."""
    running = [pod(f"old{place}", cpu="2", group="g", node="n1") for place in range(2)]
    (decision,) = newer([node("n1", cpu="4")], members(1), pod_group("g", 2), running, release)
    assert decision.message == NO_ROOM
    assert decision.group is not None
    assert decision.group.message == f"{message}, {NOT_ELIGIBLE}"


def test_a_group_that_is_no_gang_runs_with_one_pod() -> None:
    made = newer([node("n1", cpu="4")], members(3), pod_group("g"))
    assert [decision.host for decision in made] == ["n1", "n1", ""]
    assert made[2].message == NO_ROOM


def test_too_few_from_the_start() -> None:
    """One of the group is gated, so that the others are not even tried."""
    gated = pod("gated", group="g", gates=["wait"])
    made = newer([node("n1", cpu="9")], [*members(2), gated], pod_group("g", 3))
    counts = "minCount (3) cannot be satisfied: 0 scheduled, 2 remaining"
    assert [decision.message for decision in made[:2]] == [f"pod group is unschedulable, {counts}"] * 2
    assert made[2].outcome is Outcome.GATED


SAME = "all pods in a single pod group should have the same"


@pytest.mark.parametrize(
    ("pods", "group", "gates", "told"),
    [
        pytest.param(
            members(1, priority=1),
            pod_group("g", priority=2),
            {},
            f"{SAME} priority as the pod group's priority, got 1 and 2",
            id="priority",
        ),
        pytest.param(
            [*members(1), pod("x", group="g", preemption_policy="Never")],
            pod_group("g"),
            {},
            f"{SAME} preemption policy, got Never and PreemptLowerPriority",
            id="policy",
        ),
        pytest.param(
            [pod("x", group="g", preemption_policy="Never")],
            pod_group("g"),
            {"PodGroupPreemptionPolicy": True},
            f"{SAME} preemption policy as the pod group's preemption policy, got Never and PreemptLowerPriority",
            id="policy-of-the-group",
        ),
        pytest.param(
            [*members(1), pod("x", group="g", scheduler_name="other")],
            pod_group("g"),
            {},
            None,
            id="another-scheduler-takes-it",
        ),
    ],
)
def test_a_group_must_agree(pods: list[Pod], group: PodGroup, gates: dict[str, bool], told: str | None) -> None:
    for decision in newer([node("n1")], pods, group, gates=gates):
        if told is not None:
            assert (decision.outcome, decision.message) == (Outcome.ERROR, told)


def test_pods_that_run_already_must_agree_too() -> None:
    running = [pod("old", group="g", node="n1", priority=5)]
    (decision,) = newer([node("n1")], members(1), pod_group("g"), running)
    assert decision.message == f"{SAME} priority as the pod group's priority, got 5 and 0"


def test_affinity_that_the_group_brings_is_seen_by_it() -> None:
    repelling = pod(
        "g0", cpu="1", group="g", labels={"app": "g"}, affinity=affinity(far=[term(selector({"app": "g"}))])
    )
    other = pod("g1", cpu="1", group="g", labels={"app": "g"})
    made = newer([node("n1", cpu="4")], [repelling, other], pod_group("g", 2))
    assert [decision.host for decision in made] == ["", ""]


def test_placements_say_what_the_first_lacks() -> None:
    nodes = [zoned("a1", "a", "2"), zoned("b1", "b", "2")]
    made = newer(nodes, members(2), pod_group("g", 2, key="zone"), gates=TOPOLOGY)
    counts = "minCount (2) cannot be satisfied: 1 scheduled, 0 remaining"
    first = f"0/2 placements are available, first placement status: {counts}"
    assert made[0].group is not None
    assert made[0].group.message == f"pod group is unschedulable, {first}, {NOT_ELIGIBLE}"


@pytest.mark.parametrize(("release", "hosts"), [("1.37", ["b1", "b1"]), ("1.38", ["a1", "a1"])])
def test_newest_releases_try_nominated_placements_first(release: str, hosts: list[str]) -> None:
    """The other placement has room for all three."""
    nodes = [zoned("a1", "a", "4"), zoned("b1", "b", "6")]
    pods = [pod(f"g{place}", cpu="2", group="g", nominated="a1" if place == 0 else None) for place in range(3)]
    made = newer(nodes, pods, pod_group("g", 2, key="zone"), release=release, gates=TOPOLOGY)
    assert [decision.host for decision in made[:2]] == hosts


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
