"""The report on a workload: where its pods are, why some are missing or do not run, and what would help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap

from msgspec.structs import replace

from kexplain.bound.stopped import stopped
from kexplain.case.case import Case
from kexplain.case.own_pods import has_ended, key_of, owner_of, waits_for_leaving
from kexplain.case.records import OwnPods
from kexplain.cluster import Cluster
from kexplain.diagnosis.answering import answerer
from kexplain.diagnosis.culprits import manager_at_fault
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.never_created import COUNTED_PODS, diagnose_workload, refusal
from kexplain.diagnosis.records import Finding, Held, Kind, Relation, finding, link
from kexplain.explanation.not_scheduled import mending_of, to_the_end
from kexplain.explanation.records import ExplainOptions
from kexplain.objects.apps import DaemonSet, Deployment, is_on_delete
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Pod
from kexplain.objects.core.containers import ContainerStateTerminated
from kexplain.objects.events import said_of
from kexplain.objects.meta import scaled
from kexplain.objects.node_service import Trouble, lost
from kexplain.remedies.advice import advice
from kexplain.remedies.components import letting_in
from kexplain.remedies.controller_fields import made_from
from kexplain.remedies.held import ended_again, helped
from kexplain.remedies.never_created import creating, followed
from kexplain.remedies.records import Action, Helps, Remedy
from kexplain.report.not_running import NotRunning, row
from kexplain.report.workloads import PlacedPod, WorkloadReport
from kexplain.words import plural, some, verb

_LATE = "ProgressDeadlineExceeded"
#: What is wrong with the node of a pod, not with its template.
_OF_NODES = (Kind.KUBELET_SILENT, Kind.STUCK_TERMINATING)


def workload_report(
    own: OwnPods, case: Case | None = None, *, held: Held | None = None, against: Helps = ()
) -> WorkloadReport:
    """The report on the pods of one workload; without its case, nothing is known of those that have a node.

    Where a queue has not let it start, `against` that is what would help.
    """
    own, later = _without_later(own)
    diagnosis, remedies = _why(own, case)
    diagnosis, remedies = (held.published, against) if held is not None else (diagnosis, remedies)
    if case and own.missing:
        diagnosis, remedies = _with_keeper(diagnosis, remedies, own, case)
    on_nodes = [pod for pod in own.pods if pod.spec.node_name]
    stopped, why, helps = _stopped(on_nodes, own, case) if case else ((), None, ())
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
        stalled=later or _stalled(own),
        held=held.hold if held else None,
        leaving=min(len(own.leaving), own.missing) if waits_for_leaving(own) else 0,
    )


def _without_later(own: OwnPods) -> tuple[OwnPods, str]:
    """The workload without pods that a webhook keeps back while others wait for nodes, and what is said of those."""
    said = own.complaints[0].text if own.missing and own.pending and own.complaints else ""
    if " denied the request" not in said or own.excesses or own.problems:
        return own, ""
    later = f"{plural(own.missing, 'more pod')} {verb(own.missing, 'is')} not created yet: {refusal(said).meaning}"
    return replace(own, missing=0, wanted=len(own.pods), complaints=()), later


def _why(own: OwnPods, case: Case | None) -> tuple[Finding | None, Helps]:
    """Why pods are missing, and what would help; what is created then is followed to where it ends."""
    if not (own.missing or own.complaints or own.held):
        return _failed(own, case) or (None, ())
    finished = _finished(own, case) if any(each.resource == COUNTED_PODS for each in own.excesses) else 0
    builder = case.builder if case else None
    remedies: Iterable[Remedy] = creating(own, finished, builder.contents.objects if builder else ())
    if case is not None and builder is not None and own.missing:
        # What gets all pods created and placed comes before what does not.
        ended = followed(remedies, own, builder.contents, case.cluster)
        remedies = sorted(ended, key=lambda each: (each.pending or 0) > (each.serves or 0))
    return diagnose_workload(own, finished), tuple(remedies)


def _failed(own: OwnPods, case: Case | None) -> tuple[Finding, Helps] | None:
    """That a Job has given up, or is about to, how its last pod ended, and where to read why."""
    jobs = [each for each in own.controllers if isinstance(each, Job)]
    job = next((each for each in jobs if each.status.condition("Failed") or each.keeps_failing), None)
    if job is None:
        return None
    last = max(_failed_pods(job, case), key=lambda pod: pod.metadata.creation_timestamp or "", default=None)
    end, given_up = _end(last) if last else None, job.status.condition("Failed")
    code, why = (end.exit_code, end.reason if end.reason != "Error" else "") if end else (None, "")
    name, again = last.name if last else "", 0 if given_up else job.status.failed
    said = told("job-failed", given_up.reason if given_up else "", name, code, why, again or "")
    helps = advice("failed-job", name, job.namespace, why, bool(given_up), has_command=last is not None)
    return finding(Kind.JOB_FAILED, said, "Job", chain=[link(Relation.MADE_BY, Job, job.key)]), (helps,)


def _end(pod: Pod) -> ContainerStateTerminated | None:
    """How the first of its containers ended that failed; None where none has, as far as is known."""
    statuses = (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ()))
    ended = (each.state.terminated for each in statuses if each.state and each.state.terminated)
    return next((each for each in ended if each.exit_code), None)


def _pods_read(case: Case | None) -> Iterator[Pod]:
    """All pods of the input, also those that have ended."""
    every = case.builder.contents.objects if case and case.builder else ()
    return (each for each in every if isinstance(each, Pod))


def _failed_pods(job: Job, case: Case | None) -> Iterator[Pod]:
    failed, key = (each for each in _pods_read(case) if each.status.phase == "Failed"), key_of(job, job.namespace)
    return (pod for pod in failed if owner_of(pod, pod.namespace) == key)


def _with_keeper(found: Finding | None, helps: Helps, own: OwnPods, case: Case) -> tuple[Finding | None, Helps]:
    """Why pods are missing, with who turns them away, should answer a webhook, or make pods where nobody does."""
    cluster = case.cluster
    if found is None and (ended := _ended(own, case)):
        return ended
    message = _refusal(found, own)
    if found is None:
        care = manager_at_fault(cluster)
        found = finding(Kind.NOT_MADE, told("not-made")) if care else None
    else:
        care = answerer(message, cluster, (own.namespace, own.kind, own.name)) if message else None
    last: Helps = () if care and care.is_own else tuple(letting_in(message, own.namespace, cluster))
    if last and case.builder:
        last = tuple(followed(last, own, case.builder.contents, cluster))
    if found is None or care is None:
        # An emergency exit comes last, and what is left of something that is gone may go first.
        return found, (*last[:-1], *helps, *last[-1:])
    # Where it is known who does not answer, nobody has to look for that.
    others = (each for each in helps if not (care.component and each.action == Action.CHECK_CONTROLLER))
    found, first = to_the_end(found, care, cluster, ExplainOptions(scheduler=case.scheduler))
    return found, (*first, *others, *last)


def _refusal(found: Finding | None, own: OwnPods) -> str:
    """What is said of pods that are refused."""
    return own.complaints[0].text if found and found.kind is Kind.REFUSED and own.complaints else ""


def _finished(own: OwnPods, case: Case | None) -> int:
    """How many pods of its namespace have finished, and are still there."""
    return sum(pod.is_terminated for pod in _pods_read(case) if pod.namespace == own.namespace)


def _ended(own: OwnPods, case: Case) -> tuple[Finding, Helps] | None:
    """That kubelets turn away, or evict, each pod that is made for the workload, and what helps."""
    makers = {each.metadata.uid for each in own.controllers} - {None}
    found = ended_again(_pods_read(case) if makers else (), makers, case.cluster)
    return (found[0].published, found[1]) if found else _failed(own, case)


def _stopped(pods: Sequence[Pod], own: OwnPods, case: Case) -> tuple[tuple[NotRunning, ...], Finding | None, Helps]:
    """Those of the pods that do not run on the node that they have, why the first does not, and what would help it."""
    cluster, nodes = case.cluster, case.cluster.node_info_by_name
    pods = [pod for pod in pods if pod.may_be_stopped or pod.spec.node_name not in nodes]
    if not pods:
        return (), None, ()
    found = [(pod, held) for pod in pods if (held := stopped(pod, said_of(pod, own.events), cluster))]
    if not found:
        return (), None, ()
    pod, held = found[0]
    why, helps = helped(held, pod, cluster, pod, mend=mending_of(case.scheduler))
    helps = (*_going_on(own, [pod for pod, _ in found], cluster), *helps, *_starting_anew(own, why))
    return tuple(starmap(row, found)), why.published, helps


def _waited_for(own: OwnPods) -> Job | None:
    """The run of a CronJob that allows one at a time, where its pod does not get to run."""
    makers = own.controllers
    allows_one = any(isinstance(each, CronJob) and each.spec.concurrency_policy == "Forbid" for each in makers)
    if not allows_one or not any(not pod.is_started or pod.may_be_stopped for pod in (*own.pods, *own.stuck)):
        return None
    return next((each for each in makers if isinstance(each, Job) and not has_ended(each)), None)


def _starting_anew(own: OwnPods, found: Finding) -> Iterator[Remedy]:
    """To end the run that others wait for: its template stays as it was made of, whatever becomes of the CronJob."""
    if job := _waited_for(own):
        yield advice("delete-run", own, job.name, job.namespace, found.kind not in _OF_NODES)


def _held_up(own: OwnPods) -> tuple[DaemonSet, int] | None:
    """The DaemonSet whose update goes no further, as so many pods as may be are unavailable; and how many may be.

    Source: daemon set controller `rollingUpdate`.
    """
    for each in own.controllers:
        if isinstance(each, DaemonSet) and not is_on_delete(each):
            rolling, status = each.spec.update_strategy and each.spec.update_strategy.rolling_update, each.status
            desired = status.desired_number_scheduled or 0
            bound = rolling.max_unavailable if rolling and rolling.max_unavailable is not None else 1
            most, updated = scaled(bound, desired, up=True) or 0, status.updated_number_scheduled
            if updated is not None and updated < desired and 0 < most <= (status.number_unavailable or 0):
                return each, most
    return None


def _standing_still(own: OwnPods) -> str:
    """What keeps the update of a DaemonSet from going on, where no pod waits for a node."""
    if not own.pending and (held := _held_up(own)):
        status = held[0].status
        count = status.number_unavailable or 0
        old = (status.desired_number_scheduled or 0) - (status.updated_number_scheduled or 0)
        stands = f"maxUnavailable is {held[1]}, and {plural(count, 'pod')} {verb(count, 'is')} unavailable already"
        return f"the rollout has stopped: {stands}; {old} pods still have an earlier template"
    return ""


def _going_on(own: OwnPods, pods: Sequence[Pod], cluster: Cluster) -> Iterator[Remedy]:
    """What ends the standstill of a DaemonSet's update at these pods: to pass over lost nodes, or to undo it."""
    known, held = cluster.node_info_by_name, _held_up(own)
    if held is None:
        return
    daemons, most, status = *held, held[0].status
    infos = [known[name] for pod in pods if (name := pod.spec.node_name or "") in known]
    # A kubelet that says itself that its node is not ready has a machine; it may be waiting for just this pod.
    if gone := [info.name for info in infos if lost(info.node) == Trouble.UNREACHABLE.value]:
        more = (status.number_unavailable or 0) + 1
        yield advice("max-unavailable", daemons.name, daemons.namespace, more, most, some(gone))
    elif status.updated_number_scheduled == status.number_unavailable and _are_newest(pods, own):
        yield advice("undo-rollout", daemons.name, daemons.namespace)


def _are_newest(pods: Sequence[Pod], own: OwnPods) -> bool:
    """Whether all others were made from another template than these."""
    return {*map(made_from, pods)}.isdisjoint(made_from(each) for each in own.pods if each not in pods)


def _stalled(own: OwnPods) -> str:
    """For which run others wait; what a Deployment says whose rollout takes too long, or a Job that has given up."""
    if job := _waited_for(own):
        since = f" of {job.metadata.creation_timestamp}" if job.metadata.creation_timestamp else ""
        return f"no other run starts before Job {job.name}{since} has ended (concurrencyPolicy: Forbid)"
    for each in own.controllers:
        if isinstance(each, Job) and (failed := each.status.condition("Failed")):
            return failed.message or ""
        conditions = each.status.conditions if isinstance(each, Deployment) else ()
        late = (one for one in conditions or () if one.reason == _LATE)
        if found := next(iter(late), None):
            return found.message or ""
    return _standing_still(own)
