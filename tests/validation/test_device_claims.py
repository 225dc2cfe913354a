"""Claims for devices and classes of them that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission import AdmissionObjects
from kexplain.objects.core import Namespace, NamespaceMeta
from kexplain.validation.check import check

from .manifests import Json, case_name, fields, obj

GPU: Json = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}
MODEL = "example.com/model"
OPAQUE: Json = {"driver": "gpu.example.com", "parameters": {"a": 1}}


def claim(**devices: Any) -> Json:
    return obj("resource.k8s.io/v1", "ResourceClaim", "c", spec={"devices": {"requests": [GPU], **devices}})


def asking(**exactly: Any) -> Json:
    return claim(requests=[{"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com", **exactly}}])


def device_class(**spec: Any) -> Json:
    return obj("resource.k8s.io/v1", "DeviceClass", "gpu.example.com", spec=spec)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (claim(constraints=[{"requests": ["gpu"], "matchAttribute": MODEL}], config=[{"opaque": OPAQUE}]), set()),
        (claim(requests=[{}]), {"requests[0].name", "requests[0]"}),
        (claim(requests=[GPU, GPU]), {"requests[1]"}),
        (claim(requests=[{**GPU, "firstAvailable": [{"name": "a"}]}]), {"requests[0]"}),
        (claim(requests=[{**GPU, "name": str(n)} for n in range(33)]), {"requests"}),
        (
            claim(requests=[{"name": "gpu", "firstAvailable": [{"name": "a"}, {"name": "a", "deviceClassName": "c"}]}]),
            {"requests[0].firstAvailable[0].deviceClassName", "requests[0].firstAvailable[1]"},
        ),
        (claim(constraints=[{}]), {"constraints[0]"}),
        (claim(constraints=[{"matchAttribute": "model"}]), {"constraints[0].matchAttribute"}),
        (claim(constraints=[{"distinctAttribute": "/1"}]), {"constraints[0].distinctAttribute"}),
        (
            claim(constraints=[{"requests": ["x", "gpu", "gpu", "a/b/c"], "matchAttribute": MODEL}]),
            {f"constraints[0].requests[{index}]" for index in (0, 2, 3)},
        ),
        (claim(config=[{}]), {"config[0].opaque"}),
        (claim(config=[{"opaque": {}}]), {"config[0].opaque.driver", "config[0].opaque.parameters"}),
        (claim(config=[{"opaque": {**OPAQUE, "parameters": [1]}}]), {"config[0].opaque.parameters"}),
        (claim(config=[{"opaque": {**OPAQUE, "parameters": {"a": "x" * 10240}}}]), {"config[0].opaque.parameters"}),
    ],
    ids=lambda value: case_name(value)[:120],
)
def test_fields_of_a_claim(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == {f"spec.devices.{field}" for field in expected}


@pytest.mark.parametrize(
    ("exactly", "expected"),
    [
        ({"allocationMode": "All"}, set()),
        ({"allocationMode": "All", "count": 1}, {"count"}),
        ({"count": -1}, {"count"}),
        ({"allocationMode": "x"}, {"allocationMode"}),
        ({"deviceClassName": "A"}, {"deviceClassName"}),
        ({"selectors": [{}]}, {"selectors[0].cel"}),
        ({"selectors": [{"cel": {"expression": "device.driver"}}]}, {"selectors[0].cel.expression"}),
        ({"selectors": [{"cel": {"expression": "x"}}]}, {"selectors[0].cel.expression"}),
        ({"selectors": [{"cel": {"expression": " " * 10241}}]}, {"selectors[0].cel.expression"}),
        (
            {"tolerations": [{"key": "a b", "operator": "x", "effect": "x"}]},
            {f"tolerations[0].{name}" for name in ("key", "operator", "effect")},
        ),
        (
            {"tolerations": [{"operator": "Exists", "value": "x"}, {"value": "a b"}]},
            {f"tolerations[{n}].value" for n in (0, 1)},
        ),
    ],
    ids=lambda value: case_name(value)[:120],
)
def test_fields_of_a_request(exactly: Json, expected: set[str]) -> None:
    assert fields(asking(**exactly)) == {f"spec.devices.requests[0].exactly.{field}" for field in expected}


def test_claims_for_administration_need_a_namespace_that_allows_them() -> None:
    manifest, field = asking(adminAccess=True), "spec.devices.requests[0].adminAccess"
    template = obj("resource.k8s.io/v1", "ResourceClaimTemplate", "t", spec={"spec": manifest["spec"]})
    assert fields(manifest) == fields(template) == {field}
    namespaces = [Namespace(metadata=NamespaceMeta(name="ops", labels={"resource.kubernetes.io/admin-access": "true"}))]
    assert check(manifest, AdmissionObjects.of(namespaces, namespace="ops")) == ()
    assert check(manifest, AdmissionObjects.of((), namespace="unknown")) == ()


def test_message_about_an_expression_is_one_line() -> None:
    (problem,) = check(asking(selectors=[{"cel": {"expression": "x == 1"}}]))
    assert problem.message == ("is not a CEL expression that a device can be asked: 1:1: undeclared reference to 'x'")


def test_templates_of_claims() -> None:
    template = obj(
        "resource.k8s.io/v1",
        "ResourceClaimTemplate",
        "t",
        spec={"metadata": {"name": "x", "labels": {"a": "b c"}}, "spec": {"devices": {"requests": [{"name": "A"}]}}},
    )
    found = {"metadata.name", "metadata.labels", "spec.devices.requests[0]", "spec.devices.requests[0].name"}
    assert fields(template) == {f"spec.{field}" for field in found}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"extendedResourceName": "example.com/gpu"}, set()),
        ({"extendedResourceName": "cpu"}, {"extendedResourceName"}),
        ({"selectors": [{"cel": {}}], "config": [{}]}, {"selectors[0].cel.expression", "config[0].opaque"}),
    ],
    ids=case_name,
)
def test_fields_of_a_class(spec: Json, expected: set[str]) -> None:
    assert fields(device_class(**spec)) == {f"spec.{field}" for field in expected}
