"""Pods that another scheduler is to place, that a controller keeps out of the queue, or that are to go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.diagnosis.attempts import meant_scheduler
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.culprits import at_fault
from kexplain.explain.gates import KUEUE_GATES, gates
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.queues import ClusterQueue, Workload
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.rolling_updates import made_anew
from kexplain.remedies.steps import of_pod
from kexplain.remedies.trials import Trials
from kexplain.words import near

#: What a pod may claim devices by, and the field for it.
_CLAIMED: dict[type[ResourceClaimTemplate | ResourceClaim], str] = {
    ResourceClaimTemplate: "resource_claim_template_name",
    ResourceClaim: "resource_claim_name",
}


def left_alone(decision: Decision, trials: Trials, placed: PodToPlace) -> Iterator[Remedy]:
    """What would help a pod that was tried on no node."""
    if decision.outcome is Outcome.DELETING:
        yield from letting_go(placed.made_of if isinstance(placed.made_of, Pod) else decision.pod)
        return
    seeks = (ungating,) if decision.outcome is Outcome.GATED else (other_scheduler, ungating)
    yield from tuple(made_anew(trials)) or chain.from_iterable(seek(trials) for seek in seeks)


def other_scheduler(trials: Trials) -> Iterator[Remedy]:
    """The scheduler that was probably meant, or else to see whether that one runs; and where this one would go."""
    decision, asked = trials.decision, trials.decision.scheduler_name
    meant = meant_scheduler(decision)[:1]
    if not meant:
        yield advice("other-scheduler", asked)
    for name in meant or decision.profile_names[:1]:
        why = f", as {asked} looks misspelt" if meant else f", if it need not be {asked}"
        text, rank = f"set schedulerName: {name}{why}", Rank.MENDS if meant else Rank.LOOSENS
        tried = trials.attempt([of_pod(pod_edits.of_scheduler(name))])
        if tried is not None and (done := trials.carried_out(tried, ())) is not None:
            several = 1 + len(trials.pending) if trials.pending else None
            remedy = done[0].remedy(Action.CHECK_MANIFEST, text, rank)
            yield replace(remedy, serves=several and done[0].serves, pending=several)
        elif meant:
            yield advice("manifest", text)


def ungating(trials: Trials) -> Iterator[Remedy]:
    """To see why a gate is still there, which only who set it knows; and the templates of claims that are not made."""
    yield from _with_claims(trials)
    every = trials.decision.cluster.listers.every
    has_kueue = any(every(ClusterQueue)) or any(every(Workload))
    for gate in gates(trials.decision.pod):
        if gate.name.startswith(KUEUE_GATES) and not has_kueue:
            yield advice("gate/of-kueue", gate.name)
            continue
        if at_fault(Subject.GATE, gate.name, "", trials.decision.cluster):
            # It is mended first, whatever it waits for then.
            continue
        yield advice("gate", gate.name, gate.controller, commands=(gate.command,) if gate.command else ())


def letting_go(pod: Pod) -> Iterator[Remedy]:
    """Who keeps a pod that is being deleted: one that never had a node goes at once, unless a finalizer holds it."""
    if not pod.spec.node_name:
        yield advice("finalizer/whose", pod.name, pod.namespace)


def _with_claims(trials: Trials) -> Iterator[Remedy]:
    """A claim or template that is there in place of one that is not, or that one made."""
    pod, listers = trials.decision.pod, trials.decision.cluster.listers
    for reference, (kind, field) in product(pod.spec.resource_claims or (), _CLAIMED.items()):
        asked, what = getattr(reference, field), kind.__name__
        known = [each.name for each in listers.every(kind) if each.namespace == pod.namespace]
        if not asked or asked in known or not listers.has(kind):
            continue
        meant = near(asked, known)
        referring = pod_edits.where({"name": reference.name}, {field: "".join(meant)})
        edit = pod_edits.at("spec.resource_claims[]", referring)
        changes, lines = trials.written([of_pod(edit)]) if meant else ((), ())
        about = (what, pod.namespace, asked, reference.name, "".join(meant[:1]))
        yield advice("claim-to-create", *about, changes=changes, commands=lines)
