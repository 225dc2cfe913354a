"""Workloads that were named: where their pods are, and why some are missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kexplain.case.records import ControllerMessage, NotCreated, RolloutFigures
from kexplain.diagnosis.records import Finding, Hold
from kexplain.explain.output import Output
from kexplain.remedies.records import Remedy
from kexplain.report.not_running import NotRunning
from kexplain.words import clauses, plural

if TYPE_CHECKING:
    from kexplain.world.members import Rollout


class PlacedPod(Output, frozen=True):
    """A pod that has a node; `started` is whether its kubelet has started it."""

    name: str
    node: str
    started: bool = True


class WorkloadReport(Output, frozen=True):
    """A workload by its own pods that have not finished: `placed` and `pending` ones.

    `wanted` is how many it wants now, null if nothing says so; `missing` of them have not been created, or are those of
    which `leaving` have to be gone before.
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
    diagnosis: Finding | None = None
    #: What would help the missing ones.
    remedies: tuple[Remedy, ...] = ()
    #: Whether the missing ones are new, and an API server would refuse them.
    refused: bool = False
    #: Whether it is their claims that it would refuse.
    claims_refused: bool = False
    #: The new pod that has to be ready before the missing ones are made.
    waits_for: str = ""
    #: The pods that have a node and do not run.
    stopped: tuple[NotRunning, ...] = ()
    #: What its controller says of a rollout that gets no further.
    stalled: str = ""
    #: What a queue says of it, which has not let it start.
    held: Hold | None = None
    #: How many of the missing ones are still being deleted, each of which is made again once it is gone.
    leaving: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all pods exist and run, so that only the scheduler could stand in their way."""
        return not (self.missing or self.messages or self.stopped or self.stalled or self.held)


class RolloutReport(RolloutFigures, frozen=True, kw_only=True):
    """How far a workload gets until nothing moves any more.

    `desired` pods are wanted; `placed`, of them `new` of the newest template, have a node; `old` ones are still there,
    placed or not; `pending` ones have no node; `not_created` ones are refused, for the reasons in `refusals`, or wait
    for one before them. `kept_old_by` says what keeps old pods on purpose, `stuck_pod` which pod holds it up.
    """

    refusals: tuple[str, ...] = ()
    stuck_pod: str = ""
    #: How many pods there may be more and fewer while it changes.
    bounds: str = ""


def not_created_report(missing: NotCreated) -> WorkloadReport:
    """The report on pods that an API server refuses: what is wrong comes first, and where."""
    obj = missing.made_of
    return WorkloadReport(
        kind=obj.kind,
        namespace=missing.namespace,
        name=obj.name or obj.metadata.generate_name or "",
        wanted=missing.wanted,
        missing=missing.missing,
        placed=(),
        pending=(),
        messages=tuple(ControllerMessage(controller="kube-apiserver", text=str(fault)) for fault in missing.faults),
        refused=True,
        claims_refused=missing.is_of_claims,
    )


def in_turn_reports(rollouts: Iterable[Rollout]) -> tuple[WorkloadReport, ...]:
    """The reports on new workloads that make the rest of their pods only once another pod is ready."""
    in_turn = (each for each in rollouts if each.not_created and each.waiting and not each.refusals)
    return tuple(_followed(each, missing=each.not_created, waits_for=each.waiting[0].name) for each in in_turn)


def short_report(rollout: Rollout, why: Finding | None) -> WorkloadReport:
    """The report on a workload of a manifest whose rollout does not get to its end."""
    left = f"{plural(rollout.old, 'old pod')} left" if rollout.old else ""
    pending = f"{rollout.pending} pending" if rollout.pending else ""
    stalled = clauses(f"its rollout {rollout.end}", left, pending, *map(str, rollout.refusals))
    return _followed(rollout, missing=0, diagnosis=why, stalled=stalled)


def _followed(rollout: Rollout, **more: Any) -> WorkloadReport:
    """The report on a workload that was followed, whose pods are told of elsewhere."""
    named = {name: getattr(rollout, name) for name in ("kind", "namespace", "name")}
    return WorkloadReport(**named, wanted=rollout.desired, placed=(), pending=(), **more)
