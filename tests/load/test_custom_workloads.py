"""Custom resources whose operators make pods."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from kexplain.load import load
from kexplain.load.custom_workloads import _table, custom_workloads, kind_of_word, remade
from kexplain.objects.custom_workloads import CustomWorkload

RESOURCES: list[dict[str, Any]] = [
    *yaml.safe_load_all((Path(__file__).parent / "custom_resources.yaml").read_text(encoding="utf-8"))
]


def made(manifest: dict[str, Any]) -> list[CustomWorkload]:
    return custom_workloads(manifest["apiVersion"], manifest["kind"], manifest)


def by_role(kind: str, number: int = 0) -> dict[str, CustomWorkload]:
    found = [each for each in RESOURCES if each["kind"] == kind][number]
    return {each.role: each for each in made(found)}


def requests(workload: CustomWorkload) -> dict[str, Any]:
    """The requests of its containers."""
    assert workload.spec.template
    containers = workload.spec.template.spec.containers or ()
    return {each.name or "": (each.resources.requests if each.resources else None) for each in containers}


@pytest.mark.parametrize("manifest", RESOURCES, ids=lambda each: f"{each['kind']}-{each['metadata'].get('name')}")
def test_the_pods_of_each_kind(manifest: dict[str, Any]) -> None:
    found = {each.role: "?" if each.spec.replicas is None else str(each.spec.replicas) for each in made(manifest)}
    assert " ".join(f"{role}={count}" for role, count in found.items()) == manifest["metadata"]["annotations"]["pods"]


@pytest.mark.parametrize(
    ("kind", "number", "gang"),
    [("Job", 0, (3, 3)), ("Job", 1, (2, 2)), ("CronJob", 0, (5, 5)), ("PyTorchJob", 0, None), ("RayCluster", 0, None)],
)
def test_gangs(kind: str, number: int, gang: tuple[int, int] | None) -> None:
    assert {each.gang for each in by_role(kind, number).values()} == {gang}


def test_so_many_of_a_gang() -> None:
    job = next(each for each in RESOURCES if each["kind"] == "PyTorchJob")
    policy = {"runPolicy": {"schedulingPolicy": {"minAvailable": 2}}}
    assert {each.gang and each.gang[0] for each in made({**job, "spec": {**job["spec"], **policy}})} == {2}


def test_every_kind_of_the_table_is_tried() -> None:
    tried = {f"{each['apiVersion'].rpartition('/')[0]}/{each['kind']}" for each in RESOURCES}
    assert tried == set(_table()["kinds"])


def test_what_pods_request() -> None:
    spark, flink = by_role("SparkApplication"), by_role("FlinkDeployment")
    # A tenth more, but 384 MiB at least; of programs that are none of a JVM four tenths.
    assert requests(spark["driver"]) == {"spark-kubernetes-driver": {"cpu": "500m", "memory": "896Mi"}}
    assert requests(spark["executor"]) == {"spark-kubernetes-executor": {"cpu": 2, "memory": "9012Mi"}}
    scheduled = by_role("ScheduledSparkApplication")
    assert requests(scheduled["driver"])["spark-kubernetes-driver"] == {"cpu": 1, "memory": "1224Mi"}
    assert requests(scheduled["executor"])["spark-kubernetes-executor"] == {"cpu": 1, "memory": "2868Mi"}
    assert requests(flink["jobmanager"]) == {"flink-main-container": {"cpu": 1, "memory": "2048Mi"}}
    assert requests(flink["taskmanager"]) == {"flink-main-container": {"cpu": 0.5, "memory": "2048Mi"}}
    nodes = by_role("Elasticsearch")
    assert requests(nodes["masters"]) == {"elasticsearch": {"memory": "2Gi"}}
    assert requests(nodes["data"]) == {"elasticsearch": {"memory": "32Gi", "cpu": 8}}
    assert requests(by_role("Service")[""]) == {"": {"cpu": "100m"}, "queue-proxy": {"cpu": "25m"}}
    assert requests(by_role("RabbitmqCluster")[""]) == {"rabbitmq": {"cpu": "1000m", "memory": "2Gi"}}


def test_templates_are_merged_as_operators_do() -> None:
    template = by_role("FlinkDeployment")["taskmanager"].spec.template
    assert template is not None
    assert template.spec.node_selector == {"pool": "streams"}
    assert [each.key for each in template.spec.tolerations or ()] == ["spot"]
    assert template.metadata.labels == {"app": "clicks", "component": "taskmanager"}
    steps = by_role("Workflow")
    selectors = [each.spec.template.spec.node_selector for each in steps.values() if each.spec.template]
    assert selectors == [{"disk": "ssd"}, {"disk": "hdd"}, {"disk": "ssd"}, {"disk": "ssd"}]
    assert requests(steps["compile"]) == {"main": {"cpu": 4}}
    assert list(requests(steps["pair"])) == ["a", "b"]
    gang = by_role("Job")["ps"].spec.template
    assert gang
    assert gang.spec.scheduler_name == "volcano"
    shop = by_role("Cluster")[""].spec.template
    anti = shop.spec.affinity.pod_anti_affinity if shop and shop.spec.affinity else None
    assert anti is not None
    assert [each.topology_key for each in anti.required or ()] == ["topology.kubernetes.io/zone"]


def test_preferred_anti_affinity_keeps_no_pod_from_a_node() -> None:
    manifest = copy.deepcopy(next(each for each in RESOURCES if each["kind"] == "Cluster"))
    manifest["spec"]["affinity"]["enablePodAntiAffinity"] = False
    (found,) = made(manifest)
    assert found.spec.template
    assert found.spec.template.spec.affinity is None


def test_values_are_found_where_they_stand() -> None:
    ray = by_role("RayCluster")["gpu"]
    assert ray.place(("spec", "template", "spec", "containers", 0, "image")) == (
        *("spec", "workerGroupSpecs", 0, "template", "spec", "containers", 0, "image"),
    )
    assert ray.place(("spec", "replicas")) is None, "it is worked out"
    assert ray.item == ("spec", "workerGroupSpecs", 0)
    assert ray.is_whole
    pool = by_role("KafkaNodePool")[""]
    assert pool.place(("spec", "replicas")) == ("spec", "replicas")
    resources = ("spec", "template", "spec", "containers", 0, "resources", "requests")
    assert pool.place(resources) == ("spec", "resources", "requests")
    assert pool.place(("spec", "template", "spec", "hostNetwork")) is None
    assert pool.place(("metadata", "name")) == ("metadata", "name")
    assert not pool.is_whole


def test_changes_of_a_resource_are_changes_of_its_roles() -> None:
    ray = by_role("RayCluster")
    manifest = copy.deepcopy(ray["gpu"].manifest)
    manifest["spec"]["workerGroupSpecs"][0]["replicas"] = 5
    again = remade(ray["gpu"], manifest)
    assert again
    assert again.spec.replicas == 10
    del manifest["spec"]["workerGroupSpecs"][0]
    assert remade(ray["gpu"], manifest) is None


TEMPLATE = {"spec": {"containers": [{"name": "c", "image": "i"}]}}


def other(spec: object) -> list[tuple[str, int | None]]:
    found = made({"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": spec})
    return [(each.role, each.spec.replicas) for each in found]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({"replicas": 3, "template": TEMPLATE}, [("", 3)], id="as a deployment"),
        pytest.param({"count": 2, "podTemplate": TEMPLATE}, [("", 2)], id="another name"),
        pytest.param({"template": TEMPLATE}, [("", 1)], id="no number"),
        pytest.param({"replicas": "2", "template": TEMPLATE}, [("", 1)], id="no whole number"),
        pytest.param({"replicas": True, "template": TEMPLATE}, [("", 1)], id="no number at all"),
        pytest.param({"replicas": 1 << 40, "template": TEMPLATE}, [("", (1 << 31) - 1)], id="far too many"),
        pytest.param(
            {"roles": [{"name": "a", "replicas": 2, "template": TEMPLATE}, {"name": "b", "podTemplate": TEMPLATE}]},
            [("a", 2), ("b", 1)],
            id="roles",
        ),
        pytest.param(
            {"a": {"template": TEMPLATE}, "b": {"size": 4, "template": TEMPLATE}},
            [("a", 1), ("b", 4)],
            id="named by keys",
        ),
        pytest.param({"groups": [{"template": TEMPLATE}, {"template": TEMPLATE}]}, None, id="alike"),
        pytest.param({"replicas": 2, "template": {"spec": {"template": TEMPLATE}}}, [("", 2)], id="a fleet"),
        pytest.param({"template": {"spec": {"containers": []}}}, [], id="no containers"),
        pytest.param({"template": {"spec": {"containers": [{"name": "c"}]}}}, [], id="no image"),
        pytest.param({"patch": TEMPLATE}, [], id="no template"),
        pytest.param(
            {"objects": [{"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": TEMPLATE}}]},
            [],
            id="whole manifests within it",
        ),
        pytest.param("text", [], id="no spec"),
        pytest.param({"template": {"spec": {"containers": [{"image": "i"}], "nodeSelector": 3}}}, [], id="a misfit"),
    ],
)
def test_kinds_that_nobody_has_described(spec: object, expected: list[tuple[str, int]] | None) -> None:
    found = other(spec)
    if expected is None:
        assert len({role for role, _ in found}) == len(found) == 2
    else:
        assert found == expected


def test_templates_too_deep_are_none() -> None:
    spec: dict[str, Any] = {"template": TEMPLATE}
    for _ in range(10):
        spec = {"in": spec}
    assert len(other(spec)) == 1
    assert other({"in": spec}) == []


def test_kinds_that_make_no_pods() -> None:
    for version, kind in (("kyverno.io/v1", "ClusterPolicy"), ("trainer.kubeflow.org/v1alpha1", "TrainingRuntime")):
        assert custom_workloads(version, kind, {"metadata": {"name": "x"}, "spec": {"template": TEMPLATE}}) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("spec",), "odd"),
        (("spec", "workerGroupSpecs"), [3]),
        (("spec", "workerGroupSpecs", 0, "replicas"), "many"),
        (("spec", "workerGroupSpecs", 0, "replicas"), float("inf")),
        (("spec", "workerGroupSpecs", 0, "suspend"), ["odd"]),
        (("spec", "workerGroupSpecs", 0, "template"), "odd"),
        (("metadata", "labels"), "odd"),
    ],
)
def test_what_is_of_another_form_is_not_understood(path: tuple[Any, ...], value: object) -> None:
    manifest = copy.deepcopy(RESOURCES[0])
    holder: Any = manifest
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    assert len(made(manifest)) < 6


def test_words_for_kinds() -> None:
    assert [kind_of_word(each) for each in ("raycluster", "RayClusters", "pytorchjobs.kubeflow.org")] == [
        *("RayCluster", "RayCluster", "PyTorchJob")
    ]
    assert kind_of_word("rayclusters.example") == kind_of_word("widget") == ""


HOOKS = "admissionregistration.k8s.io/v1"


def test_what_is_not_looked_into(tmp_path: Path) -> None:
    documents = [
        RESOURCES[0],
        {"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "t"}},
        {"apiVersion": "x.example/v1", "kind": "Thing", "metadata": {"name": "u"}},
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}},
        {"apiVersion": HOOKS, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "h"}},
    ]
    for name, text in (("a.yaml", yaml.safe_dump_all(documents)), ("b.json", "\n".join(map(json.dumps, documents)))):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        loaded = load([str(path)])
        assert [obj.name for obj in loaded.objects][:2] == ["train/head", "train/gpu"]
        assert [*loaded.passed_over_notes()] == [
            "ignored, as scheduling does not depend on them: 1 v1/ConfigMap",
            f"3 objects of 2 kinds not looked into: 1 {HOOKS}/ValidatingAdmissionPolicy, 2 x.example/v1/Thing",
        ]
        assert loaded.origin(loaded.objects[1]).locate(("spec", "workerGroupSpecs"))[0] > 0
