from __future__ import annotations

from dataclasses import dataclass

import pytest

from kexplain.cluster import Cluster, NodeInfo
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.features import Features
from kexplain.framework.post_filtering import PostFilterHandle
from kexplain.framework.postfilter import Candidate, LadderStep, NodeStatuses, PostFiltered, Preemption
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.framework.status import Code, Status
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Condition
from kexplain.plugins.default_preemption import NO_VICTIMS, DefaultPreemption, choose
from tests.factories import HOSTNAME, ZONE, affinity, budget, cluster, node, pod, selector, spread, term
from tests.framework.stubs import profile_of

from .asking import UNSCHEDULABLE, rejection

MORNING, NOON, EVENING = "2026-05-01T06:00:00Z", "2026-05-01T12:00:00Z", "2026-05-01T18:00:00Z"
BEING_PREEMPTED = Condition(type="DisruptionTarget", status="True", reason="PreemptionByScheduler")
A = {"app": "a"}
HIGH = pod("high", cpu="2", priority=100)


def answer(asking: Pod, made: Cluster, statuses: NodeStatuses | None = None) -> PostFiltered:
    """What preemption says once the default filters have spoken, or with these verdicts in their place."""
    chain = run_pre_filters(default_profile(), asking, made).chain
    if statuses is None:
        found = {info.name: status for info in made.node_infos if (status := chain.first_rejection(info))}
        statuses = NodeStatuses(found)
    return DefaultPreemption().post_filter(asking, PostFilterHandle(made, statuses, chain))


def preemption(asking: Pod, made: Cluster) -> Preemption:
    given = answer(asking, made).preemption
    assert given is not None
    return given


def victims(asking: Pod, made: Cluster) -> dict[str, list[str]]:
    return {each.node_name: [victim.name for victim in each.victims] for each in preemption(asking, made).candidates}


def low(name: str, on: str = "n1", cpu: str = "1", priority: int = 0, started: str | None = NOON) -> Pod:
    return pod(name, node=on, cpu=cpu, priority=priority, started=started, labels=A)


# ------------------------------------------------------------------------------------------------ eligibility

FULL = [node("n1", cpu="2"), node("n2", cpu="2")]
TERMINATING = pod("leaving", node="n1", cpu="2", priority=0, deleting=True, conditions=[BEING_PREEMPTED])
WAITS = "not eligible due to a terminating pod on the nominated node."


@pytest.mark.parametrize(
    ("asking", "running", "ineligible"),
    [
        pytest.param(pod(cpu="2", priority=9, preemption_policy="Never"), [low("a")],
                     "not eligible due to preemptionPolicy=Never.", id="never"),
        pytest.param(pod(cpu="2", priority=9, preemption_policy="PreemptLowerPriority"), [low("a")], "", id="may"),
        pytest.param(pod(cpu="2", priority=9), [TERMINATING], "", id="not-nominated-yet"),
        pytest.param(pod(cpu="2", priority=9, nominated="n1"), [TERMINATING], WAITS, id="victim-is-on-its-way-out"),
        pytest.param(pod(cpu="2", priority=9, nominated="n2"), [TERMINATING, low("a", "n2")], "", id="on-another-node"),
        pytest.param(pod(cpu="2", priority=9, nominated="gone"), [TERMINATING], "", id="nominated-node-is-gone"),
        pytest.param(
            pod(cpu="2", priority=9, nominated="n1"),
            [pod("a", node="n1", cpu="2", priority=9, deleting=True, conditions=[BEING_PREEMPTED])], "",
            id="equal-priority-is-not-waited-for",
        ),
        pytest.param(
            pod(cpu="2", priority=9, nominated="n1"), [pod("a", node="n1", cpu="2", deleting=True)], "",
            id="deleted-by-somebody-else",
        ),
        pytest.param(
            pod(cpu="2", priority=9, nominated="n1"), [pod("a", node="n1", cpu="2", conditions=[BEING_PREEMPTED])], "",
            id="not-deleted-yet",
        ),
        pytest.param(
            pod(cpu="2", priority=9, nominated="n1"),
            [pod("a", node="n1", cpu="2", deleting=True, conditions=[
                Condition(type="Ready", status="False"),
                Condition(type="DisruptionTarget", status="True", reason="EvictionByEvictionAPI")])], "",
            id="evicted-by-somebody-else",
        ),
        pytest.param(
            pod(cpu="2", priority=9, nominated="n1"),
            [pod("a", node="n1", cpu="2", deleting=True, conditions=[
                Condition(type="DisruptionTarget", status="False", reason="PreemptionByScheduler")])], "",
            id="preemption-was-called-off",
        ),
    ],
)  # fmt: skip
def test_eligibility(asking: Pod, running: list[Pod], ineligible: str) -> None:
    given = answer(asking, cluster(FULL, running))
    assert given.preemption is not None
    assert given.preemption.ineligible == ineligible
    if ineligible:
        assert given == PostFiltered(
            rejection(UNSCHEDULABLE, f"preemption: {ineligible}"), "", Preemption(ineligible=ineligible)
        )


