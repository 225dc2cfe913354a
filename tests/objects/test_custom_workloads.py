"""Workloads of other projects on their way through every command: explained, placed, counted, changed, traced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.case import Case, load_case
from kexplain.case.case_builder import Contents
from kexplain.case.loading import Wanted
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import UsageError
from kexplain.load import load
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.world.edit_options import edit_of
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World
from tests.lint.linting import linted

Json = dict[str, Any]


def template(cpu: int = 1) -> Json:
    return {"spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}]}}


def ray(*, workers: int = 2, cpu: int = 1) -> Json:
    groups = [{"groupName": "gpu", "replicas": workers, "template": template(cpu)}]
    spec = {"headGroupSpec": {"template": template()}, "workerGroupSpecs": groups}
    return {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "train"}, "spec": spec}


def node(name: str = "n1", cpu: str = "4") -> Json:
    allocatable = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}


def running(name: str, node_type: str, group: str, node_name: str = "n1", owner: str = "train") -> Json:
    labels = {
        "ray.io/cluster": "train",
        "ray.io/node-type": node_type,
        "ray.io/group": group,
        "ray.io/is-ray-node": "yes",
    }
    owners = [{"apiVersion": "ray.io/v1", "kind": "RayCluster", "name": owner, "uid": "u", "controller": True}]
    metadata = {"name": name, "namespace": "default", "uid": name, "labels": labels, "ownerReferences": owners}
    spec = {
        **template()["spec"],
        "schedulerName": "default-scheduler",
        **({"nodeName": node_name} if node_name else {}),
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def write(path: Path, *objects: Json) -> str:
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), encoding="utf-8")
    return str(path)


def case(tmp_path: Path, *objects: Json, references: tuple[str, ...] = (), **wanted: Any) -> Case:
    return load_case(references, [write(tmp_path / "a.json", *objects)], Wanted(own_pods=True, **wanted))


def followed(tmp_path: Path, objects: list[Json], option: str, value: str) -> Followed:
    loaded = load([write(tmp_path / "a.json", *objects)])
    contents = Contents(loaded, loaded.objects, build_scheduler())
    return World(ReadObjects(contents)).after([edit_of(option, value)]).settled()


def test_each_role_has_its_pods(tmp_path: Path) -> None:
    manifest = write(tmp_path / "ray.json", ray())
    found = load_case([manifest], [write(tmp_path / "nodes.json", node())], Wanted(own_pods=True))
    made = [placed.made_of for placed in found.pods]
    assert [each.name for each in made if each] == ["train/head", "train/gpu", "train/gpu"]
    assert len({placed.pod.name for placed in found.pods}) == 3
    assert all("/" not in placed.pod.name + (placed.pod.metadata.generate_name or "") for placed in found.pods)
    owner = found.pods[1].pod.metadata.controller
    assert owner is not None
    assert (owner.api_version, owner.kind) == ("ray.io/v1", "RayCluster")
    assert "pods are as these say, without what their operators may add: RayCluster train" in found.notes


@pytest.mark.parametrize(
    ("reference", "pods"), [("raycluster/train", 3), ("RayCluster/train/gpu", 2), ("rayclusters.ray.io/train/head", 1)]
)
def test_a_resource_without_pods_is_named(tmp_path: Path, reference: str, pods: int) -> None:
    assert len(case(tmp_path, node(), ray(), references=(reference,)).pods) == pods


def test_a_slip_in_the_name_of_a_role(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        case(tmp_path, node(), ray(), references=("raycluster/train/gqu",))
    assert error.value.hint == "did you mean train/gpu?"


def test_pods_are_traced_to_their_resource_and_role(tmp_path: Path) -> None:
    objects = [node(), ray(), running("head-x", "head", "headgroup"), running("gpu-x", "worker", "gpu", "")]
    for reference, pods in (("raycluster/train", 2), ("raycluster/train/gpu", 1), ("raycluster/train/head", 1)):
        (own,) = case(tmp_path, *objects, references=(reference,)).workloads
        assert len(own.pods) == pods
    # What was not read is known by its pods.
    (own,) = case(tmp_path, objects[0], *objects[2:], references=("raycluster/train",)).workloads
    assert [pod.name for pod in own.pending] == ["gpu-x"]
    copies = case(tmp_path, objects[0], *objects[2:], references=("raycluster/train",), replicas=2)
    assert [type(placed.made_of) for placed in copies.pods] == [CustomWorkload] * 2


def test_pods_that_run_are_not_made_once_more(tmp_path: Path) -> None:
    workers = [running(f"gpu-{number}", "worker", "gpu") for number in range(2)]
    objects = [node(cpu="4"), running("head-x", "head", "headgroup"), *workers]
    after = followed(tmp_path, objects, "apply", write(tmp_path / "new.json", ray(workers=3)))
    assert {each.name: (each.desired, each.placed, each.new) for each in after.rollouts} == {
        "train/head": (1, 1, 1),
        "train/gpu": (3, 3, 3),
    }
    assert len(after.settled.placed) == 1


def test_roles_are_scaled_and_resources_set(tmp_path: Path) -> None:
    objects = [node(cpu="4"), ray()]
    after = followed(tmp_path, objects, "scale", "raycluster/train/gpu=5")
    assert [(each.name, each.placed, each.pending) for each in after.rollouts] == [("train/gpu", 4, 1)]
    after = followed(tmp_path, objects, "set", "raycluster/train spec.workerGroupSpecs[0].replicas=3")
    assert [(each.name, each.placed) for each in after.rollouts] == [("train/gpu", 3)]
    with pytest.raises(UsageError, match="there is no raycluster/tarin"):
        followed(tmp_path, objects, "set", "raycluster/tarin spec.workerGroupSpecs[0].replicas=3")
    with pytest.raises(UsageError, match="is not there any more"):
        followed(tmp_path, objects, "set", "raycluster/train spec.workerGroupSpecs=3")


def test_a_snapshot_leaves_them_to_their_manifests(tmp_path: Path) -> None:
    loaded = load([write(tmp_path / "a.json", node(), ray())])
    path = tmp_path / "a.snapshot"
    path.write_bytes(encode_snapshot(loaded, taken_at="2026-01-01T00:00:00Z"))
    assert [obj.name for obj in load([str(path)]).objects] == ["n1"]


def test_lint_asks_of_templates_what_an_api_server_asks_of_pods() -> None:
    manifest = ray()
    container = manifest["spec"]["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]
    # Operators add volumes, as they please.
    container |= {"imagePullPolicy": "Sometimes", "volumeMounts": [{"name": "added", "mountPath": "/a"}]}
    (found,) = linted(json.dumps(manifest)).findings
    assert (found.rule, found.object) == ("refused", "RayCluster default/train/gpu")
    assert found.field == "spec.workerGroupSpecs[0].template.spec.containers[0].imagePullPolicy"
    report = linted(json.dumps(manifest | {"kind": "Thing", "apiVersion": "x.example/v1"}))
    assert ([each.field for each in report.findings], report.workloads, report.objects) == ([found.field], 2, 1)
