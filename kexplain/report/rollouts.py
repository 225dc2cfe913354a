"""How far workloads get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kexplain.admission import declared_replicas
from kexplain.case import Case
from kexplain.case.records import NotCreated, PodToPlace
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.records import Finding
from kexplain.explain.output import copied
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.report.settled import SettledQueue
from kexplain.report.workloads import RolloutReport, WorkloadReport, short_report
from kexplain.scheduler.cycle import Scheduler
from kexplain.world.sources import CountedObjects
from kexplain.world.world import Followed, World, applied

if TYPE_CHECKING:
    from kexplain.world.members import Rollout

#: Rollouts of more pods, times nodes, are not followed.
MOST_FOLLOWED = 100_000


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


def short_updates(case: Case, scheduler: Scheduler) -> Iterator[WorkloadReport]:
    """The workloads whose rollouts do not get to their end where manifests change some; all are applied at once."""
    made = (each.made_of.in_namespace(each.pod.namespace) for each in case.pods if each.made_of)
    every = [each for each in {(each.kind, each.key): each for each in made}.values() if not each.is_stored]
    pods = sum(declared_replicas(each) or 1 for each in every)
    if pods * len(case.cluster.node_infos) <= MOST_FOLLOWED:
        world = World(CountedObjects(case.cluster, scheduler, ()))
        followed = world.after([partial(applied, each) for each in every]).settled()
        yield from (short_report(each, _why(each, followed)) for each in followed.rollouts if each.end)


def _why(rollout: Rollout, followed: Followed) -> Finding | None:
    """Why the first of its pods that waits has no node."""
    stuck = followed.last_decisions.get(rollout.waiting[0].key) if rollout.waiting else None
    judged = diagnose(stuck) if stuck else None
    return judged.diagnosis if judged else None
