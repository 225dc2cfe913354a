"""Statements about the components that look after what keeps a pod from running."""

from kexplain.diagnosis.findings.statement import Statement, Words, plain, statement
from kexplain.explain.wording import amount
from kexplain.objects.requests import PODS
from kexplain.words import clauses, joined, plural, verb

component = plain("component", "{kind} {namespace}/{name}, which {does},")


@statement
def fails(who: Statement, reason: str, node: str, says: str) -> str:
    """`…, crash-loops on g1 (no credentials)`"""
    how = "crash-loops" if reason == "CrashLoopBackOff" else f"does not start ({reason})"
    return f"{who} {how}{f' on {node}' if node else ''}{f' ({says})' if says else ''}"


@statement
def is_pending(who: Statement, pod: str, taint: str) -> str:
    """`…, is pending itself: its pod cilium-x does not tolerate the taint that it would clear`"""
    why = f"does not tolerate {taint}" if taint else "has no node"
    return f"{who} is pending itself: its pod {pod} {why}"


is_own = plain("is-own", "this pod itself would clear {taint}, and does not tolerate it")


is_not_ready = plain("is-not-ready", "{who} is not ready (pod {pod} on {node})")


@statement
def is_not_there(who: Statement, node: str, lacks: tuple[str, ...], taint: str) -> str:
    """`…, has no pod on g1, as it selects gpu=true`"""
    why = f"selects {joined(lacks)}" if lacks else f"does not tolerate {taint}" if taint else ""
    return f"{who} has no pod on {node}{f', as it {why}' if why else ''}"


@statement
def has_no_pods(who: Statement, *, is_scaled_down: bool) -> str:
    """`…, is scaled to 0`"""
    return f"{who} {'is scaled to 0' if is_scaled_down else 'has no pods'}"


keeps_itself_out = plain("keeps-itself-out", "{who} has no pods: its own are kept out, too")


@statement
def runs(who: Statement, pod: str, node: str) -> str:
    """`…, seems to run (pod nvdp-x on g1)`"""
    return f"{who} seems to run (pod {pod}{f' on {node}' if node else ''})"


is_unregistered = plain("is-unregistered", "{who} runs, and is not registered with the kubelet of {node}")
is_undone = plain("is-undone", "{who} is ready there: the taint was put on again later")


@statement
def is_absent(role: str, does: str, *, is_sure: bool) -> str:
    """`the EBS CSI driver, which makes its volume, is probably not installed`"""
    # What may run outside of the cluster is only known not to run within.
    return f"{role}, which {does}, {'has no pod in the cluster' if is_sure else 'is probably not installed'}"


@statement
def because(what: str, why: Statement, *, is_cause: bool) -> str:
    """What is wrong, and who is at fault."""
    return f"{what}, as {why}" if is_cause else clauses(what, str(why))


@statement
def scaled_up(workload: str, pods: int, autoscaler: str, resource: str, taken: int, total: int) -> Words:
    """`; 42 pods of deployment mail/mailer, which HorizontalPodAutoscaler mailer scales up, take most of it there`"""
    who = f"{plural(pods, 'pod')} of {workload or 'its own'}, which HorizontalPodAutoscaler {autoscaler} scales up,"
    what = "pod slots" if resource == PODS else resource
    took = f"they take {amount(resource, taken)} of {amount(resource, total)} {what} taken there, and more of them wait"
    return Words(f"; {who} {verb(pods, 'takes')} most of it there", took)
