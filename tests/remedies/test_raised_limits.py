"""What is raised for an autoscaler to add a node."""

from __future__ import annotations

from pathlib import Path

from kexplain.api import Case, PodToPlace, explain
from kexplain.explain.autoscaling import GroupTrouble, NodeGroup
from kexplain.explain.pools import pools
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Pod
from kexplain.objects.karpenter import NodePool, NodePoolSpec
from kexplain.objects.meta import Condition, ObjectMeta, ResourceList
from kexplain.remedies.raised_limits import raised_limit
from kexplain.remedies.records import NewNode
from tests.factories import cluster, node, pod
from tests.remedies.situations import deployment, obj, template
from tests.remedies.situations import node as situated
from tests.remedies.test_scaled_down import helping

NODE_POOL = "karpenter.sh/nodepool"
OWN = node("n1", cpu="4", labels={NODE_POOL: "general"})


def node_pool(name: str, limits: ResourceList | None = None, message: str = "") -> NodePool:
    made = NodePool(metadata=ObjectMeta(name=name), spec=NodePoolSpec(limits=limits))
    if not message:
        return made
    ready = Condition(type="Ready", status="False", message=message)
    return NodePool(metadata=made.metadata, spec=made.spec, status=type(made.status)(conditions=(ready,)))


def explained(asking: Pod, *node_pools: NodePool) -> PodExplanation:
    full = [pod("full", node="n1", cpu="4")]
    (found,) = explain(Case(cluster([OWN], full, *node_pools), (PodToPlace(asking),))).pods
    return found


def test_the_limit_of_the_node_pool_goes_up_by_one_node() -> None:
    first = explained(pod(cpu="2"), node_pool("general", {"cpu": "4"})).remedies[0]
    assert first.text == (
        "raise the limit of NodePool general to 8 cpu (cpu 4 of 4 used), so that Karpenter adds one more node like n1 "
        "(pool general, 1 node)"
    )
    assert (first.action, first.tried, first.nodes) == ("add-node", True, ("n1-new-1",))
    assert [each.target.kind for each in first.changes] == ["NodePool", "Node"]
    assert (
        first.commands[0] == """kubectl patch nodepool general --type merge -p '{"spec": {"limits": {"cpu": "8"}}}'"""
    )


def test_limits_go_up_by_as_many_nodes_as_all_pods_of_the_workload_take(tmp_path: Path) -> None:
    own = obj("karpenter.sh/v1", "NodePool", "general", "", spec={"limits": {"cpu": "6", "nodes": "9"}})
    waiting = deployment("web", template("3"), ["n1", "", ""])
    (first, *_) = helping(
        tmp_path / "cluster.json",
        [situated("n1", "4", cordoned=False, taint="", **{NODE_POOL: "general"}), own, *waiting],
    )
    like = "so that Karpenter adds 2 more nodes like n1 (pool general, 1 node)"
    assert first.text == f"raise the limit of NodePool general to 12 cpu (cpu 4 of 6 used), {like}"
    assert (first.serves, first.pending) == (2, 2)
    assert """{"spec": {"limits": {"cpu": "12"}}}""" in first.commands[0]


def test_the_maximum_of_a_node_group_goes_up_by_as_many() -> None:
    group = NodeGroup(name="sets/general", troubles=(GroupTrouble.AT_MAXIMUM,), text="full", most=2)
    new = NewNode(pool="general", nodes=1, node_groups=(group,))
    there = cluster([OWN])
    raised = raised_limit(new, pools(there)[0], OWN, there, 3)
    assert raised == ("raise the maximum of node group general to 5 (now 2)", ())


def test_a_pool_without_nodes_that_is_asked_for_is_named_with_what_keeps_it_from_adding_any() -> None:
    empty = node_pool("batch", message="NodeClass not found")
    found = explained(pod(node_selector={NODE_POOL: "batch"}), empty)
    assert found.diagnosis is not None
    grows = "and Karpenter adds no node: it is not ready: NodeClass not found (NodePool batch)"
    assert found.diagnosis.text == f"NodePool batch, which it asks for, has no node, {grows}"
    assert found.remedies[0].text == (
        "let Karpenter add nodes of pool batch, which has none: it is not ready: NodeClass not found"
    )


def test_what_is_broken_of_a_pool_is_mended_before_nodes_are_added_by_hand() -> None:
    by_hand = [each.text for each in explained(pod(cpu="2"), node_pool("batch", message="no NodeClass")).remedies]
    assert by_hand == [
        "let Karpenter add nodes of pool batch, which has none: it is not ready: no NodeClass",
        "add one more node like n1 (pool general, 1 node)",
    ]


def test_where_another_pool_grows_nothing_broken_comes_first() -> None:
    found = explained(pod(cpu="2"), node_pool("batch", message="no NodeClass"), node_pool("general"))
    assert found.remedies[0].text == "wait: Karpenter may add a node of pool general, which takes the pod"


def test_an_autoscaler_that_is_kept_from_it_is_to_add_the_node() -> None:
    assert explained(pod(cpu="2"), node_pool("general", message="no NodeClass")).remedies[0].text == (
        "get Karpenter to add one more node like n1 (pool general, 1 node): it is not ready: no NodeClass"
    )


def test_a_node_that_is_too_small_for_the_slip_alone_is_added_once_that_is_mended() -> None:
    """Karpenter adds one like it then."""
    *_, last = explained(pod(cpu="2000"), node_pool("general")).remedies
    assert last.text == (
        "together: request 2000m cpu, as 2000 means 2000 whole CPUs; add one more node like n1 (pool general, 1 node)"
    )
