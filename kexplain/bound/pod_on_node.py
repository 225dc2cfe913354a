"""What is said of a pod that has a node."""

from kexplain.diagnosis.records import Hold, Kind
from kexplain.objects.core import Pod
from kexplain.shell import command

KUBELET = "the kubelet"


def of_pod(
    pod: Pod, kind: Kind, by: str, text: str, reason: str | None, said: str | None, *, since: str = "", step: str = ""
) -> Hold:
    """What the pod itself, or an event about it, tells of; `step` is what to run, if not to describe the pod."""
    return Hold(
        kind=kind,
        by=by,
        text=text,
        object=f"Pod {pod.key}",
        since=since,
        reason=reason or "",
        message=said or "",
        command=step or command("kubectl describe pod", pod.name, namespace=pod.namespace),
        node=pod.spec.node_name or "",
    )
