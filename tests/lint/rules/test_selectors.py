"""Selectors that take no pods."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted, rules_of

NODE = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}\n---\n"
POD = (
    "{apiVersion: v1, kind: Pod, metadata: {name: a, uid: a, labels: {app: web}}, spec: {nodeName: n1, "
    "containers: [{name: a, image: a}]}}\n---\n"
)
SCALED_DOWN = (
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: b, uid: b}, spec: {replicas: 0, selector: "
    "{matchLabels: {app: batch}}, template: {metadata: {labels: {app: batch}}, spec: {containers: "
    "[{name: a, image: a}]}}}}"
)
SERVICE = "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}], selector: {app: %s}}}"
BUDGET = (
    "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: s}, "
    "spec: {maxUnavailable: 1, selector: {matchLabels: {app: %s}}}}"
)


@pytest.mark.parametrize(("text", "rule"), [(SERVICE, "service-selects-nothing"), (BUDGET, "selector-misses-pods")])
@pytest.mark.parametrize(("app", "selects"), [("web", True), ("batch", True), ("search", False)])
def test_nothing_is_selected_in_a_cluster_that_is_known(text: str, rule: str, app: str, selects: bool) -> None:
    assert rules_of(linted(text % app, NODE + POD + SCALED_DOWN)) == ([] if selects else [rule])
    assert rules_of(linted(text % app)) == []
