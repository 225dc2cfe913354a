"""Scheduling gates of well-known controllers: who takes them off, and which object says when.

The table beside this module has them.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from kexplain.explain.output import Output
from kexplain.objects.core import Pod
from kexplain.shell import filled
from kexplain.tables import records

KUEUE_GATES = "kueue.x-k8s.io/"
KUEUE_POD_GROUP = "kueue.x-k8s.io/pod-group-name"


class Gate(Output, frozen=True):
    """A gate of the pod. `controller` removes it once `waitsFor` is so, which `command` shows; empty if unknown."""

    name: str
    controller: str = ""
    waits_for: str = ""
    command: str = ""


_KUEUE = "kubectl get workloads.kueue.x-k8s.io -n {namespace}"
_KUEUE_GROUP = "kubectl describe workloads.kueue.x-k8s.io/{group} -n {namespace}"


class _Owner(Struct, frozen=True):
    """Who takes off a gate of that name, or of one that begins so, and once what is so."""

    controller: str
    waits_for: str
    command: str
    name: str = ""
    begins: str = ""


def gates(pod: Pod) -> tuple[Gate, ...]:
    """The gates of the pod, in their order."""
    return tuple(_gates(pod))


def _gates(pod: Pod) -> Iterator[Gate]:
    group = pod.labels.get(KUEUE_POD_GROUP, "")
    names = {"namespace": pod.namespace, "pod": pod.name, "group": group, "workload": group or f"pod-{pod.name}-…"}
    for each in pod.spec.scheduling_gates or ():
        of_name = (one for one in records(__file__, "gates", _Owner) if one.name == each.name)
        of_beginning = (
            one for one in records(__file__, "gates", _Owner) if one.begins and each.name.startswith(one.begins)
        )
        owner = next(chain(of_name, of_beginning), None)
        if owner is None:
            yield Gate(name=each.name)
            continue
        line = _KUEUE_GROUP if group and owner.command == _KUEUE else owner.command
        command = filled(line, {**names, "gate": each.name})
        said = owner.waits_for.format(**names, gate=each.name)
        yield Gate(name=each.name, controller=owner.controller, waits_for=said, command=command)
