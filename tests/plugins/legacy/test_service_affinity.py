"""Pods of a service on nodes alike, or unlike."""

from __future__ import annotations

import pytest

from kexplain.cluster import Cluster
from kexplain.framework.evidence.policies import ServiceAffinityUnmatched
from kexplain.objects.core import Pod
from kexplain.plugins.legacy.service_affinity import ServiceAffinity
from tests.factories import cluster, node, pod, service
from tests.plugins.asking import filter_verdict, normalized_scores, pre_filtered

WEB = {"app": "web"}
NODES = [
    node("e1", labels={"region": "east"}),
    node("e2", labels={"region": "east"}),
    node("w1", labels={"region": "west"}),
]
KEEPS_REGION = ServiceAffinity(["region"])


def with_pods(*pods: Pod, has_service: bool = True) -> Cluster:
    return cluster(NODES, pods, *([service("web", WEB)] if has_service else []))


@pytest.mark.parametrize(
    ("pending", "made", "turned_away"),
    [
        pytest.param(pod(labels=WEB), with_pods(), [], id="first-of-its-service"),
        pytest.param(pod(labels=WEB), with_pods(pod("a", labels=WEB, node="e1")), ["w1"], id="another-is-there"),
        pytest.param(pod(labels=WEB), with_pods(pod("a", labels=WEB, node="w1")), ["e1", "e2"], id="elsewhere"),
        pytest.param(
            pod(labels=WEB), with_pods(pod("a", labels=WEB, node="e1"), has_service=False), [], id="no-service"
        ),
        pytest.param(
            pod(labels=WEB), with_pods(pod("a", labels=WEB, node="e1", namespace="other")), [], id="other-namespace"
        ),
        pytest.param(
            pod(labels=WEB, node_selector={"region": "west"}),
            with_pods(pod("a", labels=WEB, node="e1")),
            ["e1", "e2"],
            id="its-own-selector-comes-first",
        ),
    ],
)
def test_filter(pending: Pod, made: Cluster, turned_away: list[str]) -> None:
    verdicts = {info.name: filter_verdict(KEEPS_REGION, pending, made, info.name) for info in made.node_infos}
    assert [name for name, verdict in verdicts.items() if verdict is not None] == turned_away


def test_who_pins_the_pod_is_told() -> None:
    verdict = filter_verdict(KEEPS_REGION, pod(labels=WEB), with_pods(pod("a", labels=WEB, node="e1")), "w1")
    assert verdict is not None
    assert verdict.evidence == (ServiceAffinityUnmatched("region", "east", "west", "default/a", "e1"),)


def test_a_dry_run_takes_pods_out_and_in() -> None:
    other, pending = pod("a", labels=WEB, node="e1"), pod(labels=WEB)
    made = with_pods(other)
    east, west = made.node_info_by_name["e1"], made.node_info_by_name["w1"]
    state = pre_filtered(KEEPS_REGION, pending, made).state
    trial = KEEPS_REGION.clone(state)
    KEEPS_REGION.count_pod(pending, trial, made.pod_info(other), east, -1)
    assert KEEPS_REGION.filter(pending, trial, west) is None
    KEEPS_REGION.count_pod(pending, trial, made.pod_info(other), east, 1)
    assert KEEPS_REGION.filter(pending, trial, west) is not None
    assert KEEPS_REGION.filter(pending, state, west) is not None


@pytest.mark.parametrize(
    ("pods", "expected"),
    [
        pytest.param([], {"e1": 100, "e2": 100, "w1": 100}, id="none-yet"),
        pytest.param(
            [pod("a", labels=WEB, node="e1"), pod("b", labels=WEB, node="e2"), pod("c", labels=WEB, node="w1")],
            {"e1": 33, "e2": 33, "w1": 66},
            id="by-region",
        ),
        pytest.param([pod("a", labels=WEB, node="e1", deleting=True)], {"e1": 100, "e2": 100, "w1": 100}, id="deleted"),
    ],
)
def test_score(pods: list[Pod], expected: dict[str, int]) -> None:
    assert (
        normalized_scores(ServiceAffinity(anti_affinity_labels=["region"]), pod(labels=WEB), with_pods(*pods))
        == expected
    )
