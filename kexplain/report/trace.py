"""The scheduling cycle of pods, step by step, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from collections.abc import Iterable

from msgspec.structs import replace

from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.output import Output, copied
from kexplain.explain.preemption import PreemptionReport, preemption_report
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
    #: What eviction was weighed; null where it did not come to that.
    preemption: PreemptionReport | None = None


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
    own = {"pod": decision.pod.key, "node": decision.host, "not_evaluated": NotEvaluated.of(decision)}
    return copied(decision, PodTrace, walk=search, steps=steps, preemption=preemption_report(decision), **own)


def only(report: TraceReport, node: str, plugin: str) -> TraceReport:
    """The trace with that node alone, and what that plugin did, or all without a name."""
    return replace(report, pods=tuple(_only(each, node, plugin) for each in report.pods))


def _only(pod: PodTrace, node: str, plugin: str) -> PodTrace:
    nodes = [each for each in pod.walk.nodes if node in ("", each.node)]
    if plugin:
        told = (replace(each, points={name: n for name, n in each.points.items() if name == plugin}) for each in nodes)
        nodes = [each for each in told if each.points or plugin in (each.plugin, each.would_be_turned_down_by)]
    steps = tuple(each for each in pod.steps if plugin in ("", each.plugin))
    preempts = not plugin or any(each.extension_point == "PostFilter" for each in steps)
    dry = pod.preemption if preempts else None
    return replace(pod, walk=replace(pod.walk, nodes=tuple(nodes)), steps=steps, preemption=dry)