def test_nominated_node_that_can_never_do_is_given_up() -> None:
    statuses = NodeStatuses({"n1": Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, ("x",))})
    given = answer(pod(cpu="2", priority=9, nominated="n1"), cluster(FULL, [TERMINATING]), statuses)
    assert given.preemption is not None
    assert given.preemption.ineligible == ""


def test_no_nodes_at_all_is_an_error() -> None:
    given = answer(pod(), cluster([]))
    assert given.status == Status(Code.ERROR, ("preemption: no nodes available",))


# ---------------------------------------------------------------------------------------------------- victims


@pytest.mark.parametrize(
    ("asked", "running", "expected"),
    [
        pytest.param(node(cpu="2"), [low("a")], ["a"], id="one"),
        pytest.param(node(cpu="3"), [low("a"), low("b")], ["b"], id="as-few-as-will-do"),
        pytest.param(
            node(cpu="3"), [low("a", priority=1), low("b", priority=2)], ["a"],
            id="more-important-pods-come-back-first",
        ),
        pytest.param(
            node(cpu="3"), [low("a", started=NOON), low("b", started=MORNING)], ["a"], id="longer-running-ones-too",
        ),
        pytest.param(
            node(cpu="2"), [low("a", priority=1), low("b", priority=2)], ["b", "a"], id="most-important-first",
        ),
        pytest.param(
            node(cpu="4"), [low("a", cpu="3", priority=9), low("b", priority=1)], ["a"],
            id="one-that-cannot-come-back-does-not-keep-out-another",
        ),
        pytest.param(node(cpu="2"), [low("a", priority=99)], ["a"], id="just-below-its-priority"),
        pytest.param(
            node(cpu="3"), [low("a"), low("b", priority=100)], ["a"], id="equal-priority-stays",
        ),
        pytest.param(node(cpu="9", pods=1), [low("a")], ["a"], id="for-a-place"),
    ],
)  # fmt: skip
def test_victims(asked: Node, running: list[Pod], expected: list[str]) -> None:
    given = answer(HIGH, cluster([asked], running))
    assert given.status is None
    assert given.nominated_node == "n1"
    assert given.preemption is not None
    assert given.preemption.best == ("n1",)
    assert given.preemption.ladder == ()
    assert [victim.name for victim in given.preemption.candidates[0].victims] == expected


def test_victims_of_affinity_and_ports() -> None:
    """Filters other than resources are asked again as pods go and come back."""
    asking = pod("high", priority=9, labels=A, affinity=affinity(far=[term({"app": "b"})]), ports=["80"])
    running = [
        pod("repels", node="n1", affinity=affinity(far=[term(A)])),
        pod("is-repelled", node="n1", labels={"app": "b"}),
        pod("has-the-port", node="n1", ports=["80"]),
        pod("harmless", node="n1"),
    ]
    assert {key: set(names) for key, names in victims(asking, cluster([node("n1")], running)).items()} == {
        "n1": {"repels", "is-repelled", "has-the-port"}
    }


