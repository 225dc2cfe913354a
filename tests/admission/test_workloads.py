from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.admission.workloads import WorkloadPods, declared_replicas, pods_of
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Namespace, Pod, PodTemplate, ReplicationController
from kexplain.objects.meta import KubernetesObject

KINDS = Deployment | ReplicaSet | StatefulSet | DaemonSet | ReplicationController | Job | CronJob | PodTemplate | Pod
TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c"}]}}
CONTROLLERS = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Job"]


def workload(kind: str, *, metadata: dict[str, Any] | None = None, **spec: Any) -> KubernetesObject:
    spec = {"template": TEMPLATE, **spec}
    manifest: dict[str, Any] = {"kind": kind, "metadata": metadata or {"name": "web"}, "spec": spec}
    if kind == "CronJob":
        manifest["spec"] = {"jobTemplate": {"metadata": {"labels": {"cron": "yes"}}, "spec": spec}}
    if kind == "PodTemplate":
        manifest |= {"template": TEMPLATE}
    decoded: KubernetesObject = msgspec.convert(manifest, KINDS)
    return decoded


@pytest.mark.parametrize("kind", [*CONTROLLERS, "CronJob", "PodTemplate"])
def test_every_kind_makes_pods(kind: str) -> None:
    made = pods_of(workload(kind), 3, namespace="n").pods
    assert len({pod.name for pod in made}) == 3
    assert made[0].name.startswith("web-")
    assert {pod.namespace for pod in made} == {"n"}
    assert all(pod.labels["app"] == "web" and pod.spec.containers for pod in made)
    assert [pod.name for pod in pods_of(workload(kind), 3, namespace="n").pods] == [pod.name for pod in made]
    assert [pod.name for pod in pods_of(workload(kind), namespace="n").pods] == [made[0].name]


