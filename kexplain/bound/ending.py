"""Pods that are over: turned away by their kubelet, evicted, or preempted for another pod.

Source: kubelet `lifecycle/predicate.go` and `handlers.go`, `nodeshutdown`, `eviction/helpers.go`, `cm/admission`,
`cm/topologymanager`; scheduler `preemption/executor.go`; reasons of condition DisruptionTarget in `core/v1/types.go`.
"""

from collections.abc import Iterable, Sequence

from kexplain.bound.pod_on_node import KUBELET, of_pod, short_reason
from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.statement import Few, Statement, knows, told
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import FAILED_KILL, Event
from kexplain.objects.meta import Condition
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_service import lost
from kexplain.tables import table
from kexplain.words import joined

_OUT_OF = "OutOf"
#: So many pods that ended so are no chance.
_AGAIN = 2
_EVICTED, _PREEMPTED, _BY_KUBELET = "Evicted", "Preempted", "TerminationByKubelet"
_SCHEDULER = "the scheduler"
_UNHEALTHY, _PROBE_FAILED = "Unhealthy", " probe failed: "


def stuck_terminating(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """It is to be deleted, and its node is not there to end it, or its kubelet does not manage to."""
    name = pod.spec.node_name or ""
    if not pod.metadata.deletion_timestamp or name not in cluster.node_info_by_name:
        return None
    if trouble := lost(cluster.node_info_by_name[name].node):
        return _over(pod, Kind.STUCK_TERMINATING, "nobody", told("unconfirmed", name, trouble), _target(pod))
    failed = next((each for each in events if each.reason == FAILED_KILL and not pod.is_terminated), None)
    if failed is None:
        return None
    said = told("not-stopped", node=name, why=failed.text)
    return of_pod(pod, Kind.STUCK_TERMINATING, KUBELET, said, failed.reason, failed.text, since=failed.last_seen)


def refused_by_node(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """Whoever starts pods on its node says why it does not start this one, as providers of virtual nodes do."""
    reason, why = pod.status.reason or "", pod.status.message or ""
    if pod.status.phase != "Pending" or pod.metadata.deletion_timestamp or not (reason and why):
        return None
    by = pod.spec.node_name or ""
    return _over(pod, Kind.CONTAINER_NOT_STARTED, f"node {by}", told("node-says", by, reason, short_reason(why)))


def not_ready(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """It runs, as far as is known, and does not serve: its node is lost, or it is not ready."""
    condition = next((each for each in pod.status.conditions or () if each.type == "Ready"), None)
    if pod.status.phase != "Running" or pod.metadata.deletion_timestamp or not condition or condition.status != "False":
        return None
    name = pod.spec.node_name or ""
    trouble = lost(cluster.node_info_by_name[name].node) if name in cluster.node_info_by_name else ""
    if trouble:
        said = told("kubelet-silent", node=name, trouble=trouble)
        return _over(pod, Kind.KUBELET_SILENT, "the node controller", said, condition)
    return _unready(pod, events, condition)


def _unready(pod: Pod, events: Sequence[Event], condition: Condition) -> Held:
    """Why a pod is not ready whose kubelet is at work: a gate, a probe, or its containers for reasons of their own."""
    if gates := _closed_gates(pod):
        return _over(pod, Kind.NOT_READY, KUBELET, told("gate-not-met", gate=gates[0]), condition)
    if failed := next((each for each in events if each.reason == _UNHEALTHY), None):
        probe, _, why = failed.text.partition(_PROBE_FAILED)
        said = told("probe-fails", probe=probe.lower(), why=short_reason(why)) if why else told("containers-not-ready")
        return of_pod(pod, Kind.NOT_READY, KUBELET, said, failed.reason, failed.text, since=failed.last_seen)
    return _over(pod, Kind.NOT_READY, KUBELET, _kept_running(pod) or told("containers-not-ready"), condition)


def _kept_running(pod: Pod) -> Statement | None:
    """That some containers of a Job's pod have ended, and others, such as sidecars, have not; None for others."""
    states = [(each.name, each.state) for each in pod.status.container_statuses or () if each.state]
    ended = [name for name, state in states if state.terminated]
    others = [name for name, state in states if not (state.terminated or state.waiting)]
    job = pod.metadata.controller
    if not (ended and others and job and job.kind == "Job"):
        return None
    return told("containers-ended", joined(ended), joined(others), job.name)


def _closed_gates(pod: Pod) -> list[str]:
    """The readiness gates that are not met, where nothing else is in the way."""
    is_true = {each.type for each in pod.status.conditions or () if each.status == "True"}
    gates = [each.condition_type for each in pod.spec.readiness_gates or () if each.condition_type not in is_true]
    return gates if "ContainersReady" in is_true else []


def turned_away(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """The kubelet did not take the pod that a scheduler sent it, maybe as another scheduler fills the node as well."""
    reason = pod.status.reason or ""
    is_out_of = reason.startswith(_OUT_OF)
    if pod.status.phase != "Failed" or not (is_out_of or knows(f"turned-away/{reason}")):
        return None
    there = cluster.node_info_by_name.get(pod.spec.node_name or "")
    others = {each.pod.scheduler_name for each in there.pods if not comes_along(each.pod)} if there else set()
    more = [f"pods of scheduler {each} run there, too" for each in sorted(others - {pod.scheduler_name})]
    short = told("out-of", reason=reason, resource=reason.removeprefix(_OUT_OF), more=more)
    return _over(pod, Kind.TURNED_AWAY, KUBELET, short if is_out_of else told(f"turned-away/{reason}", reason=reason))


def over_again(pods: Iterable[Pod], cluster: Cluster) -> Held | None:
    """That kubelets turn away or evict each pod that a controller makes anew; None for fewer than two of these."""
    newest = sorted(pods, key=lambda pod: pod.metadata.creation_timestamp or "", reverse=True)
    judged = ((pod, turned_away(pod, (), cluster) or evicted(pod, (), cluster)) for pod in newest)
    found = [(pod, held) for pod, held in judged if held is not None and held.hold.by == KUBELET]
    if len(found) < _AGAIN:
        return None
    (pod, last), nodes = found[0], Few.of(dict.fromkeys(held.hold.node for _, held in found))
    hold = last.hold
    why = hold.text if last.kind is Kind.TURNED_AWAY else hold.message.rstrip(". ") or hold.text
    said = told(f"over-again/{last.kind.value}", nodes=nodes, count=len(found), why=why)
    return of_pod(pod, last.kind, KUBELET, said, hold.reason, hold.message)


def preempted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """A scheduler evicted it to make room for a more important pod."""
    event = next((each for each in events if each.reason == _PREEMPTED), None)
    condition = _target(pod)
    if event is None and (condition is None or condition.reason != "PreemptionByScheduler"):
        return None
    who, said = (event.related if event else None), told("made-room", own=pod.priority)
    if who is not None and who.name:
        key = f"{who.namespace or ''}/{who.name}"
        other = next((each for each in cluster.pods if each.key == key), None)
        said = told("made-room-for", pod=key)
        if other:
            said = told("made-room-for-priority", pod=key, priority=other.priority, own=pod.priority)
    if event is None:
        return _over(pod, Kind.PREEMPTED, _SCHEDULER, said, condition)
    by, reason = event.reporter or _SCHEDULER, event.reason
    return of_pod(pod, Kind.PREEMPTED, by, said, reason, event.text, since=event.last_seen)


def evicted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """It had to leave its node."""
    condition = _target(pod)
    reason = _BY_KUBELET if pod.status.reason == _EVICTED else (condition.reason or "") if condition else ""
    by = _WHOSE.get(reason, "")
    return _over(pod, Kind.EVICTED, by, told(f"evicted/{reason}", reason=reason), condition) if by else None


#: By the reason of condition DisruptionTarget: who did it.
_WHOSE = table("who-evicts", dict[str, str])


def _target(pod: Pod) -> Condition | None:
    found = (each for each in pod.status.conditions or () if each.type == "DisruptionTarget")
    return next((each for each in found if each.status == "True"), None)


def _over(pod: Pod, kind: Kind, by: str, said: Statement, condition: Condition | None = None) -> Held:
    reason, message = (condition.reason, condition.message) if condition else (None, None)
    return of_pod(pod, kind, by, said, pod.status.reason or reason, pod.status.message or message)
