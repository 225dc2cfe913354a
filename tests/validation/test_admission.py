"""What admission plugins refuse of pods, and cluster objects that are refused themselves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.admission import AdmissionObjects, AdmissionPlugin
from kexplain.load.record_types import record_for
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Stage
from kexplain.validation.check import check

from .manifests import CONTAINER, Json, case_name, container, fields, obj, pod, workload

SELECTOR = "scheduler.alpha.kubernetes.io/node-selector"
WHITELIST = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations"
ZONE = {"topologyKey": "zone"}
BOUND = "spec.limits[0]"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def objects(*manifests: Json, **settings: Any) -> AdmissionObjects:
    records: list[KubernetesObject] = []
    for manifest in manifests:
        record = record_for(manifest["apiVersion"], manifest["kind"])
        assert record is not None
        records.append(msgspec.convert(manifest, record))
    return AdmissionObjects.of(records, **settings)


def limit_range(**item: Any) -> Json:
    return obj("v1", "LimitRange", "lr", spec={"limits": [{"type": "Container", **item}]})


def quota(used: Json | None = None, scopes: list[str] | None = None, **hard: Any) -> Json:
    amounts = {name.replace("_", "."): raw for name, raw in hard.items()}
    return obj("v1", "ResourceQuota", "rq", spec={"hard": amounts, "scopes": scopes}, status={"used": used or {}})


def claim(**spec: Any) -> Json:
    base = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return obj("v1", "PersistentVolumeClaim", "c", spec={**base, **spec})


def selecting(*scopes: Json) -> Json:
    """A quota of the pods that these scopes select."""
    return obj(
        "v1", "ResourceQuota", "rq", spec={"hard": {"pods": 1}, "scopeSelector": {"matchExpressions": [*scopes]}}
    )


CLUSTER = (
    obj("v1", "Namespace", "team"),
    obj("scheduling.k8s.io/v1", "PriorityClass", "high", value=100),
    obj("scheduling.k8s.io/v1", "PriorityClass", "usual", value=7, globalDefault=True, preemptionPolicy="Never"),
    obj(
        "node.k8s.io/v1",
        "RuntimeClass",
        "kata",
        handler="kata",
        overhead={"podFixed": {"cpu": "250m"}},
        scheduling={"nodeSelector": {"runtime": "kata"}},
    ),
    obj("node.k8s.io/v1", "RuntimeClass", "plain", handler="runc"),
)


@pytest.mark.parametrize(
    ("spec", "stage", "expected"),
    [
        ({"priorityClassName": "high", "priority": 100}, None, set()),
        ({"priorityClassName": "system-node-critical"}, None, set()),
        ({"priorityClassName": "hihg"}, Stage.ADMISSION, {"priorityClassName"}),
        (
            {"priority": 8, "preemptionPolicy": "PreemptLowerPriority"},
            Stage.ADMISSION,
            {"priority", "preemptionPolicy"},
        ),
        ({"priority": 7, "preemptionPolicy": "Never"}, None, set()),
        ({"runtimeClassName": "plain"}, None, set()),
        ({"runtimeClassName": "kata", "overhead": {"cpu": "0.25"}}, None, set()),
        ({"runtimeClassName": "none"}, Stage.ADMISSION, {"runtimeClassName"}),
        ({"runtimeClassName": "kata", "overhead": {"cpu": "1"}}, Stage.ADMISSION, {"overhead"}),
        ({"runtimeClassName": "kata", "nodeSelector": {"runtime": "runc"}}, Stage.ADMISSION, {"nodeSelector[runtime]"}),
        ({"runtimeClassName": "plain", "overhead": {"cpu": "1"}}, Stage.POLICY, {"overhead"}),
    ],
    ids=case_name,
)
def test_classes(spec: Json, stage: Stage | None, expected: set[str]) -> None:
    problems = check(pod(**spec), objects(*CLUSTER))
    assert {problem.field for problem in problems} == {f"spec.{field}" for field in expected}
    assert {problem.stage for problem in problems} == ({stage} if stage is not None else set())


def test_nothing_is_missing_from_an_input_without_any_of_its_kind() -> None:
    assert check(pod(priorityClassName="high", runtimeClassName="kata", priority=3)) == ()
    assert check(pod(), objects(namespace="elsewhere")) == ()


@pytest.mark.parametrize(("namespace", "taken"), [("team", True), ("default", True), ("taem", False)])
@pytest.mark.parametrize("manifest", [pod(), workload("Deployment")], ids=["pod", "deployment"])
def test_namespaces(manifest: Json, namespace: str, taken: bool) -> None:
    problems = check(manifest, objects(*CLUSTER, namespace=namespace))
    assert [(each.stage, each.field) for each in problems] == (
        [] if taken else [(Stage.ADMISSION, "metadata.namespace")]
    )


@pytest.mark.parametrize(
    ("item", "resources", "expected"),
    [
        ({"max": {"cpu": "1"}}, {}, set()),
        ({"max": {"cpu": "1"}}, {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}}, {"limits[cpu]", "requests[cpu]"}),
        ({"min": {"cpu": "1"}}, {"requests": {"cpu": "500m"}}, {"requests[cpu]"}),
        (
            {"min": {"memory": "1Gi"}, "max": {"memory": "2Gi"}},
            {"limits": {"memory": "512Mi"}},
            {"limits[memory]", "requests[memory]"},
        ),
        ({"maxLimitRequestRatio": {"cpu": 2}}, {"limits": {"cpu": "3"}, "requests": {"cpu": "1"}}, {"limits[cpu]"}),
        ({"maxLimitRequestRatio": {"cpu": 2}}, {"requests": {"cpu": "1"}}, {"limits[cpu]"}),
    ],
    ids=case_name,
)
def test_limit_ranges(item: Json, resources: Json, expected: set[str]) -> None:
    problems = check(container(resources=resources), objects(limit_range(**item)))
    assert {problem.stage for problem in problems} <= {Stage.POLICY}
    assert {problem.field for problem in problems} == {f"spec.containers[0].resources.{field}" for field in expected}


def test_what_a_limit_range_fills_in_is_validated() -> None:
    problems = check(container(resources={"requests": {"cpu": "2"}}), objects(limit_range(default={"cpu": "1"})))
    assert [(each.stage, each.field) for each in problems] == [
        (Stage.VALIDATION, "spec.containers[0].resources.requests")
    ]


def test_limit_ranges_bound_pods_and_claims_too() -> None:
    bound = objects(
        obj("v1", "LimitRange", "a", spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}}]}),
        obj("v1", "LimitRange", "b", spec={"limits": [{"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}}]}),
    )
    half = {**CONTAINER, "resources": {"limits": {"cpu": "600m"}}}
    manifest = pod(containers=[half, {**half, "name": "other"}])
    assert [problem.field for problem in check(manifest, bound)] == [
        "spec.resources.requests[cpu]",
        "spec.resources.limits[cpu]",
    ]
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}
    problems = check(obj("v1", "PersistentVolumeClaim", "c", spec=claim), bound)
    assert [problem.field for problem in problems] == ["spec.resources.requests[storage]"]


@pytest.mark.parametrize(
    ("made", "resources", "expected"),
    [
        (quota(pods=1), {}, set()),
        (quota(pods=1, used={"pods": 1}), {}, {"spec"}),
        (quota(requests_cpu=1), {}, {"spec.containers[0].resources.requests[cpu]"}),
        (quota(limits_memory="1Gi"), {"requests": {"memory": "1"}}, {"spec.containers[0].resources.limits[memory]"}),
        (quota(requests_cpu=1, used={"requests.cpu": "600m"}), {"requests": {"cpu": "500m"}}, {"spec"}),
        (quota(pods=0, scopes=["BestEffort"]), {"requests": {"cpu": 1}}, set()),
        (quota(pods=0, scopes=["NotBestEffort"]), {"requests": {"cpu": 1}}, {"spec"}),
        (quota(pods=0, scopes=["Terminating"]), {}, set()),
        (quota(services=0), {}, set()),
    ],
    ids=case_name,
)
def test_quotas(made: Json, resources: Json, expected: set[str]) -> None:
    problems = check(container(resources=resources), objects(made))
    assert {problem.field for problem in problems} == expected
    assert {problem.stage for problem in problems} <= {Stage.POLICY}


def test_pods_of_workloads_are_refused_as_pods_are() -> None:
    cluster = objects(*CLUSTER, quota(pods=0))
    problems = check(workload("Deployment", template={"priorityClassName": "nobody"}), cluster)
    assert [(each.stage, each.field) for each in problems] == [
        (Stage.ADMISSION, "spec.template.spec.priorityClassName"),
        (Stage.POLICY, "spec.template.spec"),
    ]


# ------------------------------------------------------------------------------------- optional plugins


def namespaces(**annotations: str) -> AdmissionObjects:
    return objects(obj("v1", "Namespace", "default", metadata={"annotations": annotations}))


@pytest.mark.parametrize(
    ("plugin", "spec", "annotations", "expected"),
    [
        ("PodNodeSelector", {"nodeSelector": {"a": "b"}}, {SELECTOR: "a=c"}, {"spec.nodeSelector[a]"}),
        ("PodNodeSelector", {"nodeSelector": {"a": "c"}}, {SELECTOR: "a=c, d=e"}, set()),
        ("PodNodeSelector", {}, {SELECTOR: "a"}, {"metadata.namespace"}),
        ("PodTolerationRestriction", {"tolerations": [{"key": "a", "operator": "Exists"}]}, {WHITELIST: "[]"}, set()),
        (
            "PodTolerationRestriction",
            {"tolerations": [{"key": "a", "operator": "Exists"}]},
            {
                WHITELIST: '[{"key": "node.kubernetes.io/not-ready", "operator": "Exists"}, '
                '{"key": "node.kubernetes.io/unreachable", "operator": "Exists"}]'
            },
            {"spec.tolerations[0]"},
        ),
        ("PodTolerationRestriction", {}, {DEFAULTS: "x"}, {"metadata.namespace"}),
        (
            "LimitPodHardAntiAffinityTopology",
            {"affinity": {"podAntiAffinity": {REQUIRED: [ZONE, {"topologyKey": "kubernetes.io/hostname"}]}}},
            {},
            {f"spec.affinity.podAntiAffinity.{REQUIRED}[0].topologyKey"},
        ),
    ],
    ids=case_name,
)
def test_optional_plugins(plugin: str, spec: Json, annotations: dict[str, str], expected: set[str]) -> None:
    cluster = namespaces(**annotations)
    assert check(pod(**spec), cluster) == ()
    problems = check(pod(**spec), replace(cluster, plugins=[AdmissionPlugin(plugin)]))
    assert {problem.field for problem in problems} == expected


@pytest.mark.parametrize("manifest", [pod(), workload("Deployment")], ids=["pod", "deployment"])
def test_pod_security(manifest: Json) -> None:
    namespace = obj("v1", "Namespace", "default")
    namespace["metadata"]["labels"] = {"pod-security.kubernetes.io/enforce": "restricted"}
    problems = check(manifest, objects(namespace))
    assert {problem.stage for problem in problems} == {Stage.POLICY}
    assert {problem.field.rpartition("securityContext.")[2] for problem in problems} == {
        "allowPrivilegeEscalation", "capabilities.drop", "runAsNonRoot", "seccompProfile.type",
    }  # fmt: skip


# --------------------------------------------------------------------------------------- cluster objects


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (limit_range(max={"cpu": 2}, min={"cpu": 1}, default={"cpu": 2}, defaultRequest={"cpu": 1}), set()),
        (
            limit_range(max={"cpu": 1}, min={"cpu": 2}),
            {f"{BOUND}.{of}[cpu]" for of in ("min", "defaultRequest", "default")},
        ),
        (limit_range(max={"memor": 1}), {f"{BOUND}.{of}[memor]" for of in ("max", "default", "defaultRequest")}),
        (limit_range(default={"pods": 1}), {f"{BOUND}.{of}[pods]" for of in ("default", "defaultRequest")}),
        (
            limit_range(max={"cpu": 1}, min={"cpu": -1}, maxLimitRequestRatio={"cpu": 2}),
            {f"{BOUND}.maxLimitRequestRatio[cpu]"},
        ),
        (limit_range(max={"cpu": 1}, min={"cpu": 0}, maxLimitRequestRatio={"cpu": 2}), set()),
        (limit_range(type="Pod", default={"cpu": 1}), {"spec.limits[0].default"}),
        (limit_range(type="Node"), {"spec.limits[0].type"}),
        (limit_range(type="PersistentVolumeClaim"), {"spec.limits[0].limits"}),
        (limit_range(maxLimitRequestRatio={"cpu": "500m"}), {"spec.limits[0].maxLimitRequestRatio[cpu]"}),
        (quota(pods="1.5", foo=1), {"spec.hard[pods]", "spec.hard[foo]"}),
        (quota(pods=1, scopes=["BestEffort", "NotBestEffort"]), {"spec.scopes"}),
        (quota(services=1, scopes=["Terminating"]), {"spec.scopes"}),
        (obj("scheduling.k8s.io/v1", "PriorityClass", "system-x", value=1), {"metadata.name"}),
        (obj("scheduling.k8s.io/v1", "PriorityClass", "x", value=1_000_000_001), {"value"}),
        (obj("node.k8s.io/v1", "RuntimeClass", "x", handler="A"), {"handler"}),
        (
            obj("node.k8s.io/v1", "RuntimeClass", "x", handler="a", overhead={"podFixed": {"x": "1"}}),
            {"overhead.limits[x]"},
        ),
        (
            obj("policy/v1", "PodDisruptionBudget", "x", spec={"minAvailable": "101%", "maxUnavailable": 1}),
            {"spec", "spec.minAvailable"},
        ),
        (selecting({"operator": "Exists"}), {"spec.scopeSelector.matchExpressions.scopeName"}),
        (selecting({"scopeName": "Terminating"}), {"spec.scopeSelector.matchExpressions.operator"}),
        (
            selecting(*({"scopeName": name, "operator": "Exists"} for name in ("Terminating", "NotTerminating"))),
            {"spec.scopeSelector.matchExpressions"},
        ),
        (obj("v1", "Namespace", "a.b"), {"metadata.name"}),
        (obj("v1", "Namespace", "a", spec={"finalizers": ["x"]}), {"spec.finalizers"}),
        (claim(), set()),
        (claim(dataSource={"kind": "Pod", "name": "x"}), set()),
        (claim(dataSource={"kind": "PersistentVolumeClaim"}), {"spec.dataSource.name", "spec.dataSourceRef.name"}),
        (claim(dataSourceRef={"kind": "Pod", "name": "x"}), {"spec.dataSource", "spec.dataSourceRef"}),
        (claim(dataSourceRef={"kind": "Pod", "name": "x", "namespace": "team"}), set()),
        (
            claim(dataSource={"kind": "PersistentVolumeClaim", "name": "x"}, dataSourceRef={"kind": "P", "name": "y"}),
            {"spec", "spec.dataSourceRef"},
        ),
        (obj("v1", "ServiceAccount", "A"), {"metadata.name"}),
        (obj("coordination.k8s.io/v1", "Lease", "l", spec={"strategy": "OldestEmulationVersion"}), set()),
        (
            obj("coordination.k8s.io/v1", "Lease", "l", spec={"leaseDurationSeconds": 0, "leaseTransitions": -1}),
            {"spec.leaseDurationSeconds", "spec.leaseTransitions"},
        ),
        (
            obj("coordination.k8s.io/v1", "Lease", "l", spec={"strategy": "x", "preferredHolder": "a"}),
            {"spec.strategy"},
        ),
        (obj("coordination.k8s.io/v1", "Lease", "l", spec={"preferredHolder": "a"}), {"spec.preferredHolder"}),
    ],
    ids=case_name,
)
def test_cluster_objects(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected
