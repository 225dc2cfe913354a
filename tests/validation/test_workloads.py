"""Workloads that an API server refuses, and those whose pods it would refuse."""

from __future__ import annotations

import pytest

from kexplain.objects.problem import Stage
from kexplain.validation.check import check

from .manifests import CONTAINER, LABELS, Json, case_name, cron_job, fields, job, workload

CLAIM: Json = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
SOURCE: Json = {"kind": "PersistentVolumeClaim", "name": "before"}
INDEXED: Json = {"completionMode": "Indexed", "completions": 5}
ROLLING = {"maxUnavailable": "0%", "maxSurge": 0}
EXIT = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [2, 1, 1, 0]}}


@pytest.mark.parametrize(
    "manifest",
    [
        workload("Deployment", strategy={"rollingUpdate": {"maxUnavailable": 0, "maxSurge": "200%"}}),
        workload("Deployment", strategy={"type": "Recreate"}, template={"activeDeadlineSeconds": None}),
        workload("DaemonSet", updateStrategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}),
        workload("ReplicaSet", replicas=0),
        workload(
            "StatefulSet",
            serviceName="db",
            volumeClaimTemplates=[{"metadata": {"name": "data"}, "spec": CLAIM}],
            template={"containers": [{**CONTAINER, "volumeMounts": [{"name": "data", "mountPath": "/d"}]}]},
        ),
        {**workload("ReplicationController", "v1"), "spec": {"template": workload("ReplicaSet")["spec"]["template"]}},
        job(**INDEXED, backoffLimitPerIndex=1, maxFailedIndexes=5),
        job(podFailurePolicy={"rules": [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]}),
        job(**INDEXED, successPolicy={"rules": [{"succeededIndexes": "0,2-4", "succeededCount": 4}]}),
        cron_job(timeZone="Europe/Berlin"),
        cron_job("@every 1h30m"),
    ],
    ids=case_name,
)
def test_sound_workloads_are_taken(manifest: Json) -> None:
    assert check(manifest) == ()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"selector": None}, {"selector", "template.metadata.labels"}),
        ({"selector": {}}, {"selector"}),
        ({"selector": {"matchLabels": {"app": "other"}}}, {"template.metadata.labels"}),
        (
            {"selector": {"matchExpressions": [{"key": "app", "operator": "Is"}]}},
            {"selector", "selector.matchExpressions[0].operator"},
        ),
        ({"replicas": -1, "minReadySeconds": -1}, {"replicas", "minReadySeconds"}),
        ({"minReadySeconds": 600}, {"progressDeadlineSeconds"}),
        ({"strategy": {"type": "Rolling"}}, {"strategy"}),
        ({"strategy": {"type": "Recreate", "rollingUpdate": {}}}, {"strategy.rollingUpdate"}),
        ({"strategy": {"rollingUpdate": ROLLING}}, {"strategy.rollingUpdate.maxUnavailable"}),
        (
            {"strategy": {"rollingUpdate": {"maxUnavailable": "101%", "maxSurge": "x"}}},
            {"strategy.rollingUpdate.maxUnavailable", "strategy.rollingUpdate.maxSurge"},
        ),
    ],
    ids=case_name,
)
def test_fields_of_a_deployment(spec: Json, expected: set[str]) -> None:
    assert fields(workload("Deployment", **spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"])
def test_pods_that_are_kept_running_do_not_end(kind: str) -> None:
    manifest = workload(kind, template={"restartPolicy": "Never", "activeDeadlineSeconds": 1})
    assert fields(manifest) == {"spec.template.spec.restartPolicy", "spec.template.spec.activeDeadlineSeconds"}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"updateStrategy": {"rollingUpdate": {"maxSurge": 1}}}, {"updateStrategy.rollingUpdate.maxSurge"}),
        ({"updateStrategy": {"rollingUpdate": {"maxUnavailable": 0}}}, {"updateStrategy.rollingUpdate.maxUnavailable"}),
        ({"selector": None}, {"template.metadata.labels"}),
        ({"selector": {}}, {"selector"}),
    ],
    ids=case_name,
)
def test_fields_of_a_daemon_set(spec: Json, expected: set[str]) -> None:
    assert fields(workload("DaemonSet", **spec)) == {f"spec.{field}" for field in expected}


