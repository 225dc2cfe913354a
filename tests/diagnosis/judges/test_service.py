"""A cordoned node whose pods no budget lets go says what its drain waits for."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.judges.service import drain_help, stuck_drain
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Condition
from kexplain.objects.policy import PodDisruptionBudget
from tests.factories import budget, cluster, controlled_by, node, pod, selector

CORDONED = node("n1", cordoned=True, taints=["node.kubernetes.io/unschedulable:NoSchedule"])
READY, UNREADY = (Condition(type="Ready", status=status) for status in ("True", "False"))
GUARDED = budget("zk", selector({"app": "zk"}))


def of_set(name: str, on: str, condition: Condition = READY) -> Pod:
    owner = controlled_by("StatefulSet", "zk")
    return pod(name, node=on, labels={"app": "zk"}, owner=owner, phase="Running", conditions=[condition])


FREE = pod("free", node="n1", owner=controlled_by("ReplicaSet", "web-1"))
AGENT = pod("agent", node="n1", owner=controlled_by("DaemonSet", "agent"))
WAITS = "the drain of n1 waits: budget zk keeps default/zk-0 there"


@pytest.mark.parametrize(
    ("there", "pods", "guard", "said"),
    [
        pytest.param(CORDONED, [of_set("zk-0", "n1"), of_set("zk-1", "n2", UNREADY)], GUARDED,
                     f"{WAITS} until default/zk-1 is ready", id="for-one-that-is-not-ready"),
        pytest.param(CORDONED, [of_set("zk-0", "n1"), AGENT], GUARDED, WAITS, id="for-good"),
        pytest.param(CORDONED, [of_set("zk-0", "n1"), FREE], GUARDED, "", id="others-may-go"),
        pytest.param(CORDONED, [of_set("zk-0", "n1")], budget("zk", selector({"app": "zk"}), 1), "", id="it-may-go"),
        pytest.param(CORDONED, [AGENT], GUARDED, "", id="nobody-is-left"),
        pytest.param(node("n1"), [of_set("zk-0", "n1")], GUARDED, "", id="in-service"),
    ],
)  # fmt: skip
def test_what_a_drain_waits_for(there: Node, pods: list[Pod], guard: PodDisruptionBudget, said: str) -> None:
    assert str(stuck_drain("n1", cluster([there, node("n2")], pods, guard)) or "") == said


def test_of_several_budgets_the_one_is_named_that_keeps_most() -> None:
    web = [pod(f"web-{n}", node="n1", labels={"app": "web"}, owner=controlled_by("ReplicaSet", "web")) for n in "ab"]
    guard = budget("web", selector({"app": "web"}))
    found = stuck_drain("n1", cluster([CORDONED, node("n2")], [of_set("zk-0", "n1"), *web], GUARDED, guard))
    kept = "budget web keeps default/web-a and 1 more there, and 1 other budget keeps 1 more"
    assert str(found) == f"the drain of n1 waits: {kept}"


def test_no_pod_under_several_budgets_is_evicted() -> None:
    zk = [of_set(f"zk-{n}", "n1") for n in range(3)]
    both = [budget(name, selector({"app": "zk"}), allowed=1) for name in ("zk", "all")]
    found = stuck_drain("n1", cluster([CORDONED, node("n2")], zk, *both))
    assert str(found) == "the drain of n1 waits: default/zk-0 and 2 more cannot be evicted under 2 budgets (zk and all)"


PENDING = pod("zk-2", labels={"app": "zk"}, owner=controlled_by("StatefulSet", "zk"))


@pytest.mark.parametrize(
    ("pods", "text"),
    [
        ([PENDING], ""),
        ([of_set("zk-1", "n2", UNREADY)], "get default/zk-1 ready, which budget zk waits for"),
        ([], "run a replica more of statefulset default/zk, or have budget zk allow an eviction"),
    ],
)
def test_what_lets_it_go_on(pods: list[Pod], text: str) -> None:
    placed, waiting = ([each for each in pods if bool(each.spec.node_name) is there] for there in (True, False))
    drain = stuck_drain("n1", cluster([CORDONED, node("n2")], [of_set("zk-0", "n1"), *placed], GUARDED, *waiting))
    assert drain is not None
    assert drain_help(drain, PENDING.key).removeprefix("to let its drain go on instead, ") == text


def test_of_a_node_that_is_not_there_nothing_is_known() -> None:
    assert stuck_drain("n9", cluster([CORDONED])) is None
