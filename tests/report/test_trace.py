"""Traces of several pods: each begins where the one before has ended."""

from kexplain.api import build_scheduler
from kexplain.framework.trace import Outcome
from kexplain.report.trace import trace
from kexplain.scheduler.simulate import simulate
from tests.factories import cluster, node, pod


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
