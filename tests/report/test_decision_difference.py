from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kexplain.api import Case, Scheduler, SchedulerSettings, build_scheduler, explain
from kexplain.case import PodToPlace, under
from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.config.component.default_profile import default_profile
from kexplain.explanation.records import PodReference, Workload
from kexplain.framework.features import Features
from kexplain.objects.core import Node, Pod
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.scoring_strategy import ScoringStrategy
from kexplain.report.bearings import Bearings
from kexplain.report.decision_difference import alike_once, compare_running, decision_difference
from kexplain.report.difference import DifferenceReport, PodDifference, Side
from tests.factories import affinity, cluster, container, in_, node, node_affinity, node_term, pod, spread

from .explained_difference import explain_running, pod_difference, running_on

ROOMY, FULL = node("roomy", cpu="8"), node("full", cpu="1")
TAINTED = node("tainted", cpu="8", taints=["k=v:NoSchedule"])
PLAIN = build_scheduler()


def weighing(**weights: int) -> Scheduler:
    profile = default_profile()
    return Scheduler({"default-scheduler": replace(profile, weights={**profile.weights, **weights})})


def packing() -> Scheduler:
    packs = NodeResourcesFit(Features(), ScoringStrategy("MostAllocated"))
    profile = default_profile().with_each(lambda plugin: packs if plugin.name == packs.name else plugin)
    return Scheduler({"default-scheduler": profile})


def stopping_at(candidates: int) -> Scheduler:
    given = {"minCandidateNodesPercentage": 1, "minCandidateNodesAbsolute": candidates}
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return scheduler_from({**kind, "profiles": [{"pluginConfig": [{"name": "DefaultPreemption", "args": given}]}]})


def without(plugin: str) -> Scheduler:
    profile = default_profile()
    filters = tuple(each for each in profile.filter if each.name != plugin)
    scores = tuple(each for each in profile.score if each.name != plugin)
    return Scheduler({"default-scheduler": replace(profile, filter=filters, score=scores)})


def both(nodes: Sequence[Node], placed: Pod, before: Scheduler, after: Scheduler, top: int) -> list[PodDifference]:
    """The comparison of the explanations, and that of the decisions."""
    case = Case(cluster(nodes), (PodToPlace(placed),))
    (one,), (other,) = (explain(case, scheduler).pods for scheduler in (before, after))
    decisions = before.schedule(placed, case.cluster), after.schedule(placed, case.cluster)
    return [pod_difference(one, other, top), decision_difference(*decisions, top)]


SMALL, BIG = pod("web", cpu="500m"), pod("web", cpu="4")
PINNED = pod("web", affinity=affinity(node=node_affinity(node_term(in_("on", "yes")))))


@pytest.mark.parametrize("top", [0, 1, 2])
@pytest.mark.parametrize(
    ("placed", "before", "after", "changed"),
    [
        pytest.param(SMALL, PLAIN, PLAIN, (), id="the-same"),
        pytest.param(SMALL, PLAIN, packing(), ("node", "rank"), id="scores"),
        pytest.param(SMALL, PLAIN, weighing(NodeResourcesFit=2), (), id="points-without-ranks"),
        pytest.param(SMALL, PLAIN, without("NodeResourcesFit"), (), id="a-plugin-that-scores-no-longer"),
        pytest.param(SMALL, without("TaintToleration"), PLAIN, ("node", "rank", "nodes"), id="another-node-fits"),
        pytest.param(BIG, without("TaintToleration"), PLAIN, ("node", "rank", "nodes"), id="only-one-fits"),
        pytest.param(pod("web", cpu="9"), PLAIN, without("TaintToleration"), ("nodes", "message"), id="none-fits"),
        pytest.param(pod("web", cpu="9"), PLAIN, without("NodeResourcesFit"), None, id="all-fit"),
        pytest.param(PINNED, PLAIN, without("NodeAffinity"), None, id="left-out"),
        pytest.param(SMALL, PLAIN, Scheduler({}), ("verdict", "node"), id="no-profile"),
    ],
)
def test_decisions_compare_as_their_explanations_do(
    placed: Pod, before: Scheduler, after: Scheduler, changed: tuple[str, ...] | None, top: int
) -> None:
    explained, decided = both(
        [TAINTED, ROOMY, FULL, node("labelled", labels={"on": "yes"})], placed, before, after, top
    )
    assert decided == explained
    assert changed is None or decided.changed == changed


@pytest.mark.parametrize(
    ("after", "changed", "nominees"),
    [
        pytest.param(PLAIN, (), ["n1"], id="the-same"),
        pytest.param(Scheduler(PLAIN.profiles).without_post_filter(), ("verdict", "node"), [], id="off"),
        pytest.param(stopping_at(1), ("node",), ["n1", "n5", "n9"], id="one-is-enough"),
        pytest.param(stopping_at(2), ("node",), ["n1", "n5"], id="two-are-enough"),
        pytest.param(stopping_at(3), (), ["n1"], id="three-are-enough"),
    ],
)
def test_whom_a_pod_evicts_and_from_where_is_compared(
    after: Scheduler, changed: tuple[str, ...], nominees: list[str]
) -> None:
    placed = [pod(f"of-{n}", node=f"n{n}", cpu="4", priority=n) for n in (5, 1, 9)]
    there = cluster([node(f"n{n}") for n in (5, 1, 9)], placed)
    before, then = (side.schedule(pod("high", cpu="4", priority=10), there) for side in (PLAIN, after))
    found = decision_difference(before, then)
    assert found.changed == changed
    assert [found.before.evicts, found.after.evicts] == [("default/of-1",), ("default/of-1",) if nominees else ()]
    assert [*found.after.nominees] == nominees
    assert found.after.nominated_node == (nominees or [""])[0]


