"""Groups of pods, and workloads, that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

GANG: Json = {"gang": {"minCount": 2}}
CLAIM: Json = {"name": "gpu", "resourceClaimTemplateName": "gpu"}


def group(**spec: Any) -> Json:
    return obj("scheduling.k8s.io/v1beta1", "PodGroup", "g", spec={"schedulingPolicy": GANG, **spec})


def workload(**spec: Any) -> Json:
    return obj("scheduling.k8s.io/v1beta1", "Workload", "w", spec=spec)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"schedulingPolicy": {"basic": {}}}, set()),
        ({"schedulingPolicy": {}}, {"schedulingPolicy"}),
        ({"schedulingPolicy": {"basic": {}, **GANG}}, {"schedulingPolicy.gang"}),
        ({"schedulingPolicy": {"gang": {}}}, {"schedulingPolicy.gang.minCount"}),
        ({"schedulingPolicy": {"gang": {"minCount": 0}}}, {"schedulingPolicy.gang.minCount"}),
        ({"schedulingConstraints": {"topology": [{"key": "example.com/rack"}]}}, set()),
        ({"schedulingConstraints": {"topology": [{"key": "a b"}]}}, {"schedulingConstraints.topology[0].key"}),
        ({"schedulingConstraints": {"topology": [{"key": "a"}, {"key": "b"}]}}, {"schedulingConstraints.topology"}),
        ({"disruptionMode": {"all": {}}}, set()),
        ({"disruptionMode": {}}, {"disruptionMode"}),
        ({"disruptionMode": {"all": {}, "single": {}}}, {"disruptionMode.all"}),
        ({"priorityClassName": "High"}, {"priorityClassName"}),
        ({"priority": 1_000_000_000}, set()),
        ({"priority": 1_000_000_001}, {"priority"}),
        ({"preemptionPolicy": "Never"}, set()),
        ({"preemptionPolicy": "Always"}, {"preemptionPolicy"}),
        ({"resourceClaims": [CLAIM]}, set()),
        ({"resourceClaims": [CLAIM, CLAIM]}, {"resourceClaims[1].name"}),
        ({"resourceClaims": [{"name": "gpu"}]}, {"resourceClaims[0]"}),
        ({"resourceClaims": [{**CLAIM, "resourceClaimName": "a"}]}, {"resourceClaims[0].resourceClaimTemplateName"}),
        ({"resourceClaims": [{**CLAIM, "name": f"gpu-{number}"} for number in range(5)]}, {"resourceClaims"}),
        ({"workloadRef": {"workloadName": "w", "templateName": "t"}}, set()),
        ({"workloadRef": {"workloadName": "W"}}, {"workloadRef.workloadName", "workloadRef.templateName"}),
    ],
    ids=case_name,
)
def test_groups(spec: Json, expected: set[str]) -> None:
    assert fields(group(**spec)) == {f"spec.{field}" for field in expected}


TEMPLATE: Json = {"name": "workers", "schedulingPolicy": GANG}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"podGroupTemplates": [TEMPLATE]}, set()),
        ({}, {""}),
        ({"podGroupTemplates": [TEMPLATE, TEMPLATE]}, {"podGroupTemplates[1].name"}),
        ({"podGroupTemplates": [{"schedulingPolicy": GANG}]}, {"podGroupTemplates[0].name"}),
        ({"podGroupTemplates": [{"name": "a"}]}, {"podGroupTemplates[0].schedulingPolicy"}),
        ({"podGroupTemplates": [{**TEMPLATE, "name": f"t-{number}"} for number in range(9)]}, {"podGroupTemplates"}),
        (
            {"podGroupTemplates": [TEMPLATE], "compositePodGroupTemplates": [{"name": "c"}]},
            {"compositePodGroupTemplates"},
        ),
        ({"podGroupTemplates": [TEMPLATE], "controllerRef": {"kind": "Job", "name": "j"}}, set()),
        (
            {"podGroupTemplates": [TEMPLATE], "controllerRef": {"apiGroup": "B"}},
            {"controllerRef.apiGroup", "controllerRef.kind", "controllerRef.name"},
        ),
    ],
    ids=case_name,
)
def test_workloads(spec: Json, expected: set[str]) -> None:
    assert fields(workload(**spec)) == {f"spec.{field}".rstrip(".") for field in expected}
