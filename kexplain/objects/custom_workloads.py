"""Workloads of other projects: of a custom resource, the pods that its operator makes of one template."""

from collections.abc import Sequence
from typing import Any

import msgspec

from kexplain.objects.apps import WorkloadSpec
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path
from kexplain.objects.workload_kinds import template_path

#: Where a workload of another project has its template, as it is read; its resource may have it elsewhere.
TEMPLATE: Path = ("spec", "template")
#: Where `origins` have the Job that makes the pods, if one does, and how many pods of a gang have to have a node.
JOB: Path = ("job",)
GANG: Path = ("gang",)


class CustomWorkload(KubernetesObject, frozen=True, kw_only=True):
    """The pods of one role, such as the head of a RayCluster; of none where a resource has but one template.

    Operators add to what their templates say, and decide by themselves how many pods there are at a time.
    """

    of_kind: str
    role: str = ""
    spec: WorkloadSpec = WorkloadSpec()
    #: What of the resource the role is described by, and where in it values of `spec` stand.
    item: Path = ()
    origins: tuple[tuple[Path, Path], ...] = ()
    #: Whether pods are made of the template as it is, so that all that an API server asks of pods is asked of it.
    is_whole: bool = False
    #: How many of how many pods of the resource have to have a node before any of them starts; None where each may.
    gang: tuple[int, int] | None = None
    #: The resource as it was written.
    manifest: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def kind(self) -> str:
        return self.of_kind

    @property
    def name(self) -> str:
        name = self.metadata.name or ""
        return f"{name}/{self.role}" if self.role else name

    def place(self, path: Sequence[str | int]) -> Path | None:
        """Where a value of the workload stands in the resource; None if it does not stand there as it is."""
        if path[:1] == ("metadata",):
            return tuple(path)
        origins = dict(self.origins)
        for length in range(len(path), -1, -1):
            if (origin := origins.get(tuple(path[:length]))) is not None:
                return (*origin, *path[length:])
        return None


def template_path_of(obj: KubernetesObject) -> Path:
    """The path to `metadata` and `spec` of pods in an object: empty for a pod, and for what has none."""
    return TEMPLATE if isinstance(obj, CustomWorkload) else template_path(obj.kind)