@pytest.mark.parametrize("top", [0, 10])
def test_nodes_that_nobody_looked_at_come_last(top: int) -> None:
    nodes = [node(f"n{number}", cpu=str(2 + number % 7)) for number in range(120)]
    some = build_scheduler(SchedulerSettings(percentage_of_nodes_to_score=50))
    every = build_scheduler(SchedulerSettings(percentage_of_nodes_to_score=100))
    for before, after in ((some, every), (every, some)):
        explained, decided = both(nodes, SMALL, before, after, top)
        assert decided == explained
        assert ("nodes" in decided.changed, decided.changed_nodes >= 20) == (True, True)


def test_nodes_where_the_pod_belongs_come_first() -> None:
    asks = pod("web", cpu="2", memory="9Gi", init=[container("1", sidecar=True)], spread=[spread("rack")])
    nodes = [node("unlabelled", cpu="8", memory="16Gi"), node("small", cpu="1", memory="1Gi", labels={"rack": "a"})]
    # Sidecars are an alpha feature there, for which it turns both nodes down.
    before = build_scheduler(SchedulerSettings(kubernetes_version="1.28"))
    explained, decided = both(nodes, asks, before, PLAIN, 0)
    assert [each.node for each in explained.nodes] == ["small", "unlabelled"]
    assert decided == explained


@pytest.mark.parametrize("settings", [SchedulerSettings(kubernetes_version="1.22"), SchedulerSettings()])
def test_running_pods_are_compared_one_by_one(settings: SchedulerSettings) -> None:
    running = [pod("big", cpu="6", node="roomy"), pod("small", cpu="500m", node="full", priority=1)]
    before = Case(cluster([ROOMY, FULL, TAINTED], running), (), scheduler=build_scheduler(settings))
    after = under(before, SchedulerSettings(kubernetes_version="1.30"))
    explained = zip(*(explain_running(each) for each in (before, after)), strict=True)
    nodes = [each.spec.node_name or "" for each in running]
    expected = [running_on(pod_difference(*sides), on) for sides, on in zip(explained, nodes, strict=True)]
    bearings = Bearings(before.scheduler, after.scheduler)
    assert [each.difference for each in compare_running(before, after, bearings)] == expected
    assert [each.difference for each in compare_running(before, after, bearings, places=range(1, 2))] == expected[1:]


@pytest.mark.parametrize("fits", [True, False])
def test_nodes_that_lack_the_same_differ_in_what_pods_take_there(fits: bool) -> None:
    nodes = [node("full", cpu="4"), *([node("roomy", cpu="8")] if fits else ())]
    pairs = [(PLAIN.schedule(pod("web", cpu="3"), cluster(nodes, [pod("a", cpu=cpu, node="full")]))) for cpu in "23"]
    assert [each.node for each in decision_difference(pairs[0], pairs[1]).nodes] == ["full"]
    assert decision_difference(pairs[0], pairs[0]).nodes == ()


@pytest.mark.parametrize("after", [PLAIN, build_scheduler(SchedulerSettings(kubernetes_version="1.34"))])
def test_nodes_read_anew_are_compared_by_what_is_said_of_them(after: Scheduler) -> None:
    taints = ["gpu=present:NoSchedule"], ()
    before = [node(f"n{n}", cpu=str(n % 3), labels={"pool": "ab"[n % 2]}, taints=taints[n % 4 > 0]) for n in range(12)]
    relabelled = [*before[:3], node("n3", cpu="2", labels={"pool": "a"}), *before[5:], node("new", cpu="1")]
    asks = pod("web", cpu="9", node_selector={"pool": "c"}, node=None)
    clusters = [cluster(nodes, [pod("on", cpu="500m", node="n7")]) for nodes in (before, relabelled)]
    cases = [Case(each, (PodToPlace(asks),)) for each in clusters]
    (one,), (other,) = (explain(case, by).pods for case, by in zip(cases, (PLAIN, after), strict=True))
    found = decision_difference(PLAIN.schedule(asks, clusters[0]), after.schedule(asks, clusters[1]))
    assert found == pod_difference(one, other)
    assert {each.node for each in found.nodes} == {"n3", "n4", "new"}


def test_what_is_alike_is_said_once_and_what_stays_is_counted() -> None:
    where = cluster([node("n1", cpu="8"), node("n2", cpu="4")], [pod("x", cpu="1", node="n2")])
    one, other = (side.schedule(SMALL, where) for side in (PLAIN, packing()))
    moved, same = decision_difference(one, other), decision_difference(one, one)
    web = [PodReference("a", f"web-{place}", 0, workload=Workload("StatefulSet", "web")) for place in range(3)]
    told = (*(replace(moved, pod=each) for each in web[:2]), replace(same, pod=web[2]), moved)
    short = alike_once(DifferenceReport(before=Side("1"), after=Side("2"), pods=told))
    assert [(each.pod.name, each.same_as) for each in short.pods] == [("web-0", None), ("web-1", 0), ("web", None)]
    assert short.pods[0].nodes == moved.nodes
    assert (short.pods[1].nodes, short.pods[1].after) == ((), moved.after)
    assert [(each.kind, each.name, each.pods) for each in short.unchanged] == [("StatefulSet", "web", 1)]
