"""Pods that no scheduler has looked at, as far as is known."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable

from kexplain.cluster import Cluster, PodInfo
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event, events_about
from kexplain.shell import command
from kexplain.words import plural, verb

#: What Kubernetes runs the default scheduler as.
_COMPONENT = "component=kube-scheduler"


def is_untried(pod: Pod, events: Iterable[Event]) -> bool:
    """Whether a cluster holds the pod, and nobody has said anything of a node for it."""
    is_of_cluster = bool(pod.metadata.uid and pod.metadata.creation_timestamp) and pod.status.phase == "Pending"
    if not is_of_cluster or pod.spec.node_name or pod.metadata.deletion_timestamp:
        return False
    if pod.status.nominated_node_name or any(each.type == "PodScheduled" for each in pod.status.conditions or ()):
        return False
    return not events_about(pod, events)


def not_tried(pod: Pod, cluster: Cluster, scheduler_name: str) -> Held:
    """That it is so, and what was seen since the pod was created."""
    created = pod.metadata.creation_timestamp or ""
    times = cluster.tally(_Creations, lambda: _Creations(cluster.pods)).times
    later = len(times) - bisect_right(times, created)
    since = f"{plural(later, 'younger pod')} {verb(later, 'has')} a node" if later else ""
    said, shows = told("not-tried", more=(since,)), command("kubectl get pods -n kube-system -l", _COMPONENT)
    return held_by(scheduler_name, Kind.NOT_TRIED, said, object=f"Pod {pod.key}", since=created, command=shows)


def refused(pod: Pod, events: Iterable[Event]) -> Held | None:
    """What the pod's own scheduler, which is not simulated, says that it has no node for; None if it says nothing."""
    said = [each for each in events_about(pod, events) if each.reporter == pod.scheduler_name]
    if not said:
        return None
    words = told("refused-by-scheduler", pod.scheduler_name, said[-1].text)
    return held_by(pod.scheduler_name, Kind.OTHER_SCHEDULER, words, message=said[-1].text)


class _Creations:
    """When pods were created that a scheduler has given a node, in order; a tally."""

    def __init__(self, pods: Iterable[Pod]) -> None:
        self.times = sorted(filter(None, map(_created, pods)))

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:  # noqa: ARG002 - any node will do
        """Note a pod that came or went."""
        if time := _created(pod_info.pod):
            if sign > 0:
                insort(self.times, time)
            else:
                del self.times[bisect_left(self.times, time)]


def _created(pod: Pod) -> str:
    """When the pod was created; empty if no scheduler has given it a node, also where it was only placed here."""
    return (pod.metadata.creation_timestamp or "") if pod.spec.node_name and not pod.is_mirror else ""
