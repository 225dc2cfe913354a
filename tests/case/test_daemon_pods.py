from __future__ import annotations

from kexplain.case.daemon_pods import DaemonNodes, daemon_pods
from kexplain.objects.node_selectors import RequiredNodeAffinity
from tests.factories import node, pod, toleration

NODES = [node("plain"), node("tainted", taints=["a=b:NoSchedule"]), node("ssd", labels={"disk": "ssd"})]


def test_a_pod_is_made_for_each_node_that_does_not_repel_it() -> None:
    made = list(daemon_pods(pod("agent"), NODES))
    assert [(at.name, each.name) for at, each in made] == [("plain", "agent-plain"), ("ssd", "agent-ssd")]


def test_each_is_pinned_to_its_node() -> None:
    (_, each), _ = daemon_pods(pod("agent"), NODES)
    required = RequiredNodeAffinity.of(each)
    assert [at.name for at in NODES if required.matches(at)] == ["plain"]


def test_tolerations_selectors_and_node_names_decide() -> None:
    tolerant = pod("agent", tolerations=[toleration("a", operator="Exists")])
    assert [at.name for at, _ in daemon_pods(tolerant, NODES)] == ["plain", "tainted", "ssd"]
    assert [at.name for at, _ in daemon_pods(pod("agent", node_selector={"disk": "ssd"}), NODES)] == ["ssd"]
    assert [at.name for at, _ in daemon_pods(pod("agent", node="ssd"), NODES)] == ["ssd"]


def test_a_pod_stays_where_only_new_ones_are_repelled() -> None:
    """Source: `daemon.NodeShouldRunDaemonPod`."""
    evicting = node("evicting", taints=["a=b:NoExecute"])
    asking = pod("agent", tolerations=[toleration("b")])
    found = DaemonNodes(asking, [*NODES, evicting])
    assert [name for name in ("plain", "tainted", "evicting", "gone") if found.may_stay(name)] == ["plain", "tainted"]
    assert [*found.wanted] == ["plain", "ssd"]
    picky = DaemonNodes(pod("agent", node_selector={"disk": "ssd"}), NODES)
    assert [each.name for each in NODES if picky.may_stay(each.name)] == ["ssd"]
