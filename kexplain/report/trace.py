"""The scheduling cycle of pods, step by step, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from collections.abc import Iterable

from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.output import Output, copied
from kexplain.explain.records import Document
from kexplain.explain.scheduling_groups import noting_groups
from kexplain.explanation.records import NotEvaluated
from kexplain.explanation.steps import CycleStep, cycle_steps
from kexplain.explanation.walk import Walk, walk
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import GroupName
from kexplain.scheduler.cycle import Scheduler


class PodTrace(Output, frozen=True):
    """One attempt to schedule one pod: how it ended, each step, and each node in the order of the search.

    `pod` is `namespace/name`, `node` the one that was picked, or empty.
    """

    pod: str
    scheduler_name: str
    outcome: Outcome
    message: str
    node: str
    walk: Walk
    steps: tuple[CycleStep, ...]
    not_evaluated: tuple[NotEvaluated, ...] = ()


class TraceReport(Document, frozen=True, kw_only=True):
    """The attempts in the order of the queue, each of which begins where the one before has ended."""

    kind: str = "TraceReport"
    kubernetes_version: str
    pods: tuple[PodTrace, ...]
    #: The groups that they are scheduled with, each as a whole.
    scheduling_groups: tuple[SchedulingGroup, ...] = ()
    notes: tuple[str, ...] = ()


def trace(decisions: Iterable[Decision], scheduler: Scheduler, notes: tuple[str, ...] = ()) -> TraceReport:
    """Everything about these decisions of a scheduler."""
    together: dict[GroupName, SchedulingGroup] = {}
    pods = tuple(_traced(each, scheduler) for each in noting_groups(decisions, together))
    groups = tuple(together.values())
    return TraceReport(kubernetes_version=scheduler.release, pods=pods, scheduling_groups=groups, notes=notes)


def _traced(decision: Decision, scheduler: Scheduler) -> PodTrace:
    search, steps = walk(decision, scheduler, seeks_unseen=True), cycle_steps(decision, scheduler)
    unknown, name = NotEvaluated.of(decision), decision.pod.key
    return copied(decision, PodTrace, pod=name, node=decision.host, walk=search, steps=steps, not_evaluated=unknown)
