"""Tables of instance types, of the form that each cloud's command line has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.errors import UsageError
from kexplain.load.instance_types import load_instance_types
from kexplain.objects.instance_types import InstanceType

AWS = {
    "InstanceType": "c7g.4xlarge",
    "VCpuInfo": {"DefaultVCpus": 16},
    "MemoryInfo": {"SizeInMiB": 32768},
    "ProcessorInfo": {"SupportedArchitectures": ["arm64"]},
    "GpuInfo": {"Gpus": [{"Count": 2}]},
}
GOOGLE = {"name": "n2-standard-16", "guestCpus": 16, "memoryMb": 65536, "architecture": "X86_64"}
SKU = {
    "name": "Standard_D16s_v5",
    "capabilities": [
        {"name": "vCPUs", "value": "16"},
        {"name": "MemoryGB", "value": "64"},
        {"name": "CpuArchitectureType", "value": "x64"},
    ],
}
SIZE = {"name": "Standard_D4", "numberOfCores": 4, "memoryInMB": 16384}


@pytest.mark.parametrize(
    ("table", "name", "cpu", "gibibytes", "gpus", "arch"),
    [
        pytest.param({"InstanceTypes": [AWS, AWS]}, "c7g.4xlarge", 16, 32, 2, "arm64", id="aws"),
        pytest.param([GOOGLE], "n2-standard-16", 16, 64, 0, "amd64", id="google"),
        pytest.param([SKU, {"name": "disks"}, 7], "Standard_D16s_v5", 16, 64, 0, "amd64", id="azure-skus"),
        pytest.param([SIZE], "Standard_D4", 4, 16, 0, "", id="azure-sizes"),
    ],
)
def test_tables(tmp_path: Path, table: Any, name: str, cpu: int, gibibytes: int, gpus: int, arch: str) -> None:
    file = tmp_path / "types.json"
    file.write_text(json.dumps(table))
    (found,) = load_instance_types(str(file)).objects
    assert isinstance(found, InstanceType)
    assert (found.name, found.cpu_milli, found.memory_bytes >> 30, found.gpus, found.arch) == (
        name,
        cpu * 1000,
        gibibytes,
        gpus,
        arch,
    )


@pytest.mark.parametrize("written", ["", "{}", "[]", '{"InstanceTypes": 3}', "[[]]", "kind: Node"])
def test_what_is_no_table(tmp_path: Path, written: str) -> None:
    file = tmp_path / "types.json"
    file.write_text(written)
    with pytest.raises(UsageError, match=r"types\.json: "):
        load_instance_types(str(file))


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="no such file"):
        load_instance_types("nowhere.json")


def test_labels_as_karpenter_sets_them() -> None:
    (found,) = [InstanceType(cpu_milli=16000, memory_bytes=32 << 30, metadata=_named("c7g.4xlarge"))]
    labels = found.node_labels
    assert labels["karpenter.k8s.aws/instance-cpu"] == labels["karpenter.azure.com/sku-cpu"] == "16"
    assert labels["karpenter.k8s.aws/instance-family"] == "c7g"
    assert labels["karpenter.k8s.aws/instance-category"] == "c"
    assert labels["karpenter.k8s.aws/instance-generation"] == "7"


def _named(name: str) -> Any:
    from kexplain.objects.meta import ObjectMeta  # noqa: PLC0415

    return ObjectMeta(name=name)
