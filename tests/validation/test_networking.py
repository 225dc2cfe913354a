"""Ingresses, their classes and network policies that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

BACKEND: Json = {"service": {"name": "web", "port": {"number": 80}}}
PATH: Json = {"path": "/", "pathType": "Prefix", "backend": BACKEND}


def networking(kind: str, **spec: Any) -> Json:
    return obj("networking.k8s.io/v1", kind, "x", spec=spec)


def rule(**path: Any) -> Json:
    return {"rules": [{"http": {"paths": [{**PATH, **path}]}}]}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"rules": [{"host": "*.example.com", "http": {"paths": [PATH]}}], "tls": [{"secretName": "s"}]}, set()),
        ({"defaultBackend": BACKEND, "ingressClassName": "nginx"}, set()),
        ({}, {""}),
        ({"defaultBackend": {}}, {".defaultBackend"}),
        ({"defaultBackend": BACKEND, "ingressClassName": "A"}, {".ingressClassName"}),
        ({"rules": [{"host": "10.0.0.1"}, {"host": "*x"}, {"host": "A"}]}, {f".rules[{n}].host" for n in range(3)}),
        ({"rules": [{"http": {}}]}, {".rules[0].http.paths"}),
        (
            {"defaultBackend": BACKEND, "tls": [{"hosts": ["a b", "*."], "secretName": "A"}]},
            {".tls[0].hosts[0]", ".tls[0].hosts[1]", ".tls[0].secretName"},
        ),
    ],
    ids=case_name,
)
def test_fields_of_an_ingress(spec: Json, expected: set[str]) -> None:
    assert fields(networking("Ingress", **spec)) == {f"spec{field}" for field in expected}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ({"pathType": None}, {"pathType"}),
        ({"pathType": "x"}, {"pathType"}),
        ({"path": ""}, {"path"}),
        ({"path": "/a//b"}, {"path"}),
        ({"path": "/a/.."}, {"path"}),
        ({"path": "a", "pathType": "ImplementationSpecific"}, {"path"}),
        ({"path": "", "pathType": "ImplementationSpecific"}, set()),
        ({"backend": {"service": {"name": "A", "port": {}}}}, {"backend", "backend.service.name"}),
        ({"backend": {"service": {"port": {"name": "A"}}}}, {"backend.service.name", "backend.service.port.name"}),
        ({"backend": {"service": {"name": "a", "port": {"number": -1}}}}, {"backend.service.port.number"}),
        (
            {"backend": {"resource": {"apiGroup": "A", "kind": "a/b"}}},
            {f"backend.resource.{name}" for name in ("apiGroup", "kind", "name")},
        ),
    ],
    ids=case_name,
)
def test_fields_of_a_path(path: Json, expected: set[str]) -> None:
    found = fields(networking("Ingress", **rule(**path)))
    assert found == {f"spec.rules[0].http.paths[0].{field}" for field in expected}


def test_class_of_an_ingress_is_named_in_one_way() -> None:
    manifest = networking("Ingress", defaultBackend=BACKEND, ingressClassName="a")
    manifest["metadata"]["annotations"] = {"kubernetes.io/ingress.class": "b"}
    assert fields(manifest) == {"annotations.kubernetes.io/ingress.class"}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"controller": "example.com/ingress"}, set()),
        ({"controller": "x"}, {"controller"}),
        (
            {"controller": "example.com/i", "parameters": {"kind": "K", "name": "n", "namespace": "a"}},
            {"parameters.namespace"},
        ),
        (
            {"controller": "example.com/i", "parameters": {"scope": "Namespace"}},
            {"parameters.kind", "parameters.name", "parameters.namespace"},
        ),
        ({"controller": "example.com/i", "parameters": {"kind": "K", "name": "n", "scope": "x"}}, {"parameters.scope"}),
    ],
    ids=case_name,
)
def test_fields_of_an_ingress_class(spec: Json, expected: set[str]) -> None:
    assert fields(networking("IngressClass", **spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"podSelector": {}, "policyTypes": ["Ingress"]}, set()),
        ({"podSelector": {"matchLabels": {"a b": ""}}}, {"podSelector.matchLabels"}),
        ({"policyTypes": ["x"]}, {"policyTypes[0]"}),
        ({"policyTypes": ["Ingress"] * 3}, {"policyTypes"}),
        ({"ingress": [{"from": [{}]}]}, {"ingress[0].from[0]"}),
        ({"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}, "podSelector": {}}]}]}, {"egress[0].to[0]"}),
        ({"egress": [{"to": [{"ipBlock": {}}]}]}, {"egress[0].to[0].ipBlock.cidr"}),
        (
            {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8", "except": ["11.0.0.0/16", "10.1.0.0/16", "x"]}}]}]},
            {"egress[0].to[0].ipBlock.except[0]", "egress[0].to[0].ipBlock.except[2]"},
        ),
        ({"ingress": [{"ports": [{"port": 80, "endPort": 79, "protocol": "x"}]}]}, {"endPort", "protocol"}),
        ({"ingress": [{"ports": [{"endPort": 79}]}]}, {"endPort"}),
        ({"ingress": [{"ports": [{"port": "http", "endPort": 79}]}]}, {"endPort"}),
        ({"ingress": [{"ports": [{"port": 0}]}]}, {"port"}),
    ],
    ids=case_name,
)
def test_fields_of_a_network_policy(spec: Json, expected: set[str]) -> None:
    start = "spec.ingress[0].ports[0]." if "ports" in str(spec) else "spec."
    assert fields(networking("NetworkPolicy", **spec)) == {f"{start}{field}" for field in expected}
