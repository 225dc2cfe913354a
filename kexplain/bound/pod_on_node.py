"""What is said of a pod that has a node."""

import textwrap

from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Pod
from kexplain.patterns import regex
from kexplain.shell import command

KUBELET = "the kubelet"
#: So much of what a driver says stands in a sentence.
SHORT = 120
_TO_THE_POINT = regex(r"(?i)denied|exception|not authorized")


def short_reason(text: str) -> str:
    """What a driver says itself, which stands behind what those say that called it; else the beginning of the text.

    What is long is told from where it gets to the point: causes come last.
    """
    own = text.rpartition("desc = ")[2].rpartition("Output: ")[2].partition("] from [http")[0].partition("dmesg(1)")[0]
    own = own.replace("\\n", " ").strip()
    while len(own) > SHORT and " " in own.partition(": ")[2] and not _TO_THE_POINT.search(own.partition(": ")[0]):
        own = own.partition(": ")[2]
    while len(own) > SHORT and (last := own.partition(". ")[2]):
        own = last
    return textwrap.shorten(own, SHORT, placeholder=" …")


def of_pod(
    pod: Pod,
    kind: Kind,
    by: str,
    said: Statement,
    reason: str | None,
    message: str | None,
    *,
    since: str = "",
    step: str = "",
) -> Held:
    """What the pod itself, or an event about it, tells of; `step` is what to run, if not to describe the pod."""
    return held_by(
        by,
        kind,
        said,
        object=f"Pod {pod.key}",
        since=since,
        reason=reason or "",
        message=message or "",
        command=step or command("kubectl describe pod", pod.name, namespace=pod.namespace),
        node=pod.spec.node_name or "",
    )
