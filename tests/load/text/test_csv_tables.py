"""Tables of pods and nodes in CSV: what each column becomes, and where faults stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.errors import InputError
from kexplain.load import load
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import ResourceList
from tests.load.texts import write

HEAD = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,scheduled_time"


def _pods(tmp_path: Path, text: str) -> list[Pod]:
    return [each for each in load([write(tmp_path / "pods.csv", text)]).objects if isinstance(each, Pod)]


def _requests(pod: Pod) -> ResourceList:
    (main,) = pod.spec.containers or ()
    return (main.resources and main.resources.requests) or {}


@pytest.mark.parametrize(
    ("row", "requests", "arrival", "duration", "gpu_milli"),
    [
        ("a,6000,1024,1,460,,10,100,20", ("6000m", "1024Mi", "1"), "10", "80", "460"),
        ("a,6000,1024,1,1000,,10,100,20", ("6000m", "1024Mi", "1"), "10", "80", None),
        ("a,6000,1024,0,0,,10,100,", ("6000m", "1024Mi", None), "10", "90", None),
        ("a,6000,1024,0,0,,,100,", ("6000m", "1024Mi", None), "0", "", None),
    ],
)
def test_a_pod_of_the_trace(
    tmp_path: Path, row: str, requests: tuple[str | None, ...], arrival: str, duration: str, gpu_milli: str | None
) -> None:
    (pod,) = _pods(tmp_path, f"{HEAD}\n{row}\n")
    wanted = _requests(pod)
    assert tuple(wanted.get(name) for name in ("cpu", "memory", "nvidia.com/gpu")) == requests
    said = pod.metadata.annotations
    assert said is not None
    assert (said.arrival, said.duration, said.gpu_milli) == (arrival, duration, gpu_milli)


def test_models_are_labels_of_nodes(tmp_path: Path) -> None:
    (pod,) = _pods(tmp_path, f"{HEAD}\na,1,1,1,1000,T4|P4,0,1,0\n")
    assert pod.spec.affinity is not None
    text = str(pod.spec.affinity.node_affinity)
    assert "nvidia.com/gpu.product" in text
    assert "('T4', 'P4')" in text
    table = write(tmp_path / "nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn1,32000,1024,2,T4\n")
    (node,) = [each for each in load([table]).objects if isinstance(each, Node)]
    assert node.labels == {"kubernetes.io/hostname": "n1", "nvidia.com/gpu.product": "T4"}
    assert node.status.allocatable == {"pods": "110", "cpu": "32000m", "memory": "1024Mi", "nvidia.com/gpu": "2"}


def test_a_plain_table(tmp_path: Path) -> None:
    (pod,) = _pods(
        tmp_path, "arrival,name,namespace,cpu,example.com/fpga,duration,priority_class\n5,a,x,500m,2,60,high\n"
    )
    assert (pod.namespace, pod.spec.priority_class_name) == ("x", "high")
    assert _requests(pod) == {"cpu": "500m", "example.com/fpga": "2"}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("a,1,1,1,1,,soon,2,1", 'pods.csv:3:1: creation_time: "soon" is not a number of seconds'),
        ("a,1,1,1,1,,1,2,1,9", "pods.csv:3:1: 10 cells under 9 heads"),
        (",1,1,1,1,,1,2,1", "pods.csv:3:1: metadata.name: a pod needs a name"),
    ],
)
def test_faults_have_lines(tmp_path: Path, row: str, fault: str) -> None:
    with pytest.raises(InputError, match=r"pods\.csv:3") as caught:
        load([write(tmp_path / "pods.csv", f"{HEAD}\nb,1,1,1,1,,1,2,1\n{row}\n")])
    assert fault in str(caught.value)


def test_yaml_is_no_table(tmp_path: Path) -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: cpu, namespace: sn}\nspec: {containers: [{name: a, image: b}]}\n"
    )
    (pod,) = _pods(tmp_path, text)
    assert pod.name == "cpu"
