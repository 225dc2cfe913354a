"""Workloads that were named: where their pods are, and why some are missing."""

from __future__ import annotations

from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.diagnosis.records import Diagnosis
from kexplain.explain.output import Output
from kexplain.remedies.records import Remedy


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
    #: Why pods are missing, or why none are wanted now; null where there is nothing to say.
    diagnosis: Diagnosis | None = None
    #: What would help the missing ones.
    remedies: tuple[Remedy, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all pods exist, so that only the scheduler could stand in their way."""
        return not self.missing and not self.messages


def workload_report(own: OwnPods) -> WorkloadReport:
    """The report on the pods of one workload."""
    diagnosis, remedies = _why(own) if own.missing or own.complaints or own.held else (None, ())
    return WorkloadReport(
        kind=own.kind,
        namespace=own.namespace,
        name=own.name,
        wanted=own.wanted,
        missing=own.missing,
        placed=tuple(PlacedPod(name=pod.name, node=pod.spec.node_name) for pod in own.pods if pod.spec.node_name),
        pending=tuple(pod.name for pod in own.pending),
        messages=own.complaints,
        diagnosis=diagnosis,
        remedies=remedies,
    )


def _why(own: OwnPods) -> tuple[Diagnosis | None, tuple[Remedy, ...]]:
    """Why pods are missing, and what would help."""
    # Few workloads lack pods.
    from kexplain.diagnosis.never_created import diagnose_workload  # noqa: PLC0415
    from kexplain.remedies.never_created import creating  # noqa: PLC0415

    return diagnose_workload(own), tuple(creating(own))
