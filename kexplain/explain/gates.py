"""Scheduling gates of well-known controllers: who takes them off, and which object says when.

Source: the documentation and the constants of each of these projects.
"""

from collections.abc import Iterator

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


_KUEUE = "kubectl get workloads.kueue.x-k8s.io -n {namespace}"
_KUEUE_GROUP = "kubectl describe workloads.kueue.x-k8s.io/{group} -n {namespace}"
#: The controller, what it waits for, and the command that shows it: these may refer to `{namespace}`, `{pod}`,
#: `{group}` and `{gate}` of the pod, and to the `{workload}` that Kueue makes for it. What a command refers to must not
#: stand where an option could.
_Owner = tuple[str, str, str]
_OWNERS: dict[str, _Owner] = {
    "kueue.x-k8s.io/admission": ("Kueue", "its Workload {workload} is admitted to a ClusterQueue", _KUEUE),
    "kueue.x-k8s.io/topology": ("Kueue", "its Workload {workload} is given a place in the topology", _KUEUE),
    "kueue.x-k8s.io/elastic-job": (
        "Kueue",
        "its Workload {workload} is admitted with the size that the job has now",
        _KUEUE,
    ),
    "scheduling.volcano.sh/queue-allocation-gate": (
        "Volcano",
        "its queue has room for it",
        "kubectl get queues.scheduling.volcano.sh",
    ),
    "grove.io/podgang-pending-creation": (
        "Grove",
        "its PodGang is complete",
        "kubectl get podgangs.scheduler.grove.io -n {namespace}",
    ),
    "keptn-prechecks-gate": (
        "Keptn",
        "the checks before the deployment of its KeptnWorkloadVersion have passed",
        "kubectl get keptnworkloadversions -n {namespace}",
    ),
    "multiarch.openshift.io/scheduling-gate": (
        "the Multiarch Tuning Operator",
        "it knows the architectures of the pod's images",
        "kubectl get clusterpodplacementconfigs -o yaml",
    ),
    "gke-gcsfuse/bucket-scan-pending": (
        "the Cloud Storage FUSE CSI driver",
        "the buckets of the pod's volumes are scanned",
        "kubectl describe pvc -n {namespace}",
    ),
}
#: Gates whose names go on as users like, by what they begin with.
_BEGINNINGS: dict[str, _Owner] = {
    "k8s.ksgate.org/": (
        "KSGate",
        "the condition in its annotation {gate} holds",
        "kubectl get pod/{pod} -n {namespace} -o yaml",
    ),
    "gke.io/topology-aware-auto": (
        "GKE's topology-aware scheduler",
        "all pods of its job have a place",
        "kubectl get pods -n kube-system",
    ),
}
_OWNERS["volcano.sh/queue-allocation-gate"] = _OWNERS["scheduling.volcano.sh/queue-allocation-gate"]


def gates(pod: Pod) -> tuple[Gate, ...]:
    """The gates of the pod, in their order."""
    return tuple(_gates(pod))


def _gates(pod: Pod) -> Iterator[Gate]:
    group = pod.labels.get(KUEUE_POD_GROUP, "")
    names = {"namespace": pod.namespace, "pod": pod.name, "group": group, "workload": group or f"pod-{pod.name}-…"}
    for each in pod.spec.scheduling_gates or ():
        owner = _OWNERS.get(each.name) or next(
            (owner for beginning, owner in _BEGINNINGS.items() if each.name.startswith(beginning)), None
        )
        if owner is None:
            yield Gate(name=each.name)
            continue
        controller, waits_for, command = owner
        command = filled(_KUEUE_GROUP if group and command == _KUEUE else command, {**names, "gate": each.name})
        said = waits_for.format(**names, gate=each.name)
        yield Gate(name=each.name, controller=controller, waits_for=said, command=command)
