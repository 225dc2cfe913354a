"""Tables of instance types, as the command lines of clouds write them as JSON.

Source: AWS `ec2 describe-instance-types`, Google Cloud `compute machine-types list`, Azure `vm list-skus` and
`vm list-sizes`. None has prices: `pricePerHour` in a row is ours.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.errors import UsageError
from kexplain.load.loaded import Loaded, Nowhere, Segment
from kexplain.objects.instance_types import InstanceType
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.untrusted import at, entries, number, text

_MEBIBYTE = 1 << 20
_HINT = "write one with aws ec2 describe-instance-types, gcloud compute machine-types list or az vm list-skus, as JSON"
#: How nodes call the architectures of these clouds.
_ARCHITECTURES = dict.fromkeys(("x86_64", "X86_64", "x64"), "amd64")
_ARCHITECTURES |= dict.fromkeys(("arm64", "Arm64", "ARM64"), "arm64")


def load_instance_types(path: str) -> Loaded:
    """The types of a table, each once. Raises UsageError on a file that cannot be read or has none."""
    try:
        written = msgspec.json.decode(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: {(error.strerror or 'it cannot be read').lower()}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise UsageError(f"{path}: this is not JSON", _HINT) from None
    table = written if isinstance(written, list) else list(entries(written, "InstanceTypes"))
    found = {each.name: each for each in _types(table)}
    if not found:
        raise UsageError(f"{path}: there are no instance types in it", _HINT)
    loaded = Loaded()
    loaded.add(Segment(path, Nowhere(), [*found.values()]))
    return loaded


def _types(table: list[Any]) -> Iterator[InstanceType]:
    for row in table:
        capabilities = {text(each, "name"): text(each, "value") for each in entries(row, "capabilities")}
        found = _of_aws(row) or _of_google(row) or _of_azure(row, capabilities)
        if found is not None and found.name and found.cpu_milli:
            price = at(row, "pricePerHour")
            yield replace(found, per_hour=float(price)) if isinstance(price, int | float) else found


def _type(name: str, cpu: float | None, mebibytes: float | None, gpus: int = 0, arch: str = "") -> InstanceType | None:
    if cpu is None or mebibytes is None:
        return None
    cpu_milli, memory, arch = int(cpu * 1000), int(mebibytes * _MEBIBYTE), _ARCHITECTURES.get(arch, "")
    return InstanceType(metadata=ObjectMeta(name=name), cpu_milli=cpu_milli, memory_bytes=memory, gpus=gpus, arch=arch)


def _of_aws(row: Any) -> InstanceType | None:
    cpu, memory = number(row, "VCpuInfo", "DefaultVCpus"), number(row, "MemoryInfo", "SizeInMiB")
    gpus = sum(number(each, "Count") or 0 for each in entries(row, "GpuInfo", "Gpus"))
    architectures = at(row, "ProcessorInfo", "SupportedArchitectures")
    named = [each for each in architectures if each in _ARCHITECTURES] if isinstance(architectures, list) else []
    return _type(text(row, "InstanceType"), cpu, memory, gpus, named[-1] if named else "")


def _of_google(row: Any) -> InstanceType | None:
    cpu, memory = number(row, "guestCpus"), number(row, "memoryMb")
    gpus = sum(number(each, "guestAcceleratorCount") or 0 for each in entries(row, "accelerators"))
    return _type(text(row, "name"), cpu, memory, gpus, text(row, "architecture"))


def _of_azure(row: Any, capabilities: dict[str, str]) -> InstanceType | None:
    cores, mebibytes = number(row, "numberOfCores"), number(row, "memoryInMb") or number(row, "memoryInMB")
    if sized := _type(text(row, "name"), cores, mebibytes):
        return sized
    try:
        cpu, memory = float(capabilities["vCPUs"]), float(capabilities["MemoryGB"])
        gpus = int(capabilities.get("GPUs", "0"))
    except (KeyError, ValueError):
        return None
    return _type(text(row, "name"), cpu, memory * 1024, gpus, capabilities.get("CpuArchitectureType", ""))
