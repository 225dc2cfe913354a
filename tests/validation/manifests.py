"""Manifests that an API server takes, to be changed into ones that it does not."""

from __future__ import annotations

import copy
from typing import Any

from kexplain.objects.problem import Problem, Stage
from kexplain.validation.check import check

Json = dict[str, Any]

CONTAINER: Json = {"name": "app", "image": "nginx"}
LABELS = {"app": "web"}


def pod(**spec: Any) -> Json:
    """A pod with one container and these fields."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "labels": dict(LABELS)},
        "spec": {"containers": [dict(CONTAINER)], **spec},
    }


def obj(version: str, kind: str, name: str, **rest: Any) -> Json:
    """Any object."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, **rest.pop("metadata", {})}, **rest}


def container(**fields: Any) -> Json:
    """A pod whose container has these fields."""
    return pod(containers=[{**CONTAINER, **fields}])


def workload(kind: str, version: str = "apps/v1", template: Json | None = None, **spec: Any) -> Json:
    """A workload whose selector fits its template."""
    made = {"metadata": {"labels": dict(LABELS)}, "spec": {"containers": [dict(CONTAINER)], **(template or {})}}
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"name": "web"},
        "spec": {"selector": {"matchLabels": dict(LABELS)}, "template": made, **spec},
    }


def job(template: Json | None = None, **spec: Any) -> Json:
    """A job whose pods are never restarted."""
    made = {"spec": {"restartPolicy": "Never", "containers": [dict(CONTAINER)], **(template or {})}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"template": made, **spec}}


def cron_job(schedule: str = "*/5 * * * *", **spec: Any) -> Json:
    """A cron job that makes such jobs."""
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": {"name": "c"},
        "spec": {"schedule": schedule, "jobTemplate": {"spec": job()["spec"]}, **spec},
    }


def fields(manifest: Json, stage: Stage = Stage.VALIDATION) -> set[str]:
    """The fields at fault at a stage; the manifest must come back as it went in."""
    before = copy.deepcopy(manifest)
    problems: tuple[Problem, ...] = check(manifest)
    assert manifest == before
    assert all(problem.message for problem in problems)
    return {problem.field for problem in problems if problem.stage is stage}


def case_name(value: object) -> str:
    """The name of a parameter: a set in order, so that every process that runs tests gives the same names."""
    return str(sorted(value)) if isinstance(value, set) else str(value)
