from __future__ import annotations

import pytest

from kexplain.framework.features import Features
from kexplain.objects.core import ContainerStatus, Pod, ResourceRequirements
from kexplain.objects.requests import RequestRules
from kexplain.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.resource_allocation import Allocation, ResourceSpec, ScoredRequests, allocations, scored_requests
from kexplain.plugins.scoring_strategy import ScoringStrategy, ShapePoint
from tests.factories import cluster, container, node, pod

GPU = "nvidia.com/gpu"
SPECS = (ResourceSpec("cpu"), ResourceSpec("memory"), ResourceSpec("ephemeral-storage"), ResourceSpec(GPU))
MIB = 1024**2
RATIO = ScoringStrategy("RequestedToCapacityRatio", shape=(ShapePoint(0, 0), ShapePoint(100, 100)))


@pytest.mark.parametrize(
    ("asking", "with_defaults", "without"),
    [
        pytest.param(pod(), (100, 200 * MIB, 0, 0), (0, 0, 0, 0), id="nothing"),
        pytest.param(
            pod(cpu="1", further={GPU: 2, "ephemeral-storage": "1Ki"}), (1000, 200 * MIB, 1024, 2), (1000, 0, 1024, 2),
            id="what-is-asked-for",
        ),
        pytest.param(
            pod(containers=[container(), container("1")]), (1100, 400 * MIB, 0, 0), (1000, 0, 0, 0), id="by-container",
        ),
        pytest.param(
            pod(cpu="1", memory="1Mi", whole={"cpu": "3"}), (1000, MIB, 0, 0), (3000, MIB, 0, 0), id="pod-level",
        ),
    ],
)  # fmt: skip
def test_scored_requests(asking: Pod, with_defaults: tuple[int, ...], without: tuple[int, ...]) -> None:
    assert scored_requests(asking, SPECS, RequestRules(), use_defaults=True) == with_defaults
    assert scored_requests(asking, SPECS, RequestRules(), use_defaults=False) == without


def test_resizes_are_told_to_balance_only() -> None:
    status = ContainerStatus(name="main", resources=ResourceRequirements(requests={"cpu": "2"}))
    asking = pod(cpu="1", memory="1Mi", container_statuses=[status])
    assert scored_requests(asking, SPECS[:1], RequestRules(), use_defaults=True) == (1000,)
    assert scored_requests(asking, SPECS[:1], RequestRules(), use_defaults=False) == (2000,)


def test_allocations() -> None:
    running = [pod("a", node="n1", cpu="1", further={GPU: 1, "ephemeral-storage": 7}), pod("b", node="n1")]
    made = cluster([node("n1", cpu="4", memory="1Gi", further={GPU: 4, "ephemeral-storage": 100})], running)
    info = made.node_info_by_name["n1"]
    assert allocations(info, SPECS, (500, MIB, 3, 1), use_defaults=True) == [
        Allocation(4000, 1100, 1600),
        Allocation(1024 * MIB, 400 * MIB, 401 * MIB),
        Allocation(100, 7, 10),
        Allocation(4, 1, 2),
    ]
    assert allocations(info, SPECS, (500, MIB, 3, 0), use_defaults=False) == [
        Allocation(4000, 1000, 1500),
        Allocation(1024 * MIB, 0, MIB),
        Allocation(100, 7, 10),
        Allocation(),
    ]


def test_what_the_node_lacks_does_not_count() -> None:
    info = cluster([node("n1")]).node_info_by_name["n1"]
    assert allocations(info, SPECS[2:], (5, 5), use_defaults=False) == [Allocation(), Allocation()]


@pytest.mark.parametrize(("overhead", "cpu_milli"), [("250m", 1001), ("2", 1002)])
def test_cpu_overhead_scored_as_whole_cpus_once(overhead: str, cpu_milli: int) -> None:
    older = RequestRules(cpu_overhead_scores_in_millis=False)
    asking = pod(cpu="1", overhead={"cpu": overhead})
    assert scored_requests(asking, [ResourceSpec("cpu")], older, use_defaults=True) == (cpu_milli,)


NODES = [node("n1", cpu="4"), node("n2", cpu="7", memory="3Gi"), node("n3", cpu="500m", memory="100Mi")]
RUNNING = [pod("a", node="n1", cpu="3500m", memory="1Gi"), pod("b", node="n2"), pod("c", node="n2", memory="2999Mi")]
WITH_GPU = (ResourceSpec("cpu", 3), ResourceSpec("memory"), ResourceSpec(GPU, 2))


@pytest.mark.parametrize(
    "plugin",
    [
        pytest.param(NodeResourcesFit(Features()), id="least"),
        pytest.param(NodeResourcesFit(Features(), ScoringStrategy("MostAllocated", WITH_GPU)), id="most"),
        pytest.param(NodeResourcesBalancedAllocation(Features()), id="improves"),
        pytest.param(NodeResourcesBalancedAllocation(Features(balance_by_improvement=False)), id="balanced"),
    ],
)
@pytest.mark.parametrize("asking", [pod(cpu="1", memory="700Mi"), pod(cpu="1"), pod(cpu="30", memory="64Gi")])
def test_many_nodes_score_what_each_does(
    plugin: NodeResourcesFit | NodeResourcesBalancedAllocation, asking: Pod
) -> None:
    there = cluster(NODES, RUNNING)
    state = plugin.pre_score(asking, there, there.node_infos)
    assert isinstance(state, ScoredRequests)
    each = [plugin.score(asking, state, info) for info in there.node_infos]
    assert plugin.score_all(asking, state, there.node_infos) == each


@pytest.mark.parametrize(
    ("plugin", "asking"),
    [
        (NodeResourcesFit(Features(), ScoringStrategy("LeastAllocated", WITH_GPU)), pod(further={GPU: 1})),
        (NodeResourcesFit(Features(), RATIO), pod(cpu="1")),
        (NodeResourcesBalancedAllocation(Features(), WITH_GPU), pod(cpu="1", further={GPU: 1})),
    ],
)
def test_nodes_that_differ_in_what_counts_are_scored_one_by_one(
    plugin: NodeResourcesFit | NodeResourcesBalancedAllocation, asking: Pod
) -> None:
    there = cluster([*NODES, node("n4", further={GPU: 1})], RUNNING)
    state = plugin.pre_score(asking, there, there.node_infos)
    assert isinstance(state, ScoredRequests)
    assert plugin.score_all(asking, state, there.node_infos) is None
