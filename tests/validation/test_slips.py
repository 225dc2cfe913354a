"""Kinds and versions that there are not, and what is no problem of its own."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.validation.check import check

WEB: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web:1"}]},
        },
    },
}


@pytest.mark.parametrize(
    ("version", "kind", "says", "mended"),
    [
        ("v1", "Deployment", "there is no Deployment in v1: use apps/v1", "apps/v1"),
        ("app/v1", "Deployment", "there is no Deployment in app/v1: use apps/v1", "apps/v1"),
        ("apps/v1", "Deploymnet", "there is no Deploymnet in apps/v1; did you mean Deployment?", "Deployment"),
        ("batch/v1", "Cronjob", "there is no Cronjob in batch/v1; did you mean CronJob?", "CronJob"),
        (
            "autoscaling/v3",
            "HorizontalPodAutoscaler",
            "there is no HorizontalPodAutoscaler in autoscaling/v3: use autoscaling/v1 or autoscaling/v2",
            None,
        ),
        ("v1", "Config", "", None),
        ("v1", "Binding", "", None),
        ("example.com/v1", "Deployment", "", None),
        ("example.com/v1", "Deploymnet", "", None),
        ("resource.k8s.io/v1alpha2", "ResourceClaim", "", None),
        ("apps/v1", "Nothing", "", None),
    ],
)
def test_kinds_and_versions_that_there_are_not(version: str, kind: str, says: str, mended: str | None) -> None:
    problems = check({**WEB, "apiVersion": version, "kind": kind})
    assert [problem.message for problem in problems] == ([says] if says else [])
    assert [problem.edit and problem.edit.text for problem in problems] == ([mended] if says else [])


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {new if key == old else key: _renamed(each, old, new) for key, each in value.items()}
    return [_renamed(each, old, new) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("field", ["selector", "template", "containers", "image", "spec"])
def test_a_misspelt_field_is_one_problem(field: str) -> None:
    problems = check(_renamed(WEB, field, f"{field}e"))
    assert [problem.message for problem in problems] == [f"there is no such field; did you mean {field}?"]


def test_what_is_wrong_besides_stays() -> None:
    problems = check({**_renamed(WEB, "image", "imagee"), "metadata": {"name": "WEB"}})
    assert [problem.field.rpartition(".")[2] for problem in problems] == ["imagee", "name"]
