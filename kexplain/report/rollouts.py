"""How far workloads get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kexplain.case.records import NotCreated, PodToPlace
from kexplain.explain.output import copied
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.report.settled import SettledQueue
from kexplain.report.workloads import RolloutReport

if TYPE_CHECKING:
    from kexplain.world.members import Rollout


def rollout_report(rollout: Rollout) -> RolloutReport:
    """The rollout as it is published."""
    refusals, stuck = tuple(map(str, rollout.refusals)), rollout.waiting[0].key if rollout.waiting else ""
    return copied(rollout, RolloutReport, refusals=refusals, stuck_pod=stuck)


def new_rollout(
    missing: NotCreated, asked: Sequence[PodToPlace], found: Sequence[PodExplanation], settled: SettledQueue | None
) -> RolloutReport:
    """How far a new workload gets of which some pods are not created."""
    own = {each.pod.key for each in asked if each.made_of is missing.made_of and each.pod.uid != missing.shown}
    fits = {each.pod.key for each in found if each.outcome == Outcome.SCHEDULED.value}
    fits |= settled.placed.keys() if settled is not None else set()
    placed = len(own & fits)
    obj = missing.made_of
    return RolloutReport(
        kind=obj.kind,
        namespace=missing.namespace,
        name=obj.name or obj.metadata.generate_name or "",
        complete=False,
        desired=len(own) + missing.missing,
        placed=placed,
        new=placed,
        old=0,
        pending=len(own) - placed,
        not_created=missing.missing,
        refusals=tuple(fault.message for fault in missing.faults),
    )
