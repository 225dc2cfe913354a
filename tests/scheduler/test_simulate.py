from __future__ import annotations

from kexplain.config.default_profile import default_profile
from kexplain.framework.trace import Outcome
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import queue_order, simulate
from tests.factories import cluster, node, pod
from tests.framework.stubs import Scores, profile

DEFAULT = Scheduler({"default-scheduler": default_profile()})


def test_queue_order() -> None:
    queue = [pod("a"), pod("b", priority=5), pod("stranger", priority=9, scheduler_name="other"), pod("c", priority=5)]
    assert [each.name for each in queue_order(DEFAULT, queue)] == ["b", "c", "a", "stranger"]


def test_each_pod_sees_those_before_it() -> None:
    made = cluster([node("n1", cpu="3")])
    queue = [pod("a", cpu="2"), pod("b", cpu="2"), pod("c", cpu="1")]
    decisions = list(simulate(DEFAULT, made, queue))
    assert [decision.host for decision in decisions] == ["n1", "", "n1"]
    assert made.node_infos[0].pods == []


def test_nominated_pods_keep_their_room_and_victims_stay() -> None:
    made = cluster([node("n1", cpu="2")], [pod("victim", node="n1", cpu="2", priority=0)])
    first, second = simulate(DEFAULT, made, [pod("high", cpu="1", priority=9), pod("low", cpu="2", priority=1)])
    assert first.nominated_node == "n1"
    assert second.outcome is Outcome.UNSCHEDULABLE
    assert [info.pod.name for info in second.cluster.nominated_by_node["n1"]] == ["high"]
    assert [info.pod.name for info in second.cluster.node_infos[0].pods] == ["victim"]
    assert second.nominated_node == ""


def test_round_robin_goes_on() -> None:
    made = cluster([node(f"n{index}") for index in range(120)])
    even = Scheduler({"default-scheduler": profile(Scores("Even", {}))})
    decisions = list(simulate(even, made, [pod("a"), pod("b"), pod("stranger", scheduler_name="x"), pod("c")], 10))
    assert [decision.sampling.start_index for decision in decisions] == [10, 110, 90, 90]
    assert [decision.host for decision in decisions] == ["n10", "n110", "", "n90"]
