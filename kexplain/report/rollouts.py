"""How far workloads get."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.workloads.members import Rollout


class RolloutReport(Output, frozen=True):
    """How far a workload gets until nothing moves any more.

    `desired` pods are wanted; `placed`, of them `new` of the newest template, have a node; `old` ones are still there,
    placed or not; `pending` ones have no node; `not_created` ones are refused, for the reasons in `refusals`, or wait
    for one before them. `kept_old_by` says what keeps old pods on purpose, `stuck_pod` which pod holds it up.
    """

    kind: str
    namespace: str
    name: str
    complete: bool
    desired: int
    placed: int
    new: int
    old: int
    pending: int
    not_created: int
    kept_old_by: str = ""
    refusals: tuple[str, ...] = ()
    stuck_pod: str = ""
    #: How many pods there may be more and fewer while it changes.
    bounds: str = ""


def rollout_report(rollout: Rollout) -> RolloutReport:
    """The same, published."""
    return RolloutReport(
        kind=rollout.kind,
        namespace=rollout.namespace,
        name=rollout.name,
        complete=rollout.complete,
        desired=rollout.desired,
        placed=rollout.placed,
        new=rollout.new,
        old=rollout.old,
        pending=rollout.pending,
        not_created=rollout.not_created,
        kept_old_by=rollout.kept_old_by,
        refusals=tuple(map(str, rollout.refusals)),
        stuck_pod=rollout.waiting[0].key if rollout.waiting else "",
        bounds=rollout.bounds,
    )
