"""Budgets by themselves, against the workloads that a cluster has."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

BUDGET = """apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec:
  minAvailable: LEAST
  selector: {matchLabels: {app: web}}
"""
WORKLOAD = """apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME, namespace: HOME}
spec:
  replicas: COUNT
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
"""


def workload(count: int, name: str = "web", home: str = "default") -> str:
    return WORKLOAD.replace("NAME", name).replace("HOME", home).replace("COUNT", str(count))


_OWNER = "ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: u, controller: true}]"
_OWNED = workload(9, "web-1").replace("Deployment", "ReplicaSet")
_OWNED = _OWNED.replace("namespace: default", f"namespace: default, {_OWNER}")


@pytest.mark.parametrize(
    ("least", "manifests", "cluster", "says"),
    [
        pytest.param("3", [], [workload(3)], "Deployment default/web has 3 replicas", id="as many as there are"),
        pytest.param("12", [], [workload(3), _OWNED], "Deployment default/web has 3 replicas", id="more"),
        pytest.param("2", [], [workload(3)], None, id="one may go"),
        pytest.param("3", [], [workload(3, home="shop")], None, id="another namespace"),
        pytest.param("3", [], [], None, id="none"),
        pytest.param(
            "100%",
            [],
            [workload(1), workload(2, "api")],
            "Deployment default/web, Deployment default/api have 3 replicas",
            id="two workloads",
        ),
        pytest.param("3", [workload(4)], [workload(3)], None, id="a manifest counts more"),
        pytest.param("3", [workload(3)], [workload(4)], "Deployment default/web has 3 replicas", id="a manifest alone"),
    ],
)
def test_a_budget_is_held_against_what_runs(
    least: str, manifests: list[str], cluster: list[str], says: str | None
) -> None:
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, pods: 50}}\n"
    report = linted("---\n".join([BUDGET.replace("LEAST", least), *manifests]), "---\n".join([node, *cluster]))
    found = [each.message for each in report.findings if each.rule == "budget-blocks-evictions"]
    wanted = f"spec.minAvailable: minAvailable {least} allows no eviction: {says}"
    assert found == ([] if says is None else [wanted])
