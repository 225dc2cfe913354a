"""Where people change what makes a pod: not in what is generated, which would be made again as it was."""

from __future__ import annotations

from msgspec import Struct

from kexplain.diagnosis.components import maker_of
from kexplain.objects.core import Pod
from kexplain.tables import records


class _Generated(Struct, frozen=True):
    """Pods of something generated: the label that names what they are made for, and where that is changed."""

    label: str
    what: str
    namespace: str = ""


def edited_at(pod: Pod) -> str:
    """What to change for other pods to be made, in words; empty for a pod that nothing makes."""
    for each in records(__file__, "generated", _Generated):
        if name := pod.labels.get(each.label):
            return each.what.format(name=name, namespace=pod.labels.get(each.namespace) or pod.namespace)
    namespace, kind, name = maker_of(pod)
    return f"{kind} {namespace}/{name}" if kind != "Pod" else ""
