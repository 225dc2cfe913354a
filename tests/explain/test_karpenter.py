"""Why a NodePool adds no node for a pod."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from kexplain.explain.karpenter import pool_objections
from kexplain.objects.core import NodeSelectorRequirement, Pod
from kexplain.objects.karpenter import (
    NodeClaimSpec,
    NodeClaimTemplate,
    NodeClassReference,
    NodePool,
    NodePoolSpec,
    NodePoolStatus,
)
from kexplain.objects.meta import Condition, ObjectMeta, ResourceList
from tests.factories import ZONE, affinity, cluster, in_, node, node_affinity, node_term, pod, taint, toleration

EXCLUDE = "its requirements exclude the pod"
SPOT = NodeSelectorRequirement(key="karpenter.sh/capacity-type", operator="In", values=("spot",))


def node_pool(
    *requirements: NodeSelectorRequirement,
    limits: ResourceList | None = None,
    used: ResourceList | None = None,
    taints: Iterable[str] = (),
    startup_taints: Iterable[str] = (),
    labels: dict[str, str] | None = None,
    replicas: int | None = None,
    ready: str = "True",
) -> NodePool:
    """A pool of the name general."""
    spec = NodeClaimSpec(
        requirements=requirements,
        taints=tuple(map(taint, taints)),
        startup_taints=tuple(map(taint, startup_taints)),
        node_class_ref=NodeClassReference(group="karpenter.k8s.aws", kind="EC2NodeClass", name="default"),
    )
    template = NodeClaimTemplate(metadata=ObjectMeta(labels=labels), spec=spec)
    return NodePool(
        metadata=ObjectMeta(name="general"),
        spec=NodePoolSpec(template=template, limits=limits, replicas=replicas),
        status=NodePoolStatus(
            resources=used, conditions=(Condition(type="Ready", status=ready, message="no NodeClass"),)
        ),
    )


def texts(pool: NodePool, asking: Pod) -> list[str]:
    there = cluster([node("n1", cpu="2", labels={"karpenter.sh/nodepool": "general"})])
    return [each.text for each in pool_objections(pool, asking, there, [info.node for info in there.node_infos])]


@pytest.mark.parametrize(
    ("pool", "asking", "expected"),
    [
        pytest.param(node_pool(), pod(cpu="1"), [], id="nothing-said"),
        pytest.param(
            node_pool(limits={"cpu": "8"}, used={"cpu": "8"}),
            pod(cpu="1"),
            ["limit reached: cpu 8 of 8 used"],
            id="limit",
        ),
        pytest.param(
            node_pool(limits={"cpu": "2"}), pod(cpu="1"), ["limit reached: cpu 2 of 2 used"], id="limit-of-its-nodes"
        ),
        pytest.param(
            node_pool(limits={"cpu": "8"}, used={"cpu": "6"}),
            pod(cpu="3"),
            ["limit too low: cpu 6 of 8 used, and the pod requests 3"],
            id="limit-leaves-too-little",
        ),
        pytest.param(node_pool(limits={"cpu": "8"}, used={"cpu": "6"}), pod(cpu="2"), [], id="limit-leaves-enough"),
        pytest.param(
            node_pool(limits={"nodes": "1"}), pod(), ["limit reached: nodes 1 of 1 used"], id="limit-of-nodes"
        ),
        pytest.param(
            node_pool(limits={"nvidia.com/gpu": "4"}, used={"nvidia.com/gpu": "4"}), pod(cpu="1"), [], id="other-limit"
        ),
        pytest.param(
            node_pool(limits={"nvidia.com/gpu": "4"}, used={"nvidia.com/gpu": "5"}),
            pod(cpu="1"),
            ["limit reached: nvidia.com/gpu 5 of 4 used"],
            id="other-limit-exceeded",
        ),
        pytest.param(
            node_pool(taints=["team=a:NoSchedule", "soft=a:PreferNoSchedule"], startup_taints=["wait=a:NoExecute"]),
            pod(),
            ["its nodes have the taint team=a:NoSchedule, which the pod does not tolerate"],
            id="taint",
        ),
        pytest.param(
            node_pool(taints=["team=a:NoSchedule"]), pod(tolerations=[toleration("team", "a")]), [], id="tolerated"
        ),
        pytest.param(
            node_pool(SPOT),
            pod(node_selector={"karpenter.sh/capacity-type": "on-demand"}),
            [f"{EXCLUDE}: karpenter.sh/capacity-type In [spot], but the pod needs In [on-demand]"],
            id="requirements",
        ),
        pytest.param(node_pool(), pod(node_selector={"karpenter.sh/capacity-type": "spot"}), [], id="left-open"),
        pytest.param(node_pool(), pod(node_selector={"karpenter.k8s.aws/instance-cpu": "4"}), [], id="cloud"),
        pytest.param(node_pool(), pod(node_selector={"karpenter.sh/nodepool": "general"}), [], id="own-name"),
        pytest.param(
            node_pool(), pod(node_selector={"karpenter.k8s.aws/ec2nodeclass": "default"}), [], id="node-class"
        ),
        pytest.param(node_pool(labels={"team": "a"}), pod(node_selector={"team": "a"}), [], id="label"),
        pytest.param(
            node_pool(),
            pod(node_selector={"team": "a"}),
            ["its requirements exclude the pod: its nodes have no label team, but the pod needs team In [a]"],
            id="no-label",
        ),
        pytest.param(
            node_pool(),
            pod(node_selector={"kubernetes.io/hostname": "n1"}),
            [f"{EXCLUDE}: a new node has a new name, but the pod needs kubernetes.io/hostname In [n1]"],
            id="hostname",
        ),
        pytest.param(
            node_pool(SPOT),
            pod(affinity=affinity(node=node_affinity(node_term(in_("team", "a")), node_term(in_(ZONE, "b"))))),
            [],
            id="another-alternative",
        ),
        pytest.param(
            node_pool(replicas=3), pod(), ["it keeps 3 nodes (spec.replicas) and adds none for pods"], id="static"
        ),
        pytest.param(node_pool(ready="False"), pod(), ["it is not ready: no NodeClass"], id="not-ready"),
    ],
)
def test_objections(pool: NodePool, asking: Pod, expected: list[str]) -> None:
    assert texts(pool, asking) == expected


def test_a_pool_that_is_going_adds_nothing() -> None:
    pool = node_pool()
    pool = replace(pool, metadata=replace(pool.metadata, deletion_timestamp="2026-01-01T00:00:00Z"))
    assert texts(pool, pod()) == ["it is being deleted"]


@pytest.mark.parametrize(
    ("reason", "message", "expected"),
    [
        pytest.param("NodeClassNotFound", "NodeClass not found on cluster", "does not exist", id="not-found"),
        pytest.param("", "", "is not ready", id="says-nothing"),
        pytest.param("Validation", "no subnets", "is not ready: Validation; no subnets", id="says-why"),
    ],
)
def test_what_a_pool_says_of_its_node_class(reason: str, message: str, expected: str) -> None:
    pool = node_pool(ready="False")
    of_class = Condition(type="NodeClassReady", status="False", reason=reason, message=message)
    status = replace(pool.status, conditions=(*(pool.status.conditions or ()), of_class))
    assert texts(replace(pool, status=status), pod()) == [f"its EC2NodeClass default {expected}"]
