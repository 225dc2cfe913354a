"""Ports, names and cordons: plugins whose upstream tests are short."""

from __future__ import annotations

import pytest

from kexplain.objects.core import Container, ContainerPort, Pod
from tests.factories import node, pod, toleration

from .case import FOR_GOOD, FOR_NOW, Case, check

NODES = [node("n1")]
TAKEN, GONE = {"n1": FOR_NOW}, {"n1": FOR_GOOD}


def _on(*ports: str, name: str = "p", where: str | None = None) -> Pod:
    """A pod that takes ports of its node, each as `PROTOCOL/ADDRESS/NUMBER`."""
    made = []
    for protocol, address, number in (each.split("/") for each in ports):
        made.append(ContainerPort(host_port=int(number), host_ip=address or None, protocol=protocol))
    return pod(name, node=where, containers=[Container(name="c", ports=tuple(made))])


def _there(*ports: str) -> list[Pod]:
    return [_on(*ports, name="there", where="n1")]


CASES = [
    Case("no port", pod(), NODES, "NodePorts", {}, _there("TCP//80")),
    Case("another port", _on("UDP/127.0.0.1/80"), NODES, "NodePorts", {}, _there("UDP/127.0.0.1/90")),
    Case("the same port", _on("UDP/127.0.0.1/80"), NODES, "NodePorts", TAKEN, _there("UDP/127.0.0.1/80")),
    Case(
        "the same port of another address", _on("TCP/127.0.0.1/80"), NODES, "NodePorts", {}, _there("TCP/127.0.0.2/80")
    ),
    Case(
        "the same port of another protocol", _on("UDP/127.0.0.1/80"), NODES, "NodePorts", {}, _there("TCP/127.0.0.1/80")
    ),
    Case(
        "the second of two ports",
        _on("UDP/127.0.0.1/80", "UDP/127.0.0.1/81"),
        NODES,
        "NodePorts",
        TAKEN,
        _there("UDP/127.0.0.1/81"),
    ),
    Case("every address has this one", _on("TCP/0.0.0.0/80"), NODES, "NodePorts", TAKEN, _there("TCP/127.0.0.1/80")),
    Case("this one is of every address", _on("TCP/127.0.0.1/80"), NODES, "NodePorts", TAKEN, _there("TCP/0.0.0.0/80")),
    Case(
        "every address, and another protocol", _on("TCP/0.0.0.0/80"), NODES, "NodePorts", {}, _there("UDP/127.0.0.1/80")
    ),
    Case("no address is every address", _on("TCP//80"), NODES, "NodePorts", TAKEN, _there("TCP/10.0.0.1/80")),
    Case("the node that it names", pod(node="n1"), NODES, "NodeName"),
    Case("another node than it names", pod(node="n2"), NODES, "NodeName", GONE),
    Case("a cordoned node", pod(), [node("n1", cordoned=True)], "NodeUnschedulable", GONE),
    Case(
        "a cordoned node, which it tolerates",
        pod(tolerations=[toleration("node.kubernetes.io/unschedulable", operator="Exists", effect="NoSchedule")]),
        [node("n1", cordoned=True)],
        "NodeUnschedulable",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_nodes_as_they_are(case: Case) -> None:
    check(case)
