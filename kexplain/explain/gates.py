"""Scheduling gates of well-known controllers: who takes them off, and which object says when.

Source: the documentation and the constants of each of these projects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from kexplain.explain.output import Output
from kexplain.objects.core import Pod
from kexplain.shell import filled

KUEUE_POD_GROUP = "kueue.x-k8s.io/pod-group-name"


class Gate(Output, frozen=True):
    """A gate of the pod. `controller` removes it once `waitsFor` is so, which `command` shows; empty if unknown."""

    name: str
    controller: str = ""
    waits_for: str = ""
    command: str = ""


class _Owner(Struct, frozen=True):
    """A controller; `waits_for` and `command` may refer to `{namespace}`, `{pod}`, `{group}` and `{gate}` of the pod.

    What `command` refers to must not stand where an option could.
    """

    controller: str
    waits_for: str
    command: str


def _of_kueue(waits_for: str) -> Callable[[Pod], _Owner]:
    """What waits for the Workload of the pod, or of the group that it belongs to."""

    def owner(pod: Pod) -> _Owner:
        if KUEUE_POD_GROUP in pod.labels:
            command = "kubectl describe workloads.kueue.x-k8s.io/{group} -n {namespace}"
            return _Owner("Kueue", waits_for.format("{group}"), command)
        command = "kubectl get workloads.kueue.x-k8s.io -n {namespace}"
        return _Owner("Kueue", waits_for.format("pod-{pod}-…"), command)

    return owner


def _of(controller: str, waits_for: str, command: str) -> Callable[[Pod], _Owner]:
    return lambda _: _Owner(controller, waits_for, command)


_OWNERS: dict[str, Callable[[Pod], _Owner]] = {
    "kueue.x-k8s.io/admission": _of_kueue("its Workload {} is admitted to a ClusterQueue"),
    "kueue.x-k8s.io/topology": _of_kueue("its Workload {} is given a place in the topology"),
    "kueue.x-k8s.io/elastic-job": _of_kueue("its Workload {} is admitted with the size that the job has now"),
    "scheduling.volcano.sh/queue-allocation-gate": _of(
        "Volcano", "its queue has room for it", "kubectl get queues.scheduling.volcano.sh"
    ),
    "grove.io/podgang-pending-creation": _of(
        "Grove", "its PodGang is complete", "kubectl get podgangs.scheduler.grove.io -n {namespace}"
    ),
    "keptn-prechecks-gate": _of(
        "Keptn",
        "the checks before the deployment of its KeptnWorkloadVersion have passed",
        "kubectl get keptnworkloadversions -n {namespace}",
    ),
    "multiarch.openshift.io/scheduling-gate": _of(
        "the Multiarch Tuning Operator",
        "it knows the architectures of the pod's images",
        "kubectl get clusterpodplacementconfigs -o yaml",
    ),
    "gke-gcsfuse/bucket-scan-pending": _of(
        "the Cloud Storage FUSE CSI driver",
        "the buckets of the pod's volumes are scanned",
        "kubectl describe pvc -n {namespace}",
    ),
}
#: Gates whose names go on as users like, by what they begin with.
_BEGINNINGS: dict[str, Callable[[Pod], _Owner]] = {
    "k8s.ksgate.org/": _of(
        "KSGate", "the condition in its annotation {gate} holds", "kubectl get pod/{pod} -n {namespace} -o yaml"
    ),
    "gke.io/topology-aware-auto": _of(
        "GKE's topology-aware scheduler", "all pods of its job have a place", "kubectl get pods -n kube-system"
    ),
}
_OWNERS["volcano.sh/queue-allocation-gate"] = _OWNERS["scheduling.volcano.sh/queue-allocation-gate"]


def gates(pod: Pod) -> tuple[Gate, ...]:
    """The gates of the pod, in their order."""
    return tuple(_gates(pod))


def _gates(pod: Pod) -> Iterator[Gate]:
    for each in pod.spec.scheduling_gates or ():
        owner_of = _OWNERS.get(each.name) or next(
            (owner for beginning, owner in _BEGINNINGS.items() if each.name.startswith(beginning)), None
        )
        if owner_of is None:
            yield Gate(name=each.name)
            continue
        owner = owner_of(pod)
        group = pod.labels.get(KUEUE_POD_GROUP, "")
        names = {"namespace": pod.namespace, "pod": pod.name, "group": group, "gate": each.name}
        waits_for, command = owner.waits_for.format(**names), filled(owner.command, names)
        yield Gate(name=each.name, controller=owner.controller, waits_for=waits_for, command=command)
