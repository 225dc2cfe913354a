"""What cluster-autoscaler and Karpenter look at before they take a node away."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.cluster import Cluster
from kexplain.explain.removal import Obstacle, removal_obstacles
from kexplain.objects.core import Node, Pod
from tests.queues.made import read

GROUP, KARPENTER = "eks.amazonaws.com/nodegroup", "karpenter.sh/nodepool"
OWNER = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "controller": True}
EVICT = "cluster-autoscaler.kubernetes.io/safe-to-evict"


def _pod(
    namespace: str = "a", *, owner: bool = True, volume: Any = None, says: dict[str, str] | None = None
) -> dict[str, Any]:
    metadata = {"name": "web", "namespace": namespace, "labels": {"app": "web"}, "annotations": says or {}}
    volumes = [{"name": "v", **volume}] if volume else []
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**metadata, "uid": "u", "ownerReferences": [OWNER] if owner else []},
        "spec": {"nodeName": "n1", "containers": [{"name": "c"}], "volumes": volumes},
        "status": {"phase": "Running"},
    }


def _budget(allowed: int, namespace: str = "a") -> dict[str, Any]:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
        "status": {"disruptionsAllowed": allowed},
    }


def _node_pool(**disruption: Any) -> dict[str, Any]:
    spec = {"disruption": disruption, "template": {"spec": {}}}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "general"}, "spec": spec}


def _found(label: str, *objects: dict[str, Any], **annotations: str) -> list[Obstacle]:
    metadata = {"name": "n1", "labels": {label: "general"}, "annotations": annotations}
    made = read({"apiVersion": "v1", "kind": "Node", "metadata": metadata}, *objects)
    nodes = [each for each in made if isinstance(each, Node)]
    pods = [each for each in made if isinstance(each, Pod)]
    others = [each for each in made if not isinstance(each, Node | Pod)]
    return [each.kind for each in removal_obstacles(Cluster.of(nodes, pods, others), ["n1"])]


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([_pod()], [], id="nothing"),
        pytest.param([_pod(owner=False)], [Obstacle.NO_CONTROLLER], id="no-controller"),
        pytest.param([_pod(owner=False, says={EVICT: "true"})], [], id="safe-to-evict"),
        pytest.param([_pod(says={EVICT: "false"})], [Obstacle.NOT_SAFE_TO_EVICT], id="not-safe"),
        pytest.param([_pod("kube-system")], [Obstacle.SYSTEM_POD], id="system"),
        pytest.param([_pod("kube-system"), _budget(1, "kube-system")], [], id="system-with-budget"),
        pytest.param([_pod(volume={"emptyDir": {}})], [Obstacle.LOCAL_STORAGE], id="empty-dir"),
        pytest.param([_pod(volume={"hostPath": {"path": "/x"}})], [Obstacle.LOCAL_STORAGE], id="host-path"),
        pytest.param([_pod(volume={"emptyDir": {"medium": "Memory"}})], [], id="memory"),
        pytest.param([_pod(volume={"emptyDir": {}}, says={f"{EVICT}-local-volumes": "v"})], [], id="volume-given-up"),
        pytest.param([_pod(), _budget(0)], [Obstacle.BUDGET], id="budget"),
        pytest.param([_pod(), _budget(1)], [], id="budget-allows-it"),
    ],
)
def test_cluster_autoscaler(objects: list[dict[str, Any]], expected: list[Obstacle]) -> None:
    assert _found(GROUP, *objects) == expected


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        pytest.param([_pod(owner=False, volume={"emptyDir": {}})], [], id="nothing"),
        pytest.param([_pod(says={"karpenter.sh/do-not-disrupt": "true"})], [Obstacle.DO_NOT_DISRUPT], id="pod"),
        pytest.param([_pod(), _budget(0)], [Obstacle.BUDGET], id="budget"),
        pytest.param([_node_pool(budgets=[{"nodes": "0"}])], [Obstacle.NODE_POOL], id="pool-budget"),
        pytest.param([_node_pool(budgets=[{"nodes": "10%"}])], [], id="a-share-is-rounded-up"),
        pytest.param([_node_pool(budgets=[{"nodes": "0%"}])], [Obstacle.NODE_POOL], id="no-share"),
        pytest.param([_node_pool(consolidateAfter="Never")], [Obstacle.NODE_POOL], id="never"),
        pytest.param([_node_pool(consolidationPolicy="WhenEmpty")], [Obstacle.NODE_POOL], id="empty-only"),
    ],
)
def test_karpenter(objects: list[dict[str, Any]], expected: list[Obstacle]) -> None:
    assert _found(KARPENTER, *objects) == expected


def test_what_nodes_say() -> None:
    disabled = {"cluster-autoscaler.kubernetes.io/scale-down-disabled": "true"}
    assert _found(GROUP, **disabled) == [Obstacle.NODE_SAYS_NO]
    assert _found(KARPENTER, **disabled) == []
    assert _found(KARPENTER, **{"karpenter.sh/do-not-disrupt": "true"}) == [Obstacle.NODE_SAYS_NO]


def test_nodes_of_no_pool_are_nobodys() -> None:
    assert _found("disk", _pod(owner=False)) == []


def test_a_group_at_its_minimum() -> None:
    status = "nodeGroups: [{name: eks-general-1, health: {cloudProviderTarget: 1, minSize: 1, maxSize: 3}}]"
    metadata = {"name": "cluster-autoscaler-status", "namespace": "kube-system"}
    said = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"status": status}}
    assert _found(GROUP, said) == [Obstacle.MINIMUM_SIZE]
