from __future__ import annotations

from msgspec.structs import replace

from kexplain.api import Case, SchedulerSettings, build_scheduler, decided, place_running
from kexplain.case import Decided, PodToPlace
from kexplain.config.component.default_profile import default_profile
from kexplain.objects.core import Node, Pod
from kexplain.report.decision_difference import Compared, difference
from kexplain.report.difference import DifferenceReport, PodDifference, Side
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod

ROOMY, FULL = node("roomy", cpu="8"), node("full", cpu="1")
SIDES = Side(kubernetes_version="1.36"), Side(kubernetes_version="1.36", settings=("--config other.yaml",))


def reported(nodes: list[Node], *pods: Pod, scheduler: Scheduler | None = None) -> list[Decided]:
    places = tuple(PodToPlace(each, "", 0, ()) for each in pods)
    return list(decided(Case(cluster(nodes), places), scheduler))


def compared(before: list[Decided], after: list[Decided]) -> DifferenceReport:
    return difference(Compared(SIDES[0], before), Compared(SIDES[1], after))


def only(before: list[Decided], after: list[Decided]) -> PodDifference:
    (found,) = compared(before, after).pods
    return found


def weighing(plugin: str, weight: int) -> Scheduler:
    profile = default_profile()
    return Scheduler({"default-scheduler": replace(profile, weights={**profile.weights, plugin: weight})})


def test_the_same_is_no_change() -> None:
    report = reported([ROOMY, FULL], pod("web", cpu="500m"))
    found = only(report, report)
    assert (found.changed, found.nodes, found.moved_by) == ((), (), ())
    assert found.before == found.after


def test_a_verdict_that_changes_names_what_stops_each_node() -> None:
    found = only(reported([ROOMY], pod("web", cpu="2")), reported([node("roomy", cpu="1")], pod("web", cpu="2")))
    assert found.changed == ("verdict", "node", "rank", "nodes", "message")
    assert (found.before.node, found.after.node) == ("roomy", "")
    (changed,) = found.nodes
    assert (changed.before.verdict, changed.after.verdict) == ("Feasible", "Rejected")
    assert changed.after.stopped_by == "NodeResourcesFit"
    assert changed.after.detail.startswith("cpu 2 > 1 free")


def test_a_node_that_wins_by_one_plugin() -> None:
    plain, tainted = node("plain", cpu="2"), node("tainted", cpu="8", taints=["k=v:PreferNoSchedule"])
    wanted = pod("web", cpu="1")
    before = reported([plain, tainted], wanted)
    after = reported([plain, tainted], wanted, scheduler=weighing("NodeResourcesFit", 50))
    found = only(before, after)
    assert found.changed == ("node", "rank")
    assert (found.before.best, found.after.best) == (("plain",), ("tainted",))
    (moved,) = found.moved_by
    assert moved.plugin == "NodeResourcesFit"
    assert moved.points == (moved.after or 0) - (moved.before or 0) > 0
    by_node = {each.node: each.moved_by[0] for each in found.nodes}
    assert by_node["tainted"].points - by_node["plain"].points == moved.points


def test_a_tie_that_is_broken() -> None:
    twins = [node("one"), node("other")]
    tainted = [node("one", taints=["k=v:PreferNoSchedule"]), node("other")]
    found = only(reported(twins, pod("web")), reported(tainted, pod("web")))
    assert (found.before.best, found.after.best) == (("one", "other"), ("other",))
    assert [(shift.plugin, shift.points) for shift in found.moved_by] == [("TaintToleration", 300)]


def test_nodes_that_come_and_go() -> None:
    found = only(reported([ROOMY, FULL], pod("web")), reported([ROOMY, node("new")], pod("web")))
    fates = {each.node: (each.before.verdict, each.after.verdict) for each in found.nodes}
    assert fates["full"] == ("Feasible", "Absent")
    assert fates["new"] == ("Absent", "Feasible")


def test_no_nodes_are_compared_where_a_side_tried_none() -> None:
    found = only(reported([ROOMY], pod("web")), reported([ROOMY], pod("web"), scheduler=Scheduler({})))
    assert (found.after.outcome, found.nodes) == ("NoProfile", ())


def test_pods_are_matched_by_name_whatever_the_order() -> None:
    before = reported([ROOMY], pod("a"), pod("b", cpu="1"))
    after = reported([ROOMY], pod("b", cpu="1"), pod("a"))
    found = compared(before, after).pods
    assert [(each.pod.name, each.changed) for each in found] == [("b", ()), ("a", ())]


def test_pods_that_only_one_side_has_are_named() -> None:
    found = compared(reported([ROOMY], pod("a"), pod("b")), reported([ROOMY], pod("b"), pod("c")))
    assert [each.pod.name for each in found.pods] == ["b"]
    assert found.notes == ("default/a is there only before the change", "default/c is there only after the change")


def test_running_pods_are_each_placed_anew_with_themselves_taken_out() -> None:
    running = [pod("big", cpu="6", node="roomy"), pod("small", cpu="500m", node="full")]
    made = Case(cluster([ROOMY, FULL], running), ())
    found = place_running(made, build_scheduler(SchedulerSettings(preempts=False)))
    assert [(each.pod.pod.name, each.decision.outcome, len(each.decision.feasible)) for each in found] == [
        ("big", "Scheduled", 1),
        ("small", "Scheduled", 2),
    ]


def test_only_so_many_nodes_are_kept() -> None:
    sides = [
        Compared(side, reported([node(f"n{n}", cpu=cpu) for n in range(5)], pod("web", cpu="1")))
        for side, cpu in zip(SIDES, ("4", "500m"), strict=True)
    ]
    (found,) = difference(*sides, top=2).pods
    assert ([each.node for each in found.nodes], found.changed_nodes) == (["n0", "n1"], 5)


def test_pods_that_moved_before_are_named() -> None:
    before = reported([node("a", cpu="3"), node("b", cpu="4")], pod("one", cpu="3"), pod("two", cpu="1"))
    after = reported([node("a", cpu="4"), node("b", cpu="3")], pod("one", cpu="3"), pod("two", cpu="1"))
    one, two = compared(before, after).pods
    assert (one.before.node, one.after.node, one.moved_before) == ("b", "a", ())
    assert two.moved_before == ("default/one",)
