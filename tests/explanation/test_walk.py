"""The search over the nodes: its order, its beginning and end, and who was never looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain.api import ExplainOptions, Scheduler, SchedulerSettings, build_scheduler, one_by_one
from kexplain.case.case import Case
from kexplain.case.records import PodToPlace
from kexplain.config.releases.release import RELEASES
from kexplain.explain.records import Verdict
from kexplain.explanation.walk import Ending, Walk, walk
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.scheduler.simulate import simulate
from tests.conformance.corpora import DEFAULT, Area, find
from tests.conformance.scenario import Scenario
from tests.conformance.scheduling import _Replay
from tests.factories import affinity, cluster, in_, node, node_affinity, node_term, pod
from tests.sampling import some

NODES = [
    node(f"n{place:03}", zone="abc"[place % 3], labels={"disk": "ssd" if place > 147 else "hdd"})
    for place in range(150)
]
PREFERS = affinity(node=node_affinity(preferred=[(100, node_term(in_("disk", "ssd")))]))


def _walk(one: Pod, *, start: int = 0, seeks: bool = True, settings: SchedulerSettings | None = None) -> Walk:
    scheduler = build_scheduler(settings) if settings else build_scheduler()
    return walk(scheduler.schedule(one, cluster(NODES), start), scheduler, seeks_unseen=seeks)


def test_the_search_ends_once_enough_fit() -> None:
    found = _walk(pod())
    assert (found.first, found.last, found.next_first) == ("n000", "n099", "n100")
    assert (found.nodes_to_find, found.percentage, found.is_by_formula, found.least) == (100, 49, True, 100)
    assert (found.evaluated, found.feasible, found.total, found.ending) == (100, 100, 150, Ending.ENOUGH)
    assert found.zones == ("a", "b", "c")
    assert [each.node for each in found.nodes[99:101]] == ["n099", "n100"]
    assert [each.verdict for each in found.nodes[99:101]] == [Verdict.FEASIBLE, Verdict.NOT_EVALUATED]
    assert [each.turn for each in found.nodes] == [*range(1, 151)]


def test_it_begins_where_the_one_before_ended_and_goes_round() -> None:
    found = _walk(pod(), start=120)
    assert (found.start_index, found.first, found.last, found.next_first) == (120, "n120", "n069", "n070")
    assert found.next_start_index == 70
    assert [each.node for each in found.nodes[29:31]] == ["n149", "n000"]
    assert found.zones == ("a", "b", "c")


def test_nodes_that_a_pod_prefers_and_nobody_looked_at() -> None:
    found = _walk(pod(affinity=PREFERS))
    assert found.preferred == ("n148", "n149")
    seen, unseen = found.nodes[0], found.nodes[148]
    assert unseen.would_get is not None
    assert seen.total is not None
    assert (seen.would_get, unseen.total) == (None, None)
    assert unseen.would_get > seen.total


def test_what_they_would_have_got_is_worked_out_only_if_asked_for() -> None:
    found = _walk(pod(affinity=PREFERS), seeks=False)
    assert found.preferred == ()
    assert {each.would_get for each in found.nodes} == {None}


def test_who_would_have_turned_a_pod_down() -> None:
    nodes = [*NODES[:149], node("n149", zone="c", cordoned=True)]
    scheduler = build_scheduler()
    found = walk(scheduler.schedule(pod(), cluster(nodes)), scheduler, seeks_unseen=True)
    assert (found.nodes[149].would_be_turned_down_by, found.nodes[149].would_get) == ("NodeUnschedulable", None)
    assert found.nodes[148].would_be_turned_down_by == ""


def test_a_percentage_of_the_configuration() -> None:
    found = _walk(pod(), settings=SchedulerSettings(percentage_of_nodes_to_score=80))
    assert (found.nodes_to_find, found.percentage, found.is_by_formula) == (120, 80, False)


def test_all_are_looked_at_where_too_few_fit() -> None:
    found = _walk(pod(node_selector={"disk": "ssd"}))
    assert (found.ending, found.evaluated, found.feasible) == (Ending.ALL, 150, 2)
    assert [each.plugin for each in found.nodes[146:150]] == ["NodeAffinity", "NodeAffinity", "", ""]


def test_few_nodes_are_all_looked_at() -> None:
    scheduler = build_scheduler()
    found = walk(scheduler.schedule(pod(), cluster(NODES[:99])), scheduler)
    assert (found.ending, found.nodes_to_find, found.least, found.is_one_enough) == (Ending.ALL, 99, 99, False)


def test_pre_filter_may_leave_few() -> None:
    named = node_affinity(node_term(fields=[in_("metadata.name", "n005", "n007")]))
    found = _walk(pod(affinity=affinity(node=named)), start=1)
    assert (found.total, found.narrowed_by, found.nodes_to_find) == (2, ("NodeAffinity",), 2)
    assert [each.node for each in found.nodes] == ["n007", "n005"]


def test_a_node_that_is_kept_is_tried_alone() -> None:
    found = _walk(pod(nominated="n030"))
    assert (found.ending, found.evaluated, found.last) == (Ending.NOMINATED, 1, "n030")


@pytest.mark.parametrize(
    ("release", "nominated", "first"),
    [("1.24", "n149", "n000"), ("1.24", "gone", "n120"), ("1.24", None, "n120"), ("1.36", "n149", "n120")],
)
def test_where_a_node_that_is_kept_does_not_take_the_pod_some_releases_begin_anew(
    release: str, nominated: str | None, first: str
) -> None:
    waits = pod(nominated=nominated, node_selector={"disk": "hdd"})
    assert _walk(waits, start=120, settings=SchedulerSettings(kubernetes_version=release)).first == first


@pytest.mark.parametrize(
    ("one", "ending"),
    [
        (pod(scheduler_name="volcano"), Ending.NOT_TRIED),
        (pod(gates=["wait"]), Ending.NOT_TRIED),
        (pod(volumes=[]), Ending.ENOUGH),
    ],
)
def test_pods_that_are_not_tried(one: Pod, ending: Ending) -> None:
    assert _walk(one).ending is ending


@pytest.mark.parametrize("release", RELEASES)
def test_the_order_of_every_release(release: str) -> None:
    """One node of each zone in turn, those without a zone as one of their own."""
    zones = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "c1": "c", "c2": "c", "n1": None}
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=release))
    nodes = [node(name, zone=zone) for name, zone in zones.items()]
    found = walk(scheduler.schedule(pod(), cluster(nodes)), scheduler)
    assert [each.node for each in found.nodes] == ["a1", "b1", "c1", "n1", "a2", "c2", "a3"]


def test_zones_of_one_name_have_their_region_before_them() -> None:
    nodes = [node("a", zone="1", region="east"), node("b", zone="1", region="west"), node("c")]
    scheduler = build_scheduler()
    found = walk(scheduler.schedule(pod(), cluster(nodes)), scheduler)
    assert found.zones == ("east/1", "west/1", "")
    assert [each.zone for each in found.nodes] == ["east/1", "west/1", ""]


def test_each_pod_begins_where_the_last_ended() -> None:
    scheduler = build_scheduler()
    decisions = simulate(scheduler, cluster(NODES), [pod("one"), pod("two")])
    first, second = (walk(each, scheduler) for each in decisions)
    assert (first.next_first, second.first) == ("n100", "n100")


def _explained(options: ExplainOptions) -> Walk | None:
    case = Case(cluster(NODES), (PodToPlace(pod(affinity=PREFERS)),))
    return next(iter(one_by_one(case, options).pods)).walk


def test_explanations_have_the_walk_if_it_is_asked_for() -> None:
    assert _explained(ExplainOptions()) is None
    brief = _explained(ExplainOptions(with_walk=True))
    assert brief is not None
    assert (brief.nodes, brief.preferred) == ((), ())
    whole = _explained(ExplainOptions(with_walk=True, with_walked_nodes=True))
    assert whole is not None
    assert (len(whole.nodes), len(whole.preferred)) == (150, 2)
    one = _explained(ExplainOptions(with_walk=True, node="n149"))
    assert one is not None
    assert [each.turn for each in one.nodes] == [150]


def _areas() -> Sequence[Area]:
    """Recordings of every release in which not all nodes are looked at, or some are left out beforehand."""
    return [area for area in find([DEFAULT]) if area.name in ("sampling", "config", "nodeaffinity")]


class _Walking(_Replay):
    """A recorded scenario, whose decisions are kept."""

    @property
    def scheduler(self) -> Scheduler:
        return self._scheduler

    def decisions(self) -> list[Decision]:
        found = []
        for recorded in self._expected.results:
            one, before = self._pod_by_key[recorded.pod], self._cluster
            decision = self._scheduler.schedule(one, before, recorded.start_node_index or 0)
            found.append(decision)
            if recorded.host:
                self._cluster = self._scheduler.assume(decision, recorded.host)
        return found


@pytest.mark.slow
@pytest.mark.parametrize("area", _areas(), ids=lambda area: f"{Path(area.file).parent.name}-{area.name}")
def test_the_walk_is_as_recorded(area: Area) -> None:
    count = 0
    for scenario in some(area.rows(Scenario), 3):
        replay = _Walking(area.corpus, scenario)
        for recorded, decision in zip(scenario.expected.results, replay.decisions(), strict=True):
            found = walk(decision, replay.scheduler)
            if not found.total or found.ending not in (Ending.ALL, Ending.ENOUGH):
                continue
            looked_at = {*recorded.feasible_nodes, *recorded.node_status}
            order = [each.node for each in found.nodes]
            left = [name for name in scenario.expected.node_order if name in {*order}]
            begun = left.index(found.first)
            assert order == [*left[begun:], *left[:begun]]
            assert begun == (recorded.start_node_index or 0) % len(left)
            seen = [each.node for each in found.nodes if each.verdict is not Verdict.NOT_EVALUATED]
            assert {*seen} == looked_at & {*order}
            assert [each.node for each in found.nodes if each.verdict is Verdict.FEASIBLE] == recorded.feasible_nodes
            # Nobody in between is left out.
            assert order[: len(seen)] == seen
            assert found.next_start_index == recorded.next_start_node_index
            count += 1
    assert count
