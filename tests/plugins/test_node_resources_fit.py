from __future__ import annotations

import pytest

from kexplain.config.releases.release import features_of
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.features import Features
from kexplain.framework.plugin import Placement
from kexplain.framework.status import Status
from kexplain.objects.core import GroupName, Node, Pod
from kexplain.objects.requests import RequestRules
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.resource_allocation import Allocation, ResourceSpec
from kexplain.plugins.scoring_strategy import (
    ScoringStrategy,
    ShapePoint,
    StrategyType,
    score_by_strategy,
    score_on_shape,
    terms_of_score,
)
from tests.factories import cluster, container, node, pod

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, raw_scores, rejection

GIB = 1024**3
GPU = "nvidia.com/gpu"
HUGE = "hugepages-2Mi"
STORAGE = "ephemeral-storage"

#: 4 cores, 8 GiB, 3 pods, 2 GPUs, 10 GiB of storage, 4 MiB of huge pages.
BIG = node("n1", cpu="4", memory="8Gi", pods=3, further={GPU: 2, STORAGE: "10Gi", HUGE: "4Mi"})
#: Takes half of everything but the number of pods.
HALF = pod("half", node="n1", cpu="2", memory="4Gi", further={GPU: 1, STORAGE: "5Gi", HUGE: "2Mi"})


def lacking(*evidence: InsufficientResource, never: bool = False) -> Status:
    reasons = ["Too many pods" if each.resource == "pods" else f"Insufficient {each.resource}" for each in evidence]
    return rejection(UNRESOLVABLE if never else UNSCHEDULABLE, *reasons, evidence=evidence)


@pytest.mark.parametrize(
    ("asking", "asked", "verdict"),
    [
        pytest.param(pod(), BIG, None, id="asks-for-nothing"),
        pytest.param(pod(cpu="2", memory="4Gi"), BIG, None, id="exactly-fits"),
        pytest.param(
            pod(cpu="2001m"), BIG, lacking(InsufficientResource("cpu", 2001, 4000)), id="one-milli-too-much",
        ),
        pytest.param(
            pod(cpu="2000.1m"), BIG, lacking(InsufficientResource("cpu", 2001, 4000)), id="rounded-up-to-a-milli",
        ),
        pytest.param(
            pod(memory=str(4 * GIB + 1)), BIG, lacking(InsufficientResource("memory", 4 * GIB + 1, 8 * GIB)),
            id="one-byte-too-much",
        ),
        pytest.param(pod(cpu="4"), BIG, lacking(InsufficientResource("cpu", 4000, 4000)), id="whole-node"),
        pytest.param(
            pod(cpu="4001m"), BIG, lacking(InsufficientResource("cpu", 4001, 4000), never=True), id="oversized",
        ),
        pytest.param(
            pod(cpu="3", memory="9Gi"), BIG,
            lacking(
                InsufficientResource("cpu", 3000, 4000),
                InsufficientResource("memory", 9 * GIB, 8 * GIB), never=True,
            ), id="one-of-two-is-oversized",
        ),
        pytest.param(
            pod(further={STORAGE: "6Gi"}), BIG, lacking(InsufficientResource(STORAGE, 6 * GIB, 10 * GIB)),
            id="ephemeral-storage",
        ),
        pytest.param(
            pod(further={STORAGE: 1}), node("n1"), lacking(InsufficientResource(STORAGE, 1, 0), never=True),
            id="one-byte-where-there-is-none",
        ),
        pytest.param(pod(further={GPU: 1}), BIG, None, id="last-device"),
        pytest.param(pod(further={GPU: 2}), BIG, lacking(InsufficientResource(GPU, 2, 2)), id="device-in-use"),
        pytest.param(
            pod(further={GPU: 3}), BIG, lacking(InsufficientResource(GPU, 3, 2), never=True), id="too-many-devices",
        ),
        pytest.param(
            pod(further={"example.com/fpga": 1}), BIG,
            lacking(InsufficientResource("example.com/fpga", 1, 0), never=True), id="device-that-no-node-has",
        ),
        pytest.param(pod(further={"example.com/fpga": 0}), BIG, None, id="asks-for-none-of-it"),
        pytest.param(pod(further={HUGE: "2Mi"}), BIG, None, id="huge-pages"),
        pytest.param(
            pod(further={HUGE: "4Mi"}), BIG, lacking(InsufficientResource(HUGE, 4 * 1024**2, 4 * 1024**2)),
            id="huge-pages-in-use",
        ),
        pytest.param(
            pod(further={"hugepages-1Gi": "1Gi"}), BIG,
            lacking(InsufficientResource("hugepages-1Gi", GIB, 0), never=True), id="huge-pages-of-another-size",
        ),
        pytest.param(pod(further={"unheard-of": 7}), BIG, None, id="what-is-not-counted-fits"),
        pytest.param(
            pod(further={GPU: 3, STORAGE: "6Gi"}, cpu="3", memory="5Gi"), node("n1", pods=1, further={STORAGE: "10Gi"}),
            lacking(
                InsufficientResource("pods", 1, 1), InsufficientResource("cpu", 3000, 4000),
                InsufficientResource("memory", 5 * GIB, 8 * GIB),
                InsufficientResource(STORAGE, 6 * GIB, 10 * GIB), InsufficientResource(GPU, 3, 0),
                never=True,
            ), id="everything-at-once",
        ),
    ],
)  # fmt: skip
def test_filter_beside_a_pod(asking: Pod, asked: Node, verdict: Status | None) -> None:
    assert filter_verdict(NodeResourcesFit(Features()), asking, cluster([asked], [HALF])) == verdict


