"""Traces of several pods: each begins where the one before has ended."""

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Outcome
from kexplain.render.text import UNLIMITED, render
from kexplain.render.view import View
from kexplain.report.trace import TraceReport, only, trace
from kexplain.scheduler.simulate import simulate
from tests.factories import cluster, node, pod, pod_group


def test_every_pod_is_traced_in_turn() -> None:
    nodes = [node(f"n{place:03}") for place in range(120)]
    scheduler = build_scheduler()
    decisions = simulate(scheduler, cluster(nodes), [pod("one"), pod("two", cpu="9")])
    report = trace(decisions, scheduler, ("a note",))
    first, second = report.pods
    assert (first.pod, first.node, first.outcome) == ("default/one", "n000", Outcome.SCHEDULED)
    assert (second.node, second.outcome, second.walk.first) == ("", Outcome.UNSCHEDULABLE, "n100")
    assert second.message.startswith("0/120 nodes are available")
    assert second.steps[-1].extension_point == "PostFilter"
    assert (report.kubernetes_version, report.notes) == (scheduler.release, ("a note",))


def of_group(priority: int = 0) -> TraceReport:
    """Two pods of a group that needs both in one of three zones; one of a priority of its own is an error."""
    scheduler = build_scheduler(
        SchedulerSettings(
            kubernetes_version="1.37", feature_gates={"GenericWorkload": True, "TopologyAwareWorkloadScheduling": True}
        )
    )
    nodes = [node(f"{zone}1", cpu=cpu, labels={"zone": zone}) for zone, cpu in (("a", 1), ("b", 8), ("c", 4))]
    pods = [pod(f"g{place}", cpu="1", group="g", priority=priority) for place in range(2)]
    return trace(simulate(scheduler, cluster(nodes, [], pod_group("g", 2, key="zone")), pods), scheduler)


def test_a_group_has_its_placements_with_what_they_score_or_why_it_cannot_run_there() -> None:
    (group,) = of_group().scheduling_groups
    assert [(each.name, each.fitting, each.can_run, each.total, each.because) for each in group.placements] == [
        ("a", 1, False, None, "g1 does not fit: cpu: needs 1, none free on a1"),
        ("b", 2, True, 114, ""),
        ("c", 2, True, 127, ""),
    ]
    assert [(each.plugin, each.raw, each.normalized, each.weighted) for each in group.placements[2].scores] == [
        ("NodeResourcesFit", 27, 27, 27), ("PodGroupPodsCount", 2, 100, 100),
    ]  # fmt: skip


def test_what_is_said_of_a_group_is_a_step_of_its_pods() -> None:
    said = [(each.answer, each.detail) for each in of_group().pods[0].steps if each.extension_point == "PodGroup"]
    assert said == [("Success", "2 pods tried, in 3 placements")]
    failed = of_group(priority=9).pods[0]
    ((answer, why),) = [(each.answer, each.detail) for each in failed.steps if each.extension_point == "PodGroup"]
    assert (answer, why) == ("Error", failed.message)
    assert "should have the same priority" in why


def test_placements_are_steps_of_a_group() -> None:
    steps = [each for each in of_group().pods[0].steps if each.extension_point.startswith("Placement")]
    assert [(each.extension_point, each.plugin, each.answer, each.detail) for each in steps] == [
        ("PlacementGenerate", "TopologyPlacementGenerator", "Success", "3 placements: a, b, c"),
        ("PlacementFeasible", "GangScheduling", "Success", "2 of 3 placements can run"),
        ("PlacementScore", "NodeResourcesFit", "Success", "b 14, c 27"),
        ("PlacementScore", "PodGroupPodsCount", "Success", "b 100, c 100"),
    ]


def test_candidates_for_preemption_have_what_they_cost_by_each_criterion() -> None:
    nodes = [node("n1", cpu="4"), node("n2", cpu="4")]
    placed = [pod("a", cpu="4", priority=3, node="n1"), pod("b", cpu="4", priority=2, node="n2")]
    scheduler = build_scheduler()
    decisions = [*simulate(scheduler, cluster(nodes, placed), [pod("x", cpu="4", priority=9)])]
    report = trace(decisions, scheduler)
    dry = report.pods[0].preemption
    assert dry is not None
    costs = {each.node: [by.text for by in each.criteria][:4] for each in dry.candidates}
    assert costs == {"n1": ["0", "3", "2147483651", "1"], "n2": ["0", "2", "2147483650", "1"]}
    numbers = [each.cost for each in dry.candidates[0].criteria]
    assert numbers == [0, 3, 2147483651, 1, None]
    assert [each.code for each in dry.steps] == [each.criterion for each in dry.candidates[0].criteria][:2]
    text = "\n".join(line.plain for line in render(report, View()).lines(UNLIMITED))
    assert "out: lowest priority of the most important victim" in text
    assert "nominated" in text
    without = only(report, "", "NodeResourcesFit")
    assert without.pods[0].preemption is None


def test_a_trace_of_one_node_and_one_plugin() -> None:
    nodes = [node(f"n{place}", cpu="4") for place in range(3)]
    scheduler = build_scheduler()
    report = trace(simulate(scheduler, cluster(nodes), [pod("x", cpu="1")]), scheduler)
    (told,) = only(report, "n1", "NodeResourcesFit").pods
    assert [(each.node, [*each.points]) for each in told.walk.nodes] == [("n1", ["NodeResourcesFit"])]
    assert {each.plugin for each in told.steps} == {"NodeResourcesFit"}
    assert only(report, "n1", "NodePorts").pods[0].walk.nodes == ()
    assert only(report, "", "") == report
