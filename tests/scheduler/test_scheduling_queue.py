from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.objects.core import Node, Pod
from kexplain.objects.well_known import GATED
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.scheduler.simulate import Settled, settle
from tests.factories import affinity, cluster, controlled_by, node, pod, spread, term
from tests.framework.stubs import profile

DEFAULT = Scheduler({"default-scheduler": default_profile()})
ONE_NODE = (node("n1", cpu="2"),)


def settled(pending: Sequence[Pod], running: Sequence[Pod] = (), nodes: Sequence[Node] = ONE_NODE) -> Settled:
    return settle(DEFAULT, cluster(nodes, running), pending)


def attempts(result: Settled) -> list[str]:
    return [attempt.decision.pod.name for attempt in result.attempts]


def waiting(result: Settled) -> dict[str, str]:
    return {each.pod.name: each.message for each in result.waiting}


def test_victims_leave_and_the_preemptor_lands() -> None:
    result = settled([pod("high", cpu="2", priority=9)], [pod("low", node="n1", cpu="2")])
    assert attempts(result) == ["high", "high"]
    assert result.placed == {"default/high": "n1"}
    assert [victim.name for victim in result.evicted] == ["low"]
    assert result.waiting == ()


def test_what_has_a_controller_comes_back() -> None:
    low = pod("low", node="n1", cpu="2", owner=controlled_by("ReplicaSet", "low"))
    result = settled([pod("high", cpu="2", priority=9)], [low])
    assert attempts(result) == ["high", "low", "high"]
    assert waiting(result)["low"].startswith("0/1 nodes are available: 1 Insufficient cpu.")
    nodes = (*ONE_NODE, node("n2", cpu="1"))
    again = settled([pod("high", cpu="2", priority=9)], [low, pod("small", node="n2", cpu="1", priority=9)], nodes)
    assert again.placed == {"default/high": "n1"}


def test_eviction_wakes_what_was_rejected_for_room() -> None:
    running = [pod("low", node="n1", cpu="2")]
    pending = [pod("never", cpu="500m", priority=99, preemption_policy="Never"), pod("high", cpu="1", priority=9)]
    result = settled(pending, running)
    assert attempts(result) == ["never", "high", "never", "high"]
    assert set(result.placed) == {"default/never", "default/high"}


def test_what_a_node_selector_rejected_sleeps_on() -> None:
    running = [pod("low", node="n1", cpu="2")]
    pending = [pod("picky", node_selector={"disk": "ssd"}), pod("high", cpu="2", priority=9)]
    assert attempts(settled(pending, running)) == ["high", "picky", "high"]


def test_nomination_is_lost_to_a_higher_priority() -> None:
    holder = pod("holder", cpu="2", priority=5, nominated="n1")
    result = settled([holder, pod("high", cpu="2", priority=9)], [pod("low", node="n1", cpu="2")])
    assert result.placed == {"default/high": "n1"}
    assert [each.nominated_node for each in result.waiting] == [""]
    assert attempts(result) == ["high", "holder", "high"]


def test_nominated_room_is_kept_from_equals() -> None:
    holder = pod("holder", cpu="2", priority=5, nominated="n1", gates=["wait"])
    result = settled([holder, pod("equal", cpu="1", priority=5)])
    assert waiting(result)["holder"] == GATED
    assert "equal" in waiting(result)


def test_binding_wakes_affinity() -> None:
    near = pod("near", priority=9, affinity=affinity(near=[term({"app": "db"})]))
    result = settled([near, pod("db", labels={"app": "db"})])
    assert attempts(result) == ["near", "db", "near"]
    assert result.placed == {"default/db": "n1", "default/near": "n1"}


def test_binding_wakes_spread() -> None:
    zones = (node("a1", zone="a", cpu="1"), node("b1", zone="b", cpu="9"))
    constraint = [spread(labels={"app": "web"})]
    labels = {"app": "web"}
    web = pod("web", priority=9, preemption_policy="Never", cpu="2", labels=labels, spread=constraint)
    running = [pod("there", node="b1", labels=labels)]
    assert attempts(settled([web, pod("other", cpu="1")], running, zones)) == ["web", "other"]
    result = settled([web, pod("small", labels=labels, cpu="1", spread=constraint)], running, zones)
    assert attempts(result) == ["web", "small", "web"]
    assert result.placed == {"default/small": "a1", "default/web": "b1"}


@pytest.mark.parametrize(
    ("left_behind", "message"),
    [
        pytest.param(pod("gated", gates=["wait"]), GATED, id="gated"),
        pytest.param(pod("stranger", scheduler_name="other"), "", id="of another scheduler"),
        pytest.param(pod("going", deleting=True), "skip schedule deleting pod: default/going", id="being deleted"),
    ],
)
def test_what_is_never_tried(left_behind: Pod, message: str) -> None:
    assert waiting(settled([left_behind])) == {left_behind.name: message}


def test_without_preemption_a_nomination_is_cleared() -> None:
    scheduler = Scheduler(
        {"default-scheduler": profile(*(each for each in default_profile().filter if each.name == "NodeResourcesFit"))}
    )
    result = settle(scheduler, cluster(ONE_NODE), [pod("p", cpu="3", nominated="n1")])
    assert [each.nominated_node for each in result.waiting] == [""]


def test_of_two_pods_with_one_name_the_later_one_counts() -> None:
    result = settle(DEFAULT, cluster([node("n1", cpu="4")]), [pod("web", cpu="9"), pod("web", cpu="1")])
    assert (result.placed, result.waiting) == ({"default/web": "n1"}, ())


def test_a_pod_that_fails_is_not_tried_again_because_nobody_left() -> None:
    queue = Queue(DEFAULT, cluster(ONE_NODE))
    before = queue.cluster
    queue.leave([])
    assert queue.cluster is before
