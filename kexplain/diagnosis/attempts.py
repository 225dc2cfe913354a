"""Pods that were never tried on any node, and why."""

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.findings.statement import Few, told
from kexplain.diagnosis.records import Finding, Kind, Relation, When, finding, link
from kexplain.explain.gates import gates
from kexplain.explain.scheduling_groups import blocking, group_standing, why_not
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.words import near

_ENDING = "-scheduler"


def of_attempt(decision: Decision) -> Finding | None:
    """Why the pod was not tried on any node; None if it was."""
    match decision.outcome:
        case Outcome.GATED:
            return _gated(decision)
        case Outcome.NO_PROFILE:
            known, meant = Few.of(decision.profile_names), meant_scheduler(decision)
            gated = [gate.name for gate in gates(decision.pod)]
            left = told("other-scheduler", decision.scheduler_name, meant, known, gated)
            return finding(Kind.OTHER_SCHEDULER, left, retry=When.NEVER)
        case Outcome.DELETING:
            return finding(Kind.DELETING, told("deleting"), retry=When.NEVER)
        case Outcome.ERROR:
            return finding(Kind.FAILED, told("attempt-fails", decision.message), retry=When.BY_ITSELF)
        case _:
            return _of_group(decision)


def _gated(decision: Decision) -> Finding:
    by, found = decision.gated_by, gates(decision.pod)
    if found:
        known = next((gate for gate in found if gate.controller and gate.waits_for), None)
        controller, waits_for = (known.controller, known.waits_for) if known else ("", "")
        return finding(Kind.GATED, told("gated", [gate.name for gate in found], controller, waits_for), by)
    standing = group_standing(decision)
    if standing is not None and standing.missing:
        small = told("group-too-small/missing", standing.group, standing.needs or 0, standing.exist)
        return finding(Kind.GROUP_INCOMPLETE, small, by, chain=[link(Relation.WAITS_FOR, "PodGroup", standing.group)])
    return _without_template(decision) or finding(Kind.GATED, told("kept-out", by, decision.message), by)


def _without_template(decision: Decision) -> Finding | None:
    """A claim of the pod is made from what does not exist."""
    pod, listers = decision.pod, decision.cluster.listers
    known = [each.name for each in listers.every(ResourceClaimTemplate) if each.namespace == pod.namespace]
    for each in pod.spec.resource_claims or ():
        name = each.resource_claim_template_name
        if name and name not in known and listers.has(ResourceClaimTemplate):
            key = f"{pod.namespace}/{name}"
            missing = told("claim-template-missing", key, each.name, near(name, known))
            chain = [link(Relation.MADE_BY, ResourceClaimTemplate, key)]
            return finding(Kind.GATED, missing, decision.gated_by, chain=chain)
    return None


def meant_scheduler(decision: Decision) -> list[str]:
    """The schedulers whose names are nearly that which the pod asks for, and which nobody serves.

    That most end alike says nothing.
    """
    served = frozenset[str]().union(*decision.cluster.of_nodes(_schedulers, _schedulers))
    names = (*decision.profile_names, *sorted(served)) if decision.scheduler_name not in served else ()
    known = {each.removesuffix(_ENDING): each for each in names if each}
    return [known[each] for each in near(decision.scheduler_name.removesuffix(_ENDING), known)]


def _schedulers(node_info: NodeInfo) -> frozenset[str]:
    """The names of those who have placed the pods there."""
    return frozenset([each.partly(("spec.schedulerName",)).scheduler_name for each in node_info.pods])


def _of_group(decision: Decision) -> Finding | None:
    """The group cannot run in any of several placements, or the pod fits, and its group cannot run."""
    if decision.group is None:
        return None
    standing, tried = group_standing(decision), decision.group.placements
    if standing and standing.needs and len(tried) > 1 and not any(each.can_run for each in tried):
        most = max(tried, key=lambda each: each.fitting)
        figures = (standing.group, standing.needs, len(tried), most.fitting, most.name)
        said = told("group-in-no-placement", *figures, why=why_not(most.stopped) if most.stopped else "")
        return finding(Kind.GROUP_INCOMPLETE, said, "GangScheduling")
    if not decision.feasible:
        return None
    stopped = [each.pod.key for each in blocking(decision.group)]
    name = standing.group if standing else str(decision.group.name)
    chain = [link(Relation.WAITS_FOR, "Pod", key) for key in stopped[:1]]
    return finding(Kind.GROUP_INCOMPLETE, told("group-stopped", name, Few.of(stopped)), "GangScheduling", chain=chain)
