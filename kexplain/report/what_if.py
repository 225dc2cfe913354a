"""A cluster before and after changes: who becomes pending, who fits now, who moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from kexplain.case import Case, running_anew
from kexplain.explain.output import Output
from kexplain.explain.records import API_VERSION
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.objects.node_pools import comes_along
from kexplain.report.capacity import StoppedBy
from kexplain.report.difference import PodDifference, Standing, pod_difference, standing
from kexplain.report.records import Report
from kexplain.report.settled import SettledQueue, settled_queue
from kexplain.scheduler.placing import anew
from kexplain.scheduler.settling import settle


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


class WhatIfReport(Output, frozen=True):
    """What the changes do, in the order in which they were made.

    `settled` is what preemption comes to, where the scheduler would evict somebody. `elsewhere` is null unless running
    pods were looked at, too.
    """

    kubernetes_version: str
    changes: tuple[str, ...]
    pods: tuple[ChangedPod, ...]
    settled: SettledQueue | None = None
    elsewhere: tuple[Elsewhere, ...] | None = None
    notes: tuple[str, ...] = ()
    api_version: str = API_VERSION
    kind: str = "WhatIfReport"


class Explained(NamedTuple):
    """A case, and the report on it."""

    case: Case
    report: Report


def what_if(
    before: Explained,
    after: Explained,
    changes: Iterable[object],
    *,
    start_index: int = 0,
    all_running: bool = False,
    top: int = 0,
) -> WhatIfReport:
    """Both cases compared pod by pod; of each pod no more than `top` nodes are kept, 0 keeps all."""
    old, new = ({_key(pod): pod for pod in each.report.pods} for each in (before, after))
    ran, runs = _running(before.case), _running(after.case)
    pods = [
        _changed(key, old.get(key), new.get(key), (ran.get(key, ""), runs.get(key, "")), top)
        for key in dict.fromkeys((*new, *old, *(key for key in ran if key not in runs)))
    ]
    return WhatIfReport(
        kubernetes_version=after.report.kubernetes_version,
        changes=tuple(map(str, changes)),
        pods=tuple(pods),
        settled=_settled(after.case, start_index) if any(pod.preempts for pod in pods) else None,
        elsewhere=tuple(_elsewhere(after.case, start_index)) if all_running else None,
        notes=tuple(dict.fromkeys((*before.report.notes, *after.report.notes))),
    )


def _key(pod: PodExplanation) -> str:
    return f"{pod.pod.namespace}/{pod.pod.name}"


def _running(case: Case) -> Mapping[str, str]:
    """The node of each pod that runs."""
    return {info.pod.key: node_info.name for node_info in case.cluster.node_infos for info in node_info.pods}


def _changed(
    key: str, old: PodExplanation | None, new: PodExplanation | None, runs_on: tuple[str, str], top: int
) -> ChangedPod:
    before, after = _standing(old, runs_on[0]), _standing(new, runs_on[1])
    is_stopped = new is not None and new.outcome != Outcome.SCHEDULED.value
    difference = pod_difference(old, new, top) if old is not None and new is not None else None
    return ChangedPod(
        pod=key,
        effect=_effect(before, after),
        before=before,
        after=after,
        difference=difference if difference and difference.changed else None,
        stopped_by=StoppedBy(message=new.message, causes=new.causes) if new is not None and is_stopped else None,
        preempts=_victims(new) if new is not None else (),
    )


def _standing(pod: PodExplanation | None, node: str) -> Standing | None:
    if pod is not None:
        return standing(pod)
    return Standing(outcome=Outcome.SCHEDULED, node=node, best=(node,), running=True) if node else None


def _effect(before: Standing | None, after: Standing | None) -> Effect:
    if after is None:
        return Effect.GOES
    if not after.node:
        return Effect.BECOMES_PENDING if before is None or before.node else Effect.STAYS_PENDING
    if before is None:
        return Effect.LANDS
    if not before.node:
        return Effect.FITS_NOW
    return Effect.RETURNS if before.node == after.node else Effect.MOVES


def _victims(pod: PodExplanation) -> tuple[str, ...]:
    preemption = pod.preemption
    candidates = preemption.candidates if preemption and preemption.nominated_node else ()
    chosen = (each for each in candidates if preemption and each.node == preemption.nominated_node)
    return tuple(victim.pod for candidate in chosen for victim in candidate.victims)


def _settled(case: Case, start_index: int) -> SettledQueue:
    return settled_queue(settle(case.scheduler, case.cluster, [placed.pod for placed in case.pods], start_index))


def _elsewhere(case: Case, start_index: int) -> Iterator[Elsewhere]:
    homes: Sequence[tuple[str, str]] = list(_running(case).items())
    for (key, node), alone in zip(homes, running_anew(case), strict=True):
        (placed,) = alone.pods
        if comes_along(placed.pod):
            continue
        decision = case.scheduler.schedule(anew(placed.pod), alone.cluster, start_index)
        if decision.best and node not in decision.best:
            yield Elsewhere(pod=key, node=node, best=decision.best)