@pytest.mark.parametrize(("is_on", "fits"), [(False, False), (True, True)])
def test_what_1_34_leaves_to_devices_it_does_only_where_these_count(is_on: bool, fits: bool) -> None:
    """With the gate, huge pages that no node reports are left to DynamicResources."""
    fit = NodeResourcesFit(features_of("1.34", {"DRAExtendedResource": is_on}))
    verdict = filter_verdict(fit, pod(further={HUGE: "2Mi"}), cluster([node("n1")]))
    assert (verdict is None) is fits


@pytest.mark.parametrize(
    ("asking", "fits"),
    [
        pytest.param(pod(cpu="1", init=[container("4")]), True, id="init-container"),
        pytest.param(pod(cpu="1", init=[container("4001m")]), False, id="oversized-init-container"),
        pytest.param(pod(cpu="3", init=[container("1", sidecar=True)]), True, id="sidecar"),
        pytest.param(pod(cpu="3001m", init=[container("1", sidecar=True)]), False, id="sidecar-adds-up"),
        pytest.param(pod(init=[container("1", sidecar=True), container("3")]), True, id="init-beside-sidecar"),
        pytest.param(
            pod(init=[container("1", sidecar=True), container("3001m")]), False, id="init-beside-sidecar-over"
        ),
        pytest.param(pod(cpu="3900m", overhead={"cpu": "100m"}), True, id="overhead"),
        pytest.param(pod(cpu="3901m", overhead={"cpu": "100m"}), False, id="overhead-adds-up"),
        pytest.param(pod(cpu="5", whole={"cpu": "4"}), True, id="pod-level"),
        pytest.param(pod(cpu="1", whole={"cpu": "4001m"}), False, id="oversized-pod-level"),
    ],
)
def test_what_a_pod_requests(asking: Pod, fits: bool) -> None:
    verdict = filter_verdict(NodeResourcesFit(Features()), asking, cluster([node("n1", cpu="4")]))
    assert (verdict is None) is fits


@pytest.mark.parametrize(("pods", "running", "fits"), [(0, 0, False), (1, 0, True), (1, 1, False), (2, 1, True)])
def test_number_of_pods(pods: int, running: int, fits: bool) -> None:
    """No number of pods is oversized: eviction always helps."""
    made = cluster([node("n1", pods=pods)], [pod(f"p{index}", node="n1") for index in range(running)])
    verdict = filter_verdict(NodeResourcesFit(Features()), pod("next"), made)
    assert verdict == (None if fits else lacking(InsufficientResource("pods", 1, pods)))


