from __future__ import annotations

import pytest

from kexplain.case.daemon_pods import DaemonNodes, daemon_pods, pinned_node, pods_of_daemon_sets
from kexplain.objects.apps import DaemonSet, DaemonSetMeta, DaemonSetSpec
from kexplain.objects.core import Pod, PodSpec, PodTemplateSpec
from kexplain.objects.node_selectors import RequiredNodeAffinity
from tests.factories import affinity, controlled_by, in_, node, node_affinity, node_term, pod, toleration

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


AGENT = controlled_by("DaemonSet", "agent")


def test_what_comes_along_with_a_fresh_node() -> None:
    """Pods of other workloads do not, nor those of a DaemonSet that would not run there."""
    pinned = affinity(node=node_affinity(node_term(fields=[in_("metadata.name", "n1")])))
    running = [
        pod("agent-1", node="n1", owner=AGENT, affinity=pinned),
        pod("agent-2", node="n2", owner=AGENT),
        pod("agent-3", node="n2", owner=AGENT, namespace="other"),
        pod("fast", node="n2", owner=controlled_by("DaemonSet", "fast"), node_selector={"disk": "ssd"}),
        pod("web", node="n1", owner=controlled_by("ReplicaSet", "web")),
        pod("bare", node="n1"),
    ]
    found = {each.name: [pod.name for pod in pods_of_daemon_sets(each, [], running)] for each in NODES}
    assert found == {"plain": ["agent-1", "agent-3"], "tainted": [], "ssd": ["agent-1", "agent-3", "fast"]}


def test_which_nodes_a_daemon_pod_may_run_on_its_template_says() -> None:
    only = affinity(node=node_affinity(node_term(in_("disk", "ssd"))))
    template = PodTemplateSpec(spec=PodSpec(affinity=only))
    agents = DaemonSet(metadata=DaemonSetMeta(name="agent", namespace="default"), spec=DaemonSetSpec(template=template))
    running = [pod("agent-1", node="n1", owner=AGENT)]
    assert [bool(pods_of_daemon_sets(each, [agents], running)) for each in NODES] == [False, False, True]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (pod("agent", node="n1"), "n1"),
        (pod("agent", affinity=affinity(node=node_affinity(node_term(fields=[in_("metadata.name", "n1")])))), "n1"),
        (pod("agent", affinity=affinity(node=node_affinity(node_term(fields=[in_("metadata.uid", "u")])))), ""),
        (pod("agent", affinity=affinity(node=node_affinity(node_term(fields=[in_("metadata.name")])))), ""),
        (pod("agent", affinity=affinity(node=node_affinity(node_term(in_("metadata.name", "n1"))))), ""),
        (pod("agent"), ""),
    ],
)
def test_the_node_that_a_pod_was_made_for(made: Pod, expected: str) -> None:
    assert pinned_node(made) == expected