def test_victims_of_spreading() -> None:
    asking = pod("high", priority=9, labels=A, spread=[spread(ZONE, A)])
    made = cluster([node("n1", zone="a"), node("n2", zone="b", cordoned=True)], [low("a"), low("b")])
    assert victims(asking, made) == {"n1": ["a", "b"]}


def test_nominated_pods_are_considered() -> None:
    """Room that is kept for a pod of equal priority cannot be had."""
    nominee = pod("nominee", cpu="1", priority=100, nominated="n1")
    assert victims(HIGH, cluster([node(cpu="4")], [low("a", cpu="2"), low("b", cpu="1"), nominee])) == {"n1": ["a"]}
    assert victims(HIGH, cluster([node(cpu="3")], [low("a"), low("b"), nominee])) == {"n1": ["a", "b"]}


@pytest.mark.parametrize(
    ("running", "reason"),
    [
        pytest.param([low("a", priority=100)], "No preemption victims found for incoming pod", id="nobody-is-lower"),
        pytest.param([low("a", priority=100), low("b", priority=1)], "Insufficient cpu", id="evicting-all-does-not-do"),
    ],
)
def test_rejections(running: list[Pod], reason: str) -> None:
    given = answer(HIGH, cluster([node(cpu="2")], running))
    message = f"preemption: 0/1 nodes are available: 1 {reason}."
    assert given.status == rejection(UNSCHEDULABLE, message)
    assert given.preemption is not None
    assert given.preemption.candidates == ()
    assert given.preemption.rejections["n1"].reasons == (reason,)
    assert given.nominated_node == ""


def test_nodes_on_which_preemption_cannot_help_are_not_tried() -> None:
    nodes = [node("n1", cpu="1"), node("n2", cordoned=True), node("n3", cpu="2"), node("n4", cpu="2")]
    made = cluster(nodes, [low("a", "n1"), low("b", "n3", priority=100), low("c", "n4", priority=200)])
    given = answer(HIGH, made)
    assert given.preemption is not None
    assert given.preemption.rejections == {"n3": NO_VICTIMS, "n4": NO_VICTIMS}
    assert given.status == rejection(
        UNSCHEDULABLE,
        "preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, "
        "2 Preemption is not helpful for scheduling.",
    )


def test_rejections_are_told_beside_candidates() -> None:
    made = cluster([node("n1", cpu="2"), node("n2", cpu="2")], [low("a"), low("b", "n2", priority=100)])
    given = preemption(HIGH, made)
    assert given.best == ("n1",)
    assert given.rejections == {"n2": NO_VICTIMS}


@dataclass
class Fickle:
    """Rejects while nobody has left its node, and never again."""

    name: str = "Fickle"
    asked: int = 0

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        self.asked += 1
        return rejection(UNSCHEDULABLE, "not in the mood") if self.asked == 1 else None


def test_victim_is_expected() -> None:
    made = cluster([node("n1")], [low("a")])
    profile = default_profile()
    chain = run_pre_filters(profile_of([*profile.filter, Fickle(), profile.queue_sort]), HIGH, made).chain
    rejected = chain.first_rejection(made.node_infos[0])
    assert rejected is not None
    run = PostFilterHandle(made, NodeStatuses({"n1": rejected}), chain)
    given = DefaultPreemption().post_filter(HIGH, run).preemption
    assert given is not None
    assert given.rejections["n1"].reasons == ('expected at least one victim pod on node "n1"',)


# ----------------------------------------------------------------------------------------- disruption budgets

BY_A = selector(A)


def test_protected_pods_come_back_first() -> None:
    """One that a budget protects is spared in favour of a more important one that none protects."""
    important = pod("important", node="n1", cpu="1", priority=50, labels={"app": "b"})
    made = cluster([node(cpu="3")], [low("protected"), important], budget("b", BY_A, 0))
    (candidate,) = preemption(HIGH, made).candidates
    assert [victim.name for victim in candidate.victims] == ["important"]
    tried = [(each.pods[0].name, each.violations, each.stopped) for each in candidate.reprieves]
    assert tried[0] == ("protected", 1, None)
    assert tried[1][:2] == ("important", 0)
    assert tried[1][2] is not None
    assert tried[1][2].reasons == ("Insufficient cpu",)


