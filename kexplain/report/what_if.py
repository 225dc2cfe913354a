"""A cluster before and after changes: who becomes pending, who fits now, who moves."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from kexplain.bound.provisioning import not_provisioned, provisioner
from kexplain.bound.stopped import stopped
from kexplain.case import Case, Decided
from kexplain.cluster import Cluster
from kexplain.cluster.departing import departed
from kexplain.cluster.placed_pods import Maker
from kexplain.diagnosis.behind import provisioner_of
from kexplain.diagnosis.components import maker_of
from kexplain.explain.output import Output, copied
from kexplain.explain.records import Document
from kexplain.explanation import ExplainOptions, explain
from kexplain.explanation.missing_objects import rests_on
from kexplain.framework.trace import Decision, Outcome
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.node_pools import comes_along
from kexplain.queues.work import not_followed
from kexplain.report.capacity import StoppedBy
from kexplain.report.cluster_figures import ComparedFigures
from kexplain.report.decision_difference import decision_difference, standing
from kexplain.report.difference import PodDifference, Standing
from kexplain.report.rollouts import rollout_report
from kexplain.report.settled import SettledQueue, settled_queue
from kexplain.report.workloads import RolloutReport
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import anew
from kexplain.world.members import Resized, ResizeOutcome
from kexplain.world.world import Followed


class Effect(StrEnum):
    """What a change does to a pod."""

    BECOMES_PENDING = "BecomesPending"
    STAYS_PENDING = "StaysPending"
    FITS_NOW = "FitsNow"
    #: New, and it has a place.
    LANDS = "Lands"
    MOVES = "Moves"
    #: It has to be placed again, and lands where it was.
    RETURNS = "Returns"
    GOES = "Goes"
    #: It has a node, and nothing keeps it from starting there any more.
    STARTS = "Starts"


class ChangedPod(Output, frozen=True):
    """A pod before and after, where it is placed on either side or on one only; null where it does not exist.

    Pods that run on both sides are not listed. `difference` is what a comparison of both sides shows of a pod that was
    tried on both, and did not fare the same.
    """

    pod: str
    effect: Effect
    before: Standing | None
    after: Standing | None
    difference: PodDifference | None = None
    stopped_by: StoppedBy | None = None
    #: Whom it would preempt.
    preempts: tuple[str, ...] = ()


class Elsewhere(Output, frozen=True):
    """A running pod that would land on another node if it were placed now, one of `best`."""

    pod: str
    node: str
    best: tuple[str, ...]


class WhatIfReport(Document, frozen=True, kw_only=True):
    """What the changes do, in the order in which they were made.

    `settled` is who left and who came where the scheduler evicts somebody on the way. `rollouts` are the workloads
    that took part. `elsewhere` is null unless running pods were looked at, too.
    """

    kind: str = "WhatIfReport"
    kubernetes_version: str
    changes: tuple[str, ...]
    pods: tuple[ChangedPod, ...]
    rollouts: tuple[RolloutReport, ...] = ()
    #: Pods that were to be resized where they run, and what their kubelets make of that.
    resized: tuple[Resized, ...] = ()
    settled: SettledQueue | None = None
    elsewhere: tuple[Elsewhere, ...] | None = None
    #: Both clusters once their pods are placed, if asked for.
    figures: ComparedFigures | None = None
    #: What is taken for granted, as the input does not say it.
    rests_on: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_worse(self) -> bool:
        """Whether a pod is without a place that had one, or is new, or pods are missing that are wanted."""
        pending = any(pod.effect is Effect.BECOMES_PENDING for pod in self.pods)
        unfinished = any(each.outcome is not ResizeOutcome.DONE for each in self.resized)
        return pending or unfinished or any(each.not_created for each in self.rollouts)


#: The decision on a pod on one side, and how it stands there without one.
_Side: TypeAlias = tuple[Decision | None, Standing | None]


class Before(NamedTuple):
    """A case, what is decided of its pods, and the notes on that."""

    case: Case
    pods: Sequence[Decided]
    notes: Sequence[str] = ()


def what_if(
    before: Before,
    after: Followed,
    changes: Iterable[object],
    *,
    start_index: int = 0,
    all_running: bool = False,
    top: int = 0,
) -> WhatIfReport:
    """Both sides compared pod by pod; of each pod no more than `top` nodes are kept, 0 keeps all."""
    elsewhere = _elsewhere(before.case.scheduler, after.cluster, start_index) if all_running else None
    notes = (*before.notes, *after.notes, *(note for pod in after.pods for note in pod.notes))
    return WhatIfReport(
        kubernetes_version=before.case.scheduler.release,
        changes=tuple(map(str, changes)),
        pods=tuple(_changed_pods(before, after, top)),
        # Of bare pods only those that are not created.
        rollouts=tuple(rollout_report(each) for each in after.rollouts if each.kind != "Pod" or each.not_created),
        resized=after.resized,
        settled=settled_queue(after) if after.settled.evicted else None,
        elsewhere=None if elsewhere is None else tuple(elsewhere),
        rests_on=(
            *rests_on([each.pod for each in after.pods], after.cluster),
            *not_followed(after.changed, before.case.cluster.listers),
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _changed_pods(before: Before, after: Followed, top: int) -> Iterator[ChangedPod]:
    old = {each.key: each.decision for each in before.pods}
    new = after.last_decisions
    former, latter = before.case.cluster, after.cluster
    ran, runs = _running(former, unlike=latter), _running(latter, unlike=former)
    victims = grouped((each.decision.pod.key, pod.key) for each in after.settled.attempts for pod in each.preempted)
    # Whoever is being deleted goes anyway.
    gone = (key for key, (pod, _) in ran.items() if key not in runs and not pod.metadata.deletion_timestamp)
    starting = {pod.key: (pod, pod.spec.node_name or "") for pod in _starting(former, latter)}
    landed = {maker_of(each.decision.pod) for each in after.settled.attempts if each.decision.host}
    provided = dict(_provided(before, landed))
    for key in dict.fromkeys((*new, *old, *gone, *starting)):
        there = starting.get(key)
        then = (None, provided[key]) if key in provided else (old.get(key), _runs(there or ran.get(key), former))
        changed = _changed(key, then, (new.get(key), _runs(there or runs.get(key), latter)), victims, top)
        yield _as_it_ends(changed, new.get(key), after, landed)


def _running(cluster: Cluster, *, unlike: Cluster) -> Mapping[str, tuple[Pod, str]]:
    """Each pod that has a node, and its name, but for nodes that the other cluster shares with this one as they are."""
    shared = set(map(id, unlike.node_infos))
    differing = (node_info for node_info in cluster.node_infos if id(node_info) not in shared)
    return {info.pod.key: (info.pod, node_info.name) for node_info in differing for info in node_info.pods}


def _starting(former: Cluster, latter: Cluster) -> Iterator[Pod]:
    """The pods that have a node on both sides, and are kept from starting there on the first one only."""
    for pod in latter.pods:
        is_old = pod.status.phase == "Pending" and former.placed_pods.named(pod.namespace, pod.name)
        if is_old and stopped(pod, (), former) and not stopped(pod, (), latter):
            yield pod


def _provided(before: Before, landed: Collection[Maker]) -> Iterator[tuple[str, Standing]]:
    """The pods with a node, as they were, which wait for a volume that is made by somebody who got a node only now."""
    cluster = before.case.cluster
    for each in before.pods:
        pod, node = each.decision.pod, each.decision.host
        held = not_provisioned(pod, each.pod.events, cluster.listers) if node and landed else None
        care = provisioner_of(provisioner(pod, cluster.listers), cluster) if held else None
        if held and care and care.component and care.component.made_by in landed:
            yield each.key, Standing(outcome=Outcome.SCHEDULED, node=node, best=(node,), held=held.hold)


def _changed(key: str, then: _Side, now: _Side, victims: Mapping[str, Sequence[str]], top: int) -> ChangedPod:
    (old, ran), (new, runs) = then, now
    before = standing(old) if old is not None else ran
    after = _standing(new, is_compared=old is not None) if new is not None else runs
    difference = decision_difference(old, new, top) if old is not None and new is not None else None
    return ChangedPod(
        pod=key,
        effect=_effect(before, after),
        before=before,
        after=after,
        difference=difference if difference and difference.changed else None,
        stopped_by=_stopped_by(new) if new is not None and new.outcome is not Outcome.SCHEDULED else None,
        preempts=tuple(victims.get(key, ())),
    )


def _as_it_ends(found: ChangedPod, decision: Decision | None, after: Followed, landed: Collection[Maker]) -> ChangedPod:
    """The same, with what is wrong as it is at the end, if what is at fault has got a node since the pod was tried."""
    wrong = found.stopped_by and found.stopped_by.diagnosis
    by = wrong and wrong.culprit
    if not (decision and by and (by.namespace, by.kind, by.name) in landed):
        return found
    last = after.scheduler.without_post_filter().schedule(decision.pod, after.cluster)
    return found if last.host else replace(found, stopped_by=_stopped_by(last))


def _standing(decision: Decision, *, is_compared: bool) -> Standing:
    """How a pod fared; what it scored only where that is compared, or nothing takes it."""
    if is_compared or not decision.host:
        return standing(decision)
    return Standing(outcome=decision.outcome, node=decision.host, best=decision.best, feasible=len(decision.feasible))


def _stopped_by(decision: Decision) -> StoppedBy:
    return copied(explain(decision, ExplainOptions(seeks_help=False)), StoppedBy)


def _runs(found: tuple[Pod, str] | None, cluster: Cluster) -> Standing | None:
    if found is None:
        return None
    pod, node = found
    held = stopped(pod, (), cluster)
    why = held.hold if held else None
    return Standing(outcome=Outcome.SCHEDULED, node=node, best=(node,), running=True, held=why)


def _effect(before: Standing | None, after: Standing | None) -> Effect:
    if after is None:
        return Effect.GOES
    if not after.node:
        return Effect.BECOMES_PENDING if before is None or before.node else Effect.STAYS_PENDING
    if before is None:
        return Effect.LANDS
    if not before.node:
        return Effect.FITS_NOW
    if before.node != after.node:
        return Effect.MOVES
    return Effect.STARTS if before.held and not after.held else Effect.RETURNS


def _elsewhere(scheduler: Scheduler, cluster: Cluster, start_index: int) -> Iterator[Elsewhere]:
    for node_info in cluster.node_infos:
        for pod_info in node_info.pods:
            if comes_along(pod_info.pod):
                continue
            decision = scheduler.schedule(anew(pod_info.pod), departed(cluster, [pod_info.pod]), start_index)
            if decision.best and node_info.name not in decision.best:
                yield Elsewhere(pod=pod_info.pod.key, node=node_info.name, best=decision.best)
