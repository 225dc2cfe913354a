"""Which pods of a cluster belong to a workload of the manifests, as it was before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kexplain.lint.subjects import Workload
from kexplain.objects.core import Pod

#: Kinds whose pods name them as their controller.
_DIRECT = ("StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job")


class RunningPods:
    """The pods that run already, by what they were made of."""

    def __init__(self, pods: Iterable[Pod]) -> None:
        by_owner: dict[str, list[Pod]] = {}
        for pod in pods:
            if pod.spec.node_name and not pod.is_terminated:
                for owner in _owners(pod):
                    by_owner.setdefault(owner, []).append(pod)
        self._by_owner: Mapping[str, list[Pod]] = by_owner

    def of(self, workload: Workload) -> list[Pod]:
        """The pods of the workload that run in the cluster, in the order read."""
        return self._by_owner.get(workload.name, [])


def _owners(pod: Pod) -> Iterable[str]:
    yield f"Pod {pod.namespace}/{pod.name}"
    for reference in pod.metadata.owner_references or ():
        if not reference.controller:
            continue
        if reference.kind in _DIRECT:
            yield f"{reference.kind} {pod.namespace}/{reference.name}"
        # A Deployment's replica sets bear its name and a hash of the template.
        stem, dash, _ = (reference.name or "").rpartition("-")
        if reference.kind == "ReplicaSet" and dash:
            yield f"Deployment {pod.namespace}/{stem}"
