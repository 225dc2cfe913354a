from __future__ import annotations

import pytest

from kexplain.errors import PluginError
from kexplain.framework.filtering import Trial, rejection_with_nominated
from kexplain.framework.plugin import SKIP, Plugin, PreFiltered, Skip
from kexplain.framework.plugin_errors import ScoreError
from kexplain.framework.post_filtering import PostFilterHandle, PostFilterResult, run_post_filters
from kexplain.framework.postfilter import NodeStatuses, PostFiltered
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.framework.scoring import Scoring
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.framework.trace import PluginScore
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError
from tests.factories import cluster, node, pod

from .stubs import (
    Both,
    Breaks,
    BreaksInFilter,
    BreaksInPostFilter,
    BreaksInPreScore,
    BreaksInScore,
    Counts,
    Filters,
    NodeByNode,
    NodeByNodeScores,
    PostFilters,
    PreFilters,
    PreScores,
    Scores,
    profile,
)

NO, NEVER = unschedulable("no"), unresolvable("never")
TWO = cluster([node("n1"), node("n2")])


def narrowed(*names: str) -> PreFiltered[None]:
    return PreFiltered(None, frozenset(names))


# -------------------------------------------------------------------------------------------------- PreFilter


BROKEN = error('running PreFilter plugin "A": x')


@pytest.mark.parametrize(
    ("answers", "reached", "rejection", "names"),
    [
        pytest.param([SKIP, PreFiltered(1)], "AB", None, None, id="nothing-against"),
        pytest.param([NO, PreFiltered(1)], "AB", NO.by("A"), None, id="others-are-asked-after-a-rejection"),
        pytest.param([NEVER, PreFiltered(1)], "A", NEVER.by("A"), None, id="not-after-one-for-good"),
        pytest.param([error("x"), NO], "A", BROKEN.by("A"), None, id="nor-after-an-error"),
        pytest.param([NO, NEVER], "AB", NEVER.by("B"), None, id="the-later-rejection-stands"),
        pytest.param([narrowed("n1"), SKIP], "AB", None, "n1", id="one-narrows"),
        pytest.param([narrowed("n1", "n2"), narrowed("n2", "n3")], "AB", None, "n2", id="two-narrow"),
        pytest.param(
            [narrowed(), SKIP], "A", unresolvable("node(s) didn't satisfy plugin A"), "", id="none-left-by-one",
        ),
        pytest.param(
            [narrowed("n1"), narrowed("n2"), SKIP], "AB",
            unresolvable("node(s) didn't satisfy plugin(s) [A B] simultaneously"), "", id="none-in-common",
        ),
        pytest.param([NO, narrowed("n1")], "AB", NO.by("A"), "n1", id="narrowed-after-a-rejection"),
    ],
)  # fmt: skip
def test_pre_filters(
    answers: list[PreFiltered[object] | Skip | Status], reached: str, rejection: Status | None, names: str | None
) -> None:
    calls: list[str] = []
    plugins: list[Plugin] = [
        PreFilters(name, answer, calls) for name, answer in zip("ABC", answers, strict=False)
    ]  # fmt: skip
    result = run_pre_filters(profile(*plugins), pod(), TWO)
    # The others are asked too, for the trace.
    assert calls == list("ABC")[: len(answers)]
    assert "".join(sorted(result.reached)) == reached
    assert result.rejection == rejection
    assert result.node_names == (None if names is None else frozenset(names.split()))
    assert list(result.by_plugin) == calls


def test_who_narrowed_is_told_sorted() -> None:
    result = run_pre_filters(profile(PreFilters("Z", narrowed("n1")), PreFilters("A", narrowed("n1"))), pod(), TWO)
    assert result.narrowed_by == ("A", "Z")


def test_none_in_common_is_told_sorted() -> None:
    result = run_pre_filters(profile(PreFilters("Z", narrowed("n1")), PreFilters("A", narrowed("n2"))), pod(), TWO)
    assert result.rejection == unresolvable("node(s) didn't satisfy plugin(s) [A Z] simultaneously")


# ----------------------------------------------------------------------------------------------------- Filter


