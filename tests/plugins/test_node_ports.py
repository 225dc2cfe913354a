from __future__ import annotations

import pytest

from kexplain.cluster.host_ports import HostPort
from kexplain.framework.evidence import PortInUse
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Status
from kexplain.plugins.node_ports import NodePorts
from tests.factories import cluster, container, node, pod

from .asking import UNSCHEDULABLE, filter_verdict, rejection

ANY = "0.0.0.0"  # noqa: S104


def taken(*pairs: tuple[HostPort, HostPort]) -> Status:
    evidence = [PortInUse(wanted, in_use) for wanted, in_use in pairs]
    return rejection(UNSCHEDULABLE, "node(s) didn't have free ports for the requested pod ports", evidence=evidence)


def tcp(port: int, ip: str = ANY) -> HostPort:
    return HostPort(ip, "TCP", port)


@pytest.mark.parametrize(
    ("used", "wanted", "verdict"),
    [
        pytest.param([], ["80"], None, id="free-node"),
        pytest.param(["81"], ["80"], None, id="another-port"),
        pytest.param(["80"], ["80"], taken((tcp(80), tcp(80))), id="taken"),
        pytest.param(["80/UDP"], ["80"], None, id="another-protocol"),
        pytest.param(["80/UDP"], ["80/UDP"], taken((HostPort(ANY, "UDP", 80),) * 2), id="udp"),
        pytest.param(["10.0.0.1:80"], ["10.0.0.2:80"], None, id="another-address"),
        pytest.param(["10.0.0.1:80"], ["80"], taken((tcp(80), tcp(80, "10.0.0.1"))), id="every-address-wanted"),
        pytest.param(["80"], ["10.0.0.1:80"], taken((tcp(80, "10.0.0.1"), tcp(80))), id="every-address-taken"),
        pytest.param(
            ["80", "10.0.0.1:80"], ["10.0.0.1:80"], taken((tcp(80, "10.0.0.1"), tcp(80))),
            id="every-address-told-first",
        ),
        pytest.param(
            ["80", "443"], ["443", "8080", "80"], taken((tcp(443), tcp(443)), (tcp(80), tcp(80))), id="all-conflicts",
        ),
    ],
)  # fmt: skip
def test_filter(used: list[str], wanted: list[str], verdict: Status | None) -> None:
    made = cluster([node("n1")], [pod("a", node="n1", ports=used)])
    assert filter_verdict(NodePorts(), pod(ports=wanted), made) == verdict


def test_skips_pods_without_host_ports() -> None:
    made = cluster([node("n1")])
    assert NodePorts().pre_filter(pod(), made) is SKIP
    assert NodePorts().pre_filter(pod(init=[container(ports=["80"])]), made) is SKIP


def test_ports_of_sidecars_count_on_both_sides() -> None:
    sidecar = [container(ports=["80"], sidecar=True)]
    made = cluster([node("n1")], [pod("a", node="n1", init=sidecar)])
    assert filter_verdict(NodePorts(), pod(init=sidecar), made) == taken((tcp(80), tcp(80)))
