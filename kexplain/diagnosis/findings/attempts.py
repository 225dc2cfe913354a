"""Statements about pods that were never tried on any node, or never created."""

from collections.abc import Sequence

from kexplain.diagnosis.findings.statement import Few, Statement, Words, plain, statement
from kexplain.words import ask, clauses, joined, plural, shortened, verb

#: The most of an API server's words that the first line has; the detail has them all.
_MOST = 200


deleting = plain("deleting", "being deleted")


@statement
def made_once_gone(pods: Few) -> str:
    """`db-1 is being deleted, and made again once it is gone`"""
    is_one = pods.count == 1
    return (
        f"{pods} {verb(pods.count, 'is')} being deleted, and made again once {'it is' if is_one else 'they are'} gone"
    )


attempt_fails = plain("attempt-fails", "the attempt fails: {message}")


@statement
def rejected(message: str) -> str:
    """What the scheduler says, where nobody has another word for it."""
    return message


@statement
def gated(gates: Sequence[str], controller: str, waits_for: str) -> Words:
    """`its scheduling gate kueue.x-k8s.io/admission is still there`, which the controller removes at some time."""
    it = "it" if len(gates) == 1 else "them"
    return Words(_gates_text(gates), detail=f"{controller} removes {it} once {waits_for}." if controller else "")


def _gates_text(gates: Sequence[str]) -> str:
    return f"its scheduling gate{'' if len(gates) == 1 else 's'} {joined(gates)} {verb(len(gates), 'is')} still there"


@statement
def kept_out(plugin: str, message: str) -> str:
    """`GangScheduling keeps it out of the queue`, or what the plugin says."""
    return message or f"{plugin} keeps it out of the queue"


@statement
def claim_template_missing(template: str, claim: str, meant: Sequence[str]) -> str:
    """`there is no ResourceClaimTemplate ml/gpu, which its claim gpus is made from; did you mean gpus?`"""
    text = f"there is no ResourceClaimTemplate {template}, which its claim {claim} is made from"
    return clauses(text, ask(*meant))


group_too_small = plain("group-too-small", "its group {group} needs {needs} pods at once, and only {exist} exist")


@statement
def group_stopped(group: str, pods: Few) -> Words:
    """`it fits, but its group ml/train cannot run: 2 pods of it fit nowhere`"""
    nowhere = f"{plural(pods.count, 'pod')} of it {verb(pods.count, 'fits')} nowhere"
    return Words(f"it fits, but its group {group} cannot run: {nowhere}", detail=f"{pods}." if pods else "")


@statement
def other_scheduler(scheduler: str, meant: Sequence[str], known: Few, gates: Sequence[str]) -> str:
    """`left to the scheduler volcano; this one is default-scheduler`, and gates that keep it from any scheduler."""
    still = _gates_text(gates) if gates else ""
    return clauses(f"left to the scheduler {scheduler}", still, ask(*meant) or f"this one is {known}")


not_made = plain("not-made", "nobody makes them")


earlier_not_ready = plain("earlier-not-ready", "{pod} is not ready, and the next pod is created only then")


unconfirmed = plain("unconfirmed", "its node {node} is {trouble}, and no kubelet there says that it has stopped")


not_stopped = plain("not-stopped", "the kubelet of {node} cannot stop it: {why}")
held_by_finalizer = plain("held-by-finalizer", "it has ended, and finalizer {finalizers} holds it")
still_terminating = plain("still-terminating", "{pod} is still being deleted: {why}")


suspended = plain("suspended", "the {kind} is suspended")


@statement
def paused(kind: str, *, stops_pods: bool) -> str:
    """`the Deployment is paused, so that a changed template makes no new pods`"""
    what = ", and makes no pods until it is resumed" if stops_pods else ", so that a changed template makes no new pods"
    return f"the {kind} is paused{what}"


@statement
def job_failed(reason: str, pod: str, code: int | None) -> str:
    """`the Job has failed (BackoffLimitExceeded); its last pod, etl-x, ended with exit code 2`"""
    last = f"; its last pod, {pod}, ended with exit code {code}" if code is not None else ""
    return f"the Job has failed{f' ({reason})' if reason else ''}{last}"


@statement
def fields_refused(fields: Sequence[Statement], more: int, said: str) -> Words:
    """`requests.cpu must be at most 2, and requests.memory would be refused, too`, and what the API server said."""
    others = {each.about["field"]: None for each in fields[1:]}.keys() - {"", fields[0].about["field"]}
    named = f"{joined(sorted(others))} would be refused, too"
    rest = named if len(others) == more else f"{plural(more, 'more field')} would be refused"
    text = f"{fields[0]}, and {rest}" if more else str(fields[0])
    return Words(text, detail=said or "; ".join(each.about["message"] for each in fields))


@statement
def field_refused(field: str, message: str) -> str:
    """`requests.cpu must be at most 2`; what is missing has the field in its message."""
    return f"{field} {message}" if field else message


@statement
def refused(meaning: str, reason: str, said: str, pods: int) -> Words:
    """`webhook x refuses it: no latest tags`: what the API server said means, or else its words."""
    text = meaning or f"the API server refuses {'it' if pods == 1 else 'them'}: {reason}"
    return Words(shortened(text, _MOST), detail=said)


@statement
def quota_used_up(resources: Sequence[Statement]) -> Words:
    """`quota team is used up`, with each resource of it."""
    names = list(dict.fromkeys(each.about["quota"] for each in resources))
    text = f"quota {names[0]} is used up" if len(names) == 1 else f"quotas {joined(names)} are used up"
    return Words(text, detail=f"{'; '.join(map(str, resources))}.")


@statement
def quota_use(quota: str, resource: str, used: str, allowed: str, asked: str, by: str = "") -> str:  # noqa: ARG001
    """`requests.cpu: 2.9 of 3 used (2 of it by Deployment web), and the next pod asks for 500m`"""
    return f"{resource}: {used} of {allowed} used{f' ({by})' if by else ''}, and the next pod asks for {asked}"
