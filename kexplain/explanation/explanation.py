"""A decision, explained."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kexplain.case.own_pods import read_maker
from kexplain.case.records import PodToPlace
from kexplain.cluster import Listers
from kexplain.explain.causes import causes, was_tried
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.gates import gates
from kexplain.explain.output import copied
from kexplain.explain.preemption import preemption_report
from kexplain.explain.records import NodeVerdict
from kexplain.explain.replicas import manifest_key
from kexplain.explain.requests import request_sums
from kexplain.explain.retry import retry_of
from kexplain.explain.scheduling_groups import group_standing
from kexplain.explain.verdicts import chosen_verdict, node_counts, node_verdicts
from kexplain.explanation.autoscaler_events import autoscaler_events
from kexplain.explanation.choices import choice, node_state
from kexplain.explanation.missing_objects import device_notes, storage_notes
from kexplain.explanation.pre_filters import pre_filter_answers
from kexplain.explanation.records import (
    Beside,
    ExplainOptions,
    NotEvaluated,
    PodExplanation,
    PodReference,
    Running,
    Step,
    Workload,
)
from kexplain.explanation.scheduling_events import scheduling_event
from kexplain.explanation.simulator_results import simulator_result
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.node_selectors import RequiredNodeAffinity

if TYPE_CHECKING:
    from kexplain.diagnosis.records import Finding
    from kexplain.explanation.not_scheduled import NotScheduled


def explain(
    decision: Decision, asked: ExplainOptions | None = None, placed: PodToPlace | None = None
) -> PodExplanation:
    """The decision with causes, numbers and remedies, which are tried; `placed` is its pod as it was read."""
    asked, placed = asked or ExplainOptions(), placed or PodToPlace(decision.pod)
    why = _not_scheduled(decision, asked, placed)
    verdicts = NodeVerdicts.of(()) if why and why.is_counted else _verdicts(decision, asked)
    aside = _beside(decision, asked, placed, why.judged.diagnosis if why else None)
    explained = PodExplanation(
        scheduler_name=decision.scheduler_name,
        profiles=decision.profile_names if decision.outcome is Outcome.NO_PROFILE else (),
        outcome=decision.outcome,
        message=decision.message,
        gated_by=decision.gated_by,
        gates=gates(decision.pod),
        nodes=node_counts(decision),
        sampling=decision.sampling if verdicts else None,
        requests=request_sums(decision.pod, decision.cluster),
        causes=causes(verdicts),
        diagnosis=aside.diagnosis,
        remedies=aside.helps,
        choice=choice(decision),
        binding=_binding(decision),
        weights=dict(decision.weights),
        node_verdicts=_begun_with(why.judged.candidates if why else (), verdicts, asked.shown),
        preemption=preemption_report(decision),
        node_state=node_state(decision, asked.node) if asked.node else None,
        not_evaluated=NotEvaluated.of(decision),
        extender_calls=decision.extender_calls,
        retry=retry_of(decision),
        pre_filters=pre_filter_answers(decision) if asked.with_pre_filters else (),
        once_admitted=aside.then,
        **_of_its_own(decision, placed, aside),
    )
    return why.advised(explained, verdicts) if why else explained


def _not_scheduled(decision: Decision, options: ExplainOptions, placed: PodToPlace) -> NotScheduled | None:
    """What is wrong with a pod that was not scheduled, and what would help."""
    if decision.outcome is Outcome.SCHEDULED:
        return None
    from kexplain.explanation.not_scheduled import NotScheduled  # noqa: PLC0415 (a pod that fits needs none of it)

    return NotScheduled.of(decision, options, placed)


def _verdicts(decision: Decision, options: ExplainOptions) -> NodeVerdicts:
    if not was_tried(decision):
        return NodeVerdicts.of(())
    if options.is_brief and decision.host:
        return NodeVerdicts.of(chosen_verdict(decision))
    return node_verdicts(decision, options.shown, options.score_details, options.node)


def _begun_with(names: Collection[str], verdicts: NodeVerdicts, shown: int | None) -> Sequence[NodeVerdict]:
    """The verdicts on these nodes before the others; all of them made where all are shown."""
    ordered = verdicts.begun_with(frozenset(names), shown) if 0 < len(names) < len(verdicts) else verdicts
    return tuple(ordered) if shown is None else ordered


def are_told_alike(decision: Decision, other: Decision) -> bool:
    """Whether the explanation of one decision is that of the other but for the pod: both are one, about replicas."""
    return decision.statuses is other.statuses and manifest_key(decision.pod) == manifest_key(other.pod)


def explain_alike(
    explanation: PodExplanation, decision: Decision, asked: ExplainOptions, placed: PodToPlace
) -> PodExplanation:
    """The explanation of a decision that differs in its pod's name from the one that has been explained."""
    return replace(explanation, **_of_its_own(decision, placed, _beside(decision, asked, placed)))


