"""A pod that was not scheduled: what is wrong with it, and what would help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.cluster.newcomers import with_fresh_nodes
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.culprits import Care, FindingT, silent_pod, with_culprit
from kexplain.diagnosis.diagnose import Diagnosed, diagnose
from kexplain.diagnosis.preemptors import preemptors_of, with_preemptors
from kexplain.diagnosis.records import Finding, Kind
from kexplain.diagnosis.scene import Scene
from kexplain.explain.causes import causes
from kexplain.explain.records import Cause, NodeVerdict, RequestSum
from kexplain.explain.replicas import manifest_key
from kexplain.explain.requests import request_sums
from kexplain.explain.scheduling_groups import blocking
from kexplain.explain.verdicts import node_verdicts
from kexplain.explanation.advised import Advised
from kexplain.explanation.growth import with_growth
from kexplain.explanation.records import Advice, ExplainOptions, PodExplanation
from kexplain.framework.trace import Decision, GroupOutcome, Outcome
from kexplain.grouping import grouped
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.node_pools import created
from kexplain.objects.scheduling import PodGroup
from kexplain.remedies.advice import advice
from kexplain.remedies.by_itself import asked_for, coming, greatest_user, waits
from kexplain.remedies.left_alone import left_alone
from kexplain.remedies.more_nodes import smallest
from kexplain.remedies.new_nodes import hindered, new_nodes
from kexplain.remedies.preempted_pods import doing_without, without_placeholders
from kexplain.remedies.records import Action, Helps, Rank, Remedy
from kexplain.remedies.rolling_updates import made_anew
from kexplain.remedies.search import Sought, remedies
from kexplain.remedies.trials import Trials
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import Queue
from kexplain.words import some

#: For so many pods that keep a group from running what would help them is sought.
MEMBERS_ADVISED = 3
#: More nodes for a group than these nobody counts out.
_MOST_ADDED = 10
#: So much is said of what would help a component's own pod.
_BEHIND = 2
#: Of these nobody asks any node.
_LEFT_ALONE = (Outcome.NO_PROFILE, Outcome.GATED, Outcome.DELETING)


class NotScheduled(Struct, frozen=True):
    """A pod that was not scheduled, and what is wrong with it, as the scheduler sees it.

    Where it `is_counted`, no more is wanted of it, as of many others.
    """

    decision: Decision
    options: ExplainOptions
    placed: PodToPlace
    judged: Diagnosed
    is_counted: bool

    @classmethod
    def of(cls, decision: Decision, options: ExplainOptions, placed: PodToPlace) -> NotScheduled:
        """The pod of a decision, diagnosed."""
        judged = _judged(decision, placed, options)
        is_alone = decision.outcome is Outcome.UNSCHEDULABLE and decision.group is None
        advised = options.advised if is_alone else None
        is_counted = advised is not None and advised.suffices(decision.message, judged.diagnosis)
        seeking = replace(options, seeks_help=options.seeks_help and not is_counted)
        return cls(decision, seeking, placed, judged, is_counted)

    def advised(self, explained: PodExplanation, verdicts: Sequence[NodeVerdict]) -> PodExplanation:
        """The explanation with what would help, and why nobody adds the node that would."""
        stopped = _Stopped(explained.causes, verdicts, explained.requests, self.judged)
        advice = _advice(self.decision, self.options, self.placed, stopped)
        return replace(
            explained,
            diagnosis=with_growth(explained.diagnosis, advice.new_nodes, self.decision),
            circles=self.judged.published,
            remedies=self._remedies(explained.remedies, advice),
            last_resorts=advice.last_resorts,
            new_nodes=advice.new_nodes,
            notes=(*explained.notes, *advice.notes),
        )

    def _remedies(self, helps: Helps, advice: Advice) -> Helps:
        """What helps against who holds the pod back, the advice to wait, which is the pod's alone, and the rest."""
        outcome = self.decision.outcome
        if outcome is Outcome.UNSCHEDULABLE and self.options.seeks_help:
            # What is repaired for one pod is repaired for all.
            mended = any(each.action == Action.MEND_NODE for each in advice.remedies)
            waiting = waits(self.decision, self.options.scheduler, self.placed.events)
            helps = (*helps, *(each for each in waiting if each.action != Action.MEND_NODE or not mended))
        # Whoever holds a pod back is who takes its gates off, and sees that its scheduler runs.
        is_held = bool(helps) and outcome in (Outcome.GATED, Outcome.NO_PROFILE)
        return helps if is_held else (*helps, *advice.remedies)


