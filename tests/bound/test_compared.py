"""Pods and nodes beside others of their kind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kexplain.bound.compared import Platforms, platforms_apart
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Condition
from tests.factories import cluster, controlled_by, node, pod

WEB = controlled_by("ReplicaSet", "web")
READY, UNREADY = (Condition(type="Ready", status=status) for status in ("True", "False"))


def machine(name: str, os: str = "linux", arch: str = "amd64") -> Node:
    return node(name, labels={"kubernetes.io/os": os, "kubernetes.io/arch": arch})


NODES = [machine("w", "windows"), machine("l"), machine("m"), machine("a", arch="arm64")]


def of_web(name: str, on: str, *, ready: bool = True) -> Pod:
    return pod(name, node=on, owner=WEB, conditions=[READY if ready else UNREADY])


@pytest.mark.parametrize(
    ("on", "others", "nodes", "expected"),
    [
        pytest.param("w", {"x": "l", "y": "m"}, NODES,
                     Platforms("windows/amd64", ("linux/amd64",), "kubernetes.io/os", "linux"), id="system"),
        pytest.param("w", {"x": "l", "y": "a"}, NODES,
                     Platforms("windows/amd64", ("linux/amd64", "linux/arm64"), "kubernetes.io/os", "linux"),
                     id="system-of-two-architectures"),
        pytest.param("a", {"x": "l"}, NODES,
                     Platforms("linux/arm64", ("linux/amd64",), "kubernetes.io/arch", "amd64"), id="architecture"),
        pytest.param("a", {"x": "l", "y": "w"}, NODES,
                     Platforms("linux/arm64", ("linux/amd64", "windows/amd64"), "kubernetes.io/arch", "amd64"),
                     id="architecture-of-two-systems"),
        pytest.param("l", {"x": "m"}, NODES, None, id="the-same"),
        pytest.param("w", {}, NODES, None, id="nobody-runs"),
        pytest.param("l", {"x": "m"}, NODES[1:3], None, id="one-platform"),
        pytest.param("gone", {"x": "l"}, NODES, None, id="node-not-read"),
    ],
)  # fmt: skip
def test_where_alone_pods_run(
    on: str, others: Mapping[str, str], nodes: list[Node], expected: Platforms | None
) -> None:
    running = [of_web(name, there) for name, there in others.items()]
    stopped = [of_web("z", "w", ready=False)]
    assert platforms_apart(of_web("new", on, ready=False), cluster(nodes, [*running, *stopped])) == expected