def test_what_looks_at_nothing_but_the_node_is_asked_about_it_once() -> None:
    calls: list[str] = []
    made = profile(NodeByNode("A", {"n1": NO}, calls), Filters("B", {"n2": NO}, []), NodeByNode("C", {}, calls))
    before = cluster([node("n1"), node("n2")])
    for _ in range(2):
        chain = run_pre_filters(made, pod(), before).chain
        n1, n2 = before.node_infos
        assert chain.first_rejection(n1) == NO.by("A")
        assert chain.first_rejection(n2) == NO.by("B")
        assert chain.all_rejections(n1) == (NO.by("A"),)
    assert calls == ["A:n1", "A:n2", "C:n1"]
    calls.clear()
    after = before.assume(pod("new"), "n1")
    chain = run_pre_filters(made, pod(), after).chain
    assert [chain.first_rejection(info) for info in after.node_infos] == [NO.by("A"), NO.by("B")]
    assert calls == ["A:n1"]
    calls.clear()
    Trial(chain, n1, after).rejection()
    run_pre_filters(made, pod(priority=5), before).chain.first_rejection(n2)
    assert calls == ["A:n1", "A:n2"]


def test_raw_scores_that_look_at_nothing_but_the_node_are_asked_for_once() -> None:
    calls: list[str] = []
    scores = NodeByNodeScores("A", {"n1": 1, "n2": 2}, calls)
    before = cluster([node("n1"), node("n2")])
    for made in (before, before.assume(pod("new"), "n2")):
        found = Scoring(profile(scores), pod(), made, made.node_infos).run()
        assert not isinstance(found, Status)
        assert found.total_by_node == {"n1": 1, "n2": 2}
    assert calls == ["n1", "n2", "n2"]
    # Other nodes than the last time, or in another order.
    for nodes in (before.node_infos[:1], before.node_infos[1:], before.node_infos[::-1]):
        found = Scoring(profile(scores), pod(), before, nodes).run()
        assert not isinstance(found, Status)
        assert list(found.total_by_node.items()) == [(info.name, int(info.name[1:])) for info in nodes]
    assert calls == ["n1", "n2", "n2", "n2"]
    scores.key, calls[:] = None, ["n1", "n2", "n2"]
    Scoring(profile(scores), pod(), before, before.node_infos).run()
    assert calls == ["n1", "n2", "n2", "n1", "n2"]


def test_filters_run_in_order_until_one_objects() -> None:
    calls: list[str] = []
    made = profile(
        Filters("A", {"n2": NO}, calls), Filters("B", {"n1": NEVER, "n2": NEVER}, calls), Filters("C", {}, calls)
    )
    chain = run_pre_filters(made, pod(), TWO).chain
    n1, n2 = TWO.node_infos
    assert chain.first_rejection(n1) == NEVER.by("B")
    assert chain.first_rejection(n2) == NO.by("A")
    assert calls == ["A:n1", "B:n1", "A:n2"]
    assert chain.all_rejections(n2) == (NO.by("A"), NEVER.by("B"))
    assert calls[3:] == ["A:n2", "B:n2", "C:n2"]


def test_filters_get_the_state_of_their_pre_filter() -> None:
    plugin = Both("B", PreFiltered("mine"))
    run_pre_filters(profile(plugin), pod(), TWO).chain.first_rejection(TWO.node_infos[0])
    assert plugin.states == ["mine"]


@pytest.mark.parametrize("answer", [SKIP, NO, NEVER])
def test_filters_whose_pre_filter_gave_no_state_are_left_out(answer: Skip | Status) -> None:
    plugin = Both("B", answer, rejected={"n1": NO})
    chain = run_pre_filters(profile(plugin), pod(), TWO).chain
    assert chain.first_rejection(TWO.node_infos[0]) is None
    assert plugin.states == []


def test_filters_behind_a_rejection_are_asked_all_the_same() -> None:
    plugin = Both("B", PreFiltered(1), rejected={"n1": NO})
    chain = run_pre_filters(profile(PreFilters("A", NEVER), plugin), pod(), TWO).chain
    assert chain.all_rejections(TWO.node_infos[0]) == (NO.by("B"),)


def test_post_filter_finds_no_state_of_a_pre_filter_that_was_not_reached() -> None:
    class Stateful(PreFilters):
        def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
            return FOUND

    made = profile(PreFilters("A", NEVER), Stateful("B", SKIP))
    result = run_post_filters(made, pod(), TWO, NodeStatuses({}), run_pre_filters(made, pod(), TWO))
    assert result == PostFilterResult((("B", PostFiltered(error("not found"))),), "not found")


def test_node_that_a_pre_filter_ruled_out_is_not_filtered_by_it_again() -> None:
    plugin = Both("B", narrowed("n2"), rejected={"n1": NO, "n2": NEVER})
    chain = run_pre_filters(profile(plugin, Filters("C", {"n1": NO})), pod(), TWO).chain
    assert [chain.all_rejections(info) for info in TWO.node_infos] == [(NO.by("C"),), (NEVER.by("B"),)]


# ---------------------------------------------------------------------------------------------- errors in plugins


