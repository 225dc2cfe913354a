"""Pods and nodes beside others of their kind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from kexplain.bound.compared import with_other_nodes
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind, held_by
from kexplain.objects.core import Node, NodeSystemInfo, Pod
from kexplain.objects.meta import Condition
from tests.factories import cluster, controlled_by, node, pod

WEB = controlled_by("ReplicaSet", "web")
READY, UNREADY = (Condition(type="Ready", status=status) for status in ("True", "False"))


def machine(name: str, os: str = "linux", arch: str = "amd64") -> Node:
    return node(name, labels={"kubernetes.io/os": os, "kubernetes.io/arch": arch})


NODES = [machine("w", "windows"), machine("l"), machine("m"), machine("a", arch="arm64")]


def of_web(name: str, on: str, *, ready: bool = True) -> Pod:
    return pod(name, node=on, owner=WEB, conditions=[READY if ready else UNREADY])


FAILS = held_by("the kubelet", Kind.IMAGE_NOT_PULLED, told("container-waits/image", reason="R", container="c"))
LINUX, AMD = "kubernetes.io/os=linux", "kubernetes.io/arch=amd64"


@pytest.mark.parametrize(
    ("on", "others", "there", "own"),
    [
        pytest.param("w", {"x": "l", "y": "m"}, LINUX, "kubernetes.io/os=windows", id="system"),
        pytest.param("w", {"x": "l", "y": "a"}, LINUX, "kubernetes.io/os=windows", id="system-of-two-architectures"),
        pytest.param("a", {"x": "l"}, AMD, "kubernetes.io/arch=arm64", id="architecture"),
        pytest.param("l", {"x": "m"}, "", "", id="the-same"),
        pytest.param("w", {}, "", "", id="nobody-runs"),
        pytest.param("w", {"x": "w", "y": "l"}, "", "", id="runs-there"),
        pytest.param("gone", {"x": "l"}, "", "", id="node-not-read"),
    ],
)
def test_where_alone_pods_run(on: str, others: Mapping[str, str], there: str, own: str) -> None:
    running = [of_web(name, where) for name, where in others.items()]
    stopped = of_web("new", on, ready=False)
    found = with_other_nodes(FAILS, stopped, cluster(NODES, [*running, stopped]))
    apart = found.facts.get("apart", {"there": "", "own": ""})
    assert (str(apart["there"]), str(apart["own"])) == (there, own)


ZONE = "topology.kubernetes.io/zone"


def machine_of(name: str, kernel: str, zone: str = "a") -> Node:
    made, system = node(name, labels={ZONE: zone}), NodeSystemInfo(kernel_version=kernel)
    return replace(made, status=replace(made.status, node_info=system))


@pytest.mark.parametrize(
    ("new", "there", "label"),
    [
        pytest.param(machine_of("new", "6.8"), "kernel 5.15", None, id="version"),
        pytest.param(machine_of("new", "5.15", "b"), f"{ZONE}=a", {ZONE: "a"}, id="zone"),
        pytest.param(machine_of("new", "6.8", "b"), "kernel 5.15", None, id="version-says-more-than-a-zone"),
        pytest.param(machine_of("new", "5.15"), "", None, id="the-same"),
    ],
)  # fmt: skip
def test_what_nodes_have_where_pods_run(new: Node, there: str, label: Mapping[str, str] | None) -> None:
    fails = held_by("the kubelet", Kind.NOT_READY, told("containers-not-ready"))
    pods = [of_web("old", "n1"), of_web("later", "new", ready=False)]
    found = with_other_nodes(fails, pods[1], cluster([machine_of("n1", "5.15"), new], pods))
    apart = found.facts.get("apart", {"there": "", "label": None})
    assert (str(apart["there"]), apart["label"]) == (there, label)