def test_node_that_is_overcommitted_takes_what_asks_for_nothing() -> None:
    made = cluster([node("n1", cpu="1")], [pod("a", node="n1", cpu="3")])
    plugin = NodeResourcesFit(Features())
    assert filter_verdict(plugin, pod(memory="1Gi"), made) is None
    verdict = filter_verdict(plugin, pod(cpu="1m"), made)
    assert verdict == lacking(InsufficientResource("cpu", 1, 1000))
    (evidence,) = verdict.evidence
    assert isinstance(evidence, InsufficientResource)
    assert evidence.used_on(made.node_infos[0]) == 3000


def test_older_releases_try_preemption_for_oversized_pods() -> None:
    plugin = NodeResourcesFit(Features(oversized_request_is_unresolvable=False))
    verdict = filter_verdict(plugin, pod(cpu="5"), cluster([node("n1", cpu="4")]))
    assert verdict == lacking(InsufficientResource("cpu", 5000, 4000))


def test_status_of_the_incoming_pod_is_not_looked_at() -> None:
    rules = RequestRules(pod_level_resources=False)
    made = cluster([node("n1", cpu="1")], rules=rules)
    assert filter_verdict(NodeResourcesFit(Features()), pod(cpu="1", whole={"cpu": "2"}), made) is None


@pytest.mark.parametrize(
    ("plugin", "fits"),
    [
        pytest.param(NodeResourcesFit(Features()), False, id="counted"),
        pytest.param(NodeResourcesFit(Features(), None, frozenset({GPU})), True, id="ignored-resource"),
        pytest.param(
            NodeResourcesFit(Features(), None, frozenset(), frozenset({"nvidia.com"})), True, id="ignored-group"
        ),
        pytest.param(
            NodeResourcesFit(Features(), None, frozenset({"nvidia.com/gp"}), frozenset({"nvidia"})), False,
            id="similar-names",
        ),
    ],
)  # fmt: skip
def test_ignored_extended_resources(plugin: NodeResourcesFit, fits: bool) -> None:
    assert (filter_verdict(plugin, pod(further={GPU: 1}), cluster([node("n1")])) is None) is fits


def test_only_extended_resources_can_be_ignored() -> None:
    plugin = NodeResourcesFit(Features(), None, frozenset({HUGE, "cpu"}))
    verdict = filter_verdict(plugin, pod(cpu="5", further={HUGE: "2Mi"}), cluster([node("n1", cpu="4")]))
    assert verdict is not None
    assert verdict.reasons == ("Insufficient cpu", f"Insufficient {HUGE}")


# ---------------------------------------------------------------------------------------------------- scoring

LEAST = ScoringStrategy()
MOST = ScoringStrategy("MostAllocated")
#: Prefers full nodes; the API's scores from 0 to 10 come in already multiplied.
PACKING = (ShapePoint(0, 0), ShapePoint(100, 100))
RATIO = ScoringStrategy("RequestedToCapacityRatio", shape=PACKING)


