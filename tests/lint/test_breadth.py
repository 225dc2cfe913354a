"""Workloads of every kind and shape: no traceback, and a place for everything that is said."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lint.linting import linted
from tests.sampling import examples

Json = dict[str, Any]

CLUSTER = "---\n".join(
    json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": f"node-{index}",
                "labels": {
                    "kubernetes.io/hostname": f"node-{index}",
                    "topology.kubernetes.io/zone": f"zone-{index % 2}",
                },
            },
            "spec": {"taints": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]} if index == 2 else {},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "20"}},
        }
    )
    + "\n"
    for index in range(3)
)

KINDS: dict[str, tuple[str, ...]] = {
    "Pod": ("v1",),
    "Deployment": ("apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"),
    "ReplicaSet": ("apps/v1", "extensions/v1beta1"),
    "StatefulSet": ("apps/v1",),
    "DaemonSet": ("apps/v1", "apps/v1beta2"),
    "ReplicationController": ("v1",),
    "Job": ("batch/v1",),
    "CronJob": ("batch/v1", "batch/v1beta1"),
    "PodTemplate": ("v1",),
}
TERM = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}
REQUIRED, PREFERRED = (f"{word}DuringSchedulingIgnoredDuringExecution" for word in ("required", "preferred"))


def _affinity(kind: str, rules: Json) -> Json:
    return {"affinity": {kind: rules}}


#: What a pod's spec may say, sound and unsound.
SPECS: dict[str, Json] = {
    "plain": {},
    "node selector": {"nodeSelector": {"disktype": "ssd"}},
    "node selector that is no map": {"nodeSelector": ["ssd"]},
    "node affinity": _affinity(
        "nodeAffinity",
        {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "x", "operator": "In", "values": ["y"]}]}]}},
    ),
    "operator that is none": _affinity(
        "nodeAffinity", {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [{"key": "x", "operator": "Is"}]}]}}
    ),
    "no terms": _affinity("nodeAffinity", {REQUIRED: {}}),
    "empty term": _affinity("nodeAffinity", {REQUIRED: {"nodeSelectorTerms": [{}]}}),
    "preferred nodes": _affinity("nodeAffinity", {PREFERRED: [{"weight": 1, "preference": {}}]}),
    "anti-affinity": _affinity("podAntiAffinity", {REQUIRED: [TERM]}),
    "anti-affinity to all": _affinity("podAntiAffinity", {REQUIRED: [{**TERM, "labelSelector": {}}]}),
    "anti-affinity to none": _affinity("podAntiAffinity", {REQUIRED: [{"topologyKey": "zone"}]}),
    "affinity": _affinity("podAffinity", {REQUIRED: [{**TERM, "labelSelector": {"matchLabels": {"app": "db"}}}]}),
    "bad selector": _affinity("podAffinity", {REQUIRED: [{**TERM, "labelSelector": {"matchLabels": {"a b": "c"}}}]}),
    "preferred affinity": _affinity("podAffinity", {PREFERRED: [{"weight": 0, "podAffinityTerm": TERM}]}),
    "tolerations": {"tolerations": [{"key": "dedicated", "value": "gpus"}, {"operator": "Exists"}]},
    "toleration of nothing": {"tolerations": [{}, None]},
    "spread": {
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]
    },
    "spread by minDomains": {
        "topologySpreadConstraints": [{**TERM, "maxSkew": 1, "minDomains": 9, "whenUnsatisfiable": "DoNotSchedule"}]
    },
    "node name": {"nodeName": "node-0"},
    "another scheduler": {"schedulerName": "volcano"},
    "gates": {"schedulingGates": [{"name": "example.com/wait"}]},
    "classes": {"priorityClassName": "important", "runtimeClassName": "gvisor"},
    "priority that is a text": {"priority": "high"},
    "volumes": {
        "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}, {"name": "x", "emptyDir": {}}]
    },
    "ephemeral volume": {
        "volumes": [{"name": "s", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}}]
    },
    "device claims": {"resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}]},
    "host network": {"hostNetwork": True},
    "no containers": {"containers": []},
    "containers that are no list": {"containers": {"name": "web"}},
    "null containers": {"containers": None},
    "unknown field": {"nodeSelectr": {"a": "b"}},
}
#: What a container may ask for.
RESOURCES: dict[str, Json] = {
    "none": {},
    "sound": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "128Mi"}},
    "too large": {"requests": {"cpu": "400"}, "limits": {"nvidia.com/gpu": "1"}},
    "odd": {"requests": {"cpu": 1e3, "memory": "128m"}, "limits": {"cpu": "1x", "memory": -5}},
}


def manifest(kind: str, version: str, spec: Json, resources: Json, replicas: object = 2) -> Json:
    container = {
        "name": "web",
        "image": "web:1",
        "resources": resources,
        "ports": [{"containerPort": 80, "hostPort": 80}],
    }
    pod = {"containers": [container], **copy.deepcopy(spec)}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod}
    outer: Json = {"apiVersion": version, "kind": kind, "metadata": {"name": "web"}}
    match kind:
        case "Pod":
            return {**outer, **template, "metadata": {"name": "web", "labels": {"app": "web"}}}
        case "PodTemplate":
            return {**outer, "template": template}
        case "Job" | "CronJob":
            pod.setdefault("restartPolicy", "Never")
            job = {"spec": {"parallelism": replicas, "template": template}}
            return {**outer, **job} if kind == "Job" else {**outer, "spec": {"schedule": "@daily", "jobTemplate": job}}
        case "ReplicationController":
            return {**outer, "spec": {"replicas": replicas, "selector": {"app": "web"}, "template": template}}
        case "DaemonSet":
            return {**outer, "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template}}
        case _:
            selector = {"matchLabels": {"app": "web"}}
            return {**outer, "spec": {"replicas": replicas, "selector": selector, "template": template}}


#: Specs with sound resources, and resources in a plain spec.
CASES = {
    **{name: (spec, RESOURCES["sound"]) for name, spec in SPECS.items()},
    **{f"resources: {name}": ({}, resources) for name, resources in RESOURCES.items()},
}


@pytest.mark.parametrize(("spec", "resources"), CASES.values(), ids=CASES)
def test_whatever_is_said_has_a_place(spec: Json, resources: Json) -> None:
    for kind, versions in KINDS.items():
        for version, cluster in (*((version, "") for version in versions), (versions[0], CLUSTER)):
            text = json.dumps(manifest(kind, version, spec, resources), indent=1)
            findings = linted(text, cluster).findings
            lines = text.count("\n") + 1
            assert all(1 <= each.line <= lines and each.column >= 1 and each.message for each in findings)
            assert len({each.fingerprint for each in findings}) == len(findings)


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**40) | st.sampled_from(["", "x", "100m", "1Gi", "*", "25%"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["key", "name", "spec"]), inner, max_size=2)
    ),
    max_leaves=4,
)
FIELDS = tuple(
    sorted({field for spec in SPECS.values() for field in spec} | {"overhead", "initContainers", "resources"})
)


def _mutations(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Json:
    kind = draw(st.sampled_from(sorted(KINDS)))
    spec: Json = {}
    for name in draw(st.lists(st.sampled_from(sorted(SPECS)), max_size=3)):
        spec |= SPECS[name]
    spec |= draw(st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=2))
    resources = draw(st.sampled_from(list(RESOURCES.values())) | ANYTHING)
    return manifest(kind, draw(st.sampled_from(KINDS[kind])), spec, resources, draw(st.integers(-1, 5) | ANYTHING))


@pytest.mark.slow
@given(st.composite(_mutations)(), st.booleans())
@settings(max_examples=examples(150))
def test_no_manifest_is_too_odd(workload: Json, on_cluster: bool) -> None:
    report = linted(json.dumps(workload), CLUSTER if on_cluster else "")
    assert all(finding.line == 1 and finding.column >= 1 for finding in report.findings)
