from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from kexplain.objects.core import Node, Pod
from tests.factories import affinity, exists, node, node_affinity, node_term, pod, spread

from .case import FOR_GOOD, FOR_NOW, Case, check

PLUGIN = "PodTopologySpread"
WEB, HOST, RACK = {"app": "web"}, "kubernetes.io/hostname", "rack"


def _nodes(**labels: str) -> list[Node]:
    """Two nodes in each of two zones."""
    return [node(name, zone=zone, labels=labels) for name, zone in (("a", "1"), ("b", "1"), ("x", "2"), ("y", "2"))]


def _running(counts: Mapping[str, int], namespace: str = "default") -> list[Pod]:
    return [
        pod(f"{name}-{number}", node=name, labels=WEB, namespace=namespace)
        for name, count in counts.items()
        for number in range(count)
    ]


def _web(*constraints: Any, **further: Any) -> Pod:
    return pod(labels=WEB, spread=constraints, **further)


def _now(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, FOR_NOW)


BY_ZONE, BY_HOST = spread(labels=WEB), spread(HOST, WEB)
UNEVEN = _running({"a": 2, "b": 1, "y": 3})
IN_ONE_ZONE = affinity(node=node_affinity(node_term(exists("fast"))))
CASES = [
    Case("nobody there yet", _web(BY_ZONE), _nodes(), PLUGIN),
    Case("nobody there, and it does not count itself", _web(spread(labels={"app": "db"})), _nodes(), PLUGIN),
    Case(
        "others' namespaces do not count",
        _web(BY_ZONE),
        _nodes(),
        PLUGIN,
        _now("x", "y"),
        _running({"x": 1, "y": 1}) + _running({"a": 2}, "other"),
    ),
    Case("without a selector nobody counts", _web(spread()), _nodes(), PLUGIN, running=_running({"x": 1, "y": 1})),
    Case("even zones", _web(BY_ZONE), _nodes(), PLUGIN, running=_running({"a": 2, "b": 1, "y": 3})),
    Case(
        "a node without the label is out, and its pods do not count",
        _web(BY_ZONE),
        [node("a", zone="1"), node("b"), node("x", zone="2"), node("y", zone="2")],
        PLUGIN,
        {"b": FOR_GOOD, **_now("x", "y")},
        _running({"a": 1, "b": 1, "x": 1, "y": 1}),
    ),
    Case("no node has the label", _web(spread(RACK, WEB)), _nodes(), PLUGIN, dict.fromkeys("abxy", FOR_GOOD)),
    Case("the emptiest node", _web(BY_HOST), _nodes(), PLUGIN, _now("a", "b", "y"), UNEVEN),
    Case(
        "with a skew of two the emptiest two",
        _web(spread(HOST, WEB, max_skew=2)),
        _nodes(),
        PLUGIN,
        _now("a", "y"),
        UNEVEN,
    ),
    Case(
        "who does not count itself may go one further", pod(spread=[BY_HOST]), _nodes(), PLUGIN, _now("a", "y"), UNEVEN
    ),
    Case(
        "two constraints, both hold somewhere",
        _web(BY_ZONE, BY_HOST),
        _nodes(),
        PLUGIN,
        _now("a", "b", "y"),
        _running({"a": 1, "b": 1, "y": 1}),
    ),
    Case(
        "two constraints that no node meets",
        _web(BY_ZONE, BY_HOST),
        _nodes(),
        PLUGIN,
        _now("a", "b", "x", "y"),
        _running({"a": 3, "x": 1, "y": 1}),
    ),
    Case(
        "fewer domains than wanted count as an empty one",
        _web(spread(labels=WEB, min_domains=3)),
        _nodes(),
        PLUGIN,
        _now("a", "b", "x", "y"),
        _running({"a": 1, "y": 1}),
    ),
    Case(
        "as many domains as wanted",
        _web(spread(labels=WEB, min_domains=2)),
        _nodes(),
        PLUGIN,
        running=_running({"a": 1, "y": 1}),
    ),
    Case("a wish stops nobody", _web(spread(labels=WEB, soft=True)), _nodes(), PLUGIN, running=_running({"a": 5})),
    Case(
        "domains where it may not go do not count",
        _web(BY_HOST, affinity=IN_ONE_ZONE),
        [node("a", labels={"fast": ""}), node("b", labels={"fast": ""})],
        PLUGIN,
        _now("a"),
        _running({"a": 1}),
    ),
    Case(
        "pods that are being deleted do not count",
        _web(BY_ZONE),
        _nodes(),
        PLUGIN,
        running=[pod("old", node="a", labels=WEB, deleting=True)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_domains(case: Case) -> None:
    check(case)
