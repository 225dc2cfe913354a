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
    wanted = f"spec.minAvailable: minAvailable {least} lets no pod be evicted, as {says}"
    assert found == ([] if says is None else [wanted])


SCALED = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {CONTAINERS}
---
apiVersion: autoscaling/VERSION
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: TARGET}, maxReplicas: 3, METRICS}
"""
LIMITS = """---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: shop}
spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}
"""
NONE = "containers: [{name: web, image: web}]"
CPU = "containers: [{name: web, image: web, resources: {requests: {cpu: 1}}}]"
TWO = "containers: [{name: a, image: a}, {name: web, image: web, resources: {requests: {cpu: 1}}}]"
ENDING = f"initContainers: [{{name: a, image: a}}], {CPU}"
SIDECAR = f"initContainers: [{{name: a, image: a, restartPolicy: Always}}], {CPU}"
METRIC = "metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]"
OF_ONE = (
    "metrics: [{type: ContainerResource,"
    " containerResource: {name: cpu, container: NAME, target: {type: Utilization, averageUtilization: 70}}}]"
)
LACKS_A = "container a of Deployment shop/web requests no cpu, so that its utilization is unknown"
LACKS = "container web of Deployment shop/web requests no cpu, so that its utilization is unknown"


@pytest.mark.parametrize(
    ("containers", "metrics", "says"),
    [
        pytest.param(NONE, METRIC, LACKS, id="none"),
        pytest.param(CPU, METRIC, None, id="all"),
        pytest.param(
            NONE.replace("image: web", "image: web, resources: {limits: {cpu: 1}}"), METRIC, None, id="limits"
        ),
        pytest.param(CPU, METRIC.replace("cpu", "memory"), LACKS.replace("cpu", "memory"), id="another resource"),
        pytest.param(NONE, METRIC.replace("Utilization", "AverageValue"), None, id="an average"),
        pytest.param(TWO, METRIC, LACKS_A, id="one of two"),
        pytest.param(TWO, OF_ONE.replace("NAME", "web"), None, id="of the one that requests it"),
        pytest.param(TWO, OF_ONE.replace("NAME", "a"), LACKS_A, id="of the other"),
        pytest.param(ENDING, METRIC, None, id="one that ends"),
        pytest.param(SIDECAR, METRIC, LACKS_A, id="a sidecar"),
        pytest.param(f"resources: {{requests: {{cpu: 1}}}}, {NONE}", METRIC, None, id="the pod as a whole"),
        pytest.param(NONE, "minReplicas: 2", LACKS, id="what goes without saying"),
    ],
)
def test_an_autoscaler_needs_requests(containers: str, metrics: str, says: str | None) -> None:
    text = SCALED.replace("CONTAINERS", containers).replace("METRICS", metrics)
    for target in ("web", "other"):
        report = linted(text.replace("VERSION", "v2").replace("TARGET", target))
        found = [each.message for each in report.findings if each.rule == "autoscaler-without-requests"]
        assert [says in each for each in found if says] == ([True] if says and target == "web" else [])
        assert len(found) == (1 if says and target == "web" else 0)


@pytest.mark.parametrize(("more", "found"), [("", ["autoscaler-without-requests"]), (LIMITS, [])])
def test_a_limit_range_requests_for_them(more: str, found: list[str]) -> None:
    text = SCALED.replace("CONTAINERS", NONE).replace("METRICS", "targetCPUUtilizationPercentage: 70")
    report = linted(text.replace("VERSION", "v1").replace("TARGET", "web") + more)
    assert [each.rule for each in report.findings] == found