def _of_its_own(decision: Decision, placed: PodToPlace, aside: Beside) -> dict[str, Any]:
    """The fields of an explanation in which replicas differ."""
    pod, cluster = decision.pod, decision.cluster
    storage = storage_notes([pod], cluster) if was_tried(decision) else ()
    return {
        "pod": reference(decision, placed),
        "notes": (*placed.notes, *storage, *device_notes(decision), *aside.notes),
        "event": scheduling_event(decision, placed.events),
        "simulator": simulator_result(decision),
        "autoscaler": autoscaler_events(pod, placed.events, lambda: (info.node for info in cluster.node_infos)),
        "running": _running(decision, placed.running),
        "group": group_standing(decision),
        "held": aside.held,
        "only_node": _only_node(decision),
        "refused": placed.is_refused,
    }


def _only_node(decision: Decision) -> str:
    """The node that a pod is bound to and does not fit on, as its controller made it for that; empty without one."""
    terms = RequiredNodeAffinity.of(decision.pod)
    is_bound = decision.outcome is Outcome.UNSCHEDULABLE and all(each.fields for each in terms.terms or ())
    names = terms.names if is_bound else []
    return names[0] if len(names) == 1 and names[0] in decision.cluster.node_info_by_name else ""


def _binding(decision: Decision) -> tuple[Step, ...]:
    titled = ((plugin, step, step.extension_point.title_case) for plugin, step in decision.binding)
    return tuple(Step(extension_point=point, plugin=plugin, action=step.action) for plugin, step, point in titled)


def _beside(decision: Decision, asked: ExplainOptions, placed: PodToPlace, found: Finding | None = None) -> Beside:
    """What keeps the pod from running beside the verdict, with the diagnosis as it is then."""
    made_of = placed.made_of
    is_suspended = isinstance(made_of, Job) and bool(made_of.spec.suspend)
    is_known = bool(decision.pod.metadata.uid) or decision.outcome is Outcome.NO_PROFILE
    if not (is_known or is_suspended or any(kind.is_of_queues for kind in decision.cluster.listers.kinds)):
        return Beside(diagnosis=found)
    # What no cluster holds yet has nobody who says anything of it.
    from kexplain.explanation.holds import beside  # noqa: PLC0415

    return beside(decision, placed, asked, found)


def _running(decision: Decision, pod: Pod | None) -> Running | None:
    if pod is None:
        return None
    node = pod.spec.node_name or ""
    rejected = decision.statuses.by_node.get(node)
    return Running(
        node=node,
        since=pod.status.start_time or "",
        again=node in (*decision.best, decision.host),
        fits=True if node in decision.feasible else None if rejected is None else False,
        because=", ".join(rejected.reasons) if rejected is not None else "",
        started=pod.is_started,
    )


def reference(decision: Decision, placed: PodToPlace) -> PodReference:
    """The pod, where it was read from, and what it belongs to."""
    workload = _workload(decision.pod, decision.cluster.listers)
    return copied(decision.pod, PodReference, source=placed.source, line=placed.line, workload=workload)


def _workload(pod: Pod, listers: Listers) -> Workload | None:
    made = read_maker(pod, listers)
    owner = (made.metadata.controller if isinstance(made, ReplicaSet | Job) else None) or pod.metadata.controller
    return Workload(kind=owner.kind or "", name=owner.name or "") if owner else None