def _judged(decision: Decision, placed: PodToPlace, options: ExplainOptions) -> Diagnosed:
    """The diagnosis to the end of its chain, with who has preempted other pods of its workload."""
    judged = diagnose(decision)
    assert judged is not None  # noqa: S101 - only a pod that fits has none
    if judged.care:
        judged = replace(judged, diagnosis=_with_end(judged.diagnosis, judged.care, decision.cluster, options))
    by = preemptors_of(decision.pod, placed.events, decision.cluster)
    return replace(judged, diagnosis=with_preemptors(judged.diagnosis, by)) if by else judged


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

    @property
    def kept_out(self) -> Sequence[str] | None:
        """The nodes that wait for a component to do its part; None where all do, and nothing else helps for long."""
        if self.diagnosis is None or self.care is None or not self.care.is_all:
            return ()
        nodes = self.care.nodes
        is_part = self.diagnosis.kind is Kind.POOL_PARTLY_OUT_OF_SERVICE or len(nodes) < len(self.diagnosis.nodes)
        return nodes if is_part else None


def _advice(decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped) -> Advice:
    """What is advised; what pods have in common is sought once where the options say so."""
    if decision.outcome in _LEFT_ALONE and options.seeks_help:
        alone = left_alone(decision, _trials(decision, options, placed), placed)
        return Advice((*_mending(stopped, decision, options), *alone))
    if decision.outcome is not Outcome.UNSCHEDULABLE or decision.placement is not None:
        return Advice(tuple(_in_a_placement(decision.group, options.scheduler))) if decision.group else Advice()
    if decision.group is not None and decision.feasible and options.seeks_help:
        return _advice_to_others(decision.group, options)
    if options.advised is not None:
        return _advice_in_common(options.advised, decision, options, placed, stopped)
    return _sought(decision, options, placed, stopped) if options.seeks_help else Advice()


def _advice_in_common(
    advised: Advised, decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped
) -> Advice:
    """The same, which other pods may have been given before."""
    pod, message = decision.pod, decision.message
    reasons = tuple((cause.plugin, cause.text) for cause in stopped.causes)
    # Replicas may have volumes in different zones, of which neither manifest nor message says anything.
    wrong = stopped.diagnosis and stopped.diagnosis.text
    alike = (decision.scheduler_name, message, pod.priority, reasons, tuple(stopped.requests), wrong)
    keys = ((manifest_key(pod), message, wrong), alike)
    known = advised.known(pod, keys)
    if known is None and options.seeks_help:
        known = _sought(decision, options, placed, stopped)
        advised.keep(known, keys, stopped.diagnosis)
    return known or Advice()


def _sought(decision: Decision, options: ExplainOptions, placed: PodToPlace, stopped: _Stopped) -> Advice:
    trials = _trials(decision, options, placed)
    nodes = hindered(new_nodes(decision, options.scheduler, options.sharing), decision.pod, placed.events)
    waits = tuple(coming(nodes, stopped.causes, decision, placed.events)) or tuple(asked_for(decision, placed.events))
    if anew := tuple(made_anew(trials)):
        # Whatever else suits this pod is not for those that its controller makes from now on.
        return Advice((*waits, *anew), nodes, is_of_pod=True)
    care, of_component = stopped.care, _mending(stopped, decision, options)
    if (kept_out := stopped.kept_out) is None:
        return Advice((*waits, *of_component), nodes, maker=maker(decision.pod))
    wanted = Sought(stopped.requests, Scene.of(decision), nodes, options.last_resorts)
    sought = remedies(trials, stopped.causes, stopped.verdicts, wanted)
    # Whatever is done to nodes that wait for a component, or to have more of them, comes to nothing before.
    others = (each for each in sought.remedies if each.action != Action.ADD_NODE and {*each.nodes} - {*kept_out})
    helping = tuple(others) if kept_out else sought.remedies
    beside = tuple(_more(trials, placed, stopped))
    # Where nothing shows who is to clear a taint, the nodes that have it come first.
    first = [] if care is None or care.is_known else [each for each in helping if each.rank <= Rank.MENDS]
    more = sorted((*beside, *_of_data(helping[len(first) :], beside)), key=lambda each: each.rank)
    found = (*waits, *first, *of_component, *more)
    return Advice(found, nodes, sought.last_resorts, sought.notes, maker(decision.pod))


