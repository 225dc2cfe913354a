"""Workloads that were named: where their pods are, and why some are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import TYPE_CHECKING

from kexplain.case.case import Case
from kexplain.case.records import ControllerMessage, NotCreated, OwnPods, RolloutFigures
from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Finding, Held, Hold, Kind, finding
from kexplain.explain.output import Output
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Pod
from kexplain.objects.events import said_of
from kexplain.remedies.records import Action, Remedy
from kexplain.report.not_running import NotRunning, row

if TYPE_CHECKING:
    from kexplain.world.members import Rollout


class PlacedPod(Output, frozen=True):
    """A pod that has a node; `started` is whether its kubelet has started it."""

    name: str
    node: str
    started: bool = True


class WorkloadReport(Output, frozen=True):
    """A workload by its own pods that have not finished: `placed` and `pending` ones.

    `wanted` is how many it wants now, null if nothing says so; `missing` of them have not been created.
    """

    kind: str
    namespace: str
    name: str
    wanted: int | None
    missing: int
    placed: tuple[PlacedPod, ...]
    pending: tuple[str, ...]
    messages: tuple[ControllerMessage, ...] = ()
    #: Why pods are missing, or why none are wanted now; null where there is nothing to say.
    diagnosis: Finding | None = None
    #: What would help the missing ones.
    remedies: tuple[Remedy, ...] = ()
    #: Whether the missing ones are new, and an API server would refuse them.
    refused: bool = False
    #: Whether it is their claims that it would refuse.
    claims_refused: bool = False
    #: The new pod that has to be ready before the missing ones are made.
    waits_for: str = ""
    #: The pods that have a node and do not run.
    stopped: tuple[NotRunning, ...] = ()
    #: What its controller says of a rollout that gets no further.
    stalled: str = ""
    #: What a queue says of it, which has not let it start.
    held: Hold | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all pods exist and run, so that only the scheduler could stand in their way."""
        return not (self.missing or self.messages or self.stopped or self.stalled or self.held)


class RolloutReport(RolloutFigures, frozen=True, kw_only=True):
    """How far a workload gets until nothing moves any more.

    `desired` pods are wanted; `placed`, of them `new` of the newest template, have a node; `old` ones are still there,
    placed or not; `pending` ones have no node; `not_created` ones are refused, for the reasons in `refusals`, or wait
    for one before them. `kept_old_by` says what keeps old pods on purpose, `stuck_pod` which pod holds it up.
    """

    refusals: tuple[str, ...] = ()
    stuck_pod: str = ""
    #: How many pods there may be more and fewer while it changes.
    bounds: str = ""


def workload_report(
    own: OwnPods, case: Case | None = None, *, held: Held | None = None, against: tuple[Remedy, ...] = ()
) -> WorkloadReport:
    """The report on the pods of one workload; without its case, nothing is known of those that have a node.

    Where a queue has not let it start, `against` that is what would help.
    """
    cluster = case.cluster if case else None
    diagnosis, remedies = _why(own, case)
    diagnosis, remedies = (held.published, against) if held is not None else (diagnosis, remedies)
    if case and own.missing:
        diagnosis, remedies = _with_keeper(diagnosis, remedies, own, case)
    on_nodes = [pod for pod in own.pods if pod.spec.node_name]
    stopped, why, helps = _stopped(on_nodes, own, cluster) if cluster else ((), None, ())
    return WorkloadReport(
        kind=own.kind,
        namespace=own.namespace,
        name=own.name,
        wanted=own.wanted,
        missing=own.missing,
        placed=tuple(PlacedPod(pod.name, pod.spec.node_name or "", pod.is_started) for pod in on_nodes),
        pending=tuple(pod.name for pod in own.pending),
        messages=own.complaints,
        diagnosis=diagnosis or why,
        remedies=remedies or helps,
        stopped=stopped,
        stalled=_stalled(own),
        held=held.hold if held else None,
    )


def _with_keeper(
    found: Finding | None, helps: tuple[Remedy, ...], own: OwnPods, case: Case
) -> tuple[Finding | None, tuple[Remedy, ...]]:
    """Why pods are missing, with who turns them away, should answer a webhook, or make pods where nobody does."""
    from kexplain.diagnosis.culprits import answerer, manager_at_fault, with_culprit  # noqa: PLC0415 (few lack pods)
    from kexplain.diagnosis.findings.attempts import not_made  # noqa: PLC0415
    from kexplain.remedies.components import mending  # noqa: PLC0415

    cluster = case.cluster
    if found is None and (ended := _ended(own, case)):
        return ended
    if found is None:
        care = manager_at_fault(cluster)
        found = finding(Kind.NOT_MADE, not_made()) if care else None
    else:
        maker = own.namespace, own.kind, own.name
        care = (
            answerer(own.complaints[0].text, cluster, maker) if found.kind is Kind.REFUSED and own.complaints else None
        )
    if found is None or care is None:
        return found, helps
    # Where it is known who does not answer, nobody has to look for that.
    others = (each for each in helps if not (care.component and each.action == Action.CHECK_CONTROLLER))
    return with_culprit(found, care), (*mending(care, cluster), *others)


