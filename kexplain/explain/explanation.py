"""A decision, explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from kexplain.cluster import Listers, NodeInfo
from kexplain.explain.causes import causes
from kexplain.explain.device_facts import given_devices
from kexplain.explain.device_notes import device_notes
from kexplain.explain.facts import FactFinder
from kexplain.explain.records import (
    Cause,
    Choice,
    ExtenderCall,
    Margin,
    NodeCounts,
    NodeResource,
    NodeState,
    NodeVerdict,
    NotEvaluated,
    PodExplanation,
    PodReference,
    PreemptionCandidate,
    PreemptionNotHelpful,
    PreemptionReport,
    PreemptionStep,
    Rejection,
    Remedy,
    RequestSum,
    Running,
    SamplingReport,
    Score,
    Step,
    Victim,
    Workload,
)
from kexplain.explain.remedies import distance, remedies, waiting
from kexplain.explain.requests import request_sums
from kexplain.explain.scheduling_events import scheduling_event
from kexplain.explain.score_terms import with_terms
from kexplain.explain.storage_notes import storage_notes
from kexplain.explain.wording import detail
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.postfilter import Preemption
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision, NodeScore, Outcome
from kexplain.objects.apps import ReplicaSet
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.requests import PODS
from kexplain.objects.selectors import NO_EXECUTE, RequiredNodeAffinity, tolerates
from kexplain.plugins.default_preemption import NO_VICTIMS
from kexplain.plugins.node_affinity import mismatch

FEASIBLE = "Feasible"
REJECTED = "Rejected"
EXCLUDED = "Excluded"
NOT_EVALUATED = "NotEvaluated"


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """Where the pod was read from, what admission had to assume, and the node of special interest.

    `score_details` is for how many of the best nodes to say how their scores come about; None for all.
    """

    source: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()
    node: str = ""
    score_details: int | None = 0
    #: What schedulers have said about the pod.
    events: tuple[Event, ...] = ()
    #: The pod as it runs, if it does.
    running: Pod | None = None


def explain(decision: Decision, options: ExplainOptions | None = None) -> PodExplanation:
    """The decision with its causes, numbers and remedies; nothing in it is decided anew."""
    options = options or ExplainOptions()
    verdicts = _node_verdicts(decision) if _was_tried(decision) else ()
    verdicts = with_terms(verdicts, decision, options.score_details, options.node)
    found = causes(verdicts, decision.cluster)
    requests = request_sums(decision.pod, decision.cluster)
    sampling = decision.sampling
    return PodExplanation(
        pod=_reference(decision, options),
        scheduler_name=decision.scheduler_name,
        profiles=decision.profile_names if decision.outcome is Outcome.NO_PROFILE else (),
        outcome=decision.outcome.value,
        message=decision.message,
        gated_by=decision.gated_by,
        nodes=_counts(verdicts, len(decision.cluster.node_infos)),
        sampling=SamplingReport(
            start_index=sampling.start_index,
            next_start_index=sampling.next_start_index,
            nodes_to_find=sampling.nodes_to_find,
            evaluated=sampling.evaluated,
        )
        if verdicts
        else None,
        requests=requests,
        causes=found,
        remedies=_remedies(decision, found, verdicts, requests),
        choice=_choice(decision),
        binding=tuple(
            Step(extension_point=step.extension_point.title_case, plugin=plugin, action=step.action)
            for plugin, step in decision.binding
        ),
        weights=dict(decision.weights),
        node_verdicts=verdicts,
        preemption=_preemption(decision),
        node_state=_node_state(decision, options.node),
        not_evaluated=tuple(NotEvaluated(plugin=plugin, what=what) for plugin, what in decision.not_evaluated.items()),
        extender_calls=tuple(
            ExtenderCall(
                extender=call.extender,
                verb=call.verb,
                nodes_sent=call.nodes_sent,
                nodes_kept=call.nodes_kept,
                error=call.error,
                passed_over=call.is_passed_over,
            )
            for call in decision.extender_calls
        ),
        notes=_notes(decision, options),
        event=scheduling_event(decision, options.events),
        running=_running(decision, options.running),
    )


def explain_alike(explanation: PodExplanation, decision: Decision, options: ExplainOptions) -> PodExplanation:
    """The explanation of a decision that differs in its pod's name from the one that has been explained."""
    return replace(
        explanation,
        pod=_reference(decision, options),
        notes=_notes(decision, options),
        event=scheduling_event(decision, options.events),
        running=_running(decision, options.running),
    )


