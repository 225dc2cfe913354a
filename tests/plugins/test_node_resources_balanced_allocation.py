from __future__ import annotations

import pytest

from kexplain.framework.features import Features
from kexplain.objects.core import Node, Pod
from kexplain.objects.requests import RequestRules
from kexplain.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation, balance
from kexplain.plugins.resource_allocation import ResourceSpec
from tests.factories import cluster, node, pod

from .asking import raw_scores

GPU = "nvidia.com/gpu"
THREE = (ResourceSpec("cpu"), ResourceSpec("memory"), ResourceSpec(GPU))
#: 10 cores and 10 GiB, so that shares read as tenths.
TEN = node("n1", cpu="10", memory="10Gi", further={GPU: 10})


@pytest.mark.parametrize(
    ("used_of", "score"),
    [
        pytest.param([], 100, id="nothing"),
        pytest.param([(3, 10)], 100, id="one-resource-is-always-balanced"),
        pytest.param([(5, 10), (5, 10)], 100, id="equal-shares"),
        pytest.param([(0, 10), (10, 10)], 50, id="as-far-apart-as-can-be"),
        pytest.param([(2, 10), (6, 10)], 80, id="half-the-difference"),
        pytest.param([(20, 10), (10, 10)], 100, id="overfull-is-full"),
        pytest.param([(0, 10), (0, 10), (10, 10)], 52, id="standard-deviation-of-three"),
        pytest.param([(2, 10), (2, 10), (2, 10)], 100, id="three-equal-shares"),
    ],
)
def test_balance(used_of: list[tuple[int, int]], score: int) -> None:
    assert balance(used_of) == score


@pytest.mark.parametrize(
    ("asking", "running", "score"),
    [
        pytest.param(pod(cpu="2", memory="2Gi"), [], 75, id="stays-balanced"),
        pytest.param(pod(cpu="4"), [], 65, id="suffers"),
        pytest.param(pod(cpu="10"), [], 50, id="suffers-most"),
        pytest.param(pod(cpu="4"), [pod("a", node="n1", memory="4Gi")], 85, id="improves"),
        pytest.param(pod(cpu="10"), [pod("a", node="n1", memory="10Gi")], 100, id="improves-most"),
        pytest.param(pod(cpu="4"), [pod("a", node="n1")], 65, id="what-others-did-not-ask-for-is-not-counted"),
        pytest.param(pod(cpu="1", whole={"cpu": "4"}), [], 65, id="pod-level-requests-count"),
        pytest.param(pod(overhead={"cpu": "4"}), [], 65, id="overhead-counts"),
    ],
)
def test_score(asking: Pod, running: list[Pod], score: int) -> None:
    plugin = NodeResourcesBalancedAllocation(Features())
    assert raw_scores(plugin, asking, cluster([TEN], running)) == {"n1": score}


@pytest.mark.parametrize(
    ("asked", "asking", "score"),
    [
        pytest.param(TEN, pod(cpu="3", memory="3Gi", further={GPU: 3}), 75, id="three-resources"),
        pytest.param(TEN, pod(further={GPU: 10}), 51, id="three-resources-one-used"),
        pytest.param(TEN, pod(cpu="4", memory="4Gi"), 75, id="not-asked-for"),
        pytest.param(node("n1"), pod(cpu="2", memory="4Gi", further={GPU: 1}), 75, id="node-has-none"),
    ],
)
def test_extended_resources(asked: Node, asking: Pod, score: int) -> None:
    """The deviation of 0, 0, 1 is 0.4714; 100 less that is cut to 52, so 50 + (50 + 52 - 100) / 2."""
    plugin = NodeResourcesBalancedAllocation(Features(), THREE)
    assert raw_scores(plugin, asking, cluster([asked])) == {"n1": score}


def test_pods_that_request_nothing_are_not_scored() -> None:
    assert raw_scores(NodeResourcesBalancedAllocation(Features()), pod(), cluster([TEN])) is None
    assert raw_scores(NodeResourcesBalancedAllocation(Features()), pod(further={GPU: 1}), cluster([TEN])) is None
    older = NodeResourcesBalancedAllocation(Features(best_effort_skips_balance=False))
    assert raw_scores(older, pod(), cluster([TEN])) == {"n1": 75}


@pytest.mark.parametrize(
    ("asking", "running", "score"),
    [
        pytest.param(pod(cpu="2", memory="2Gi"), [], 100, id="balanced"),
        pytest.param(pod(cpu="4"), [], 80, id="unbalanced"),
        pytest.param(pod(cpu="4"), [pod("a", node="n1", memory="4Gi")], 100, id="balanced-with-others"),
    ],
)
def test_older_releases_score_the_balance_itself(asking: Pod, running: list[Pod], score: int) -> None:
    plugin = NodeResourcesBalancedAllocation(Features(balance_by_improvement=False))
    assert raw_scores(plugin, asking, cluster([TEN], running)) == {"n1": score}


def test_pod_level_requests_are_gated() -> None:
    made = cluster([TEN], rules=RequestRules(pod_level_resources=False))
    assert raw_scores(NodeResourcesBalancedAllocation(Features()), pod(whole={"cpu": "4"}), made) is None
