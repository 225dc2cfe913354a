from __future__ import annotations

import pytest

from kexplain.cluster import NodeInfo
from kexplain.cluster.host_ports import HostPort, conflicting_ports
from kexplain.cluster.pod_info import PodInfo, PodInfoFactory
from kexplain.objects.core import Pod
from kexplain.objects.requests import RequestRules
from tests.factories import affinity, node, pod, term

ANY = "0.0.0.0"  # noqa: S104


def info(of: Pod) -> PodInfo:
    return PodInfoFactory(RequestRules()).pod_info(of)


def node_info(*pods: PodInfo) -> NodeInfo:
    made = NodeInfo(node("n1"))
    for each in pods:
        made.add_pod(each)
    return made


def test_accounting() -> None:
    made = node_info(info(pod("a", cpu="1", memory="1Gi", ports=["80"])), info(pod("b", further={"a.b/c": 2})))
    assert made.requested.amounts() == {"cpu": 1000, "memory": 1024**3, "ephemeral-storage": 0, "a.b/c": 2}
    assert made.non_zero_cpu_milli == 1100
    assert made.non_zero_memory_bytes == (1024 + 200) * 1024**2
    assert made.used_ports == {HostPort(ANY, "TCP", 80)}
    assert made.allocatable.allowed_pods == 110
    assert [made.free(each) for each in ("cpu", "a.b/c")] == [made.allocatable.cpu_milli - 1000, -2]
    assert repr(made) == "NodeInfo(n1, 2 pods)"


def test_removal_undoes_addition() -> None:
    repelling = info(pod("a", cpu="1", ports=["80"], affinity=affinity(far=[term({})])))
    made = node_info(repelling)
    assert made.pods_with_affinity == made.pods_with_required_anti_affinity == [repelling]
    made.remove_pod(repelling)
    assert (made.pods, made.pods_with_affinity, made.pods_with_required_anti_affinity) == ([], [], [])
    assert not any(made.requested.amounts().values())
    assert made.non_zero_cpu_milli == made.non_zero_memory_bytes == 0
    assert made.used_ports == set()


def test_last_pod_takes_the_place_of_one_that_leaves() -> None:
    pods = [info(pod(name)) for name in "abcd"]
    made = node_info(*pods)
    made.remove_pod(pods[1])
    assert [each.pod.name for each in made.pods] == ["a", "d", "c"]
    made.remove_pod(pods[2])
    assert [each.pod.name for each in made.pods] == ["a", "d"]


def test_pod_is_removed_by_identity() -> None:
    with pytest.raises(ValueError, match="not in list"):
        node_info(info(pod("a"))).remove_pod(info(pod("a")))


def test_port_of_two_pods_is_free_once_one_goes() -> None:
    first, second = info(pod("a", ports=["80"])), info(pod("b", ports=["80"]))
    made = node_info(first, second)
    made.remove_pod(first)
    assert made.used_ports == set()


def test_copy_is_independent() -> None:
    made = node_info(info(pod("a", cpu="1", ports=["80"], affinity=affinity(far=[term({})]))))
    copy = made.copy()
    copy.remove_pod(copy.pods[0])
    copy.add_pod(info(pod("b", cpu="3")))
    assert [each.pod.name for each in made.pods] == ["a"]
    assert len(made.pods_with_affinity) == len(made.pods_with_required_anti_affinity) == 1
    assert made.requested.cpu_milli == 1000
    assert made.used_ports == {HostPort(ANY, "TCP", 80)}
    assert copy.allocatable is made.allocatable


@pytest.mark.parametrize(
    ("used", "wanted", "conflict"),
    [
        pytest.param([], "80", None, id="nothing-in-use"),
        pytest.param(["80"], "80", HostPort(ANY, "TCP", 80), id="same-everywhere"),
        pytest.param(["80"], "81", None, id="other-port"),
        pytest.param(["80/UDP"], "80", None, id="other-protocol"),
        pytest.param(["1.1.1.1:80"], "2.2.2.2:80", None, id="other-address"),
        pytest.param(["1.1.1.1:80"], "1.1.1.1:80", HostPort("1.1.1.1", "TCP", 80), id="same-address"),
        pytest.param(["1.1.1.1:80"], "80", HostPort("1.1.1.1", "TCP", 80), id="every-address-wanted"),
        pytest.param(["80"], "1.1.1.1:80", HostPort(ANY, "TCP", 80), id="every-address-in-use"),
        pytest.param(["1.1.1.1:80/UDP"], "80", None, id="every-address-other-protocol"),
        pytest.param(["2.2.2.2:80", "1.1.1.1:80"], "80", HostPort("1.1.1.1", "TCP", 80), id="first-of-several"),
        pytest.param(["1.1.1.1:80"], "0.0.0.0:80", HostPort("1.1.1.1", "TCP", 80), id="every-address-spelled-out"),
    ],
)
def test_conflicting_ports(used: list[str], wanted: str, conflict: HostPort | None) -> None:
    made = node_info(info(pod("a", ports=used)))
    ports = info(pod("b", ports=[wanted])).host_ports
    assert conflicting_ports(ports, made.used_ports) == ([(ports[0], conflict)] if conflict else [])