def _more(trials: Trials, placed: PodToPlace, stopped: _Stopped) -> Iterator[Remedy]:
    """What else would help the pod: its claims made anew, and those waiting that have taken its room."""
    decision = trials.decision
    if any(each.persistent_volume_claim for each in decision.pod.spec.volumes or ()):
        from kexplain.remedies.lost_volumes import with_new_claims  # noqa: PLC0415 (few pods that wait have volumes)

        yield from with_new_claims(trials, stopped.diagnosis.facts.get("classes", ()) if stopped.diagnosis else ())
    if by := preemptors_of(decision.pod, placed.events, decision.cluster):
        yield from doing_without(by.pods, trials)
    elif (held := greatest_user(decision)) and isinstance(held.by, Job):
        yield from doing_without(held.pods, trials)
    yield from without_placeholders(trials)


def _of_data(found: Iterable[Remedy], beside: Iterable[Remedy]) -> Iterator[Remedy]:
    """These, but for restoring data where there is none, as claims that were never used can be made anew."""
    has_none = any((each.action, each.rank) == (Action.MAKE_ANEW, Rank.MENDS) for each in beside)
    return (each for each in found if each.tried or not has_none)


def _trials(decision: Decision, options: ExplainOptions, placed: PodToPlace) -> Trials:
    group = [each.pod for each in blocking(decision.group)] if decision.group is not None else []
    others = tuple(each for each in group or options.pending if each.key != decision.pod.key)
    return Trials(decision, options.scheduler, placed, options.sharing, others)


def _mending(stopped: _Stopped, decision: Decision, options: ExplainOptions) -> Helps:
    """What would mend the component that looks after what stops the pod."""
    return _end_of(stopped.care, decision.cluster, options)[1] if stopped.care else ()


def _advice_on(decision: Decision, options: ExplainOptions, placed: PodToPlace, judged: Diagnosed | None) -> Advice:
    """What is advised about a pod that is not the one that was asked about."""
    verdicts = node_verdicts(decision, 0)
    why = _Stopped(causes(verdicts), verdicts, request_sums(decision.pod, decision.cluster), judged)
    return _advice(decision, options, placed, why)


def _with_end(found: FindingT, care: Care, cluster: Cluster, options: ExplainOptions) -> FindingT:
    """The finding with why the pod of the component at fault does not run itself."""
    why, _ = _end_of(care, cluster, options)
    if why is None:
        return found
    return found.with_text(f"{found.clause}: {why.clause}{why.amounts and f' ({why.amounts})'}", end=why.facts)


def to_the_end(found: FindingT, care: Care, cluster: Cluster, options: ExplainOptions) -> tuple[FindingT, Helps]:
    """The finding with its component and why that one's pod does not run, and what would mend it."""
    return _with_end(with_culprit(found, care), care, cluster, options), _end_of(care, cluster, options)[1]


def mending_of(scheduler: Scheduler | None) -> partial[Any]:
    """The same, with nothing else asked for."""
    return partial(to_the_end, options=ExplainOptions(scheduler=scheduler))