def test_violations_are_counted_and_victims_sorted() -> None:
    important = pod("important", node="n1", cpu="1", priority=50, labels={"app": "b"})
    made = cluster([node(cpu="2")], [low("protected"), important], budget("b", BY_A, 0))
    (candidate,) = preemption(HIGH, made).candidates
    assert [victim.name for victim in candidate.victims] == ["important", "protected"]
    assert candidate.pdb_violations == 1


def test_candidates_without_violations_come_first() -> None:
    nodes = [node(name, cpu="2") for name in ("n1", "n2", "n3")]
    running = [low("a"), pod("b", node="n2", cpu="1"), low("c", "n3")]
    made = cluster(nodes, running, budget("b", BY_A, 0))
    assert [each.node_name for each in preemption(HIGH, made).candidates] == ["n2", "n1", "n3"]


# ------------------------------------------------------------------------------------------------- the ladder

VIOLATIONS = "fewest PDB violations"
HIGHEST = "lowest priority of the most important victim"
SUM = "lowest sum of victim priorities, 2^31 added to each"
FEWEST = "fewest victims"
LATEST = "latest start of the most important victims"


def candidate(name: str, *priorities: int, started: str | None = NOON, violations: int = 0) -> Candidate:
    pods = [pod(f"{name}-{index}", priority=each, started=started) for index, each in enumerate(priorities)]
    return Candidate(name, tuple(pods), violations)


@pytest.mark.parametrize(
    ("candidates", "decided_by", "best"),
    [
        pytest.param([candidate("x", 9, 9)], None, "x", id="single-candidate"),
        pytest.param([candidate("x", 1, violations=1), candidate("y", 9, 9)], VIOLATIONS, "y", id="violations"),
        pytest.param([candidate("x", 9), candidate("y", 8, 8)], HIGHEST, "y", id="highest-priority"),
        pytest.param([candidate("x", 9, 5), candidate("y", 9, 4)], SUM, "y", id="sum"),
        pytest.param([candidate("x", 9, 5), candidate("y", 9)], SUM, "y", id="sum-grows-with-every-victim"),
        pytest.param(
            [candidate("x", -5, -5), candidate("y", -5)], SUM, "y", id="negative-priorities-do-not-make-more-cheaper",
        ),
        pytest.param(
            [candidate("x", 0, -(2**31)), candidate("y", 0)], FEWEST, "y", id="number-where-a-victim-adds-nothing",
        ),
        pytest.param([candidate("x", 9), candidate("y", 9, started=EVENING)], LATEST, "y", id="start"),
        pytest.param([candidate("x", 9), candidate("y", 9, started=None)], LATEST, "y", id="not-started-is-latest"),
        pytest.param([candidate("x", 9), candidate("y", 9)], LATEST, "x y", id="nothing-tells-them-apart"),
        pytest.param(
            [candidate("x", 9), candidate("y", 9, started=None), candidate("z", 9, started=None)], LATEST, "y z",
            id="two-are-left",
        ),
    ],
)  # fmt: skip
def test_ladder(candidates: list[Candidate], decided_by: str | None, best: str) -> None:
    steps = choose(candidates)
    order = [VIOLATIONS, HIGHEST, SUM, FEWEST, LATEST]
    taken = [] if decided_by is None else order[: order.index(decided_by) + 1]
    assert [step.criterion for step in steps] == taken
    if steps:
        assert steps[-1].remaining == tuple(best.split())


def test_earliest_start_among_the_most_important_victims_counts() -> None:
    """Less important victims may have started when they will."""
    early_but_minor = Candidate("x", (pod("a", priority=9, started=EVENING), pod("b", priority=1, started=MORNING)), 0)
    mixed = Candidate("y", (pod("c", priority=9, started=NOON), pod("d", priority=1, started=EVENING)), 0)
    assert choose([early_but_minor, mixed])[-1] == LadderStep(LATEST, ("x",), EVENING, "latest-start")
    two = Candidate("z", (pod("e", priority=9, started=EVENING), pod("f", priority=9, started=MORNING)), 0)
    other = Candidate("w", (pod("g", priority=9, started=NOON), pod("h", priority=9, started=NOON)), 0)
    assert choose([two, other])[-1] == LadderStep(LATEST, ("w",), NOON, "latest-start")
    assert choose([candidate("x", 9, started=None), candidate("y", 9, started=None)])[-1].value == "not started"


