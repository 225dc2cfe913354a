"""What keeps a pod from running beside the scheduler's verdict, and what the scheduler would say if nothing did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.bound.provisioning import not_bound, not_provisioned, provisioner, said_of_claims
from kexplain.bound.stopped import stopped
from kexplain.case.records import PodToPlace
from kexplain.cluster.departing import departed
from kexplain.diagnosis.behind import provisioner_of
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Finding, Held, Kind, OnceAdmitted, held_by
from kexplain.explanation.not_scheduled import to_the_end
from kexplain.explanation.records import Beside, ExplainOptions
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.events import said_of
from kexplain.queues.groups import group_of, members, needed
from kexplain.queues.held import hold as held
from kexplain.queues.kueue import Workloads
from kexplain.queues.untried import is_untried, not_tried, refused
from kexplain.remedies.held import helped
from kexplain.remedies.records import Helps
from kexplain.scheduler.pod_copies import REPLACED_LATER, anew

if TYPE_CHECKING:
    from kexplain.cluster.cluster import Cluster
    from kexplain.scheduler.cycle import Scheduler

#: Of larger groups it is not tried whether all pods have room at once.
_MOST_TRIED = 100


def beside(decision: Decision, placed: PodToPlace, asked: ExplainOptions, diagnosis: Finding | None) -> Beside:
    """All of it, with the diagnosis as it is then. Of a pod with a node, what its kubelet and others say counts."""
    scheduler = asked.scheduler
    was = placed.made_of if isinstance(placed.made_of, Pod) else decision.pod
    if was.spec.node_name or was.status.phase == "Failed":
        found = stopped(was, said_of(was, placed.events), decision.cluster)
    else:
        found = _before(decision, placed, scheduler)
    if found is None:
        said, helps = _with_claims(diagnosis, decision, placed, asked)
        # Behind a gate, or with another scheduler, the next thing that is wrong waits.
        waits = decision.outcome is Outcome.NO_PROFILE or bool(decision.pod.spec.scheduling_gates)
        then = _once_admitted(decision, scheduler) if waits and decision.cluster.node_infos else None
        return Beside(then=then, diagnosis=said, helps=helps, notes=tuple(_untried(decision, placed)))
    then = _once_admitted(decision, scheduler)
    mend = partial(to_the_end, options=asked)
    found, helps = helped(found, was, decision.cluster, placed.made_of, decision.pod, then, mend)
    # Where nobody can make its volume, it would not be there; and what fails on some nodes is not told for all of them.
    is_open = "apart" in found.facts or (found.culprit and found.kind is Kind.CLAIM_NOT_PROVISIONED)
    then = None if is_open else then
    return Beside(replace(found.hold, helps=tuple(each.text for each in helps)), then, helps, found.published)


def _before(decision: Decision, placed: PodToPlace, scheduler: Scheduler | None) -> Held | None:
    """What queues, the suspension of its Job, or a claim have to do with it; or that nobody tried it."""
    pod, listers = decision.pod, decision.cluster.listers

    def workloads() -> Workloads:
        return Workloads(listers)

    found = held(pod, decision.cluster.fact((Workloads, listers), workloads), placed.made_of, placed.events)
    if found is not None and found.kind is Kind.GROUP_WAITING:
        found = _of_group(found, decision, scheduler)
    if found is None and decision.outcome is Outcome.NO_PROFILE:
        return refused(pod, placed.events)
    # Why a pod does not fit is what to say first.
    if found is not None or decision.outcome is not Outcome.SCHEDULED or not pod.metadata.uid:
        return found
    if is_untried(pod, placed.events):
        return not_tried(pod, decision.cluster, decision.scheduler_name)
    return not_provisioned(pod, placed.events, listers) or not_bound(pod, placed.events)


def _of_group(found: Held, decision: Decision, scheduler: Scheduler | None) -> Held | None:
    """What keeps a group waiting whose pod has room; None where it has none, or enough of them have it at once."""
    group, cluster = group_of(decision.pod, decision.cluster.listers), decision.cluster
    if decision.outcome is Outcome.UNSCHEDULABLE:
        return None
    pods = cluster.fact((members, cluster.listers), lambda: members(cluster)).get(group.key, ()) if group else ()
    if group is None or decision.pod.key not in {pod.key for pod in pods} or not (scheduler and scheduler.profiles):
        # What is said of the group is not about pods that are new.
        return None if decision.host else found
    if len(pods) < (wanted := needed(group)):
        said = told("group-too-small/missing", group.name, wanted, len(pods))
        return held_by(found.hold.by, Kind.GROUP_INCOMPLETE, said, object=found.hold.object, command=found.hold.command)
    asked_for = (_have_room, group.key, cluster.listers)
    have_room = cluster.fact(asked_for, lambda: _have_room(pods[:_MOST_TRIED], cluster, scheduler))
    return None if have_room >= wanted else found


def _have_room(pods: Iterable[Pod], cluster: Cluster, scheduler: Scheduler) -> int:
    """How many of the pods have room at once."""
    found = 0
    for pod in pods:
        if not cluster.placed_pods.named(pod.namespace, pod.name):
            let_in = pod if pod.spec.scheduling_gates else _let_in(pod, scheduler)
            host = scheduler.without_post_filter().schedule(let_in, cluster).host
            if not host:
                continue
            cluster = cluster.assume(pod, host)
        found += 1
    return found


def _untried(decision: Decision, placed: PodToPlace) -> Iterator[str]:
    """That nobody has tried a pod which does not fit either."""
    pod = decision.pod
    is_open = decision.outcome is Outcome.UNSCHEDULABLE and placed.running is None
    if is_open and pod.metadata.uid and is_untried(pod, placed.events):
        unknown = "no scheduler has tried this pod, as far as is known (no condition PodScheduled, no event)"
        yield f"{unknown}: unless it is new, see whether scheduler {decision.scheduler_name} runs"


def _with_claims(
    found: Finding | None, decision: Decision, placed: PodToPlace, asked: ExplainOptions
) -> tuple[Finding | None, Helps]:
    """The diagnosis of a claim with what is said of the claim itself, and who should make its volume and does not."""
    if found is None or found.kind is not Kind.CLAIM_UNBOUND:
        return found, ()
    listers = decision.cluster.listers
    text, said = said_of_claims(decision.pod, placed.events, listers)
    finding = replace(found, text=text or found.text, detail=" ".join(filter(None, (said, found.detail))))
    care = provisioner_of(provisioner(decision.pod, listers), decision.cluster, f"{text} {said}")
    return to_the_end(finding, care, decision.cluster, asked) if care else (finding, ())


def _once_admitted(decision: Decision, scheduler: Scheduler | None) -> OnceAdmitted | None:
    """What the scheduler would decide about a pod that is held back, if it were not, or about the one in its place."""
    pod, owner, why = decision.pod, decision.pod.metadata.controller, ""
    if decision.outcome is Outcome.DELETING and scheduler and owner and owner.kind in REPLACED_LATER:
        decision = scheduler.without_post_filter().schedule(anew(pod), departed(decision.cluster, [pod]))
        found = diagnose(decision) if decision.outcome is Outcome.UNSCHEDULABLE else None
        why = found.diagnosis.text if found else ""
    if decision.outcome in (Outcome.GATED, Outcome.NO_PROFILE):
        if scheduler is None or not scheduler.profiles:
            return None
        decision = scheduler.without_post_filter().schedule(_let_in(decision.pod, scheduler), decision.cluster)
    if decision.outcome not in (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE):
        return None
    nodes = tuple(dict.fromkeys((*([decision.host] if decision.host else []), *decision.best)))
    return OnceAdmitted(message=decision.message, nodes=nodes, fits=len(decision.feasible), why=why)


def _let_in(pod: Pod, scheduler: Scheduler) -> Pod:
    """The pod without gates, for a scheduler that there is."""
    name = pod.scheduler_name
    name = name if name in scheduler.profiles else next(iter(scheduler.profiles))
    return replace(pod, spec=replace(pod.spec, scheduling_gates=None, scheduler_name=name))