def _running(decision: Decision, pod: Pod | None) -> Running | None:
    if pod is None:
        return None
    node = pod.spec.node_name or ""
    return Running(node=node, since=pod.status.start_time or "", again=node in (*decision.best, decision.host))


def _reference(decision: Decision, options: ExplainOptions) -> PodReference:
    return PodReference(
        namespace=decision.pod.namespace,
        name=decision.pod.name,
        priority=decision.pod.priority,
        source=options.source,
        line=options.line,
        workload=_workload(decision.pod, decision.cluster.listers),
    )


def _workload(pod: Pod, listers: Listers) -> Workload | None:
    owner = pod.metadata.controller
    if owner is not None and owner.kind == "ReplicaSet":
        replica_set = listers.get(ReplicaSet, owner.name or "", pod.namespace)
        owner = (replica_set.metadata.controller if replica_set else None) or owner
    return Workload(kind=owner.kind or "", name=owner.name or "") if owner else None


def _notes(decision: Decision, options: ExplainOptions) -> tuple[str, ...]:
    storage = storage_notes(decision) if _was_tried(decision) else ()
    return (*options.notes, *storage, *device_notes(decision))


def _remedies(
    decision: Decision, found: Sequence[Cause], verdicts: Sequence[NodeVerdict], requests: Sequence[RequestSum]
) -> tuple[Remedy, ...]:
    if decision.outcome is not Outcome.UNSCHEDULABLE:
        return ()
    tried = remedies(decision.pod, found, verdicts, requests, decision.cluster, decision.objections)
    if decision.preemption is None or not decision.nominated_node:
        return tried
    chosen = next(c for c in decision.preemption.candidates if c.node_name == decision.nominated_node)
    return (waiting(decision.nominated_node, (victim.key for victim in chosen.victims)), *tried)


def _was_tried(decision: Decision) -> bool:
    return decision.outcome in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)


# ------------------------------------------------------------------------------------------------------- nodes


def _node_verdicts(decision: Decision) -> tuple[NodeVerdict, ...]:
    """Feasible nodes by rank, then rejected ones from the least objections on, then those not looked at."""
    finder = FactFinder(decision.pod, decision.cluster)
    scores = {score.node_name: score for score in decision.scores}
    totals = sorted((score.total for score in decision.scores), reverse=True)
    rank_by_total = {total: rank for rank, total in reversed(list(enumerate(totals, start=1)))}
    feasible = frozenset(decision.feasible)
    verdicts = []
    for node_info in decision.cluster.node_infos:
        name = node_info.name
        if name in feasible:
            score = scores.get(name)
            rank = rank_by_total[score.total] if score else 1
            verdicts.append(_feasible(decision, node_info, score, rank, finder))
        else:
            verdicts.append(_infeasible(decision, node_info, finder))
    return tuple(sorted(verdicts, key=_order))


def _order(verdict: NodeVerdict) -> tuple[int, int, tuple[bool, int, float]]:
    places = {FEASIBLE: 0, REJECTED: 1, EXCLUDED: 2, NOT_EVALUATED: 3}
    return places[verdict.verdict], verdict.rank or 0, distance(verdict)


def _feasible(
    decision: Decision, node_info: NodeInfo, score: NodeScore | None, rank: int, finder: FactFinder
) -> NodeVerdict:
    return NodeVerdict(
        node=node_info.name,
        verdict=FEASIBLE,
        also=_others(decision.matrix.get(node_info.name, {}), None, node_info, finder),
        rank=rank,
        total=score.total if score else None,
        scores=tuple(
            Score(plugin=name, raw=each.raw, normalized=each.normalized, weighted=each.weighted)
            for name, each in score.by_plugin.items()
        )
        if score
        else (),
        evicted_after_seconds=evicted_after(decision.pod, node_info),
    )


