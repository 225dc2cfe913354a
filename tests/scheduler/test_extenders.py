from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.extender import (
    Extender,
    ExtenderConfig,
    ExtenderError,
    ExtenderFiltered,
    ExtenderVerb,
    ManagedResource,
)
from kexplain.framework.plugin import BindingStep, ExtensionPoint, Plugin
from kexplain.framework.postfilter import Candidate
from kexplain.framework.status import Code, unresolvable, unschedulable
from kexplain.framework.trace import Decision, ExtenderCall, Outcome, PluginScore, Sampling
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, container, node, pod
from tests.framework.stubs import Filters, Scores, profile

FILTER, PRIORITIZE, PREEMPT = ExtenderVerb.FILTER, ExtenderVerb.PRIORITIZE, ExtenderVerb.PREEMPT
THREE = cluster([node("n1"), node("n2"), node("n3")])
EVEN = Scores("Even", {})
NO = unschedulable("no")


def config(name: str = "a", *verbs: str, **changes: object) -> ExtenderConfig:
    """An extender with these verbs, all of a cycle's if none is named."""
    paths = {f"{verb}_verb": verb for verb in verbs or ("filter", "prioritize", "preempt")}
    return replace(ExtenderConfig(url_prefix=f"http://{name}", weight=1, **paths), **changes)  # type: ignore[arg-type]


