"""The node API group: runtime classes."""

from kexplain.objects.core import Toleration
from kexplain.objects.meta import KubernetesObject, Labels, Record, ResourceList


class Overhead(Record, frozen=True):
    """What running a pod costs beyond its containers."""

    pod_fixed: ResourceList | None = None


class Scheduling(Record, frozen=True):
    """Where pods of a runtime class can run."""

    node_selector: Labels | None = None
    tolerations: tuple[Toleration, ...] | None = None


class RuntimeClass(KubernetesObject, frozen=True, tag_field="kind", tag="RuntimeClass"):
    """A container runtime, and where it is found."""

    handler: str | None = None
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None