@pytest.mark.parametrize(
    ("strategy", "asking", "running", "score"),
    [
        pytest.param(LEAST, pod(cpu="1", memory="2Gi"), [], 75, id="least-a-quarter"),
        pytest.param(LEAST, pod(cpu="4", memory="8Gi"), [], 0, id="least-full"),
        pytest.param(LEAST, pod(cpu="1", memory="2Gi"), [HALF], 25, id="least-beside-half"),
        pytest.param(LEAST, pod(), [], 97, id="least-nothing-counts-as-something"),
        pytest.param(LEAST, pod(), [pod("idle", node="n1")], 95, id="least-idle-pods-count-too"),
        pytest.param(LEAST, pod(cpu="5", memory="2Gi"), [], 37, id="least-overcommitted-scores-nothing"),
        pytest.param(MOST, pod(cpu="1", memory="2Gi"), [], 25, id="most-a-quarter"),
        pytest.param(MOST, pod(cpu="1", memory="2Gi"), [HALF], 75, id="most-beside-half"),
        pytest.param(MOST, pod(cpu="5", memory="8Gi"), [], 100, id="most-overcommitted-is-full"),
        pytest.param(MOST, pod(), [], 2, id="most-nothing-counts-as-something"),
        pytest.param(RATIO, pod(cpu="1", memory="2Gi"), [], 25, id="ratio-a-quarter"),
        pytest.param(RATIO, pod(cpu="1", memory="2Gi"), [HALF], 75, id="ratio-beside-half"),
        pytest.param(RATIO, pod(cpu="5", memory="8Gi"), [], 100, id="ratio-overcommitted-is-full"),
        pytest.param(RATIO, pod(cpu="1", memory="4Gi"), [], 38, id="ratio-rounds-half-up"),
        pytest.param(LEAST, pod(cpu="1", whole={"cpu": "3"}, memory="2Gi"), [], 75, id="pod-level-is-not-told"),
    ],
)
def test_score(strategy: ScoringStrategy, asking: Pod, running: list[Pod], score: int) -> None:
    plugin = NodeResourcesFit(Features(), strategy)
    assert raw_scores(plugin, asking, cluster([BIG], running)) == {"n1": score}