def test_names_differ_between_kinds() -> None:
    kinds = [*CONTROLLERS, "CronJob", "PodTemplate"]
    assert len({pods_of(workload(kind)).pods[0].name for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("kind", CONTROLLERS[1:])
def test_controller_owns_its_pods(kind: str) -> None:
    (made,) = pods_of(workload(kind, metadata={"name": "web", "uid": "u", "namespace": "x"})).pods
    (owner,) = made.metadata.owner_references or ()
    assert (owner.kind, owner.name, owner.uid, owner.controller) == (kind, "web", "u", True)
    assert made.namespace == "x"
    assert made.metadata.uid is None


def test_deployment_has_a_replica_set() -> None:
    result = pods_of(workload("Deployment", selector={"matchLabels": {"app": "web"}}, replicas=4), 2)
    (replica_set,) = result.created
    assert isinstance(replica_set, ReplicaSet)
    template_hash = replica_set.labels["pod-template-hash"]
    labels = {"app": "web", "pod-template-hash": template_hash}
    assert replica_set.name == f"web-{template_hash}"
    assert replica_set.namespace == "default"
    assert replica_set.spec.selector is not None
    assert replica_set.spec.selector.match_labels == labels
    assert [pod.name for pod in result.pods] == [f"web-{template_hash}-0", f"web-{template_hash}-1"]
    assert [pod.labels for pod in result.pods] == [labels, labels]
    (owner,) = result.pods[0].metadata.owner_references or ()
    assert (owner.kind, owner.name) == ("ReplicaSet", replica_set.name)
    (owner,) = replica_set.metadata.owner_references or ()
    assert (owner.api_version, owner.kind, owner.name) == ("apps/v1", "Deployment", "web")


def test_template_hash_follows_the_template_only() -> None:
    def hash_of(template: dict[str, Any], **metadata: str) -> str:
        made = pods_of(workload("Deployment", metadata={"name": "web", **metadata}, template=template))
        return made.pods[0].labels["pod-template-hash"]

    labels = {"a": "1", "b": "2"}
    backwards = dict(reversed(labels.items()))
    assert hash_of({"metadata": {"labels": labels}}) == hash_of({"metadata": {"labels": backwards}}, uid="u")
    assert hash_of({"metadata": {"labels": labels}}) != hash_of({"metadata": {"labels": {"a": "1"}}})


def test_stateful_set_pods_have_an_identity() -> None:
    result = pods_of(workload("StatefulSet"), 2)
    assert [pod.name for pod in result.pods] == ["web-0", "web-1"]
    assert result.pods[1].labels["statefulset.kubernetes.io/pod-name"] == "web-1"
    assert result.pods[1].labels["apps.kubernetes.io/pod-index"] == "1"
    assert result.pods[1].labels["controller-revision-hash"].startswith("web-")
    assert [created.key for created in result.created] == ["default/web"]


@pytest.mark.parametrize("host_network", [False, True])
def test_daemon_pods_stay_on_troubled_nodes(host_network: bool) -> None:
    own = [
        {"key": "mine", "operator": "Exists"},
        {"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5},
    ]
    template = {"spec": {"tolerations": own, "hostNetwork": host_network}}
    result = pods_of(workload("DaemonSet", template=template))
    tolerations = result.pods[0].spec.tolerations or ()
    assert [(one.key or "").removeprefix("node.kubernetes.io/") for one in tolerations] == [
        "mine",
        "unreachable",
        "not-ready",
        "disk-pressure",
        "memory-pressure",
        "pid-pressure",
        "unschedulable",
        *(["network-unavailable"] if host_network else []),
    ]
    assert all(one.toleration_seconds is None for one in tolerations)
    assert "matchFields metadata.name" in result.notes[0]


def test_job_pods_carry_job_labels() -> None:
    template = {"metadata": {"labels": {"job-name": "own"}}}
    (made,) = pods_of(workload("Job", metadata={"name": "web", "uid": "u"}, template=template)).pods
    assert made.labels == {
        "job-name": "own",
        "batch.kubernetes.io/job-name": "web",
        "controller-uid": "u",
        "batch.kubernetes.io/controller-uid": "u",
    }


def test_cron_job_makes_a_job() -> None:
    result = pods_of(workload("CronJob"))
    (job,) = result.created
    assert isinstance(job, Job)
    assert job.labels == {"cron": "yes"}
    assert result.pods[0].labels["job-name"] == job.name
    assert result.pods[0].name == f"{job.name}-0"
    (owner,) = result.pods[0].metadata.owner_references or ()
    assert (owner.kind, owner.name, owner.uid) == ("Job", job.name, result.pods[0].labels["controller-uid"])


def test_replication_controller_selects_by_template() -> None:
    (stored,) = pods_of(workload("ReplicationController")).created
    assert isinstance(stored, ReplicationController)
    assert stored.spec.selector == {"app": "web"}
    (stored,) = pods_of(workload("ReplicationController", selector={"a": "b"})).created
    assert isinstance(stored, ReplicationController)
    assert stored.spec.selector == {"a": "b"}


def test_pod_template_owns_nothing() -> None:
    (made,) = pods_of(workload("PodTemplate")).pods
    assert made.metadata.owner_references is None


def bare_pod(**metadata: Any) -> Pod:
    return msgspec.convert({"kind": "Pod", "metadata": metadata, "status": {"phase": "Pending"}}, Pod)


def test_pod_is_itself() -> None:
    original = bare_pod(name="p", namespace="n", uid="u")
    assert pods_of(original).pods == (original,)


def test_copies_of_a_pod_are_new() -> None:
    copies = pods_of(bare_pod(name="p", uid="u"), 2).pods
    assert [copy.key for copy in copies] == ["default/p-0", "default/p-1"]
    assert all(copy.metadata.uid is None and copy.status.phase is None for copy in copies)


@pytest.mark.parametrize(("metadata", "prefix"), [({"generateName": "web-"}, "web-"), ({}, "pod-")])
def test_nameless_pod_gets_a_name(metadata: dict[str, Any], prefix: str) -> None:
    (named,) = pods_of(bare_pod(**metadata)).pods
    assert named.name.startswith(prefix)
    assert len(named.name) == len(prefix) + 5


@pytest.mark.parametrize(
    "obj",
    [
        pytest.param(Namespace(), id="namespace"),
        pytest.param(Deployment(), id="no-template"),
        pytest.param(CronJob(), id="no-job-template"),
    ],
)
def test_nothing_to_make(obj: KubernetesObject) -> None:
    assert pods_of(obj) == WorkloadPods()


@pytest.mark.parametrize(
    ("kind", "spec", "expected"),
    [
        ("Deployment", {}, 1),
        ("Deployment", {"replicas": 0}, 0),
        ("StatefulSet", {"replicas": 3}, 3),
        ("ReplicationController", {"replicas": 3}, 3),
        ("Job", {}, 1),
        ("Job", {"parallelism": 5}, 5),
        ("Job", {"parallelism": 5, "completions": 2}, 2),
        ("CronJob", {"parallelism": 2}, 2),
        ("DaemonSet", {}, None),
        ("PodTemplate", {}, None),
        ("Pod", {}, 1),
    ],
)
def test_declared_replicas(kind: str, spec: dict[str, Any], expected: int | None) -> None:
    assert declared_replicas(workload(kind, **spec)) == expected


def test_no_replicas() -> None:
    assert pods_of(workload("Deployment"), 0).pods == ()
