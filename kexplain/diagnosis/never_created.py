"""Workloads whose pods no scheduler has ever seen: never created, suspended, or made one after the other."""

from kexplain.admission.refusals import Missing
from kexplain.case.own_pods import waits_for_leaving
from kexplain.case.records import OwnPods
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.records import Finding, Kind, Relation, When, finding, link
from kexplain.messages.message import parse_message
from kexplain.messages.part import Part
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem, last_field
from kexplain.patterns import regex
from kexplain.words import joined

#: What of all constraints an account may not use is no news.
_UNUSABLE = regex(r'(, )?provider "?[\w-]+"?: Forbidden: not usable by user or serviceaccount')
_REFUSES = regex(r" is forbidden: | denied the request|failed calling webhook ")
#: The quota that counts pods until they are deleted.
COUNTED_PODS = "count/pods"


def diagnose_workload(own: OwnPods, finished: int = 0) -> Finding | None:
    """Why pods of the workload do not exist; None if they do, and where nothing says why.

    So many pods of its namespace have `finished` and count against quotas all the same.
    """
    if own.missing and own.excesses:
        return _over_quota(own, finished)
    if own.missing and own.stuck and not own.complaints:
        return _stuck(own)
    if own.missing and own.waits_for:
        chain = [link(Relation.WAITS_FOR, "Pod", f"{own.namespace}/{own.waits_for}")]
        return finding(Kind.WAITS_FOR_EARLIER, told("earlier-not-ready", own.waits_for), "StatefulSet", chain=chain)
    if own.complaints or (own.missing and own.problems):
        return _refused(own)
    if 0 < own.missing <= len(own.leaving) and waits_for_leaving(own):
        chain = [link(Relation.WAITS_FOR, Pod, own.leaving[0].key)]
        again = told("made-once-gone", Few.of(pod.name for pod in own.leaving))
        return finding(Kind.DELETING, again, own.kind, retry=When.BY_ITSELF, chain=chain)
    return _suspended(own, own.held) if own.held is not None else None


def _suspended(own: OwnPods, held: KubernetesObject) -> Finding:
    """Its controller makes no pods at the moment, or of its changed template none."""
    paused = told("paused", held.kind, stops_pods=own.is_paused)
    why = paused if held.kind == "Deployment" else told("suspended", held.kind)
    return finding(Kind.SUSPENDED, why, retry=When.NEVER, chain=[link(Relation.MADE_BY, type(held), held.key)])


def _stuck(own: OwnPods) -> Finding:
    """A pod of the same name or claim has to be gone before the next one is made."""
    pod = own.stuck[0]
    node = pod.spec.node_name or ""
    if own.stuck_as:
        why = told("unconfirmed", node, own.stuck_as)
    elif own.stuck_said:
        why = told("not-stopped", node=node, why=own.stuck_said)
    else:
        why = told("held-by-finalizer", finalizers=joined(pod.metadata.finalizers or ()))
    chain = [link(Relation.WAITS_FOR, Pod, pod.key), link(Relation.RUNS_ON, Node, node)]
    return finding(Kind.STUCK_TERMINATING, told("still-terminating", pod.name, why), nodes=[node], chain=chain)


def _refused(own: OwnPods) -> Finding:
    """What is wrong with the pods, or else what the API server says of them."""
    message = own.complaints[0].text if own.complaints else ""
    if own.problems:
        more = len({each.path for each in own.problems[1:]} - {own.problems[0].path})
        return finding(Kind.REFUSED, told("fields-refused", [*map(_field, own.problems)], more, message))
    part = refusal(message)
    return finding(Kind.REFUSED, told("refused", part.meaning, part.words, message, own.missing))


def refusal(message: str) -> Part:
    """Why an API server lets a pod not be created, of what a controller says about that."""
    said = message.partition("is forbidden: ")[2] or message
    told_apart = _UNUSABLE.sub("", said).replace("[, ", "[")
    return parse_message(said if told_apart.endswith("[]") else told_apart).parts[0]


def is_refusal(message: str) -> bool:
    """Whether an API server has not let something in, as a controller says, and it is known what that means."""
    return bool(_REFUSES.search(message)) and refusal(message).is_known


def _field(problem: Problem) -> Statement:
    """The problem with the name of its field, which what is not there has in its message."""
    return told("field-refused", "" if isinstance(problem, Missing) else last_field(problem), problem.message)


def _over_quota(own: OwnPods, finished: int) -> Finding:
    resources = []
    for each in own.excesses:
        used, allowed, asked = map(each.amount, (each.used, each.allowed, each.asked))
        (other, share), (then, rest) = each.others, each.then
        by = f"{each.amount(share)} of it by {other}" if share else ""
        by += f" and {each.amount(rest)} by {then}" if rest else ""
        if finished and each.resource == COUNTED_PODS:
            by = f"{finished} of them by pods that have finished"
        resources.append(told("quota-use", each.quota, each.resource, used, allowed, asked, by))
    chain = [link(Relation.LIMITED_BY, "ResourceQuota", f"{own.namespace}/{own.excesses[0].quota}")]
    raised = [told("raised-above-template", own.raised_by, own.name)] if own.raised_by else []
    said = told("quota-used-up", resources, more=map(str, raised))
    return finding(Kind.QUOTA_USED_UP, said, "ResourceQuota", chain=chain)
