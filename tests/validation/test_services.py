"""Services that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

PORT: Json = {"port": 80}
TWO = ["10.0.0.1", "fd00::1"]


def service(**spec: Any) -> Json:
    return obj("v1", "Service", "s", spec={"ports": [PORT], **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"selector": {"app": "web"}}, set()),
        ({"ports": [], "clusterIP": "None"}, set()),
        ({"ports": [], "type": "ExternalName", "externalName": "example.com."}, set()),
        ({"ports": []}, {"ports"}),
        ({"type": ""}, set()),
        ({"type": "x"}, {"type"}),
        ({"type": "ExternalName", "ports": []}, {"externalName"}),
        (
            {"type": "ExternalName", "externalName": "A", "clusterIP": "10.0.0.1", "ipFamilyPolicy": "SingleStack"},
            {"externalName", "clusterIPs", "ipFamilyPolicy"},
        ),
        ({"type": "NodePort", "clusterIP": "None"}, {"clusterIPs[0]"}),
        ({"sessionAffinity": "x"}, {"sessionAffinity"}),
        (
            {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 0}}},
            {"sessionAffinityConfig.clientIP.timeoutSeconds"},
        ),
        ({"externalIPs": ["127.0.0.1", "x", "192.0.2.1", "224.0.0.1"]}, {f"externalIPs[{n}]" for n in (0, 1, 3)}),
        ({"loadBalancerSourceRanges": ["10.0.0.0/8"]}, {"LoadBalancerSourceRanges"}),
        ({"type": "LoadBalancer", "loadBalancerSourceRanges": [" 10.0.0.1/8"]}, {"LoadBalancerSourceRanges[0]"}),
        (
            {"loadBalancerClass": "a b", "allocateLoadBalancerNodePorts": False},
            {"loadBalancerClass", "allocateLoadBalancerNodePorts"},
        ),
        (
            {"externalTrafficPolicy": "Local", "healthCheckNodePort": 1},
            {"externalTrafficPolicy", "healthCheckNodePort"},
        ),
        ({"type": "NodePort", "externalTrafficPolicy": "x"}, {"externalTrafficPolicy"}),
        ({"internalTrafficPolicy": "", "trafficDistribution": "x"}, {"internalTrafficPolicy", "trafficDistribution"}),
    ],
    ids=case_name,
)
def test_fields_of_a_service(spec: Json, expected: set[str]) -> None:
    assert fields(service(**spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("ports", "expected"),
    [
        ([{}], {"[0].port", "[0].targetPort"}),
        (
            [{"port": 80, "targetPort": "http", "appProtocol": "a b", "protocol": "x"}],
            {"[0].appProtocol", "[0].protocol"},
        ),
        ([{"port": 65536, "targetPort": "A"}], {"[0].port", "[0].targetPort"}),
        # What is no number at all is said where types are.
        ([{"port": "80"}], set()),
        ([PORT, PORT], {"[0].name", "[1].name", "[1]"}),
        ([{**PORT, "name": "a"}, {"port": 81, "name": "a"}], {"[1].name"}),
        ([{**PORT, "name": "a"}, {**PORT, "name": "b", "protocol": "UDP"}], set()),
        ([{**PORT, "nodePort": 30000}], {"[0].nodePort"}),
    ],
    ids=case_name,
)
def test_fields_of_ports(ports: list[Json], expected: set[str]) -> None:
    assert fields(service(ports=ports)) == {f"spec.ports{field}" for field in expected}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"clusterIP": TWO[0], "clusterIPs": TWO, "ipFamilyPolicy": "PreferDualStack"}, set()),
        ({"clusterIP": TWO[0], "clusterIPs": TWO}, {"ipFamilyPolicy"}),
        ({"clusterIPs": TWO[:1]}, {"clusterIPs"}),
        ({"clusterIP": "x"}, {"clusterIPs[0]"}),
        ({"clusterIP": "None", "clusterIPs": ["None", TWO[0]]}, {"clusterIPs"}),
        ({"clusterIP": TWO[0], "clusterIPs": [TWO[0], "10.0.0.2"]}, {"clusterIPs"}),
        ({"clusterIP": TWO[0], "ipFamilies": ["IPv6"]}, {"clusterIPs[0]"}),
        ({"ipFamilies": ["IPv4", "IPv4", "x"]}, {"ipFamilies[1]", "ipFamilies[2]"}),
        ({"ipFamilyPolicy": "x"}, {"ipFamilyPolicy"}),
    ],
    ids=case_name,
)
def test_addresses_come_before_everything_else(spec: Json, expected: set[str]) -> None:
    assert fields(service(**spec)) == {f"spec.{field}" for field in expected}
    if expected:
        assert fields(service(**spec, ports=[])) == {f"spec.{field}" for field in expected}


def test_node_ports_are_of_one_range_and_given_once() -> None:
    ports = [{"port": 80, "name": "a", "nodePort": 80}]
    assert fields(service(type="NodePort", ports=ports)) == {"spec.ports[0].nodePort"}
    ports = [{"port": 80, "name": "a", "nodePort": 30080}, {"port": 81, "name": "b", "nodePort": 30080}]
    assert fields(service(type="NodePort", ports=ports)) == {"spec.ports[1].nodePort"}


def test_annotations_of_a_service() -> None:
    hints, mode = "service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode"
    ranges = "service.beta.kubernetes.io/load-balancer-source-ranges"
    manifest = service()
    manifest["metadata"]["annotations"] = {hints: "Auto", mode: "Disabled", ranges: "x, 10.0.0.0/8"}
    assert fields(manifest) == {f"metadata.annotations[{mode}]", f"metadata.annotations[{ranges}]"}