@pytest.mark.parametrize(
    ("type_", "weights", "score"),
    [
        pytest.param("LeastAllocated", (1, 1, 1), (75 + 50 + 0) // 3, id="least"),
        pytest.param("LeastAllocated", (3, 1, 0), (3 * 75 + 50) // 4, id="least-weighted"),
        pytest.param("MostAllocated", (1, 1, 1), (25 + 50 + 100) // 3, id="most"),
        pytest.param("MostAllocated", (1, 1, 8), (25 + 50 + 800) // 10, id="most-weighted"),
        pytest.param("RequestedToCapacityRatio", (1, 1, 1), 58, id="ratio"),
    ],
)
def test_weights_and_extended_resources(type_: StrategyType, weights: tuple[int, int, int], score: int) -> None:
    names = ("cpu", "memory", GPU)
    resources = tuple(ResourceSpec(name, weight) for name, weight in zip(names, weights, strict=True))
    plugin = NodeResourcesFit(Features(), ScoringStrategy(type_, resources, PACKING))
    assert raw_scores(plugin, pod(cpu="1", memory="4Gi", further={GPU: 2}), cluster([BIG])) == {"n1": score}


@pytest.mark.parametrize(
    ("asking", "asked"),
    [
        pytest.param(pod(cpu="1", memory="2Gi"), BIG, id="extended-resource-not-asked-for"),
        pytest.param(pod(cpu="1", memory="2Gi", further={GPU: 1}), node("n1"), id="node-has-none-of-it"),
    ],
)
def test_extended_resource_that_does_not_count(asking: Pod, asked: Node) -> None:
    resources = (ResourceSpec("cpu"), ResourceSpec("memory"), ResourceSpec(GPU, 100))
    plugin = NodeResourcesFit(Features(), ScoringStrategy("LeastAllocated", resources))
    assert raw_scores(plugin, asking, cluster([asked])) == {"n1": 75}


def test_ephemeral_storage_counts_even_if_not_asked_for() -> None:
    plugin = NodeResourcesFit(Features(), ScoringStrategy("LeastAllocated", (ResourceSpec(STORAGE),)))
    assert raw_scores(plugin, pod(), cluster([BIG], [HALF])) == {"n1": 50}


def test_the_terms_of_a_ratio_have_the_shape_that_points_lie_on() -> None:
    allocations = [Allocation(100, 0, 50), Allocation(100, 0, 20)]
    found = terms_of_score(RATIO, allocations)
    assert found.shape == tuple((point.utilization, point.score) for point in PACKING)
    assert [term.score for term in found.terms] == [50, 20]
    assert terms_of_score(MOST, allocations).shape == ()


@pytest.mark.parametrize("type_", ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"])
def test_nothing_to_score_by(type_: StrategyType) -> None:
    strategy = ScoringStrategy(type_, (ResourceSpec(GPU),), PACKING)
    assert score_by_strategy(strategy, [Allocation()]) == 0


def test_in_the_ratio_strategy_what_scores_nothing_does_not_weigh() -> None:
    half, none = Allocation(100, 0, 50), Allocation(100, 0, 0)
    assert score_by_strategy(RATIO, [half, none]) == 50
    assert score_by_strategy(MOST, [half, none]) == 25


@pytest.mark.parametrize(
    ("shape", "scores"),
    [
        pytest.param(PACKING, {0: 0, 1: 1, 50: 50, 100: 100}, id="rising"),
        pytest.param((ShapePoint(0, 100), ShapePoint(100, 0)), {0: 100, 1: 99, 100: 0}, id="falling"),
        pytest.param(
            (ShapePoint(20, 10), ShapePoint(80, 90)), {0: 10, 20: 10, 50: 50, 80: 90, 100: 90}, id="level-ends",
        ),
        pytest.param(
            (ShapePoint(0, 0), ShapePoint(40, 100), ShapePoint(70, 0)), {10: 25, 40: 100, 55: 50, 70: 0, 90: 0},
            id="two-slopes",
        ),
        pytest.param((ShapePoint(0, 0), ShapePoint(30, 100)), {1: 3, 29: 96}, id="cut-off"),
        pytest.param((ShapePoint(0, 100), ShapePoint(30, 0)), {1: 97, 29: 4}, id="cut-towards-zero"),
        pytest.param((ShapePoint(50, 70),), {0: 70, 50: 70, 100: 70}, id="one-point"),
    ],
)  # fmt: skip
def test_shapes(shape: tuple[ShapePoint, ...], scores: dict[int, int]) -> None:
    assert {utilization: score_on_shape(shape, utilization) for utilization in scores} == scores


@pytest.mark.parametrize(("gate", "fits"), [(True, True), (False, False)], ids=["on", "off"])
def test_gate_of_sidecars(gate: bool, fits: bool) -> None:
    plugin = NodeResourcesFit(Features(sidecar_containers=gate))
    asking = pod(init=[container(sidecar=True)])
    reason = "Pod has a restartable init container and the SidecarContainers feature is disabled"
    assert filter_verdict(plugin, asking, cluster([node("n1")])) == (None if fits else rejection(UNRESOLVABLE, reason))
    assert filter_verdict(plugin, pod(), cluster([node("n1")])) is None


# ------------------------------------------------------------------------------------------------- placements


@pytest.mark.parametrize(
    ("resources", "pods", "score"),
    [
        # CPU: what runs there and both pods, 1 + 2 + 1 of 4 + 4. Memory: 1 + 2 + 1 of 8 + 8 Gi.
        (("cpu",), [pod(cpu="2", memory="2Gi"), pod(cpu="1", memory="1Gi")], 50),
        (("cpu", "memory"), [pod(cpu="2", memory="2Gi"), pod(cpu="1", memory="1Gi")], (50 + 25) // 2),
        # What asks for nothing counts for 100m and 200Mi.
        (("cpu",), [pod(), pod()], 15),
        # Only one of the nodes has GPUs, and of what nobody asks for, nothing counts.
        (("nvidia.com/gpu",), [pod(further={"nvidia.com/gpu": 1})], 25),
        (("nvidia.com/gpu",), [pod(cpu="1")], 0),
    ],
)
def test_score_of_a_placement(resources: tuple[str, ...], pods: list[Pod], score: int) -> None:
    """Whatever the strategy is, nodes together are the better the fuller they are."""
    strategy = ScoringStrategy("LeastAllocated", tuple(ResourceSpec(name) for name in resources))
    nodes = [node("n1"), node("n2", further={"nvidia.com/gpu": 4}), node("n3", cpu="64")]
    there = cluster(nodes, [pod("there", cpu="1", memory="1Gi", node="n1")])
    placed = Placement("a", ("n1", "n2"), tuple(pods))
    plugin = NodeResourcesFit(Features(), strategy)
    assert plugin.score_placement(GroupName("default", "g"), there, placed) == score
    assert plugin.normalize_placements([3, 7]) == [3, 7]
