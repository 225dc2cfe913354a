"""A decision, explained."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.cluster import Listers
from kexplain.cluster.siblings import maker
from kexplain.diagnosis.records import Finding
from kexplain.explain.causes import causes, was_tried
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.gates import gates
from kexplain.explain.preemption import preemption_report
from kexplain.explain.records import Cause, NodeVerdict, RequestSum
from kexplain.explain.requests import request_sums
from kexplain.explain.retry import retry_of
from kexplain.explain.scheduling_groups import blocking, group_standing
from kexplain.explain.verdicts import chosen_verdict, node_counts, node_verdicts
from kexplain.explanation.autoscaler_events import autoscaler_events
from kexplain.explanation.choices import choice
from kexplain.explanation.missing_objects import device_notes, storage_notes
from kexplain.explanation.pre_filters import pre_filter_answers
from kexplain.explanation.records import (
    Advice,
    Beside,
    NodeState,
    NotEvaluated,
    PodExplanation,
    PodReference,
    Running,
    Step,
    Workload,
)
from kexplain.explanation.scheduling_events import scheduling_event
from kexplain.explanation.simulator_results import simulator_result
from kexplain.framework.trace import Decision, GroupOutcome, Outcome
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.remedies.records import Action, NewNode, Rank, Remedy
from kexplain.scheduler.cycle import Scheduler

if TYPE_CHECKING:
    from kexplain.diagnosis.culprits import Care
    from kexplain.diagnosis.diagnose import Diagnosed
    from kexplain.explanation.advised import Advised
    from kexplain.remedies.trials import Trials

#: For so many pods that keep a group from running what would help them is sought.
MEMBERS_ADVISED = 3


class ExplainOptions(Struct, frozen=True):
    """What is wanted of explanations.

    `node` is the one of special interest, and `score_details` for how many of the best nodes to say how their scores
    come about; None for all.
    """

    node: str = ""
    score_details: int | None = 0
    #: For how many of the best nodes, and how many of the others, the report shows all there is; None for all.
    shown: int | None = None
    #: Of a pod that fits, only where it lands is shown.
    is_brief: bool = False
    #: What plugins said in PreFilter is shown.
    with_pre_filters: bool = False
    #: Who decides: without, nothing is tried.
    scheduler: Scheduler | None = None
    #: Among how many pods the time for trials is shared.
    sharing: int = 1
    #: Whether anything that would help is sought, which costs most of all.
    seeks_help: bool = True
    #: What is advised so far, to be advised to others that the same stops; None seeks it for each.
    advised: Advised | None = None
    #: The pods of the same workload that wait: it is tried how many of the others what helps serves.
    pending: Collection[Pod] = ()
    #: Whether last resorts are sought where something else helps.
    last_resorts: bool = False
    #: Whether to say how the search over the nodes went, and whether node by node.
    with_walk: bool = False
    with_walked_nodes: bool = False


def explain(
    decision: Decision, asked: ExplainOptions | None = None, placed: PodToPlace | None = None
) -> PodExplanation:
    """The decision with causes, numbers and remedies, which are tried; `placed` is its pod as it was read."""
    asked, placed = asked or ExplainOptions(), placed or PodToPlace(decision.pod)
    judged = diagnosed(decision)
    diagnosis = judged.diagnosis if judged else None
    is_counted = _is_counted(decision, asked, diagnosis)
    verdicts = NodeVerdicts.of(()) if is_counted else _verdicts(decision, asked)
    found, requests = causes(verdicts), request_sums(decision.pod, decision.cluster)
    seeking = replace(asked, seeks_help=asked.seeks_help and not is_counted)
    advice = _advice(decision, seeking, placed, _Stopped(found, verdicts, requests, judged))
    aside = _beside(decision, asked, placed, diagnosis)
    return PodExplanation(
        scheduler_name=decision.scheduler_name,
        profiles=decision.profile_names if decision.outcome is Outcome.NO_PROFILE else (),
        outcome=decision.outcome,
        message=decision.message,
        gated_by=decision.gated_by,
        gates=gates(decision.pod),
        nodes=node_counts(decision),
        sampling=decision.sampling if verdicts else None,
        requests=requests,
        causes=found,
        diagnosis=_with_growth(decision, aside.diagnosis, advice.new_nodes),
        circles=judged.published if judged else None,
        remedies=_remedies(decision, asked, advice, aside.helps),
        last_resorts=advice.last_resorts,
        choice=choice(decision),
        binding=_binding(decision),
        weights=dict(decision.weights),
        node_verdicts=_begun_with(judged.candidates if judged else (), verdicts, asked.shown),
        preemption=preemption_report(decision),
        node_state=_node_state(decision, asked.node),
        not_evaluated=tuple(NotEvaluated(plugin=plugin, what=what) for plugin, what in decision.not_evaluated.items()),
        extender_calls=decision.extender_calls,
        retry=retry_of(decision),
        pre_filters=pre_filter_answers(decision) if asked.with_pre_filters else (),
        new_nodes=advice.new_nodes,
        once_admitted=aside.then,
        **_of_its_own(decision, placed, aside, advice.notes),
    )


def _with_growth(decision: Decision, found: Finding | None, nodes: Sequence[NewNode]) -> Finding | None:
    if not nodes:
        return found
    from kexplain.explanation.growth import with_growth  # noqa: PLC0415 (pods that fit need no new nodes)

    return with_growth(found, nodes, decision)


def _is_counted(decision: Decision, options: ExplainOptions, found: Finding | None) -> bool:
    """Whether no more is wanted of a pod that does not fit than what is wrong with it, as of many others."""
    if options.advised is None or decision.outcome is not Outcome.UNSCHEDULABLE or decision.group is not None:
        return False
    return options.advised.suffices(decision.message, found)


def diagnosed(decision: Decision) -> Diagnosed | None:
    """What is wrong with a pod that was not scheduled; None where nobody can say."""
    if decision.outcome is Outcome.SCHEDULED:
        return None
    from kexplain.diagnosis.diagnose import diagnose  # noqa: PLC0415 (a pod that fits needs none of it)

    return diagnose(decision)


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
    if decision.statuses is not other.statuses:
        return False
    from kexplain.explain.replicas import manifest_key  # noqa: PLC0415 (most runs explain one pod)

    return manifest_key(decision.pod) == manifest_key(other.pod)


def explain_alike(
    explanation: PodExplanation, decision: Decision, asked: ExplainOptions, placed: PodToPlace
) -> PodExplanation:
    """The explanation of a decision that differs in its pod's name from the one that has been explained."""
    return replace(explanation, **_of_its_own(decision, placed, _beside(decision, asked, placed)))


