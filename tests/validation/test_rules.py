"""Rules with a value beside the one that each refuses: what differs is taken, or is refused for another field."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from kexplain.objects.problem import Stage

from .manifests import CONTAINER, Json, case_name, container, cron_job, fields, job, obj, pod

OWNER: Json = {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "1", "controller": True}
INDEXED: Json = {"completionMode": "Indexed", "completions": 5}
EVENT = {"reason": "r", "involvedObject": {"kind": "Pod", "name": "p"}, "type": "Normal", "metadata": {"name": "e"}}


def event(**more: Any) -> Json:
    return {"apiVersion": "v1", "kind": "Event", **deepcopy(EVENT), **more}


def resource_of(name: str, divisor: str) -> Json:
    source = {"resourceFieldRef": {"resource": name, "divisor": divisor}}
    return container(env=[{"name": "A", "valueFrom": source}])


def rule_of_exit(**rule: Any) -> Json:
    return job(
        podFailurePolicy={"rules": [{"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [2]}}]}, **rule
    )


def named(**metadata: Any) -> Json:
    return {**pod(), "metadata": {"name": "web", **metadata}}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        *((cron_job(text), set[str]()) for text in ("@monthly", "@weekly", "0 0 * * thu", "0 0 * jan MON-FRI")),
        (cron_job("@fortnightly"), {"spec.schedule"}),
        *(
            (resource_of("limits.memory", f"1{unit}"), set[str]())
            for unit in ("k", "M", "G", "T", "P", "E", "Ki", "Pi")
        ),
        (resource_of("limits.memory", "10M"), {"spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"}),
        (resource_of("limits.cpu", "1m"), set()),
        (resource_of("limits.cpu", "1k"), {"spec.containers[0].env[0].valueFrom.resourceFieldRef.divisor"}),
        (rule_of_exit(**INDEXED, backoffLimitPerIndex=1), set()),
        (rule_of_exit(**INDEXED), {"spec.podFailurePolicy.rules[0].action"}),
        (job(**INDEXED, successPolicy={"rules": [{}]}), {"spec.successPolicy.rules[0]"}),
        (job(**INDEXED, successPolicy={"rules": [{"succeededIndexes": "0-1", "succeededCount": 2}]}), set()),
        (
            job(**INDEXED, successPolicy={"rules": [{"succeededIndexes": "0-1", "succeededCount": 3}]}),
            {"spec.successPolicy.rules[0].succeededCount"},
        ),
        (job(**INDEXED, successPolicy={"rules": [{"succeededCount": 5}]}), set()),
        (named(ownerReferences=[OWNER]), set()),
        (
            named(
                ownerReferences=[
                    {"apiVersion": "v1", "kind": "A", "name": each, "uid": each, "controller": True} for each in "ab"
                ]
            ),
            {"metadata.ownerReferences"},
        ),
        (named(finalizers=["foregroundDeletion"]), set()),
        (named(finalizers=["orphan", "foregroundDeletion"]), {"metadata.finalizers"}),
        (named(finalizers=["undone"]), {"metadata.finalizers[0]"}),
        (pod(initContainers=[{**CONTAINER, "name": "app"}]), {"spec.initContainers[0].name"}),
        (pod(initContainers=[{**CONTAINER, "name": "first"}]), set()),
        (
            pod(initContainers=[{**CONTAINER, "name": "i", "restartPolicyRules": [{"action": "Restart"}]}]),
            {"spec.initContainers[0].restartPolicy"},
        ),
        (
            obj(
                "v1", "Service", "s", spec={"ports": [{"port": 80}], "clusterIPs": ["10.0.0.1", "fd00::1", "10.0.0.2"]}
            ),
            {"spec.clusterIPs"},
        ),
    ],
    ids=case_name,
)
def test_rules(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param(event(metadata={"name": "e", "namespace": "default"}), set(), id="about-nothing-of-a-namespace"),
        pytest.param(
            event(metadata={"name": "e", "namespace": "shop"}), {"involvedObject.namespace"}, id="of-another-namespace"
        ),
        pytest.param(
            event(metadata={"name": "e", "namespace": "kube-system"}), {"involvedObject.namespace"}, id="of-the-system"
        ),
    ],
)
def test_whose_events(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest, Stage.VALIDATION) == expected