def test_a_daemon_set_without_a_selector_is_told_so() -> None:
    (found,) = check(workload("DaemonSet", selector=None))
    assert found.message.endswith("spec.selector is required")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"podManagementPolicy": "x"}, {"podManagementPolicy"}),
        ({"updateStrategy": {"type": "x"}}, {"updateStrategy"}),
        ({"updateStrategy": {"type": "OnDelete", "rollingUpdate": {}}}, {"updateStrategy.rollingUpdate"}),
        ({"serviceName": "A"}, {"serviceName"}),
        (
            {"volumeClaimTemplates": [{"spec": {}}]},
            {
                "volumeClaimTemplates[0].spec.accessModes",
                "volumeClaimTemplates[0].spec.resources[storage]",
                "template.spec.volumes[0].name",
                "template.spec.volumes[0].persistentVolumeClaim.claimName",
            },
        ),
        (
            {
                "volumeClaimTemplates": [
                    {"metadata": {"name": "data"}, "spec": {**CLAIM, "dataSourceRef": {**SOURCE, "namespace": "Team"}}}
                ]
            },
            {"volumeClaimTemplates[0].spec.dataSourceRef.namespace"},
        ),
        (
            {
                "volumeClaimTemplates": [
                    {
                        "metadata": {"name": "data"},
                        "spec": {**CLAIM, "dataSource": SOURCE, "dataSourceRef": {**SOURCE, "namespace": "team"}},
                    }
                ]
            },
            {"volumeClaimTemplates[0].spec"},
        ),
        ({"ordinals": {"start": -1}}, {"ordinals.start"}),
    ],
    ids=case_name,
)
def test_fields_of_a_stateful_set(spec: Json, expected: set[str]) -> None:
    assert fields(workload("StatefulSet", **spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"backoffLimit": -1, "parallelism": -1}, {"backoffLimit", "parallelism"}),
        ({"completionMode": "Indexed", "parallelism": 1}, {"completions"}),
        ({"completionMode": "x"}, {"completionMode"}),
        ({"backoffLimitPerIndex": 1}, {"backoffLimitPerIndex"}),
        ({**INDEXED, "maxFailedIndexes": 6}, {"backoffLimitPerIndex", "maxFailedIndexes"}),
        ({"managedBy": "x"}, {"managedBy"}),
        (
            {"podFailurePolicy": {"rules": [EXIT, {"action": "Fail"}]}},
            {
                "podFailurePolicy.rules[0].onExitCodes.values",
                "podFailurePolicy.rules[0].onExitCodes.values[2]",
                "podFailurePolicy.rules[0].onExitCodes.values[3]",
                "podFailurePolicy.rules[1]",
                "podFailurePolicy.rules[1].action",
            },
        ),
        ({"successPolicy": {"rules": []}}, {"successPolicy"}),
        (
            {**INDEXED, "successPolicy": {"rules": [{"succeededIndexes": "1,0"}, {"succeededCount": 6}]}},
            {"successPolicy.rules[0].succeededIndexes", "successPolicy.rules[1].succeededCount"},
        ),
        ({"selector": {"matchLabels": {"a": "b"}}}, {"selector"}),
        ({"manualSelector": True}, {"selector", "template.metadata.labels"}),
        ({"manualSelector": True, "selector": {"matchLabels": {"a": "b"}}}, {"template.metadata.labels"}),
    ],
    ids=case_name,
)
def test_fields_of_a_job(spec: Json, expected: set[str]) -> None:
    assert fields(job(**spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize("policy", [None, "Always"])
def test_pods_of_a_job_come_to_an_end(policy: str | None) -> None:
    assert fields(job({"restartPolicy": policy})) == {"spec.template.spec.restartPolicy"}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (cron_job(""), {"schedule"}),
        (cron_job("* * * *"), {"schedule"}),
        (cron_job("60 * * * *"), {"schedule"}),
        (cron_job("* * * * 7"), {"schedule"}),
        (cron_job("TZ=UTC * * * * *"), {"schedule"}),
        (cron_job(timeZone="Local"), {"timeZone"}),
        (cron_job(timeZone="Mars/Olympus"), {"timeZone"}),
        (cron_job(concurrencyPolicy="x", failedJobsHistoryLimit=-1), {"concurrencyPolicy", "failedJobsHistoryLimit"}),
    ],
    ids=case_name,
)
def test_fields_of_a_cron_job(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == {f"spec.{field}" for field in expected}


def test_completions_of_a_template_are_not_filled_in() -> None:
    assert fields(job(completionMode="Indexed")) == set()
    manifest = cron_job()
    manifest["spec"]["jobTemplate"]["spec"]["completionMode"] = "Indexed"
    assert fields(manifest) == {"spec.jobTemplate.spec.completions"}


def test_jobs_and_replication_controllers_inherit_labels() -> None:
    manifest = job()
    manifest["spec"]["template"]["metadata"] = {"labels": {"a": "b c"}}
    assert fields(manifest) == {"metadata.labels", "spec.template.labels"}
    manifest["metadata"]["labels"] = {"a": "b"}
    assert fields(manifest) == {"spec.template.labels"}


def test_name_of_a_cron_job_leaves_room_for_those_of_its_jobs() -> None:
    manifest = cron_job()
    manifest["metadata"]["name"] = "c" * 53
    assert fields(manifest) == {"metadata.name"}
    manifest["metadata"] = {"generateName": "c" * 64}
    assert fields(manifest) == {"metadata.name"}


def test_pods_are_refused_that_their_workload_is_taken_with() -> None:
    # Only a pod requests what it limits; its template is not defaulted.
    resources = {"limits": {"hugepages-2Mi": "2Mi", "cpu": "1"}, "requests": {"cpu": "500m"}}
    spaced = {**CONTAINER, "image": "nginx ", "resources": resources}
    manifest = workload("Deployment", template={"containers": [spaced]})
    assert fields(manifest) == set()
    assert fields(manifest, Stage.ADMISSION) == {"spec.template.spec.containers[0].image"}
    manifest = workload("Deployment", template={"volumes": [{"name": "v", "image": {}}]})
    assert fields(manifest, Stage.ADMISSION) == {"spec.template.spec.volumes[0].image.reference"}


def test_ports_on_the_network_of_the_host_are_those_of_the_host() -> None:
    port = {"ports": [{"containerPort": 80}]}
    twice = [{**CONTAINER, **port}, {**CONTAINER, **port, "name": "other"}]
    manifest = workload("DaemonSet", template={"hostNetwork": True, "containers": twice})
    assert fields(manifest) == set()
    assert fields(manifest, Stage.ADMISSION) == {"spec.template.spec.containers[1].ports[0].hostPort"}


def test_version_that_is_not_served_any_more() -> None:
    (problem,) = check(workload("Deployment", "extensions/v1beta1"))
    assert (problem.stage, problem.field) == (Stage.DECODING, "apiVersion")
    assert "use apps/v1" in problem.message


def test_labels_of_templates_are_named_as_an_api_server_does() -> None:
    manifest = workload("Deployment")
    manifest["spec"]["template"]["metadata"]["labels"] = {**LABELS, "a b": "c"}
    (problem,) = check(manifest)
    assert problem.field == "spec.template.labels"
    assert problem.path == ("spec", "template", "metadata", "labels", "a b")