def _infeasible(decision: Decision, node_info: NodeInfo, finder: FactFinder) -> NodeVerdict:
    name = node_info.name
    status = decision.statuses.by_node.get(name)
    verdict = REJECTED
    if status is None and decision.statuses.absent.reasons:
        status = decision.statuses.absent
        verdict = REJECTED if status.plugin else EXCLUDED
    others = _others(decision.matrix.get(name, {}), status, node_info, finder)
    if status is None:
        return NodeVerdict(node=name, verdict=NOT_EVALUATED, also=others)
    if verdict == EXCLUDED:
        status = _named_exclusion(decision, status, node_info)
    stopped_by = _rejection(status, node_info, finder)
    nominated = _counted_nominees(decision, node_info)
    if nominated:
        stopped_by = replace(stopped_by, detail=f"{stopped_by.detail}, with room kept for nominated {nominated}")
    return NodeVerdict(node=name, verdict=verdict, stopped_by=stopped_by, also=others)


def _counted_nominees(decision: Decision, node_info: NodeInfo) -> str:
    """The nominated pods that the verdict on this node reckons with."""
    nominees = decision.cluster.nominated_by_node.get(node_info.name, ())
    return ", ".join(info.pod.key for info in nominees if info.pod.priority >= decision.pod.priority)


def _named_exclusion(decision: Decision, status: Status, node_info: NodeInfo) -> Status:
    """The exclusion with the plugin that did it, and what it found where that can be told."""
    for plugin, answer in decision.pre_filter.items():
        if (
            isinstance(answer, PreFiltered)
            and answer.node_names is not None
            and node_info.name not in answer.node_names
        ):
            required = answer.state
            evidence = mismatch(required, node_info) if isinstance(required, RequiredNodeAffinity) else None
            return Status(status.code, status.reasons, (evidence,) if evidence else (), plugin)
    return status


def _others(
    rejections: Mapping[str, Status], first: Status | None, node_info: NodeInfo, finder: FactFinder
) -> tuple[Rejection, ...]:
    return tuple(
        _rejection(status, node_info, finder)
        for plugin, status in rejections.items()
        if first is None or plugin != first.plugin
    )


def _rejection(status: Status, node_info: NodeInfo, finder: FactFinder) -> Rejection:
    facts = finder.facts(status, node_info)
    return Rejection(
        plugin=status.plugin,
        code=status.code.value,
        reasons=status.reasons,
        detail=detail(facts, status.reasons),
        facts=facts,
    )


def evicted_after(pod: Pod, node_info: NodeInfo) -> int | None:
    """After how many seconds the node would evict the pod again; None if it may stay.

    Of each NoExecute taint the first toleration that matches counts, of those with a limit the shortest.
    Source: `pkg/controller/tainteviction`.
    """
    limits: list[int] = []
    for taint in node_info.node.spec.taints or ():
        if taint.effect == NO_EXECUTE:
            first = next((t for t in pod.spec.tolerations or () if tolerates(t, taint)), None)
            if first is not None and first.toleration_seconds is not None:
                limits.append(max(first.toleration_seconds, 0))
    return min(limits, default=None)


def _node_state(decision: Decision, name: str) -> NodeState | None:
    node_info = decision.cluster.node_info_by_name.get(name)
    if node_info is None:
        return None
    allocatable, requested = node_info.allocatable, node_info.requested
    names = dict.fromkeys((*allocatable.amounts(), *requested.amounts()))
    rows = [(resource, allocatable.amount(resource), requested.amount(resource)) for resource in names]
    rows.append((PODS, allocatable.allowed_pods, len(node_info.pods)))
    return NodeState(
        node=name,
        cordoned=bool(node_info.node.spec.unschedulable),
        taints=tuple(str(taint) for taint in node_info.node.spec.taints or ()),
        labels=dict(node_info.node.labels),
        resources=tuple(
            NodeResource(resource=resource, allocatable=has, requested=used, free=has - used)
            for resource, has, used in rows
        ),
        pods=tuple(pod_info.pod.key for pod_info in node_info.pods),
        nominated=tuple(p.pod.key for p in decision.cluster.nominated_by_node.get(name, ())),
    )


