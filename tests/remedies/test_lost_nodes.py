"""What lets go of a pod that nobody ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.core import Node
from kexplain.remedies.lost_nodes import letting_go, repairing, stopping
from kexplain.remedies.records import Rank
from kexplain.world.changes import patched
from tests.factories import cluster, node, pod
from tests.storage_factories import uses


def test_each_way_with_what_it_means_for_data() -> None:
    found = [*letting_go(pod("db-0", namespace="shop", node="n1", deleting=True, volumes=uses("data")), None)]
    assert {each.rank for each in found} == {Rank.MENDS}
    assert [(each.action, each.text, *each.commands) for each in found] == [
        (
            "mend-node",
            "taint node n1 out-of-service, if its machine is off for good: its pods and volumes are let go then",
            "kubectl taint node n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
        ),
        (
            "mend-node",
            "delete node n1, if its machine does not exist any more: its pods go with it",
            "kubectl delete node n1",
        ),
        ("mend-node", "repair n1: its kubelet then ends the pod in order"),
        (
            "check-controller",
            "force the deletion of db-0, once it surely runs no more: two at a time may damage its data",
            "kubectl delete pod --force --grace-period=0 db-0 -n shop",
        ),
    ]


@pytest.mark.parametrize("taints", [[], ["a=b:NoSchedule"]])
def test_the_published_taint_goes_with_those_that_are_there(taints: list[str]) -> None:
    there = node("n1", taints=taints)
    (change,) = next(letting_go(pod("db-0", node="n1", deleting=True), there)).changes
    after = patched(there, change)
    assert isinstance(after, Node)
    keys = [each.key for each in after.spec.taints or ()]
    assert keys == [*(each.partition("=")[0] for each in taints), "node.kubernetes.io/out-of-service"]


UNREACHABLE = "node.kubernetes.io/unreachable:NoSchedule"


@pytest.mark.parametrize(
    ("lost", "full", "text"),
    [
        pytest.param(["n1"], [], "repair n1 (unreachable): its kubelet then ends default/p-n1, and there is room",
                     id="one"),
        pytest.param(["n1", "n2"], [], "repair n1, n2 (unreachable): their kubelets then end default/p-n1, "
                     "default/p-n2, and there is room; one is enough", id="several"),
        pytest.param(["n1", "n2"], ["n2"], "repair n1 (unreachable): its kubelet then ends default/p-n1, and there is "
                     "room", id="one-of-them-is-full"),
        pytest.param([], [], "", id="none"),
    ],
)  # fmt: skip
def test_nodes_that_come_back_are_one_remedy(lost: list[str], full: list[str], text: str) -> None:
    nodes = [node(name, cpu="2", taints=[UNREACHABLE]) for name in ("n1", "n2") if name in lost]
    leaving = [pod(f"p-{name}", node=name, cpu="2", deleting=True) for name in lost]
    staying = [pod(f"q-{name}", node=name, cpu="1") for name in full]
    scheduler = build_scheduler()
    decision = scheduler.schedule(pod("new", cpu="2"), cluster([*nodes, node("n9", cpu="1")], [*leaving, *staying]))
    assert [each.text for each in repairing(decision, scheduler)] == ([text] if text else [])


def test_a_pod_that_a_finalizer_holds_is_let_go_by_its_controller_or_by_hand() -> None:
    ended = pod("db-0", namespace="shop", node="n1", phase="Succeeded", deleting=True)
    held = replace(ended, metadata=replace(ended.metadata, finalizers=("a.com/b", "c.com/d")))
    both = "finalizer a.com/b and c.com/d"
    assert [(each.text, *each.commands) for each in letting_go(held, None)] == [
        (f"see whether the controller runs that is to take {both} off db-0, and what it says of it",),
        (
            f"take {both} off db-0 by hand, if what it stands for is done or given up",
            'kubectl patch pod db-0 -n shop -p \'{"metadata": {"finalizers": null}}\'',
        ),
    ]


def test_a_pod_that_its_kubelet_cannot_stop_is_not_the_fault_of_a_lost_node() -> None:
    found = [*stopping(pod("db-0", namespace="shop", node="n1", deleting=True))]
    assert [each.text.partition(",")[0] for each in found] == [
        "see what the kubelet and the container runtime of n1 say",
        "force the deletion of db-0",
    ]
