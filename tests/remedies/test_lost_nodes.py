"""What lets go of a pod that nobody ends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.bound.ending import stuck_terminating
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.diagnosis.records import OnceAdmitted
from kexplain.objects.core import Node
from kexplain.remedies.held import helping
from kexplain.remedies.lost_nodes import letting_go, repairing, stopping
from kexplain.remedies.records import Rank
from kexplain.world.changes import patched
from tests.factories import cluster, controlled_by, node, pod
from tests.storage_factories import uses

UNREACHABLE = "node.kubernetes.io/unreachable:NoSchedule"


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


@pytest.mark.parametrize(
    ("kind", "then", "is_first"),
    [
        pytest.param("StatefulSet", None, False, id="one-is-to-come-in-its-place"),
        pytest.param("StatefulSet", OnceAdmitted(nodes=("n2",), fits=1), False, id="which-fits"),
        pytest.param("StatefulSet", OnceAdmitted(why="zone a is lost"), True, id="which-does-not"),
        pytest.param("ReplicaSet", None, True, id="another-one-is-there-already"),
        pytest.param(None, None, False, id="nothing-makes-it-again"),
    ],
)
def test_where_letting_go_gains_nothing_the_node_is_to_come_back_first(
    kind: str | None, then: OnceAdmitted | None, is_first: bool
) -> None:
    going = pod("db-0", node="n1", deleting=True, owner=controlled_by(kind, "db") if kind else None)
    lost = node("n1", taints=[UNREACHABLE])
    there = cluster([lost], [going])
    held = stuck_terminating(going, (), there)
    assert held is not None
    found = [each.text for each in helping(held, going, going, then, lost)]
    assert found[0].startswith("repair n1" if is_first else "taint node n1")
    left = "; 1 pod then waits for a node: zone a is lost"
    assert [text.endswith(left) for text in found] == [each != found[0] and bool(then and then.why) for each in found]


@pytest.mark.parametrize("taints", [[], ["a=b:NoSchedule"]])
def test_the_published_taint_goes_with_those_that_are_there(taints: list[str]) -> None:
    there = node("n1", taints=taints)
    (change,) = next(letting_go(pod("db-0", node="n1", deleting=True), there)).changes
    after = patched(there, change)
    assert isinstance(after, Node)
    keys = [each.key for each in after.spec.taints or ()]
    assert keys == [*(each.partition("=")[0] for each in taints), "node.kubernetes.io/out-of-service"]


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