def test_errors_name_plugin_and_pod() -> None:
    with pytest.raises(PluginError) as caught:
        run_pre_filters(profile(Breaks()), pod("p", namespace="ns"), TWO)
    assert "Breaks" in caught.value.message
    assert "ns/p" in caught.value.message
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_errors_in_filters_name_the_node_too() -> None:
    chain = run_pre_filters(profile(BreaksInFilter()), pod("p", namespace="ns"), TWO).chain
    for ask in (chain.first_rejection, chain.all_rejections):
        with pytest.raises(PluginError) as caught:
            ask(TWO.node_infos[1])
        for part in ("BreaksInFilter", "ns/p", "n2"):
            assert part in caught.value.message


@pytest.mark.parametrize("plugin", [BreaksInPreScore(), BreaksInScore()], ids=lambda plugin: plugin.name)
def test_errors_in_scoring(plugin: Plugin) -> None:
    with pytest.raises(PluginError, match=plugin.name):
        Scoring(profile(plugin), pod(), TWO, TWO.node_infos).run()


def test_errors_in_post_filters() -> None:
    asked = run_pre_filters(profile(), pod(), TWO)
    with pytest.raises(PluginError, match="BreaksInPostFilter"):
        run_post_filters(profile(BreaksInPostFilter(ZeroDivisionError())), pod(), TWO, NodeStatuses({}), asked)
    with pytest.raises(PluginError, match=r"^already told$"):
        run_post_filters(profile(BreaksInPostFilter(PluginError("already told"))), pod(), TWO, NodeStatuses({}), asked)
    with pytest.raises(QuantityError, match=r"^no amount$"):
        run_post_filters(profile(BreaksInPostFilter(QuantityError("no amount"))), pod(), TWO, NodeStatuses({}), asked)


# ------------------------------------------------------------------------------------------------- trial runs


def test_trial_runs_change_neither_node_nor_state() -> None:
    made = cluster([node("n1")], [pod("unwanted", node="n1"), pod("a", node="n1")])
    info = made.node_infos[0]
    chain = run_pre_filters(profile(Counts(NO)), pod(), made).chain
    trial = Trial(chain, info, made)
    assert trial.rejection() == NO.by("Counts")
    unwanted = info.pods[0]
    trial.remove_pod(unwanted, "n1")
    assert trial.rejection() is None
    assert [each.pod.name for each in trial.node_info.pods] == ["a"]
    trial.add_pod(unwanted, "n1")
    assert trial.rejection() == NO.by("Counts")
    assert [each.pod.name for each in info.pods] == ["unwanted", "a"]
    assert chain.first_rejection(info) == NO.by("Counts")


def test_what_lets_a_node_in_whoever_is_on_it_is_not_asked_again_in_a_trial() -> None:
    calls: list[str] = []
    plugins = NodeByNode("A", {"n2": NO}, calls), NodeByNode("B", {}, calls), NodeByNode("C", {}, calls)
    for plugin in plugins[:2]:
        plugin.filters_by_pods_there = False
    made = cluster([node("n1"), node("n2")])
    chain = run_pre_filters(profile(*plugins), pod(), made).chain
    n1, n2 = (Trial(chain, info, made) for info in made.node_infos)
    calls.clear()
    for _ in range(2):
        assert n1.rejection() is None
        assert n2.rejection() == NO.by("A")
    assert calls == ["C:n1", "A:n2"] * 2


def test_trials_are_independent_of_each_other() -> None:
    made = cluster([node("n1")], [pod("unwanted", node="n1")])
    chain = run_pre_filters(profile(Counts(NO)), pod(), made).chain
    first, second = Trial(chain, made.node_infos[0], made), Trial(chain, made.node_infos[0], made)
    first.remove_pod(made.node_infos[0].pods[0], "n1")
    assert first.rejection() is None
    assert second.rejection() == NO.by("Counts")


@pytest.mark.parametrize(
    ("asking", "nominee", "rejected"),
    [
        pytest.param(pod("p"), pod("unwanted", nominated="n1"), True, id="equal-priority"),
        pytest.param(pod("p", priority=1), pod("unwanted", priority=2, nominated="n1"), True, id="higher-priority"),
        pytest.param(pod("p", priority=1), pod("unwanted", priority=0, nominated="n1"), False, id="lower-priority"),
        pytest.param(pod("p"), pod("unwanted", nominated="n2"), False, id="another-node"),
        pytest.param(pod("unwanted", uid="1"), pod("unwanted", uid="1", nominated="n1"), False, id="the-pod-itself"),
        pytest.param(pod("p"), pod("welcome", nominated="n1"), False, id="no-harm"),
    ],
)
def test_nominated_pods_are_counted_in(asking: Pod, nominee: Pod, rejected: bool) -> None:
    made = cluster([node("n1"), node("n2")], [nominee])
    chain = run_pre_filters(profile(Counts(NO)), asking, made).chain
    verdict = rejection_with_nominated(chain, made.node_infos[0], made)
    assert verdict == (NO.by("Counts") if rejected else None)
    assert made.node_infos[0].pods == []
    assert chain.first_rejection(made.node_infos[0]) is None


