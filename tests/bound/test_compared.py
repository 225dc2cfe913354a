"""Pods and nodes beside others of their kind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from kexplain.bound.compared import AttachLimit, Platforms, attach_limit, platforms_apart
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import Condition
from kexplain.objects.storage import VolumeAttachmentStatus
from tests.factories import cluster, controlled_by, node, pod
from tests.storage_factories import attachment, csi_node

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


@pytest.mark.parametrize(
    ("own", "others", "attached", "expected"),
    [
        pytest.param({"disk": None}, 2, 2, AttachLimit("disk", "n1", 2, 2), id="full"),
        pytest.param({"disk": None}, 2, 3, AttachLimit("disk", "n1", 3, 2), id="more-than-full"),
        pytest.param({"disk": None}, 2, 1, None, id="has-room"),
        pytest.param({"disk": 2}, 2, 2, None, id="states-its-own"),
        pytest.param({"other": None}, 2, 2, None, id="driver-not-there"),
        pytest.param({"disk": None}, None, 2, None, id="nobody-states-any"),
    ],
)
def test_nodes_that_are_full_without_saying_so(
    own: Mapping[str, int | None], others: int | None, attached: int, expected: AttachLimit | None
) -> None:
    volumes = [attachment(f"a{n}", f"v{n}", attacher="disk") for n in range(attached)]
    elsewhere = [attachment("b", "w", "n2", attacher="disk"), attachment("c", "x", attacher="tape")]
    limits = [csi_node("n1", own), csi_node("n2", {"disk": others})]
    done = [replace(each, status=VolumeAttachmentStatus(attached=True)) for each in volumes]
    around = cluster([node("n1"), node("n2")], [], *limits, *done, *elsewhere)
    assert attach_limit("disk", "n1", around) == expected