def _of_its_own(decision: Decision, placed: PodToPlace, aside: Beside, advised: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of an explanation in which replicas differ; `advised` are notes on what would help."""
    pod, cluster = decision.pod, decision.cluster
    storage = storage_notes([pod], cluster) if was_tried(decision) else ()
    return {
        "pod": reference(decision, placed),
        "notes": (*placed.notes, *storage, *device_notes(decision), *aside.notes, *advised),
        "event": scheduling_event(decision, placed.events),
        "simulator": simulator_result(decision),
        "autoscaler": autoscaler_events(pod, placed.events),
        "running": _running(decision, placed.running),
        "group": group_standing(decision),
        "held": aside.held,
    }


def _binding(decision: Decision) -> tuple[Step, ...]:
    return tuple(
        Step(extension_point=step.extension_point.title_case, plugin=plugin, action=step.action)
        for plugin, step in decision.binding
    )


def _beside(decision: Decision, asked: ExplainOptions, placed: PodToPlace, found: Finding | None = None) -> Beside:
    """What keeps the pod from running beside the verdict, with the diagnosis as it is then."""
    made_of = placed.made_of
    is_suspended = isinstance(made_of, Job) and bool(made_of.spec.suspend)
    is_known = bool(decision.pod.metadata.uid) or decision.outcome is Outcome.NO_PROFILE
    if not (is_known or is_suspended or any(kind.is_of_queues for kind in decision.cluster.listers.kinds)):
        return Beside(diagnosis=found)
    # What no cluster holds yet has nobody who says anything of it.
    from kexplain.explanation.holds import beside  # noqa: PLC0415

    return beside(decision, placed, asked.scheduler, found)


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
    return PodReference(
        namespace=decision.pod.namespace,
        name=decision.pod.name,
        priority=decision.pod.priority,
        source=placed.source,
        line=placed.line,
        workload=_workload(decision.pod, decision.cluster.listers),
    )


def _workload(pod: Pod, listers: Listers) -> Workload | None:
    owner = pod.metadata.controller
    if owner is not None and owner.kind == "ReplicaSet":
        replica_set = listers.get(ReplicaSet, owner.name or "", pod.namespace)
        owner = (replica_set.metadata.controller if replica_set else None) or owner
    return Workload(kind=owner.kind or "", name=owner.name or "") if owner else None


def _remedies(
    decision: Decision, options: ExplainOptions, advice: Advice, helps: tuple[Remedy, ...]
) -> tuple[Remedy, ...]:
    """What helps against who holds the pod back, the advice to wait, which is that of the pod alone, and the rest."""
    if decision.outcome is Outcome.UNSCHEDULABLE and options.seeks_help:
        from kexplain.remedies.by_itself import waits  # noqa: PLC0415 (a pod that fits needs none of it)

        mended = any(each.action == Action.MEND_NODE for each in advice.remedies)
        # What is repaired for one pod is repaired for all.
        waiting = [each for each in waits(decision, options.scheduler) if each.action != Action.MEND_NODE or not mended]
        helps = (*helps, *waiting)
    # Whoever holds a pod back is who takes its gates off, and sees that its scheduler runs.
    is_held = bool(helps) and decision.outcome in (Outcome.GATED, Outcome.NO_PROFILE)
    return helps if is_held else (*helps, *advice.remedies)


class _Stopped(Struct, frozen=True):
    """What stops a pod."""

    causes: Sequence[Cause]
    verdicts: Sequence[NodeVerdict]
    requests: Sequence[RequestSum]
    judged: Diagnosed | None = None

    @property
    def diagnosis(self) -> Finding | None:
        return self.judged.diagnosis if self.judged else None

    @property
    def care(self) -> Care | None:
        return self.judged.care if self.judged else None


#: Of these nobody asks any node.
_LEFT_ALONE = (Outcome.NO_PROFILE, Outcome.GATED, Outcome.DELETING)


def _advice(decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped) -> Advice:
    """What is advised; what pods have in common is sought once where the options say so."""
    if decision.outcome in _LEFT_ALONE and options.seeks_help:
        from kexplain.remedies.left_alone import left_alone  # noqa: PLC0415 (few pods are)

        return Advice((*_mending(stopped, decision), *left_alone(decision, _trials(decision, options, placed), placed)))
    if decision.outcome is not Outcome.UNSCHEDULABLE or decision.placement is not None:
        # What helps a pod in one placement bears on which placement its group gets: that is not tried.
        return Advice()
    if decision.group is not None and decision.feasible and options.seeks_help:
        return _advice_to_others(decision.group, options)
    if options.advised is not None:
        return _advice_in_common(options.advised, decision, options, placed, stopped)
    return _sought(decision, options, placed, stopped) if options.seeks_help else Advice()


def _advice_in_common(
    advised: Advised, decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped
) -> Advice:
    """The same, which other pods may have been given before."""
    from kexplain.explain.replicas import manifest_key  # noqa: PLC0415 (most runs explain one pod)

    pod, message = decision.pod, decision.message
    reasons = tuple((cause.plugin, cause.text) for cause in stopped.causes)
    # Replicas may have volumes in different zones, of which neither manifest nor message says anything.
    wrong = stopped.diagnosis and stopped.diagnosis.text
    keys = (
        (manifest_key(pod), message, wrong),
        (decision.scheduler_name, message, pod.priority, reasons, tuple(stopped.requests), wrong),
    )
    known = advised.known(pod, keys)
    if known is None and options.seeks_help:
        known = _sought(decision, options, placed, stopped)
        advised.keep(known, keys, stopped.diagnosis)
    return known or Advice()


def _sought(decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped) -> Advice:
    from kexplain.diagnosis.scene import Scene  # noqa: PLC0415 (a pod that fits needs none of it)
    from kexplain.remedies.by_itself import coming  # noqa: PLC0415
    from kexplain.remedies.new_nodes import hindered, new_nodes  # noqa: PLC0415
    from kexplain.remedies.rolling_updates import made_anew  # noqa: PLC0415
    from kexplain.remedies.search import Sought, remedies  # noqa: PLC0415

    trials = _trials(decision, options, placed)
    nodes = hindered(new_nodes(decision, options.scheduler, options.sharing), decision.pod, placed.events)
    waits = tuple(coming(nodes, stopped.causes, decision))
    if anew := tuple(made_anew(trials)):
        # Whatever else suits this pod is not for those that its controller makes from now on.
        return Advice((*waits, *anew), nodes, is_of_pod=True)
    care, of_component = stopped.care, _mending(stopped, decision)
    if care is not None and care.is_all:
        return Advice((*waits, *of_component), nodes, maker=maker(decision.pod))
    wanted = Sought(stopped.requests, Scene.of(decision), nodes, options.last_resorts)
    sought = remedies(trials, stopped.causes, stopped.verdicts, wanted)
    # Where nothing shows who is to clear a taint, the nodes that have it come first.
    first = [] if care is None or care.is_known else [each for each in sought.remedies if each.rank <= Rank.MENDS]
    found = (*waits, *first, *of_component, *sought.remedies[len(first) :])
    return Advice(found, nodes, sought.last_resorts, sought.notes, maker(decision.pod))


def _trials(decision: Decision, options: ExplainOptions, placed: PodToPlace) -> Trials:
    from kexplain.remedies.trials import Trials  # noqa: PLC0415 (a pod that fits needs none of it)

    others = tuple(each for each in options.pending if each.key != decision.pod.key)
    return Trials(decision, options.scheduler, placed, options.sharing, others)


def _mending(stopped: _Stopped, decision: Decision) -> tuple[Remedy, ...]:
    """What would mend the component that looks after what stops the pod."""
    care = stopped.care
    if care is None:
        return ()
    from kexplain.remedies.components import mending  # noqa: PLC0415 (few pods wait for a component of the cluster)

    return tuple(mending(care, decision.cluster))


def _advice_to_others(group: GroupOutcome, options: ExplainOptions) -> Advice:
    """What would help the pods that keep the group of a pod from running which fits itself."""
    stopped = list(blocking(group))
    options = replace(options, sharing=options.sharing * max(len(stopped), 1))
    found = []
    for each in stopped[:MEMBERS_ADVISED]:
        verdicts = node_verdicts(each.decision, 0)
        why = _Stopped(causes(verdicts), verdicts, request_sums(each.pod, each.decision.cluster))
        advice = _advice(each.decision, options, PodToPlace(each.pod), why)
        found += [replace(remedy, text=f"for {each.pod.name}: {remedy.text}") for remedy in advice.remedies]
    return Advice(tuple(found))


def _node_state(decision: Decision, name: str) -> NodeState | None:
    if not name:
        return None
    from kexplain.explanation.node_states import node_state  # noqa: PLC0415 (few ask for one node)

    return node_state(decision, name)
