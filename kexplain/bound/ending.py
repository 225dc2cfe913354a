"""Pods that are over: turned away by their kubelet, evicted, or preempted for another pod.

Source: kubelet `lifecycle/predicate.go` and `handlers.go`, `nodeshutdown`, `eviction/helpers.go`, `cm/admission`,
`cm/topologymanager`; scheduler `preemption/executor.go`; reasons of condition DisruptionTarget in `core/v1/types.go`.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.bound.pod_on_node import KUBELET, of_pod
from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.attempts import unconfirmed
from kexplain.diagnosis.records import Hold, Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import Condition
from kexplain.objects.node_service import lost

_OUT_OF = "OutOf"
_EVICTED, _PREEMPTED = "Evicted", "Preempted"
#: Why a kubelet does not take a pod, or gives it up again, in words.
_REASONS: Mapping[str, str] = {
    "TopologyAffinityError": "the node has enough, but not on the NUMA nodes that its topology manager asks for",
    "SMTAlignmentError": "it asks for CPUs that are not a multiple of whole cores",
    "UnexpectedAdmissionError": "something failed when the kubelet set it up, often a device that was gone by then",
    "NodeAffinity": "the node's labels do not match its selector or affinity, so that they have changed",
    "NodeName": "it names another node",
    "NodePorts": "its host port was in use there",
    "TaintToleration": "the node has a NoExecute taint that it does not tolerate",
    "NodeShutdown": "the node was shutting down",
    "Terminated": "the node was shut down",
    "AppArmor": "the node cannot enforce its AppArmor profile",
    "SysctlForbidden": "it sets a sysctl that the kubelet does not allow",
    "PodOSNotSupported": "it is for another operating system",
    "PodOSSelectorNodeLabelDoesNotMatch": "the node's label of the operating system does not match",
    "InvalidNodeInfo": "the kubelet could not read its own Node",
    "InitContainerRestartPolicyForbidden": "the kubelet knows no restart policies of init containers",
    "SupplementalGroupsPolicyNotSupported": "the node does not support its supplementalGroupsPolicy",
    "PodLevelResourcesNotSupported": "the kubelet knows no resources of whole pods",
    "PodFeatureUnsupported": "the kubelet does not support a feature that it uses",
    "FailedNodeDeclaredFeaturesCheck": "the node lacks a feature that it needs",
    "Preempting": "the kubelet gave its room to a critical pod",
}


def stuck_terminating(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:  # noqa: ARG001 (as all judges)
    """It is to be deleted, and its node is not there to end it."""
    name = pod.spec.node_name or ""
    if not pod.metadata.deletion_timestamp or name not in cluster.node_info_by_name:
        return None
    trouble = lost(cluster.node_info_by_name[name].node)
    words = str(unconfirmed(name, trouble))
    return _over(pod, Kind.STUCK_TERMINATING, "nobody", words, _target(pod)) if trouble else None


def not_ready(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:  # noqa: ARG001 (as all judges)
    """It runs, as far as is known, and does not serve: its node is lost, or its containers are not ready."""
    condition = next((each for each in pod.status.conditions or () if each.type == "Ready"), None)
    if pod.status.phase != "Running" or pod.metadata.deletion_timestamp or not condition or condition.status != "False":
        return None
    name = pod.spec.node_name or ""
    trouble = lost(cluster.node_info_by_name[name].node) if name in cluster.node_info_by_name else ""
    if trouble:
        return _over(pod, Kind.KUBELET_SILENT, "the node controller", f"its node is {trouble}", condition)
    return _over(pod, Kind.NOT_READY, KUBELET, "its containers run, and not all of them are ready", condition)


def turned_away(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:  # noqa: ARG001 (as all judges)
    """The kubelet did not take the pod that a scheduler sent it."""
    reason = pod.status.reason or ""
    is_out_of = reason.startswith(_OUT_OF)
    if pod.status.phase != "Failed" or not (is_out_of or reason in _REASONS):
        return None
    short = f"when it came, the node had too little {reason.removeprefix(_OUT_OF)} left"
    words = short if is_out_of else _REASONS[reason]
    return _over(pod, Kind.TURNED_AWAY, KUBELET, f"{reason}, {words}")


def preempted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:
    """A scheduler evicted it to make room for a more important pod."""
    event = next((each for each in events if each.reason == _PREEMPTED), None)
    condition = _target(pod)
    if event is None and (condition is None or condition.reason != "PreemptionByScheduler"):
        return None
    who, of = (event.related if event else None), ""
    if who is not None and who.name:
        key = f"{who.namespace or ''}/{who.name}"
        other = _pod(key, cluster)
        of = f" for {key}" + (f" of priority {other.priority} (its own is {pod.priority})" if other else "")
    whose = of or f" for a pod of a priority above its own ({pod.priority})"
    found = _over(pod, Kind.PREEMPTED, "the scheduler", f"the scheduler made room{whose}", condition)
    return found if event is None else _told(found, event)


def evicted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:  # noqa: ARG001 (as all judges)
    """It had to leave its node."""
    condition = _target(pod)
    by, words = _WHOSE.get(condition.reason or "", ("", "")) if condition else ("", "")
    if pod.status.reason == _EVICTED or (condition is not None and condition.reason == "TerminationByKubelet"):
        by, words = KUBELET, "its kubelet evicted it, as the node or the pod itself was over a limit"
    return _over(pod, Kind.EVICTED, by, words, condition) if by else None


#: By the reason of condition DisruptionTarget: who did it, and why.
_WHOSE: Mapping[str, tuple[str, str]] = {
    "EvictionByEvictionAPI": ("the eviction API", "somebody evicted it, as kubectl drain and autoscalers do"),
    "DeletionByTaintManager": ("the taint manager", "its node got a NoExecute taint that it does not tolerate"),
    "DeletionByPodGC": ("the pod garbage collector", "its node is gone"),
}


def _target(pod: Pod) -> Condition | None:
    found = (each for each in pod.status.conditions or () if each.type == "DisruptionTarget")
    return next((each for each in found if each.status == "True"), None)


def _over(pod: Pod, kind: Kind, by: str, words: str, condition: Condition | None = None) -> Hold:
    reason, message = (condition.reason, condition.message) if condition else (None, None)
    return of_pod(pod, kind, by, words, pod.status.reason or reason, pod.status.message or message)


def _told(found: Hold, event: Event) -> Hold:
    """With what the event says."""
    by, since = event.reporter or found.by, event.last_seen or found.since
    return replace(found, by=by, since=since, reason=event.reason or "", message=event.text)


def _pod(key: str, cluster: Cluster) -> Pod | None:
    """The pod of that name, if it has a node."""
    return next((pod for pod in cluster.pods if pod.key == key), None)
