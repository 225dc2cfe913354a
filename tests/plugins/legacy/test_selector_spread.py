"""Pods of a service or controller spread over nodes and zones."""

from __future__ import annotations

import pytest

from kexplain.objects.core import Node, Pod
from kexplain.plugins.legacy.selector_spread import SelectorSpread
from tests.factories import cluster, node, pod, service, spread
from tests.plugins.asking import normalized_scores

WEB = {"app": "web"}
ZONED = [node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")]
UNZONED = [node("n1"), node("n2")]


@pytest.mark.parametrize(
    ("nodes", "placed", "expected"),
    [
        pytest.param(UNZONED, [], {"n1": 100, "n2": 100}, id="none-yet"),
        pytest.param(UNZONED, ["n1", "n1", "n2"], {"n1": 0, "n2": 50}, id="by-node"),
        pytest.param(ZONED, ["a1"], {"a1": 0, "a2": 33, "b1": 100}, id="zones-count-double"),
        pytest.param([*ZONED, node("n1")], ["a1"], {"a1": 0, "a2": 33, "b1": 100, "n1": 100}, id="a-node-without-zone"),
    ],
)
def test_score(nodes: list[Node], placed: list[str], expected: dict[str, int]) -> None:
    pods = [pod(f"web-{index}", labels=WEB, node=name) for index, name in enumerate(placed)]
    made = cluster(nodes, pods, service("web", WEB))
    assert normalized_scores(SelectorSpread(), pod(labels=WEB), made) == expected


@pytest.mark.parametrize(
    ("pending", "expected"),
    [
        pytest.param(pod(labels=WEB, spread=[spread("zone")]), None, id="constraints-of-its-own"),
        pytest.param(pod(labels={"app": "db"}), {"n1": 100, "n2": 100}, id="of-no-service"),
    ],
)
def test_pods_that_are_not_spread(pending: Pod, expected: dict[str, int] | None) -> None:
    made = cluster(UNZONED, [pod("web-0", labels=WEB, node="n1")], service("web", WEB))
    assert normalized_scores(SelectorSpread(), pending, made) == expected
