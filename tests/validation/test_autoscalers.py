"""Autoscalers that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}
AVERAGE = {"type": "AverageValue", "averageValue": "1"}
NAMED = {"metric": {"name": "m"}}


def autoscaler(version: str = "autoscaling/v2", **spec: Any) -> Json:
    return obj(version, "HorizontalPodAutoscaler", "a", spec={"scaleTargetRef": TARGET, "maxReplicas": 3, **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"minReplicas": 2, "metrics": [CPU]}, set()),
        ({"maxReplicas": None}, {"maxReplicas"}),
        ({"minReplicas": 4}, {"maxReplicas"}),
        ({"minReplicas": -1}, {"minReplicas"}),
        ({"minReplicas": 0}, {"minReplicas", "metrics"}),
        ({"scaleTargetRef": {"kind": "a/b"}}, {f"scaleTargetRef.{name}" for name in ("kind", "name", "apiVersion")}),
        ({"scaleTargetRef": {**TARGET, "apiVersion": "v1"}}, {"scaleTargetRef.apiVersion"}),
        ({"scaleTargetRef": {**TARGET, "apiVersion": "a/b/c"}}, {"scaleTargetRef.apiVersion"}),
        ({"scaleTargetRef": {"apiVersion": "v1", "kind": "ReplicationController", "name": "web"}}, set()),
        ({"behavior": {"scaleUp": {"policies": []}}}, {"behavior.scaleUp.policies"}),
        (
            {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 3601, "selectPolicy": "x", "tolerance": "-1"}}},
            {f"behavior.scaleDown.{name}" for name in ("stabilizationWindowSeconds", "selectPolicy", "tolerance")},
        ),
        (
            {"behavior": {"scaleUp": {"policies": [{"periodSeconds": 1801}]}}},
            {f"behavior.scaleUp.policies[0].{name}" for name in ("type", "value", "periodSeconds")},
        ),
    ],
    ids=case_name,
)
def test_fields_of_an_autoscaler(spec: Json, expected: set[str]) -> None:
    assert fields(autoscaler(**spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ({}, {"type"}),
        ({"type": "Pods"}, {"pods"}),
        ({"type": "Pods", "resource": CPU["resource"]}, {"pods"}),
        ({**CPU, "type": "Pods", "pods": {**NAMED, "target": AVERAGE}}, {"resource"}),
        ({"type": "Pods", "pods": {}}, {"pods.metric.name", "pods.target.type", "pods.target.averageValue"}),
        (
            {"type": "Object", "object": {**NAMED, "target": {"type": "Value", "value": "0"}}},
            {"object.describedObject.kind", "object.describedObject.name", "object.target.value"},
        ),
        (
            {"type": "Object", "object": {"describedObject": TARGET, **NAMED, "target": {"type": "Value"}}},
            {"object.target.averageValue"},
        ),
        ({"type": "External", "external": {**NAMED, "target": {**AVERAGE, "value": "1"}}}, {"external.target.value"}),
        ({"type": "External", "external": {**NAMED, "target": {"type": "Value"}}}, {"external.target.averageValue"}),
        ({"type": "Resource", "resource": {"target": AVERAGE}}, {"resource.name"}),
        (
            {"type": "Resource", "resource": {"name": "cpu", "target": {**AVERAGE, "averageUtilization": 0}}},
            {"resource.target.averageUtilization", "resource.target.averageValue"},
        ),
        (
            {"type": "ContainerResource", "containerResource": {"name": "x", "target": {"type": "x"}}},
            {f"containerResource.{name}" for name in ("name", "container", "target.type", "target.averageUtilization")},
        ),
    ],
    ids=case_name,
)
def test_fields_of_a_metric(metric: Json, expected: set[str]) -> None:
    assert fields(autoscaler(metrics=[metric])) == {f"spec.metrics[0].{field}" for field in expected}


def test_the_first_version_is_held_against_the_fields_of_the_second() -> None:
    assert fields(autoscaler("autoscaling/v1", targetCPUUtilizationPercentage=80)) == set()
    assert fields(autoscaler("autoscaling/v1", targetCPUUtilizationPercentage=0, minReplicas=9)) == {
        "spec.metrics[0].resource.target.averageUtilization",
        "spec.maxReplicas",
    }
