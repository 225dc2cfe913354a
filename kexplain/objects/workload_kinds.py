"""The kinds of workloads: what kubectl calls them, their API version, and where each holds the template of its pods."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkloadKind:
    """A kind of objects whose controllers make pods."""

    kind: str
    api_version: str
    short_name: str = ""
    template_path: tuple[str, ...] = ("spec", "template")

    @property
    def aliases(self) -> tuple[str, ...]:
        """What kubectl takes for it: the singular, the plural, the short name."""
        singular = self.kind.lower()
        return tuple(filter(None, (singular, f"{singular}s", self.short_name)))


WORKLOAD_KINDS = (
    WorkloadKind("CronJob", "batch/v1", "cj", ("spec", "jobTemplate", "spec", "template")),
    WorkloadKind("DaemonSet", "apps/v1", "ds"),
    WorkloadKind("Deployment", "apps/v1", "deploy"),
    WorkloadKind("Job", "batch/v1"),
    WorkloadKind("ReplicaSet", "apps/v1", "rs"),
    WorkloadKind("ReplicationController", "v1", "rc"),
    WorkloadKind("StatefulSet", "apps/v1", "sts"),
)
WORKLOAD_KIND_BY_NAME = {each.kind: each for each in WORKLOAD_KINDS}


def template_path(kind: str) -> tuple[str, ...]:
    """The path to `metadata` and `spec` of pods in an object of a kind: empty for a pod, and for kinds without."""
    if kind == "PodTemplate":
        return ("template",)
    return WORKLOAD_KIND_BY_NAME[kind].template_path if kind in WORKLOAD_KIND_BY_NAME else ()
