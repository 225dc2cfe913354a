"""How large the nodes of a NodePool may be, and what that keeps from coming."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.explain.karpenter import offered, pool_objections
from kexplain.explain.sizes import GPU, may_bring
from kexplain.objects.core import NodeSelectorRequirement, Pod
from kexplain.objects.instance_types import InstanceType
from kexplain.objects.meta import ObjectMeta
from tests.explain.test_karpenter import node_pool
from tests.factories import cluster, node, pod

CPU, TYPE = "karpenter.k8s.aws/instance-cpu", "node.kubernetes.io/instance-type"


def _needs(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def _seen() -> Cluster:
    made = node("n1", cpu="16", labels={TYPE: "m5.4xlarge"})
    return cluster([replace(made, status=replace(made.status, capacity={"cpu": "16", "memory": "64Gi"}))])


def _with_table() -> Cluster:
    made = [("m5.large", 2), ("m5.4xlarge", 16), ("p4d.24xlarge", 96)]
    types = [
        InstanceType(metadata=ObjectMeta(name=name), cpu_milli=cpu * 1000, memory_bytes=(cpu * 4) << 30)
        for name, cpu in made
    ]
    return _seen().replacing(types)


BOUNDED = _needs(CPU, "In", "4", "8", "16", "32")
TOO_LARGE = "its nodes have at most 32 cpu, and the pod requests 64"


@pytest.mark.parametrize(
    ("requirement", "asking", "around", "expected"),
    [
        pytest.param(BOUNDED, pod(cpu="64"), cluster([]), [TOO_LARGE], id="too-large"),
        pytest.param(BOUNDED, pod(cpu="32"), cluster([]), [], id="large-enough"),
        pytest.param(_needs(CPU, "Lt", "33"), pod(cpu="64"), cluster([]), [TOO_LARGE], id="below-a-bound"),
        pytest.param(_needs(CPU, "Gt", "4"), pod(cpu="64"), cluster([]), [], id="without-a-bound"),
        pytest.param(
            _needs(TYPE, "In", "m5.4xlarge"),
            pod(cpu="17"),
            _seen(),
            ["its nodes have at most 16 cpu, and the pod requests 17"],
            id="a-type-that-was-seen",
        ),
        pytest.param(_needs(TYPE, "In", "m5.4xlarge", "m5.8xlarge"), pod(cpu="17"), _seen(), [], id="one-was-not"),
        pytest.param(
            _needs("karpenter.k8s.aws/instance-family", "In", "m5"),
            pod(cpu="17"),
            _with_table(),
            ["its nodes have at most 16 cpu, and the pod requests 17"],
            id="by-the-table",
        ),
        pytest.param(
            _needs("karpenter.k8s.aws/instance-family", "In", "c9"),
            pod(cpu="1"),
            _with_table(),
            ["no instance type that is known meets its requirements"],
            id="not-in-the-table",
        ),
    ],
)
def test_sizes(requirement: NodeSelectorRequirement, asking: Pod, around: Cluster, expected: Sequence[str]) -> None:
    assert [each.text for each in pool_objections(node_pool(requirement), asking, around, [])] == expected


def test_a_limit_leaves_no_room_for_the_size() -> None:
    pool = node_pool(_needs(TYPE, "In", "m5.4xlarge"), limits={"cpu": "20"}, used={"cpu": "18"})
    assert [each.text for each in pool_objections(pool, pod(cpu="1"), _seen(), [])] == [
        "limit too low: cpu 18 of 20 used, and a node that is large enough has 16"
    ]
    smaller = node_pool(_needs(TYPE, "In", "m5.4xlarge", "m5.large"), limits={"cpu": "20"}, used={"cpu": "18"})
    assert pool_objections(smaller, pod(cpu="1"), _with_table(), []) == []


@pytest.mark.parametrize(
    ("types", "resource", "expected"),
    [
        pytest.param(["small"], GPU, False, id="none of them has it"),
        pytest.param(["small", "gpus"], GPU, True, id="one has it"),
        pytest.param(["small", "gpus"], "nvidia.com/gpu.shared", False, id="another name"),
        pytest.param(["small", "other"], GPU, True, id="nobody has seen one"),
        pytest.param([], GPU, True, id="any type"),
    ],
)
def test_what_new_machines_may_bring(types: Sequence[str], resource: str, expected: bool) -> None:
    small, gpus = node("small", labels={TYPE: "small"}), node("gpus", labels={TYPE: "gpus"}, further={GPU: 4})
    nodes = [replace(each, status=replace(each.status, capacity=each.status.allocatable)) for each in (small, gpus)]
    pool = node_pool(*([_needs(TYPE, "In", *types)] if types else []))
    assert may_bring(offered(pool), resource, cluster(nodes)) is expected
