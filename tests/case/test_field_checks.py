"""What explaining says about fields of the manifest that an API server would refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kexplain.case import Wanted, load_case
from kexplain.cli.flags.pods import Validate
from kexplain.errors import InputError
from tests.cli.command import kexplain

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 1, pods: 5, memory: 1Gi}}\n"
POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeSelectr: {a: b}
  tolerations: [{key: a, operator: Exist}]
  containers: [{name: web, image: web}]
"""
FAULTS = ["there is no such field; did you mean nodeSelector?", '"Exist" is not supported: use Equal or Exists']


def refused(path: Path, mode: Validate = Validate.WARN) -> list[str]:
    nodes = path.with_name("nodes.yaml")
    nodes.write_text(NODE)
    case = load_case([str(path)], [str(nodes)], Wanted(strict=mode.strict))
    return [str(fault) for each in case.not_created for fault in each.faults]


@pytest.mark.parametrize("name", ["pod.yaml", "pod.json", "list.json", "list.yaml"])
def test_each_refused_field_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    pod = yaml.safe_load(POD)
    held = {"apiVersion": "v1", "kind": "List", "items": [pod]} if name.startswith("list") else pod
    path = tmp_path / name
    path.write_text(json.dumps(held, indent=1) if name.endswith("json") else yaml.safe_dump(held))
    found = refused(path)
    assert [note.rpartition(": ")[2] if "Exist" not in note else FAULTS[1] for note in found] == FAULTS
    lines = path.read_text().splitlines()
    first = found[0].removeprefix(f"{path}:").split(":")
    assert lines[int(first[0]) - 1][int(first[1]) - 1 :].lstrip('"').startswith("nodeSelectr")
    assert refused(path, Validate.IGNORE) == []
    with pytest.raises(InputError, match="nodeSelectr"):
        refused(path, Validate.STRICT)


def test_workloads_are_looked_at_once_and_what_is_in_a_cluster_not_at_all(tmp_path: Path) -> None:
    template = {key: value for key, value in yaml.safe_load(POD).items() if key == "spec"}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "web"}, "spec": {"template": template}}
    path = tmp_path / "job.yaml"
    path.write_text(yaml.safe_dump(job))
    assert any("spec.template.spec.nodeSelectr" in note for note in refused(path))
    pod = yaml.safe_load(POD)
    pod["metadata"] |= {"uid": "1", "resourceVersion": "1"}
    dump = tmp_path / "dump.yaml"
    dump.write_text(yaml.safe_dump(pod))
    assert refused(dump) == []


def test_the_schema_is_loaded_for_manifests_only(tmp_path: Path) -> None:
    pod = yaml.safe_load(POD)
    pod["metadata"] |= {"uid": "1", "resourceVersion": "1"}
    (tmp_path / "cluster.yaml").write_text(f"{yaml.safe_dump(pod)}---\n{NODE}")
    code = (
        "import sys; from kexplain.case import Wanted, load_case; load_case([], ['cluster.yaml'], Wanted(strict=True));"
        "assert not any(name.startswith('kexplain.validation') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


@pytest.mark.parametrize(("words", "code"), [((), 1), (("--validate", "strict"), 2), (("--validate=ignore",), 0)])
def test_the_command_line(words: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "nodes.yaml").write_text(NODE)
    done = kexplain("-", "--cluster", "nodes.yaml", *words, cwd=tmp_path, stdin=POD.encode())
    assert done.returncode == code
    assert (b"<stdin>:5:3: spec.nodeSelectr: " in done.stdout + done.stderr) == (words != ("--validate=ignore",))


def workload(kind: str, name: str, replicas: int, cpu: str, app: str = "") -> str:
    selector = f"selector: {{matchLabels: {{app: {app or name}}}}}, serviceName: {name}"
    containers = f"containers: [{{name: c, image: c, resources: {{requests: {{cpu: {cpu}}}}}}}]"
    template = f"template: {{metadata: {{labels: {{app: {name}}}}}, spec: {{{containers}}}}}"
    head = f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
    selector = selector if kind == "StatefulSet" else selector.partition(", ")[0]
    return f"{head}spec: {{replicas: {replicas}, {selector}, {template}}}\n---\n"


BAD = workload("Deployment", "bad", 3, "600m", app="other")
OTHER = workload("Deployment", "worse", 2, "300m", app="other")


@pytest.mark.parametrize(
    ("manifests", "says"),
    [
        pytest.param(BAD + workload("Deployment", "good", 1, "500m"), "1 of 4 pods fit; 3 are not created", id="both"),
        pytest.param(BAD.replace("600m", "100m") + OTHER, "once created, 2 of 2 pods fit; of each ", id="none created"),
        pytest.param(
            OTHER + workload("StatefulSet", "good", 2, "500m"), "2 of 4 pods fit; 2 are not created", id="in turn"
        ),
    ],
)
def test_what_is_refused_is_counted_with_all_its_pods_and_takes_no_room(
    manifests: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "several.yaml").write_text(manifests)
    (tmp_path / "nodes.yaml").write_text(NODE)
    found = kexplain("several.yaml", "--nodes", "nodes.yaml", cwd=tmp_path).stdout.decode()
    assert says in found
    assert "good-0 does not fit" not in found


RAY = """apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: ray, namespace: shop}
spec:
  headGroupSpec:
    template:
      spec:
        nodeSelectr: {disktype: ssd}
        containers: [{name: head, image: ray, volumeMounts: [{name: of-the-operator, mountPath: /x}]}]
"""


def test_templates_of_custom_resources_are_looked_at_as_those_of_workloads(tmp_path: Path) -> None:
    (tmp_path / "ray.yaml").write_text(RAY)
    where = "spec.headGroupSpec.template.spec.nodeSelectr"
    assert refused(tmp_path / "ray.yaml") == [f"{tmp_path}/ray.yaml:8:9: {where}: {FAULTS[0]}"]


def test_what_cannot_be_read_is_told_with_all_else_that_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(POD.replace("image: web}", "image: web, resources: {limits: {cpu: 1gb}}}"))
    (tmp_path / "nodes.yaml").write_text(NODE)
    done = kexplain("pod.yaml", "--nodes", "nodes.yaml", cwd=tmp_path)
    first, second, third = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert first.startswith("kexplain: pod.yaml:5:3: spec.nodeSelectr: there is no such field")
    assert '"Exist" is not supported' in second
    assert '"1gb" is not a quantity' in third


def test_a_cluster_that_cannot_be_read_is_no_reason_to_look_at_the_manifests(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(POD)
    (tmp_path / "nodes.yaml").write_text(NODE.replace("cpu: 1,", "cpu: 1gb,"))
    (line,) = kexplain("pod.yaml", "--nodes", "nodes.yaml", cwd=tmp_path).stderr.decode().splitlines()
    assert line.startswith("kexplain: nodes.yaml:4:29: status.allocatable.cpu")
