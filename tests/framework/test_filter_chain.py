"""What a search brings along from one pod to the next is what it would find out anew."""

from __future__ import annotations

import pytest

from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.core import Pod
from tests.factories import affinity, cluster, node, pod, term

NODES = [node(f"n{number}", cpu=2, labels={"zone": f"z{number % 3}", "host": f"n{number}"}) for number in range(6)]
SCHEDULER = build_scheduler()


def _web(number: int, topology_key: str) -> Pod:
    apart = affinity(far=[term({"app": "web"}, topology_key)])
    return pod(f"web-{number}", cpu="100m", labels={"app": "web"}, affinity=apart)


def _objections(asking: Pod, around: Cluster) -> tuple[str, dict[str, tuple[str, ...]]]:
    decision = SCHEDULER.schedule(asking, around)
    return decision.host, {name: status.reasons for name, status in decision.statuses.by_node.items()}


@pytest.mark.parametrize("topology_key", ["zone", "host"])
def test_objections_come_and_go_with_pods(topology_key: str) -> None:
    around = cluster(NODES)
    placed: list[Pod] = []
    for number in range(4):
        decision = SCHEDULER.schedule(_web(number, topology_key), around)
        if decision.host:
            around = SCHEDULER.assume(decision)
            placed.append(decision.pod)
    asking = _web(9, topology_key)
    for known in (around, around.without(placed[:1]), around, around.without(placed)):
        assert _objections(asking, known) == _objections(asking, known.anew())


def test_other_pods_may_object_beside_the_pod_itself() -> None:
    loner = pod("loner", cpu="100m", labels={"app": "db"}, affinity=affinity(far=[term({"app": "web"}, "host")]))
    around = cluster(NODES).assume(loner, "n1").assume(_web(0, "host"), "n2")
    for _ in range(2):
        _, objections = _objections(_web(1, "host"), around)
        assert objections.keys() == {"n1", "n2"}
        assert objections["n1"] != objections["n2"]
