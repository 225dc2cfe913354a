"""Workloads that were named: where their pods are, and why some are missing."""

from __future__ import annotations

from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.explain.output import Output


class PlacedPod(Output, frozen=True):
    """A pod that has a node."""

    name: str
    node: str


class WorkloadReport(Output, frozen=True):
    """A workload by its own pods that have not finished: `placed` and `pending` ones.

    `wanted` is how many it wants now, null if nothing says so; `missing` of them have not been created.
    """

    kind: str
    namespace: str
    name: str
    wanted: int | None
    missing: int
    placed: tuple[PlacedPod, ...]
    pending: tuple[str, ...]
    messages: tuple[ControllerMessage, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all pods exist, so that only the scheduler could stand in their way."""
        return not self.missing and not self.messages


def workload_report(own: OwnPods) -> WorkloadReport:
    """The report on the pods of one workload."""
    return WorkloadReport(
        kind=own.kind,
        namespace=own.namespace,
        name=own.name,
        wanted=own.wanted,
        missing=own.missing,
        placed=tuple(PlacedPod(name=pod.name, node=pod.spec.node_name) for pod in own.pods if pod.spec.node_name),
        pending=tuple(pod.name for pod in own.pending),
        messages=own.complaints,
    )
