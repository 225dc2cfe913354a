"""Nodes that an API server refuses."""

from __future__ import annotations

import pytest

from kexplain.validation.check import check

from .manifests import Json, case_name, fields, obj

TAINT: Json = {"key": "a", "effect": "NoSchedule"}


def node(spec: Json | None = None, status: Json | None = None) -> Json:
    return obj("v1", "Node", "n", spec=spec or {}, status=status or {})


def annotated(name: str, value: str) -> Json:
    return obj("v1", "Node", "n", metadata={"annotations": {f"scheduler.alpha.kubernetes.io/{name}": value}})


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (node({"taints": [TAINT, {**TAINT, "effect": "NoExecute"}], "podCIDR": "10.1.0.0/24"}), set()),
        (node({"taints": [{"key": "a", "effect": "No"}]}), {"metadata.taints[0].effect"}),
        (node({"taints": [TAINT, {**TAINT, "value": "x y"}]}), {"metadata.taints[1]", "metadata.taints[1].value"}),
        (node({"podCIDRs": ["10.1.0.1/24"]}), {"spec.podCIDRs[0]"}),
        (node({"podCIDRs": ["10.1.0.0/24", "10.2.0.0/24"]}), {"spec.podCIDRs"}),
        (node({"podCIDRs": ["10.1.0.0/24", "fd00::/64"]}), set()),
        (node({"podCIDR": "x", "podCIDRs": ["10.1.0.0/24"]}), {"spec.podCIDRs[0]"}),
        (node(status={"capacity": {"cpu": "-1"}}), {"status.capacity.cpu", "status.allocatable.cpu"}),
        (node(status={"capacity": {"pods": "1.5"}, "allocatable": {}}), {"status.capacity.pods"}),
        (node(status={"allocatable": {"example.com/gpu": "500m"}}), {"status.allocatable.example.com/gpu"}),
        (node(status={"nodeInfo": {"swap": {"capacity": 0}}}), {"metadata.nodeSwapStatus.capacity"}),
        (
            node(status={"declaredFeatures": ["B", "A", "a/b", "a/b"]}),
            {f"status.declaredFeatures[{index}]" for index in (1, 2, 3)},
        ),
        (annotated("taints", "x"), {"metadata.annotations"}),
        (
            annotated("taints", '[{"key": "a"}]'),
            {"metadata.annotations.scheduler.alpha.kubernetes.io/taints[0].effect"},
        ),
        (annotated("preferAvoidPods", "x"), {"metadata.annotations.AvoidPods"}),
    ],
    ids=case_name,
)
def test_fields_of_a_node(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected


def test_a_name_can_be_generated_and_a_namespace_is_ignored() -> None:
    metadata = {"generateName": "node-", "namespace": "team"}
    assert check({"apiVersion": "v1", "kind": "Node", "metadata": metadata}) == ()