def test_ladder_in_the_answer() -> None:
    nodes = [node(name, cpu="2") for name in ("n1", "n2", "n3")]
    made = cluster(nodes, [low("a", "n1", priority=9), low("b", "n2", priority=3), low("c", "n3", priority=3)])
    given = answer(HIGH, made)
    assert given.nominated_node == "n2"
    assert given.preemption is not None
    assert given.preemption.best == ("n2", "n3")
    assert given.preemption.ladder[:2] == (
        LadderStep(VIOLATIONS, ("n1", "n2", "n3"), "0", "pdb-violations"),
        LadderStep(HIGHEST, ("n2", "n3"), "3", "highest-priority"),
    )
    assert len(given.preemption.ladder) == 5


def test_trials_leave_the_cluster_alone() -> None:
    made = cluster([node("n1", cpu="2")], [low("a"), low("b", cpu="500m")])
    before = made.node_infos[0].requested.cpu_milli
    answer(HIGH, made)
    assert made.node_infos[0].requested.cpu_milli == before
    assert [info.pod.name for info in made.node_infos[0].pods] == ["a", "b"]


def test_hostname_spread_within_a_dry_run() -> None:
    asking = pod("high", priority=9, labels=A, spread=[spread(HOSTNAME, A)])
    running = [low("a", "n1"), low("b", "n1"), low("c", "n2"), low("d", "n2", priority=20)]
    made = cluster([node("n1"), node("n2"), node("n3", cordoned=True)], running)
    assert preemption(asking, made).rejections["n2"].reasons == (
        "node(s) didn't match pod topology spread constraints",
    )
    assert victims(asking, made) == {"n1": ["a", "b"]}


def test_unresolvable_is_not_retried() -> None:
    """No eviction makes a node larger."""
    given = answer(pod(cpu="9", priority=9), cluster([node("n1", cpu="2")], [low("a")]))
    assert given.status == rejection(
        UNSCHEDULABLE, "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )


@pytest.mark.parametrize(
    ("condition", "any_counts", "waits"),
    [
        pytest.param(BEING_PREEMPTED, False, True, id="preempted"),
        pytest.param(None, False, False, id="ending-for-other-reasons"),
        pytest.param(None, True, True, id="ending-for-other-reasons-without-the-gate"),
    ],
)
def test_what_counts_as_making_room(condition: Condition | None, any_counts: bool, waits: bool) -> None:
    ending = pod("low", cpu="2", priority=1, node="n1", deleting=True, conditions=[condition] if condition else [])
    asking = pod("high", cpu="2", priority=100, nominated="n1")
    made = cluster([node("n1", cpu="2")], [ending])
    plugin = DefaultPreemption(features=Features(only_preempted_pods_terminate=not any_counts))
    chain = run_pre_filters(default_profile(), asking, made).chain
    statuses = NodeStatuses({"n1": rejection(UNSCHEDULABLE, "Insufficient cpu")})
    found = plugin.post_filter(asking, PostFilterHandle(made, statuses, chain))
    assert bool(found.preemption and found.preemption.ineligible) is waits


def test_up_to_1_31_those_that_a_budget_protects_are_listed_first() -> None:
    important = pod("important", cpu="1", priority=50, node="n1")
    made = cluster([node(cpu="2")], [low("protected"), important], budget("b", BY_A, 0))
    chain = run_pre_filters(default_profile(), HIGH, made).chain
    statuses = NodeStatuses({"n1": rejection(UNSCHEDULABLE, "Insufficient cpu")})
    plugin = DefaultPreemption(features=Features(victims_are_sorted=False))
    tried = plugin.post_filter(HIGH, PostFilterHandle(made, statuses, chain)).preemption
    assert tried is not None
    (candidate,) = tried.candidates
    assert [victim.name for victim in candidate.victims] == ["protected", "important"]
