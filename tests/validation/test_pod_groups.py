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
        ({"schedulingPolicy": {"basic": {}, **GANG}}, {"schedulingPolicy"}),
        ({"schedulingPolicy": {"gang": {}}}, {"schedulingPolicy.gang.minCount"}),
        ({"schedulingPolicy": {"gang": {"minCount": 0}}}, {"schedulingPolicy.gang.minCount"}),
        ({"schedulingConstraints": {"topology": [{"key": "example.com/rack"}]}}, set()),
        ({"schedulingConstraints": {"topology": [{"key": "a b"}]}}, {"schedulingConstraints.topology[0].key"}),
        ({"schedulingConstraints": {"topology": [{"key": "a"}, {"key": "b"}]}}, {"schedulingConstraints.topology"}),
        ({"disruptionMode": {"all": {}}}, set()),
        ({"disruptionMode": {}}, {"disruptionMode"}),
        ({"disruptionMode": {"all": {}, "single": {}}}, {"disruptionMode"}),
        ({"priorityClassName": "High"}, {"priorityClassName"}),
        ({"priority": 1_000_000_000}, set()),
        ({"priority": 1_000_000_001}, {"priority"}),
        ({"preemptionPolicy": "Never"}, set()),
        ({"preemptionPolicy": "Always"}, {"preemptionPolicy"}),
        ({"resourceClaims": [CLAIM]}, set()),
        ({"resourceClaims": [CLAIM, CLAIM]}, {"resourceClaims[1]"}),
        ({"resourceClaims": [{"name": "gpu"}]}, {"resourceClaims[0]"}),
        ({"resourceClaims": [{**CLAIM, "resourceClaimName": "a"}]}, {"resourceClaims[0]"}),
        ({"resourceClaims": [{**CLAIM, "name": f"gpu-{number}"} for number in range(5)]}, {"resourceClaims"}),
        ({"workloadRef": {"workloadName": "w", "templateName": "t"}}, set()),
        ({"workloadRef": {"workloadName": "W"}}, {"workloadRef.workloadName", "workloadRef.templateName"}),
    ],
    ids=case_name,
)
def test_groups(spec: Json, expected: set[str]) -> None:
    assert fields(group(**spec)) == {f"spec.{field}" for field in expected}


TEMPLATE: Json = {"name": "workers", "schedulingPolicy": GANG}
OTHER: Json = {"name": "others", "schedulingPolicy": {"basic": {}}}


def _of_groups(name: str, *templates: Json, within: Json | None = None) -> Json:
    made: Json = {"name": name, "schedulingPolicy": {"gang": {"minGroupCount": 1}}}
    held = {"podGroupTemplates": list(templates), "compositePodGroupTemplates": [within] if within else []}
    return made | {name: value for name, value in held.items() if value}


def _nested(depth: int) -> Json:
    """Groups of groups, one within the other, and groups of pods in the innermost."""
    return _of_groups(f"c{depth}", within=_nested(depth - 1)) if depth > 1 else _of_groups("c1", TEMPLATE)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"podGroupTemplates": [TEMPLATE]}, set()),
        ({}, {""}),
        ({"podGroupTemplates": [TEMPLATE, TEMPLATE]}, {"podGroupTemplates[1]"}),
        ({"podGroupTemplates": [{"schedulingPolicy": GANG}]}, {"podGroupTemplates[0].name"}),
        ({"podGroupTemplates": [{"name": "a"}]}, {"podGroupTemplates[0].schedulingPolicy"}),
        ({"podGroupTemplates": [{**TEMPLATE, "name": f"t-{number}"} for number in range(9)]}, {"podGroupTemplates"}),
        ({"podGroupTemplates": [TEMPLATE], "compositePodGroupTemplates": [_of_groups("a", OTHER)]}, {""}),
        ({"podGroupTemplates": [TEMPLATE, {**TEMPLATE, "name": "b", "priority": 1}]}, {""}),
        ({"compositePodGroupTemplates": [_of_groups("a", TEMPLATE), _of_groups("b", OTHER)]}, set()),
        (
            {"compositePodGroupTemplates": [_of_groups("a", TEMPLATE), _of_groups("b", TEMPLATE)]},
            {"compositePodGroupTemplates[1].podGroupTemplates[0].name"},
        ),
        ({"compositePodGroupTemplates": [_of_groups("a", within=_of_groups("b", TEMPLATE))]}, set()),
        (
            {"compositePodGroupTemplates": [_of_groups("a", within=_of_groups("a", TEMPLATE))]},
            {"compositePodGroupTemplates[0].compositePodGroupTemplates[0].name"},
        ),
        ({"compositePodGroupTemplates": [_nested(3)]}, set()),
        ({"compositePodGroupTemplates": [_nested(4)]}, {"compositePodGroupTemplates[0]"}),
        ({"compositePodGroupTemplates": [_of_groups("a")]}, {"compositePodGroupTemplates[0]"}),
        (
            {"compositePodGroupTemplates": [{**_of_groups("A b", TEMPLATE), "schedulingPolicy": GANG}]},
            {f"compositePodGroupTemplates[0].{at}" for at in ("name", "schedulingPolicy.gang.minGroupCount")},
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