@dataclass
class Answers:
    """An extender that answers what it is told to; without an answer, it leaves everything. An error is raised."""

    config: ExtenderConfig = field(default_factory=config)
    left: Sequence[str] | None = None
    failed: Mapping[str, str] = field(default_factory=dict)
    unresolvable: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    candidates: Mapping[str, Candidate] | None = None
    fails: str = ""
    calls: list[tuple[str, list[str]]] = field(default_factory=list)

    def _called(self, verb: str, names: Sequence[str]) -> None:
        self.calls.append((verb, list(names)))
        if self.fails:
            raise ExtenderError(self.fails)

    def filter(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> ExtenderFiltered:
        self._called("filter", [node_info.name for node_info in node_infos])
        left = tuple(info for info in node_infos if self.left is None or info.name in self.left)
        return ExtenderFiltered(left, self.failed, self.unresolvable)

    def prioritize(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> Mapping[str, int]:
        self._called("prioritize", [node_info.name for node_info in node_infos])
        return self.scores

    def process_preemption(
        self, pod: Pod, candidates: Sequence[Candidate], cluster: Cluster
    ) -> Mapping[str, Candidate]:
        self._called("preempt", [candidate.node_name for candidate in candidates])
        return {each.node_name: each for each in candidates} if self.candidates is None else self.candidates


def scheduler(*extenders: Extender, plugins: Sequence[Plugin] = (EVEN,)) -> Scheduler:
    return Scheduler(
        {"default-scheduler": profile(*plugins)},
        extenders=tuple(extender.config for extender in extenders),
        connected_extenders=extenders,
    )


def decide(*extenders: Extender, plugins: Sequence[Plugin] = (EVEN,), asking: Pod | None = None) -> Decision:
    return scheduler(*extenders, plugins=plugins).schedule(asking or pod(), THREE)


# -------------------------------------------------------------------------------------------------------- filter


def test_extenders_filter_one_after_the_other_what_plugins_leave() -> None:
    first, second = Answers(left=["n2", "n3"], failed={"n1": "busy"}), Answers(config("b"), left=["n3"])
    decision = decide(first, second, plugins=[Filters("F"), EVEN])
    assert decision.feasible == ("n3",)
    assert decision.statuses.by_node["n1"] == unschedulable("busy").by("extender http://a")
    assert decision.extender_calls == (
        ExtenderCall("extender http://a", FILTER, 3, 2),
        ExtenderCall("extender http://b", FILTER, 2, 1),
    )
    # The only node that is left is taken without scoring.
    assert [verb for verb, _ in first.calls] == ["filter"]


def test_extenders_are_not_asked_about_nothing() -> None:
    first, second = Answers(left=[]), Answers(config("b"))
    assert decide(first, second).outcome is Outcome.UNSCHEDULABLE
    assert second.calls == []
    nowhere = Filters("F", dict.fromkeys(("n1", "n2", "n3"), NO))
    assert decide(second, plugins=[nowhere]).message == "0/3 nodes are available: 3 no."
    assert second.calls == []


def test_reasons_of_extenders_join_the_message() -> None:
    answers = Answers(left=[], failed={"n1": "busy", "n2": "busy"}, unresolvable={"n2": "no rack"})
    decision = decide(answers, plugins=[Filters("F", {"n3": NO})])
    assert decision.message == "0/3 nodes are available: 1 busy, 1 no, 1 no rack."
    assert decision.statuses.get("n1").code is Code.UNSCHEDULABLE
    # Both maps name it: what cannot be helped counts.
    assert decision.statuses.get("n2") == unresolvable("no rack").by("extender http://a")


def test_node_left_out_without_a_word() -> None:
    decision = decide(Answers(left=[], failed={"n1": "busy"}))
    assert decision.message == "0/3 nodes are available: 1 busy."
    assert decision.statuses.get("n2").code is Code.UNSCHEDULABLE_AND_UNRESOLVABLE
    assert decision.statuses.get("n2").plugin == "extender http://a"


@pytest.mark.parametrize("ignorable", [False, True])
def test_failing_filter(ignorable: bool) -> None:
    failing = Answers(config(ignorable=ignorable), fails="connection refused")
    decision = decide(failing, Answers(config("b"), left=["n2"]))
    calls = [ExtenderCall("extender http://a", FILTER, 3, 0, "connection refused", is_passed_over=ignorable)]
    if ignorable:
        calls += [ExtenderCall("extender http://b", FILTER, 3, 1)]
    assert decision.extender_calls == tuple(calls)
    assert decision.outcome is (Outcome.SCHEDULED if ignorable else Outcome.ERROR)
    assert decision.message == ("" if ignorable else "connection refused")


def test_as_many_nodes_as_wanted_are_found_before_extenders_see_them() -> None:
    wide = cluster([node(f"n{index}") for index in range(200)])
    answers = Answers(left=["n0"])
    decision = scheduler(answers).schedule(pod(), wide)
    assert len(answers.calls[0][1]) == 100
    assert decision.sampling == Sampling(0, 100, 100, 100)


@pytest.mark.parametrize(
    ("verbs", "found"),
    [
        pytest.param(["filter"], 3, id="filter"),
        pytest.param(["prioritize"], 3, id="prioritize"),
        pytest.param(["bind"], 1, id="bind"),
    ],
)
def test_without_score_plugins_one_node_is_enough_unless_extenders_choose(verbs: list[str], found: int) -> None:
    # Whether or not they are really asked.
    made = Scheduler({"default-scheduler": profile(Filters("F"))}, extenders=(config("a", *verbs),))
    assert made.schedule(pod(), THREE).sampling.nodes_to_find == found


GPU = (ManagedResource(name="example.com/gpu"),)


@pytest.mark.parametrize(
    ("asking", "asked"),
    [
        pytest.param(pod(), False, id="nothing-of-it"),
        pytest.param(pod(further={"example.com/gpu": 1}), True, id="requested"),
        pytest.param(pod(containers=[], init=[container(further={"example.com/gpu": 1})]), True, id="init-container"),
        pytest.param(pod(further={"example.com/fpga": 1}), False, id="another-resource"),
        pytest.param(pod(overhead={"example.com/gpu": 1}), False, id="overhead-does-not-count"),
    ],
)
def test_extenders_see_pods_that_want_what_they_look_after(asking: Pod, asked: bool) -> None:
    answers = Answers(config("a", "filter", managed_resources=GPU))
    decide(answers, asking=asking)
    assert bool(answers.calls) is asked


# ----------------------------------------------------------------------------------------------- nominated nodes


def test_nominated_node_is_asked_about_alone() -> None:
    answers = Answers(config("a", "filter"))
    decision = decide(answers, asking=pod(nominated="n2"))
    assert (decision.feasible, decision.sampling) == (("n2",), Sampling(0, 0, 3, 1))
    assert answers.calls == [("filter", ["n2"])]


def test_nominated_node_that_an_extender_turns_down_is_met_again() -> None:
    answers = Answers(config("a", "filter"), left=["n1", "n3"], failed={"n2": "busy"})
    decision = decide(answers, asking=pod(nominated="n2"))
    assert answers.calls == [("filter", ["n2"]), ("filter", ["n1", "n2", "n3"])]
    assert decision.feasible == ("n1", "n3")
    # What was rejected before counts as a node looked at: 1 and 3.
    assert decision.sampling.next_start_index == 1


def test_failure_on_the_nominated_node_ends_nothing() -> None:
    failing = Answers(config("a", "filter"), fails="down")
    decision = decide(failing, asking=pod(nominated="n2"))
    assert [call.is_passed_over for call in decision.extender_calls] == [True, False]
    assert decision.outcome is Outcome.ERROR


# ----------------------------------------------------------------------------------------------------- prioritize


def test_scores_of_extenders_are_added() -> None:
    one = Answers(config("a", "prioritize", weight=2), scores={"n1": 3, "n3": 10, "gone": 10})
    two = Answers(config("b", "prioritize"), scores={"n2": 10})
    decision = decide(one, two, plugins=[Scores("S", {"n1": 50})])
    points = {score.node_name: score.by_plugin for score in decision.scores}
    assert points["n1"] == {
        "S": PluginScore(50, 50, 50),
        "extender http://a": PluginScore(3, 30, 60),
        "extender http://b": PluginScore(0, 0, 0),
    }
    assert {score.node_name: score.total for score in decision.scores} == {"n1": 110, "n2": 100, "n3": 200}
    assert decision.host == "n3"
    assert decision.weights == {"S": 1, "extender http://a": 2, "extender http://b": 1}
    assert decision.extender_calls[0] == ExtenderCall("extender http://a", PRIORITIZE, 3, 2)


def test_one_service_configured_twice_scores_twice() -> None:
    twice = [Answers(config("a", "prioritize"), scores={"n2": 1}), Answers(config("a", "prioritize"), scores={"n2": 2})]
    decision = decide(*twice)
    assert {score.node_name: score.total for score in decision.scores} == {"n1": 0, "n2": 30, "n3": 0}
    assert list(decision.weights) == ["Even", "extender http://a", "extender http://a #2"]


def test_failing_prioritize_is_passed_over() -> None:
    decision = decide(Answers(config("a", "prioritize"), fails="down"))
    assert decision.outcome is Outcome.SCHEDULED
    assert decision.extender_calls == (
        ExtenderCall("extender http://a", PRIORITIZE, 3, 0, "down", is_passed_over=True),
    )
    assert list(decision.weights) == ["Even"]


# -------------------------------------------------------------------------------------------------------- preempt

LOW = {name: pod(f"low-{name}", node=name, cpu="2", priority=int(name[1])) for name in ("n1", "n2", "n3")}
FULL = cluster([node(name, cpu="2") for name in LOW], list(LOW.values()))
HIGH = pod("high", cpu="2", priority=100)


def preempting(*extenders: Answers) -> Decision:
    made = Scheduler(
        {"default-scheduler": default_profile()},
        extenders=tuple(extender.config for extender in extenders),
        connected_extenders=extenders,
    )
    return made.schedule(HIGH, FULL)


def test_extenders_review_candidates() -> None:
    kept = {name: Candidate(name, (LOW[name],), 0) for name in ("n3", "n2")}
    decision = preempting(Answers(config("a", "preempt"), candidates=kept), Answers(config("b", "preempt")))
    assert decision.nominated_node == "n2"
    assert decision.preemption is not None
    assert [each.node_name for each in decision.preemption.candidates] == ["n2", "n3"]
    assert decision.preemption.rejections["n1"].reasons == ("extender http://a would not have pods evicted there",)
    assert decision.extender_calls == (
        ExtenderCall("extender http://a", PREEMPT, 3, 2),
        ExtenderCall("extender http://b", PREEMPT, 2, 2),
    )


def test_extenders_may_name_other_victims() -> None:
    decision = preempting(Answers(config("a", "preempt"), candidates={"n3": Candidate("n3", (LOW["n3"],), 7)}))
    assert decision.preemption is not None
    assert decision.preemption.candidates == (Candidate("n3", (LOW["n3"],), 7),)
    assert decision.nominated_node == "n3"


NO_HELP = "0/3 nodes are available: 3 Insufficient cpu. {}preemption: {}"
#: What DynamicResources says where preemption found nothing, errors aside.
NO_CLAIMS = "no new claims to deallocate, "


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        pytest.param(Answers(config("a", "preempt"), candidates={}),
                     NO_HELP.format(NO_CLAIMS, "no candidate node for preemption"), id="no-candidate-left"),
        pytest.param(Answers(config("a", "preempt"), fails="down"), NO_HELP.format("", "down"), id="fails"),
        pytest.param(Answers(config("a", "preempt"), candidates={"n1": Candidate("n1", (), 0)}),
                     NO_HELP.format("", 'expected at least one victim pod on node "n1"'), id="no-victims"),
        pytest.param(Answers(config("a", "preempt", ignorable=True), candidates={"n1": Candidate("n1", (), 0)}),
                     NO_HELP.format(NO_CLAIMS, "no candidate node for preemption"), id="ignorable-without-victims"),
    ],
)  # fmt: skip
def test_preemption_that_extenders_prevent(answers: Answers, message: str) -> None:
    decision = preempting(answers)
    assert (decision.message, decision.nominated_node) == (message, "")


