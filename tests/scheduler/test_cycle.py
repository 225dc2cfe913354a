from __future__ import annotations

import pytest
from msgspec import structs
from msgspec.structs import replace

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin, PreFiltered
from kexplain.framework.postfilter import PostFiltered, Preemption
from kexplain.framework.status import Status, error, unresolvable, unschedulable
from kexplain.framework.trace import Decision, NodeScore, Outcome, PluginScore, Sampling
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.plugins.scheduling_gates import SchedulingGates
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.event_message import truncated
from tests.factories import affinity, cluster, in_, node, node_affinity, node_term, pod
from tests.framework.stubs import Counts, Filters, PostFilters, PreFilters, Scores, profile

NO, NEVER = unschedulable("no"), unresolvable("never")
DEFAULT = Scheduler({"default-scheduler": default_profile()})
THREE = cluster([node("n1"), node("n2"), node("n3")])
EVEN = Scores("Even", {})


def scheduler(
    *plugins: Plugin, percentage: int | None = None, own: int | None = None, traces: bool = False
) -> Scheduler:
    """A scheduler of these plugins; `percentage` is the scheduler's, `own` the profile's."""
    return Scheduler({"default-scheduler": profile(*plugins, percentage=own)}, percentage or 0, traces)


def many(number: int) -> list[str]:
    return [f"n{index}" for index in range(number)]


# ------------------------------------------------------------------------------------------ before the search


def test_pod_of_another_scheduler() -> None:
    decision = DEFAULT.schedule(pod(scheduler_name="other"), THREE, 2)
    assert decision.outcome is Outcome.NO_PROFILE
    assert decision.scheduler_name == "other"
    assert decision.sampling == Sampling(2, 2, 0, 0)


def test_profile_goes_by_scheduler_name() -> None:
    two = Scheduler({"default-scheduler": profile(Filters("A", {"n1": NO})), "other": profile(Filters("B"))})
    one = cluster([node("n1")])
    assert two.schedule(pod(), one).outcome is Outcome.UNSCHEDULABLE
    assert two.schedule(pod(scheduler_name="other"), one).outcome is Outcome.SCHEDULED


def test_gated_pods_are_not_tried() -> None:
    filters = Filters("A")
    decision = scheduler(SchedulingGates(), filters).schedule(pod(gates=["x", "y"]), THREE, 1)
    assert decision.outcome is Outcome.GATED
    assert decision.message == "waiting for scheduling gates: [x y]"
    assert decision.sampling == Sampling(1, 1, 0, 0)
    assert filters.calls == []


def test_no_nodes() -> None:
    decision = DEFAULT.schedule(pod(), cluster([]))
    assert decision.outcome is Outcome.UNSCHEDULABLE
    assert decision.message == "0/0 nodes are available: no nodes available to schedule pods"
    assert decision.post_filter == ()


class Half:
    name = "Half"

    def not_evaluated(self, pod: Pod) -> str | None:
        return "moods" if pod.name == "moody" else None


def test_what_was_not_evaluated_is_told() -> None:
    profile = structs.replace(default_profile(), not_evaluated=(Half(),))
    scheduler = Scheduler({profile.scheduler_name: profile})
    assert scheduler.schedule(pod("moody"), THREE).not_evaluated == {"Half": "moods"}
    assert scheduler.schedule(pod(), THREE).not_evaluated == {}


def test_a_claim_that_is_not_there_keeps_the_pod_out_of_the_queue() -> None:
    plain = pod()
    claims = (PodResourceClaim(name="gpu", resource_claim_name="gpu"),)
    decision = DEFAULT.schedule(replace(plain, spec=replace(plain.spec, resource_claims=claims)), THREE)
    assert (decision.outcome, decision.gated_by) == (Outcome.GATED, "DynamicResources")
    assert decision.message == 'could not find ResourceClaim "default/gpu"'


# ------------------------------------------------------------------------------------------------- the search