def _counts(verdicts: Sequence[NodeVerdict], total: int) -> NodeCounts:
    by_verdict = {kind: sum(1 for v in verdicts if v.verdict == kind) for kind in (FEASIBLE, REJECTED, EXCLUDED)}
    return NodeCounts(
        total=total,
        feasible=by_verdict[FEASIBLE],
        rejected=by_verdict[REJECTED],
        excluded=by_verdict[EXCLUDED],
        not_evaluated=total - sum(by_verdict.values()),
    )


# ------------------------------------------------------------------------------------------- choice, preemption


def _choice(decision: Decision) -> Choice | None:
    if decision.outcome is not Outcome.SCHEDULED:
        return None
    return replace(_score_choice(decision), devices=given_devices(decision))


def _score_choice(decision: Decision) -> Choice:
    by_name = {score.node_name: score for score in decision.scores}
    chosen = by_name.get(decision.host)
    others = [score for score in decision.scores if score.node_name not in decision.best]
    if chosen is None:
        return Choice(node=decision.host, best=decision.best)
    if not others:
        return Choice(node=decision.host, best=decision.best, total=chosen.total)
    second = max(others, key=lambda score: score.total)
    margins = [
        Margin(plugin=name, weighted=score.weighted - second.by_plugin[name].weighted)
        for name, score in chosen.by_plugin.items()
    ]
    return Choice(
        node=decision.host,
        best=decision.best,
        total=chosen.total,
        runner_up=second.node_name,
        runner_up_total=second.total,
        margins=tuple(sorted((m for m in margins if m.weighted), key=lambda margin: -abs(margin.weighted))),
    )


def _preemption(decision: Decision) -> PreemptionReport | None:
    preemption = decision.preemption
    if preemption is None:
        return None
    decided = [step for step in preemption.ladder if len(step.remaining) == 1]
    spares_budgets = any(candidate.pdb_violations == 0 for candidate in preemption.candidates)
    stops_early = spares_budgets and 0 < preemption.enough < len(preemption.candidates)
    return PreemptionReport(
        eligible=not preemption.ineligible,
        ineligible_because=preemption.ineligible,
        candidates=tuple(
            PreemptionCandidate(
                node=candidate.node_name,
                victims=tuple(Victim(pod=pod.key, priority=pod.priority) for pod in candidate.victims),
                pdb_violations=candidate.pdb_violations,
                violated_budgets=candidate.violated_budgets,
            )
            for candidate in preemption.candidates
        ),
        steps=tuple(PreemptionStep(criterion=step.criterion, remaining=step.remaining) for step in preemption.ladder),
        decided_by=decided[0].criterion if decided else "",
        best=preemption.best,
        nominated_node=decision.nominated_node,
        not_helpful=_not_helpful(preemption, decision),
        enough_candidates=preemption.enough if stops_early else None,
        potential_nodes=preemption.potential if stops_early else None,
    )


def _not_helpful(preemption: Preemption, decision: Decision) -> tuple[PreemptionNotHelpful, ...]:
    """Why eviction does not help, by reason; nodes whose verdict ruled it out from the start come last."""
    nodes_by_reason: dict[str, list[str]] = {}
    ruled_out: list[str] = []
    candidates = {candidate.node_name for candidate in preemption.candidates}
    for node_info in decision.cluster.node_infos:
        status = preemption.rejections.get(node_info.name)
        if status is not None:
            if status == NO_VICTIMS:
                reason = "no pod of lower priority runs there"
            else:
                reason = f"even with all pods of lower priority gone: {status.message}"
            nodes_by_reason.setdefault(reason, []).append(node_info.name)
        elif node_info.name not in candidates:
            ruled_out.append(node_info.name)
    if ruled_out and not preemption.ineligible:
        nodes_by_reason["it is not other pods that keep this one off"] = ruled_out
    return tuple(PreemptionNotHelpful(reason=reason, nodes=tuple(nodes)) for reason, nodes in nodes_by_reason.items())