def _end_of(care: Care, cluster: Cluster, options: ExplainOptions) -> tuple[Finding | None, Helps]:
    """Why the pod of a component does not run, as far as the component does not say so, and what would help."""
    key = (_end_of, care, cluster.listers, options.looks_behind, options.seeks_help)
    return cluster.fact(key, lambda: _asked_end(care, cluster, options))


def _asked_end(care: Care, cluster: Cluster, options: ExplainOptions) -> tuple[Finding | None, Helps]:
    # Few components are broken.
    from kexplain.remedies.components import mending  # noqa: PLC0415
    from kexplain.remedies.held import on_its_node  # noqa: PLC0415

    found = tuple(mending(care, cluster))
    pod = silent_pod(care, cluster) if options.looks_behind and options.scheduler else None
    behind = replace(options, advised=None, pending=(), looks_behind=options.looks_behind - 1)
    if pod and pod.spec.node_name:
        held, helps = on_its_node(pod, cluster, partial(to_the_end, options=behind))
        return held, (*_for(pod, helps), *found)
    decision = options.scheduler.schedule(pod, cluster) if pod and options.scheduler else None
    if pod is None or decision is None or decision.outcome is not Outcome.UNSCHEDULABLE:
        return None, found
    placed, judged = PodToPlace(pod), _judged(decision, PodToPlace(pod), behind)
    helps = _advice_on(decision, behind, placed, judged).remedies if options.seeks_help else ()
    return judged.diagnosis, (*_for(pod, helps), *found)


def _for(pod: Pod, helps: Iterable[Remedy]) -> Iterator[Remedy]:
    """The first of what helps a component's own pod; that the pod which waits for it fits as well was not tried.

    What nothing but a program has made is not for people to change.
    """
    own = None if pod.metadata.controller else pod.name
    for each in islice((each for each in helps if own not in [one.target.name for one in each.changes]), _BEHIND):
        yield replace(each, text=f"for {pod.name}: {each.text}", tried=False, serves=None, pending=None)


def _in_a_placement(group: GroupOutcome, scheduler: Scheduler | None) -> Iterator[Remedy]:
    """Nodes for the placement that most of the group fit in, as many as it takes where that can be tried."""
    most = max(group.placements, key=lambda each: each.fitting, default=None)
    if most is None or most.can_run:
        return
    cluster, pods = group.members[0].decision.cluster, [each.pod for each in group.members]
    found = cluster.listers.get(PodGroup, group.name.name, group.name.namespace)
    key = found.topology_key if found else ""
    there = [info.node for info in cluster.node_infos if key and info.labels.get(key) == most.name]
    added = _added(max(there, key=created).name, pods, cluster, scheduler) if there and scheduler else ()
    about = len(added) or None, key, most, len(pods)
    yield advice("nodes-for-placement", *about, nodes=tuple(added), tried=bool(added))


def _added(like: str, pods: Sequence[Pod], cluster: Cluster, scheduler: Scheduler) -> Sequence[str]:
    """As many new nodes like one as a group takes, by name; none where many are not enough."""

    def adding(count: int) -> list[str] | None:
        grown, added = with_fresh_nodes(cluster, [like] * count)
        queue = Queue(scheduler, grown, evicts=False, retries=False)
        queue.enter(pods)
        return added if all(attempt.decision.host for attempt in queue.attempts()) else None

    return smallest(adding, _MOST_ADDED) or ()


def _advice_to_others(group: GroupOutcome, options: ExplainOptions) -> Advice:
    """What would help the pods that keep the group of a pod from running which fits itself."""
    stopped = list(blocking(group))
    alike = grouped((manifest_key(each.pod), each) for each in stopped)
    pending = tuple(each.pod for each in stopped)
    options = replace(options, sharing=options.sharing * max(len(alike), 1), pending=pending)
    found = []
    for each, *others in list(alike.values())[:MEMBERS_ADVISED]:
        advice = _advice_on(each.decision, options, PodToPlace(each.pod), None)
        who = some([each.pod.name, *(other.pod.name for other in others)])
        found += [replace(remedy, text=f"for {who}: {remedy.text}") for remedy in advice.remedies]
    return Advice(tuple(found))
