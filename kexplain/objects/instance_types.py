"""What machines a cloud has, as far as nodes of these types would differ for a pod."""

from collections.abc import Mapping

from kexplain.objects.meta import KubernetesObject
from kexplain.objects.requests import CPU, MEMORY
from kexplain.objects.well_known import INSTANCE_TYPE
from kexplain.patterns import regex

ARCH = "kubernetes.io/arch"
#: How names of instance types on AWS go: category, generation, attributes, size.
_AWS = regex(r"(?P<family>(?P<category>[a-z]+?)(?P<generation>\d+)[a-z0-9-]*)\.(?P<size>[a-z0-9-]+)")
_MEBIBYTE = 1 << 20


class InstanceType(KubernetesObject, frozen=True, tag_field="kind", tag="InstanceType"):
    """A type of machine: `gpus` of any vendor; `arch` as nodes have it, empty where nothing says so.

    `per_hour` is the price, where the table has been given one.
    """

    cpu_milli: int = 0
    memory_bytes: int = 0
    gpus: int = 0
    arch: str = ""
    per_hour: float | None = None

    @property
    def amounts(self) -> Mapping[str, int]:
        """What a machine of the type has in all."""
        return {CPU: self.cpu_milli, MEMORY: self.memory_bytes}

    @property
    def node_labels(self) -> dict[str, str]:
        """The labels that Karpenter gives nodes of the type, under the names of every cloud."""
        cpu, memory = str(self.cpu_milli // 1000), str(self.memory_bytes // _MEBIBYTE)
        labels = {INSTANCE_TYPE: self.name, **({ARCH: self.arch} if self.arch else {})}
        for domain in ("karpenter.k8s.aws", "eks.amazonaws.com", "karpenter.k8s.gcp"):
            labels |= {f"{domain}/instance-cpu": cpu, f"{domain}/instance-memory": memory}
            labels |= {f"{domain}/instance-gpu-count": str(self.gpus)} if self.gpus else {}
            if match := _AWS.fullmatch(self.name):
                labels |= {f"{domain}/instance-{name}": value for name, value in match.groupdict().items()}
        return labels | {"karpenter.azure.com/sku-cpu": cpu, "karpenter.azure.com/sku-memory": memory}