@pytest.mark.parametrize(
    ("start", "order", "following"), [(0, "n1 n2 n3", 0), (1, "n2 n3 n1", 1), (2, "n3 n1 n2", 2), (5, "n3 n1 n2", 2)]
)
def test_round_robin(start: int, order: str, following: int) -> None:
    """All three are looked at, so that the next attempt begins where this one did."""
    decision = scheduler(Filters("A"), EVEN).schedule(pod(), THREE, start)
    assert decision.feasible == tuple(order.split())
    assert decision.sampling == Sampling(start, following, 3, 3)
    assert decision.host == decision.feasible[0]


@pytest.mark.parametrize(
    ("nodes", "rejected", "start", "evaluated", "following"),
    [
        pytest.param(99, [], 0, 99, 0, id="few-nodes-are-all-looked-at"),
        pytest.param(120, [], 0, 100, 100, id="enough-found"),
        pytest.param(120, [], 100, 100, 80, id="round-and-round"),
        pytest.param(120, range(5), 0, 105, 105, id="rejected-nodes-count"),
        pytest.param(120, range(100, 105), 0, 105, 105, id="those-met-before-one-too-many-as-well"),
        pytest.param(120, range(100, 120), 0, 120, 0, id="one-too-many-is-never-met"),
        pytest.param(120, range(60), 0, 120, 0, id="not-enough-to-find"),
    ],
)  # fmt: skip
def test_sampling(nodes: int, rejected: list[int], start: int, evaluated: int, following: int) -> None:
    filters = Filters("A", {f"n{index}": NO for index in rejected})
    made = cluster([node(name) for name in many(nodes)])
    decision = scheduler(filters, EVEN).schedule(pod(), made, start)
    assert decision.sampling == Sampling(start, following, min(nodes, 100), evaluated)
    assert len(decision.feasible) + len(decision.statuses.by_node) == evaluated


@pytest.mark.parametrize(
    ("percentage", "own", "found"),
    [
        pytest.param(None, None, 120, id="by-formula"),
        pytest.param(60, None, 150, id="of-the-scheduler"),
        pytest.param(60, 80, 200, id="of-the-profile"),
        pytest.param(60, 0, 120, id="profile-wants-the-formula"),
    ],
)
def test_percentage_of_nodes_to_score(percentage: int | None, own: int | None, found: int) -> None:
    made = cluster([node(name) for name in many(250)])
    decision = scheduler(EVEN, percentage=percentage, own=own).schedule(pod(), made)
    assert decision.sampling.nodes_to_find == len(decision.feasible) == found


def test_without_scoring_the_first_node_will_do() -> None:
    decision = scheduler(Filters("A", {"n1": NO})).schedule(pod(), THREE)
    assert decision.feasible == ("n2",)
    assert decision.sampling == Sampling(0, 2, 1, 2)


