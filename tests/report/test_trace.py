"""Traces of several pods: each begins where the one before has ended."""

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.framework.trace import Outcome
from kexplain.report.trace import TraceReport, trace
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
