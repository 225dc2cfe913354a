"""Fields that do not count while their feature gate is off."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: web
    image: web:1
    REQUESTS
  FIELD
"""
_OWN = "resources: {requests: {cpu: 1}}"


def off(field: str, gate: str, release: str) -> str:
    return f"spec.{field}: does not count: the feature gate {gate} is off in Kubernetes {release}"


_OFF = off("resources", "PodLevelResources", "1.33")
_CLAIMS = "resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]"


@pytest.mark.parametrize(
    ("field", "requests", "release", "found"),
    [
        pytest.param(_OWN, "", "1.33", [f"{_OFF}; did you mean resources of a container?"], id="of a pod"),
        pytest.param(_OWN, _OWN, "1.33", [_OFF], id="of a pod and its container"),
        pytest.param(_OWN, "", "1.34", [], id="on"),
        pytest.param("", _OWN, "1.33", [], id="of the container alone"),
        pytest.param(
            "schedulingGroup: {podGroupName: a}",
            "",
            "1.36",
            [off("schedulingGroup", "GenericWorkload", "1.36")],
            id="group",
        ),
        pytest.param("schedulingGroup: {podGroupName: a}", "", "1.38", [], id="group, on"),
        pytest.param(
            "workloadRef: {name: a, podGroup: b}",
            "",
            "1.35",
            [off("workloadRef", "GenericWorkload", "1.35")],
            id="workload",
        ),
        pytest.param(_CLAIMS, "", "1.32", [off("resourceClaims", "DynamicResourceAllocation", "1.32")], id="claims"),
        pytest.param(_CLAIMS, "", "1.34", [], id="claims, on"),
        pytest.param(
            "schedulingGates: [{name: example.com/wait}]",
            "",
            "1.26",
            [off("schedulingGates", "PodSchedulingReadiness", "1.26")],
            id="scheduling gates",
        ),
    ],
)
def test_a_field_whose_gate_is_off_does_not_count(field: str, requests: str, release: str, found: list[str]) -> None:
    report = linted(POD.replace("FIELD", field).replace("REQUESTS", requests), release=release)
    said = [(each.line, each.message) for each in report.findings if each.rule == "field-without-gate"]
    assert said == [(9, each) for each in found]


def test_a_field_that_a_release_does_not_know_is_refused_at_its_key() -> None:
    (found,) = linted(POD.replace("FIELD", _OWN).replace("REQUESTS", ""), release="1.30").findings
    assert (found.rule, found.line, found.column) == ("refused", 9, 3)