def test_zones_take_turns() -> None:
    made = cluster([node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")])
    assert scheduler(EVEN).schedule(pod(), made).feasible == ("a1", "b1", "a2")


@pytest.mark.parametrize(("start", "order"), [(0, "n2 n3"), (1, "n3 n2"), (2, "n2 n3")])
def test_search_among_the_nodes_that_pre_filter_left(start: int, order: str) -> None:
    """The start index is taken modulo those, but moves on modulo all."""
    narrows = PreFilters("P", PreFiltered(None, frozenset({"n3", "n2", "gone"})))
    decision = scheduler(narrows, EVEN).schedule(pod(), THREE, start)
    assert decision.feasible == tuple(order.split())
    assert decision.sampling == Sampling(start, (start + 2) % 3, 3, 2)


# --------------------------------------------------------------------------------------------- nominated node


def test_nominated_node_is_tried_first_and_alone() -> None:
    filters = Filters("A")
    decision = scheduler(filters, Scores("S", {"n1": 100})).schedule(pod(nominated="n2"), THREE, 1)
    assert decision.host == "n2"
    assert decision.best == decision.feasible == ("n2",)
    assert decision.scores == ()
    assert decision.sampling == Sampling(1, 1, 3, 1)
    assert filters.calls == ["A:n2"]


def test_nominated_node_that_does_not_fit_is_counted_once() -> None:
    filters = Filters("A", {"n2": NO})
    decision = scheduler(filters, EVEN).schedule(pod(nominated="n2"), THREE)
    assert decision.feasible == ("n1", "n3")
    assert decision.statuses.by_node == {"n2": NO.by("A")}
    assert decision.sampling == Sampling(0, 0, 3, 3)
    assert filters.calls == ["A:n2", "A:n1", "A:n2", "A:n3"]


def test_nominated_node_that_is_gone() -> None:
    assert scheduler(EVEN).schedule(pod(nominated="gone"), THREE).feasible == ("n1", "n2", "n3")


def test_nominated_node_counts_even_outside_the_narrowed_search() -> None:
    narrows = PreFilters("P", PreFiltered(None, frozenset({"n1"})))
    decision = scheduler(narrows, Filters("A", {"n1": NO, "n3": NEVER})).schedule(pod(nominated="n3"), THREE)
    assert list(decision.statuses.by_node) == ["n3", "n1"]
    assert decision.sampling.evaluated == 2
    assert decision.message == "0/3 nodes are available: 1 never, 1 no, 1 node(s) didn't satisfy plugin(s) [P]."


def test_room_is_kept_for_nominated_pods() -> None:
    made = cluster([node("n1", cpu="2"), node("n2", cpu="2")], [pod("nominee", cpu="2", priority=5, nominated="n1")])
    assert DEFAULT.schedule(pod("p", cpu="1", priority=5), made).feasible == ("n2",)
    assert DEFAULT.schedule(pod("p", cpu="1", priority=6), made).feasible == ("n1", "n2")


# ---------------------------------------------------------------------------------------------------- scoring


def test_highest_total_wins() -> None:
    decision = scheduler(Scores("S", {"n1": 1, "n2": 5}), Scores("T", {"n3": 4})).schedule(pod(), THREE)
    assert decision.outcome is Outcome.SCHEDULED
    assert decision.best == ("n2",)
    assert decision.host == "n2"
    assert decision.weights == {"S": 1, "T": 1}
    assert decision.scores[1] == NodeScore("n2", {"S": PluginScore(5, 5, 5), "T": PluginScore(0, 0, 0)}, 5)


def test_ties_are_all_told_and_the_first_is_taken() -> None:
    decision = scheduler(Scores("S", {"n1": 1, "n2": 5, "n3": 5})).schedule(pod(), THREE, 2)
    assert decision.best == ("n3", "n2")
    assert decision.host == "n3"


def test_single_node_is_not_scored() -> None:
    decision = scheduler(Filters("A", {"n1": NO, "n3": NO}), Scores("S", {"n2": 5})).schedule(pod(), THREE)
    assert (len(decision.scores), decision.best, decision.host) == (0, ("n2",), "n2")


@pytest.mark.parametrize("traces", [False, True])
def test_matrix_of_a_pod_that_fits_is_made_on_demand(traces: bool) -> None:
    filters = Filters("A", {"n1": NO}), Filters("B", {"n1": NEVER})
    decision = scheduler(*filters, EVEN, traces=traces).schedule(pod(), THREE)
    assert decision.statuses.by_node == {"n1": NO.by("A")}
    assert decision.matrix == ({"n1": {"A": NO.by("A"), "B": NEVER.by("B")}} if traces else {})


# ---------------------------------------------------------------------------------------------------- failure


def test_message_counts_first_rejections_only() -> None:
    filters = Filters("A", {"n1": NO, "n2": NO}), Filters("B", {"n1": NEVER, "n3": NEVER})
    decision = scheduler(*filters).schedule(pod(), THREE)
    assert decision.outcome is Outcome.UNSCHEDULABLE
    assert decision.message == "0/3 nodes are available: 1 never, 2 no."
    assert decision.host == ""
    assert decision.matrix == {
        "n1": {"A": NO.by("A"), "B": NEVER.by("B")},
        "n2": {"A": NO.by("A")},
        "n3": {"B": NEVER.by("B")},
    }


@pytest.mark.parametrize(
    ("rejection", "post_filter", "message"),
    [
        pytest.param(NO, None, "0/3 nodes are available: no.", id="unschedulable"),
        pytest.param(NEVER, None, "0/3 nodes are available: never.", id="for-good"),
        pytest.param(NO, PostFiltered(NEVER), "0/3 nodes are available: no. never", id="post-filter-is-still-asked"),
    ],
)
def test_pre_filter_rejects_the_pod(rejection: Status, post_filter: PostFiltered | None, message: str) -> None:
    plugins: list[Plugin] = [PreFilters("P", rejection)]
    if post_filter:
        plugins.append(PostFilters("Q", post_filter))
    decision = scheduler(*plugins).schedule(pod(), THREE)
    assert decision.outcome is Outcome.UNSCHEDULABLE
    assert decision.message == message
    assert decision.statuses.get("n2") == rejection.by("P")
    assert decision.sampling.evaluated == 0


def test_nodes_that_no_plugin_can_agree_on() -> None:
    plugins = [
        PreFilters("B", PreFiltered(None, frozenset({"n1"}))),
        PreFilters("A", PreFiltered(None, frozenset({"n2"}))),
    ]
    decision = scheduler(*plugins).schedule(pod(), THREE)
    assert decision.message == "0/3 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously."


def test_error_in_pre_filter() -> None:
    decision = scheduler(PreFilters("P", error("broken")), PostFilters("Q", PostFiltered(NO))).schedule(pod(), THREE)
    assert decision.outcome is Outcome.ERROR
    assert "broken" in decision.message
    assert decision.post_filter == ()


def test_error_in_filter() -> None:
    filters = Filters("A", {"n2": error("broken")})
    decision = scheduler(filters, PostFilters("Q", PostFiltered(NO))).schedule(pod(), THREE)
    assert decision.outcome is Outcome.ERROR
    assert "broken" in decision.message
    assert decision.post_filter == ()


def test_nomination() -> None:
    found = PostFiltered(None, "n2", Preemption(best=("n2",)))
    decision = scheduler(
        Counts(NO), Filters("A", dict.fromkeys(("n1", "n2", "n3"), NO)), PostFilters("Q", found)
    ).schedule(pod(), THREE)
    assert decision.outcome is Outcome.UNSCHEDULABLE
    assert decision.message == "0/3 nodes are available: 3 no."
    assert decision.nominated_node == "n2"
    assert decision.preemption == found.preemption
    assert decision.post_filter == (("Q", found),)


def test_nobody_to_nominate() -> None:
    decision = scheduler(Filters("A", dict.fromkeys(("n1", "n2", "n3"), NO))).schedule(pod(), THREE)
    assert decision.nominated_node == ""
    assert decision.preemption is None


# -------------------------------------------------------------------------------------------- the whole profile


def fails(asking: Pod, *running: Pod) -> Decision:
    nodes = [
        node("cordoned", cordoned=True),
        node("tainted", taints=["k=v:NoSchedule"]),
        node("small", cpu="1", labels={"disk": "ssd"}),
        node("full", cpu="4", memory="1Gi", labels={"disk": "ssd"}),
        node("other"),
    ]
    return DEFAULT.schedule(asking, cluster(nodes, running))


def test_failed_scheduling_event() -> None:
    taken = pod("taken", node="full", cpu="3", memory="1Gi", priority=0)
    decision = fails(pod("p", cpu="2", memory="512Mi", node_selector={"disk": "ssd"}), taken)
    assert decision.message == (
        "0/5 nodes are available: 1 Insufficient memory, 1 node(s) didn't match Pod's node affinity/selector, "
        "1 node(s) had untolerated taint(s), 1 node(s) were unschedulable, 2 Insufficient cpu. "
        "no new claims to deallocate, preemption: 0/5 nodes are available: "
        "1 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling."
    )
    assert list(decision.matrix["tainted"]) == ["TaintToleration", "NodeAffinity"]
    assert decision.statuses.get("tainted").plugin == "TaintToleration"


def test_failed_scheduling_event_with_preemption() -> None:
    taken = pod("taken", node="full", cpu="3", memory="1Gi", priority=0)
    decision = fails(pod("p", cpu="2", memory="512Mi", node_selector={"disk": "ssd"}, priority=1), taken)
    assert decision.message.endswith("2 Insufficient cpu.")
    assert decision.nominated_node == "full"


def test_failed_scheduling_event_of_a_pinned_pod() -> None:
    pinned = node_affinity(node_term(fields=[in_("metadata.name", "small")]))
    decision = fails(pod("p", cpu="2", affinity=affinity(node=pinned)))
    assert decision.message == (
        "0/5 nodes are available: 1 Insufficient cpu, 4 node(s) didn't satisfy plugin(s) [NodeAffinity]. "
        "no new claims to deallocate, preemption: 0/5 nodes are available: "
        "5 Preemption is not helpful for scheduling."
    )


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        pytest.param("x" * 1024, "x" * 1024, id="just-fits"),
        pytest.param("x" * 1025, "x" * 1020 + " ...", id="one-too-many"),
        pytest.param("é" * 512, "é" * 512, id="bytes-not-letters-fits"),
        pytest.param("é" * 513, "é" * 510 + " ...", id="bytes-not-letters-cut"),
        pytest.param("x" + "é" * 512, "x" + "é" * 509 + " ...", id="no-half-letters"),
        pytest.param("", "", id="empty"),
    ],
)
def test_truncation(message: str, kept: str) -> None:
    assert truncated(message) == kept
    assert len(kept.encode()) <= 1024


