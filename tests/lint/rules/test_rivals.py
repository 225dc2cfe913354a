"""Manifests of which one undoes what another does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.config.scheduler_settings import build_scheduler
from kexplain.lint.engine import lint
from kexplain.load.raw_manifests import load_written
from tests.lint.linting import linted, rules_of

WEB = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: shop}}"


@pytest.mark.parametrize(
    ("other", "files", "rules"),
    [
        pytest.param(WEB, ("a/web.yaml", "a/too.yaml"), ["declared-twice"], id="in one directory"),
        pytest.param(WEB, ("dev/web.yaml", "prod/web.yaml"), [], id="in two directories"),
        pytest.param(WEB.replace("shop", "blog"), ("a/web.yaml", "a/too.yaml"), [], id="in two namespaces"),
        pytest.param(WEB.replace("v1", "example.com/v1"), ("a/web.yaml", "a/too.yaml"), [], id="in two groups"),
        pytest.param(WEB.replace("ConfigMap", "Secret"), ("a/web.yaml", "a/too.yaml"), [], id="of two kinds"),
    ],
)
def test_an_object_is_declared_once(tmp_path: Path, other: str, files: tuple[str, str], rules: list[str]) -> None:
    for name, text in zip(files, (WEB, other), strict=True):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    report = lint(load_written([str(tmp_path)], "x", recursive=True), None, build_scheduler())
    assert rules_of(report) == rules


def test_names_that_are_generated_are_never_the_same() -> None:
    job = (
        "{apiVersion: batch/v1, kind: Job, metadata: {generateName: run-, namespace: shop}, spec: {template: {spec: "
        "{restartPolicy: Never, containers: [{name: c, image: c}]}}}}"
    )
    assert rules_of(linted(f"{job}\n---\n{job}\n")) == []


def _scaler(name: str, target: str = "web", most: int = 3) -> str:
    ref = f"scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {target}}}"
    return (
        f"{{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {{name: {name}}}, "
        f"spec: {{{ref}, maxReplicas: {most}}}}}"
    )


DEPLOYMENT = (
    "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {selector: {matchLabels: {app: web}}, "
    "template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: c, "
    "resources: {requests: {cpu: 1}}}]}}}}"
)


def test_a_workload_that_has_an_autoscaler_gets_no_other_one() -> None:
    report = linted("\n---\n".join((DEPLOYMENT, _scaler("web"), _scaler("webs", "webb"))))
    (found,) = report.findings
    assert (found.rule, found.instead) == ("misspelt-name", None)
    assert found.message.endswith("did you mean web, which HorizontalPodAutoscaler default/web has already?")
    (found,) = linted("\n---\n".join((DEPLOYMENT, _scaler("webs", "webb")))).findings
    assert found.instead == '"web"'


def _budget(name: str, app: str) -> str:
    selector = f"selector: {{matchLabels: {{app: {app}}}}}"
    return (
        f"{{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {{name: {name}}}, "
        f"spec: {{maxUnavailable: 1, {selector}}}}}"
    )


def test_pods_that_have_a_budget_get_no_other_one() -> None:
    (found,) = linted("\n---\n".join((DEPLOYMENT, _budget("web", "web"), _budget("two", "wbe")))).findings
    assert (found.rule, found.instead) == ("selector-misses-pods", None)
    (found,) = linted("\n---\n".join((DEPLOYMENT, _budget("two", "wbe")))).findings
    assert found.instead == '"web"'


def test_of_two_manifests_of_a_workload_the_last_one_is_placed() -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 9, pods: 99}}}"
    small, large = (
        DEPLOYMENT.replace("spec: {selector", f"spec: {{replicas: {count}, selector", 1) for count in (1, 20)
    )
    found = [each for each in linted(f"{small}\n---\n{large}\n", node).findings if each.rule == "does-not-fit"]
    assert [each.line for each in found] == [3]
    assert rules_of(linted(f"{large}\n---\n{small}\n", node)) == ["declared-twice"]