def test_failing_preempt_of_an_ignorable_extender() -> None:
    decision = preempting(Answers(config("a", "preempt", ignorable=True), fails="down"))
    assert decision.nominated_node == "n1"


# ------------------------------------------------------------------------------------- not asked, and never asked


@pytest.mark.parametrize(
    ("configured", "told"),
    [
        pytest.param(config("a"), {"extender http://a": "filter, prioritize and preempt"}, id="all"),
        pytest.param(config("a", "prioritize", "bind"), {"extender http://a": "prioritize"}, id="one"),
        pytest.param(config("me:secret@a", "filter"), {"extender http://me:xxxxx@a": "filter"}, id="password"),
        pytest.param(config("a", "bind"), {}, id="binding-comes-after"),
        pytest.param(config("a", managed_resources=GPU), {}, id="not-interested"),
    ],
)
def test_extenders_that_are_not_asked_are_told(configured: ExtenderConfig, told: dict[str, str]) -> None:
    made = Scheduler({"default-scheduler": profile(EVEN)}, extenders=(configured,))
    decision = made.schedule(pod(), THREE)
    assert decision.not_evaluated == {
        name: f"it was not asked to {verbs}; calls_extenders asks it" for name, verbs in told.items()
    }
    assert decision.extender_calls == ()


def test_verbs_of_one_service_are_told_together() -> None:
    extenders = (config("a", "filter"), config("a", "prioritize"))
    decision = Scheduler({"default-scheduler": profile(EVEN)}, extenders=extenders).schedule(pod(), THREE)
    assert list(decision.not_evaluated.values()) == [
        "it was not asked to filter and prioritize; calls_extenders asks it"
    ]


def test_binding_is_told_and_never_asked() -> None:
    binder = Answers(config("a", "bind"))
    made = replace(scheduler(binder), profiles={"default-scheduler": default_profile()})
    decision = made.schedule(pod(), THREE)
    assert decision.binding == (("extender http://a", BindingStep(ExtensionPoint.BIND, "bind default/p to n1")),)
    assert binder.calls == []
