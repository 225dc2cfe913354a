"""Pods that were never tried on any node, and why."""

from kexplain.diagnosis.records import Diagnosis, Kind, When
from kexplain.explain.gates import gates
from kexplain.explain.scheduling_groups import blocking, group_standing
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.words import ask, clauses, joined, near, plural, some, verb

_ENDING = "-scheduler"


def of_attempt(decision: Decision) -> Diagnosis | None:
    """Why the pod was not tried on any node; None if it was."""
    match decision.outcome:
        case Outcome.GATED:
            return _gated(decision)
        case Outcome.NO_PROFILE:
            return _left(decision)
        case Outcome.DELETING:
            return Diagnosis(kind=Kind.DELETING, text="being deleted", retry=When.NEVER)
        case Outcome.ERROR:
            return Diagnosis(kind=Kind.FAILED, text=f"the attempt fails: {decision.message}", retry=When.BY_ITSELF)
        case _:
            return _of_group(decision)


def _gated(decision: Decision) -> Diagnosis:
    found = gates(decision.pod)
    if not found:
        text = _without_template(decision) or decision.message or f"{decision.gated_by} keeps it out of the queue"
        standing = group_standing(decision)
        if standing is not None and standing.missing:
            text = f"its group {standing.group} needs {standing.needs} pods at once, and only {standing.exist} exist"
            return Diagnosis(kind=Kind.GROUP_INCOMPLETE, text=text, plugin=decision.gated_by)
        return Diagnosis(kind=Kind.GATED, text=text, plugin=decision.gated_by)
    names = joined([gate.name for gate in found])
    known = next((gate for gate in found if gate.controller and gate.waits_for), None)
    who = f"{known.controller} removes {'it' if len(found) == 1 else 'them'} once {known.waits_for}" if known else ""
    text = f"its scheduling gate{'' if len(found) == 1 else 's'} {names} {verb(len(found), 'is')} still there"
    return Diagnosis(kind=Kind.GATED, text=text, detail=f"{who}." if who else "", plugin=decision.gated_by)


def _without_template(decision: Decision) -> str:
    """That what a claim of the pod is made from does not exist."""
    pod, listers = decision.pod, decision.cluster.listers
    known = [each.name for each in listers.every(ResourceClaimTemplate) if each.namespace == pod.namespace]
    for each in pod.spec.resource_claims or ():
        name = each.resource_claim_template_name
        if name and name not in known and listers.has(ResourceClaimTemplate):
            text = f"there is no ResourceClaimTemplate {pod.namespace}/{name}, which its claim {each.name} is made from"
            return clauses(text, ask(*near(name, known)))
    return ""


def _left(decision: Decision) -> Diagnosis:
    name, known = decision.scheduler_name, decision.profile_names
    text = clauses(f"left to the scheduler {name}", ask(*meant_scheduler(decision)) or f"this one is {some(known)}")
    return Diagnosis(kind=Kind.OTHER_SCHEDULER, text=text, retry=When.NEVER)


def meant_scheduler(decision: Decision) -> list[str]:
    """The profiles whose names are nearly that which the pod asks for; that most end alike says nothing."""
    known = {each.removesuffix(_ENDING): each for each in decision.profile_names}
    return [known[each] for each in near(decision.scheduler_name.removesuffix(_ENDING), known)]


def _of_group(decision: Decision) -> Diagnosis | None:
    """The pod fits, and its group cannot run."""
    if decision.group is None or not decision.feasible:
        return None
    standing = group_standing(decision)
    stopped = [each.pod.key for each in blocking(decision.group)]
    name = standing.group if standing else str(decision.group.name)
    nowhere = f"{plural(len(stopped), 'pod')} of it {verb(len(stopped), 'fits')} nowhere"
    return Diagnosis(
        kind=Kind.GROUP_INCOMPLETE,
        text=f"it fits, but its group {name} cannot run: {nowhere}",
        detail=f"{some(stopped)}." if stopped else "",
        plugin="GangScheduling",
    )