def test_node_must_also_do_without_the_nominated_pods() -> None:
    """They may never come: the pod must not depend on them."""
    filters = Filters("A", {"n1": NO})
    made = cluster([node("n1")], [pod("nominee", nominated="n1")])
    chain = run_pre_filters(profile(filters), pod(), made).chain
    assert rejection_with_nominated(chain, made.node_infos[0], made) == NO.by("A")
    assert len(filters.calls) == 1
    fits = Filters("A")
    assert rejection_with_nominated(run_pre_filters(profile(fits), pod(), made).chain, made.node_infos[0], made) is None
    assert len(fits.calls) == 2


# ------------------------------------------------------------------------------------------------- PostFilter

FOUND = PostFiltered(None, "n1")
NOT_FOUND, GAVE_UP = PostFiltered(NO), PostFiltered(NEVER)


@pytest.mark.parametrize(
    ("answers", "asked", "message"),
    [
        pytest.param([], "", "", id="nobody"),
        pytest.param([FOUND, NOT_FOUND], "A", "", id="found"),
        pytest.param([NOT_FOUND, FOUND], "AB", "", id="found-by-the-second"),
        pytest.param([NOT_FOUND, NOT_FOUND], "AB", "no, no", id="reasons-are-joined"),
        pytest.param([GAVE_UP, FOUND], "A", "never", id="nothing-can-help"),
        pytest.param([NOT_FOUND, GAVE_UP, FOUND], "AB", "never", id="earlier-reasons-are-lost"),
        pytest.param([PostFiltered(error("broken")), FOUND], "A", "broken", id="error"),
    ],
)
def test_post_filters(answers: list[PostFiltered], asked: str, message: str) -> None:
    calls: list[str] = []
    made = profile(*[PostFilters(name, answer, calls) for name, answer in zip("ABC", answers, strict=False)])
    result = run_post_filters(made, pod(), TWO, NodeStatuses({}), run_pre_filters(made, pod(), TWO))
    expected = tuple(zip(asked, answers, strict=False))
    assert result == PostFilterResult(expected, message)
    assert "".join(calls) == asked


# ---------------------------------------------------------------------------------------------------- scoring


def test_scores_are_weighted_and_summed() -> None:
    made = profile(Scores("A", {"n1": 10, "n2": 20}), PreScores("B", {"n1": 3}, prepared=1), weights={"A": 2, "B": 5})
    scores = Scoring(made, pod(), TWO, TWO.node_infos).run()
    first, second = scores
    assert (first.node_name, second.node_name) == ("n1", "n2")
    assert first.by_plugin == {"A": PluginScore(10, 10, 20), "B": PluginScore(4, 8, 40)}
    assert second.by_plugin == {"A": PluginScore(20, 20, 40), "B": PluginScore(1, 2, 10)}
    assert (first.total, second.total) == (60, 50)


def test_an_error_of_pre_score_is_the_answer() -> None:
    made = profile(Scores("A", {"n1": 10}), PreScores("B", {"n1": 3}, prepared=error("x")))
    with pytest.raises(ScoreError, match=r'^running PreScore plugin "B": x$'):
        Scoring(made, pod(), TWO, TWO.node_infos).run()


@pytest.mark.parametrize("score", [-1, 101])
def test_a_score_out_of_range_fails_as_upstream_does(score: int) -> None:
    with pytest.raises(ScoreError) as fault:
        Scoring(profile(Scores("A", {"n1": score})), pod(), TWO, TWO.node_infos).run()
    text = f'plugin "A" returns an invalid score {score}, it should in the range of [0, 100] after normalizing'
    assert str(fault.value) == f"applying score defaultWeights on Score plugins: {text}"


def test_plugins_that_skip_are_missing() -> None:
    plugin = PreScores("B", {"n1": 3}, prepared=SKIP)
    scores = Scoring(profile(Scores("A", {"n1": 10}), plugin), pod(), TWO, TWO.node_infos[:1]).run()
    (score,) = scores
    assert list(score.by_plugin) == ["A"]
    assert score.total == 10
    assert plugin.seen == ["n1"]


def test_codes_read_as_upstream_prints_them() -> None:
    assert [code.value for code in Code] == [
        "Success",
        "Error",
        "Unschedulable",
        "UnschedulableAndUnresolvable",
        "Skip",
        "Wait",
    ]
