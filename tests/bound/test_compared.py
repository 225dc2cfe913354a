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
        pytest.param(machine_of("new", "5.15", "b"), "", None, id="one-pod-says-nothing-of-a-zone"),
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


def _fails_in_zone_b(kind: Kind, *failing: str) -> str:
    """What tells the nodes apart of a pod that is asked about, and so is not on its node in the cluster."""
    nodes = [machine_of("n1", "5.15"), machine_of("n2", "5.15"), *(machine_of(name, "5.15", "b") for name in failing)]
    first, *others = (of_web(f"web-{name}", name, ready=False) for name in failing)
    ready = [of_web("web-n1", "n1"), of_web("web-n2", "n2")]
    fails = held_by("the kubelet", kind, told("containers-not-ready"))
    found = with_other_nodes(fails, first, cluster(nodes, [*ready, *others]))
    return str(found.facts.get("apart", {"there": ""})["there"])


def test_a_zone_is_told_of_several_pods_or_of_what_is_no_fault_of_the_container() -> None:
    assert _fails_in_zone_b(Kind.CONTAINER_NOT_STARTED, "x") == ""
    assert _fails_in_zone_b(Kind.CONTAINER_NOT_STARTED, "x", "y") == f"{ZONE}=a"
    assert _fails_in_zone_b(Kind.VOLUME_NOT_MOUNTED, "x") == f"{ZONE}=a"


def test_pods_without_a_node_are_on_none() -> None:
    new, fails = machine_of("new", "5.15"), held_by("the kubelet", Kind.NOT_READY, told("containers-not-ready"))
    pods = [of_web("old", "new"), of_web("moved", ""), of_web("moved-unready", "", ready=False)]
    later = of_web("later", "new", ready=False)
    assert with_other_nodes(fails, later, cluster([new], pods)).facts.get("apart") is None


def test_what_only_the_nodes_have_where_pods_fail() -> None:
    new = machine_of("new", "5.15")
    new = replace(new, status=replace(new.status, capacity={"cpu": "4", "acme.io/dev": "1"}))
    fails = held_by("the kubelet", Kind.NOT_READY, told("containers-not-ready"))
    pods = [of_web("old", "n1"), of_web("later", "new", ready=False)]
    found = with_other_nodes(fails, pods[1], cluster([machine_of("n1", "5.15"), new], pods))
    assert (str(found.facts["apart"]["there"]), str(found.facts["apart"]["own"])) == ("", "devices of acme.io/dev")


@pytest.mark.parametrize(
    ("born", "agent_since", "is_early"),
    [
        pytest.param("09:58", "10:02", True, id="before the agent of a new node"),
        pytest.param("08:00", "10:02", False, id="of an old node"),
        pytest.param("09:58", "09:59", False, id="after the agent"),
        pytest.param("09:58", "11:00", False, id="long before an agent that came later"),
    ],
)
def test_pods_that_came_before_the_agents_of_a_new_node(born: str, agent_since: str, *, is_early: bool) -> None:
    new = machine_of("new", "6.8")
    new = replace(new, metadata=replace(new.metadata, creation_timestamp=f"2026-11-01T{born}:00Z"))
    since = Condition(type="Ready", status="True", last_transition_time=f"2026-11-01T{agent_since}:00Z")
    agent = pod("agent-1", node="new", owner=controlled_by("DaemonSet", "agent"), conditions=[since])
    later = of_web("later", "new", ready=False)
    later = replace(later, status=replace(later.status, start_time="2026-11-01T10:00:00Z"))
    fails = held_by("the kubelet", Kind.NOT_READY, told("containers-not-ready"))
    around = cluster([machine_of("n1", "5.15"), new], [of_web("old", "n1"), agent, later])
    assert ("early" in with_other_nodes(fails, later, around).facts) is is_early


@pytest.mark.parametrize(
    ("says", "works", "own"),
    [
        pytest.param("write /var/lib/x: no space left on device", "old", "", id="disk"),
        pytest.param("x509: certificate signed by unknown authority", "old", "", id="authority"),
        pytest.param("manifest unknown", "", "", id="any-node-may-have-pulled-it-before"),
    ],
)
def test_what_is_said_of_images_that_one_node_cannot_pull(says: str, works: str, own: str) -> None:
    said = told("container-waits/image", reason="R", container="c", why=says)
    fails = held_by("the kubelet", Kind.IMAGE_NOT_PULLED, said, message=says)
    pods = [of_web("a", "old"), of_web("b", "new", ready=False)]
    found = with_other_nodes(fails, pods[1], cluster([machine_of("old", "5.15"), machine_of("new", "5.15")], pods))
    apart = found.facts.get("apart", {"works": "", "own": ""})
    assert (str(apart["works"]), str(apart["own"])) == (works, own)


def test_windows_of_another_build_is_another_platform() -> None:
    build = "node.kubernetes.io/windows-build"
    nodes = [node(name, labels={"kubernetes.io/os": "windows", build: name}) for name in ("10.0.20348", "10.0.17763")]
    pods = [of_web("a", "10.0.20348"), of_web("b", "10.0.17763", ready=False)]
    apart = with_other_nodes(FAILS, pods[1], cluster(nodes, pods)).facts["apart"]
    assert (apart["label"], apart["platform"]) == ({build: "10.0.20348"}, True)