def _finished(own: OwnPods, case: Case | None) -> int:
    """How many pods of its namespace have finished, and are still there."""
    every = case.builder.contents.objects if case and case.builder else ()
    pods = (each for each in every if isinstance(each, Pod) and each.namespace == own.namespace)
    return sum(pod.is_terminated for pod in pods)


def _ended(own: OwnPods, case: Case) -> tuple[Finding, tuple[Remedy, ...]] | None:
    """That kubelets turn away, or evict, each pod that is made for the workload, and what helps."""
    from kexplain.remedies.held import ended_again  # noqa: PLC0415 (few workloads lack pods)

    makers = {each.metadata.uid for each in own.controllers} - {None}
    every = case.builder.contents.objects if case.builder and makers else ()
    found = ended_again((each for each in every if isinstance(each, Pod)), makers, case.cluster)
    return (found[0].published, found[1]) if found else None


def _stalled(own: OwnPods) -> str:
    """What a Deployment says whose rollout has taken too long."""
    conditions = (
        each for obj in own.controllers if isinstance(obj, Deployment) for each in obj.status.conditions or ()
    )
    return next((each.message or "" for each in conditions if each.reason == "ProgressDeadlineExceeded"), "")


def _stopped(
    pods: Sequence[Pod], own: OwnPods, cluster: Cluster
) -> tuple[tuple[NotRunning, ...], Finding | None, tuple[Remedy, ...]]:
    """Those of the pods that do not run on the node that they have, why the first does not, and what would help it."""
    nodes = cluster.node_info_by_name
    pods = [pod for pod in pods if pod.may_be_stopped or pod.spec.node_name not in nodes]
    if not pods:
        return (), None, ()
    # Pods that have a node run, mostly.
    from kexplain.bound.stopped import stopped  # noqa: PLC0415
    from kexplain.remedies.held import helped  # noqa: PLC0415

    found = [(pod, held) for pod in pods if (held := stopped(pod, said_of(pod, own.events), cluster))]
    if not found:
        return (), None, ()
    pod, held = found[0]
    why, helps = helped(held, pod, cluster, pod)
    return tuple(starmap(row, found)), why.published, helps


def _why(own: OwnPods, case: Case | None) -> tuple[Finding | None, tuple[Remedy, ...]]:
    """Why pods are missing, and what would help; what is created then is followed to where it ends."""
    if not (own.missing or own.complaints or own.held):
        return None, ()
    # Few workloads lack pods.
    from kexplain.diagnosis.never_created import COUNTED_PODS, diagnose_workload  # noqa: PLC0415
    from kexplain.remedies.never_created import creating, followed  # noqa: PLC0415

    finished = _finished(own, case) if any(each.resource == COUNTED_PODS for each in own.excesses) else 0
    remedies = creating(own, finished)
    if case is not None and case.builder is not None and own.missing:
        remedies = followed(remedies, own, case.builder.contents, case.cluster)
    return diagnose_workload(own, finished), tuple(remedies)


def not_created_report(missing: NotCreated) -> WorkloadReport:
    """The report on pods that an API server refuses: what is wrong comes first, and where."""
    obj = missing.made_of
    return WorkloadReport(
        kind=obj.kind,
        namespace=missing.namespace,
        name=obj.name or obj.metadata.generate_name or "",
        wanted=missing.wanted,
        missing=missing.missing,
        placed=(),
        pending=(),
        messages=tuple(ControllerMessage(controller="kube-apiserver", text=str(fault)) for fault in missing.faults),
        refused=True,
        claims_refused=missing.is_of_claims,
    )


def in_turn_reports(rollouts: Iterable[Rollout]) -> tuple[WorkloadReport, ...]:
    """The reports on new workloads that make the rest of their pods only once another pod is ready."""
    return tuple(
        WorkloadReport(
            kind=each.kind,
            namespace=each.namespace,
            name=each.name,
            wanted=each.desired,
            missing=each.not_created,
            placed=(),
            pending=(),
            waits_for=each.waiting[0].name,
        )
        for each in rollouts
        if each.not_created and each.waiting and not each.refusals
    )