def test_long_messages_are_cut() -> None:
    rejected = {f"n{index}": unschedulable(f"reason {index} of many") for index in range(80)}
    decision = scheduler(Filters("A", rejected)).schedule(pod(), cluster([node(name) for name in rejected]))
    assert len(decision.message) == 1024
    assert decision.message.endswith(" ...")


# --------------------------------------------------------------------------------------------- older releases


@pytest.mark.parametrize(
    ("features", "message", "evaluated", "following"),
    [
        pytest.param(
            Features(), "0/3 nodes are available: 1 no, 2 node(s) didn't satisfy plugin(s) [P].", 1, 2, id="since-1.32",
        ),
        pytest.param(
            Features(narrowed_out_nodes_are_told=False), "0/3 nodes are available: 1 no.", 1, 2, id="in-1.31",
        ),
        pytest.param(
            Features(
                narrowed_out_nodes_are_told=False,
                narrowed_out_nodes_are_evaluated=True,
                round_robin_goes_over_named_nodes=True,
            ),
            "0/3 nodes are available: 1 no, 2 node is filtered out by the prefilter result.", 3, 0, id="in-1.30",
        ),
    ],
)  # fmt: skip
def test_nodes_that_pre_filter_left_out(features: Features, message: str, evaluated: int, following: int) -> None:
    narrows = PreFilters("P", PreFiltered(None, frozenset({"n2"})))
    made = structs.replace(scheduler(narrows, Filters("A", {"n2": NO})), features=features)
    decision = made.schedule(pod(), THREE, 1)
    assert decision.message == message
    assert (decision.sampling.evaluated, decision.sampling.next_start_index) == (evaluated, following)


def test_none_of_the_nodes_that_pre_filter_left_is_there() -> None:
    made = scheduler(PreFilters("P", PreFiltered(None, frozenset({"gone"}))))
    features = Features(
        narrowed_out_nodes_are_told=False, narrowed_out_nodes_are_evaluated=True, round_robin_goes_over_named_nodes=True
    )
    decision = structs.replace(made, features=features).schedule(pod(), THREE, 1)
    assert decision.message == "0/3 nodes are available: 3 node is filtered out by the prefilter result."
    assert decision.sampling.next_start_index == 1


def test_up_to_1_31_a_rejection_at_pre_filter_is_one_of_every_node() -> None:
    features = Features(pre_filter_rejects_node_by_node=True)
    decision = structs.replace(scheduler(PreFilters("P", NEVER)), features=features).schedule(pod(), THREE)
    assert decision.statuses.by_node == dict.fromkeys(("n1", "n2", "n3"), NEVER.by("P"))
    assert (decision.sampling.evaluated, decision.message) == (3, "0/3 nodes are available: never.")
