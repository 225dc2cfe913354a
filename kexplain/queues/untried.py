"""Pods that no scheduler has looked at, as far as is known."""

from collections.abc import Iterable

from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Hold, Kind
from kexplain.objects.core import Pod
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


def not_tried(pod: Pod, cluster: Cluster, scheduler_name: str) -> Hold:
    """That it is so, and what was seen since the pod was created."""
    created = pod.metadata.creation_timestamp or ""
    later = _younger(cluster, created)
    since = f"; {plural(later, 'younger pod')} {verb(later, 'has')} a node" if later else ""
    return Hold(
        kind=Kind.NOT_TRIED,
        by=scheduler_name,
        text=f"not tried by any scheduler so far: no condition PodScheduled, and no event{since}",
        object=f"Pod {pod.key}",
        since=created,
        command=command("kubectl get pods -n kube-system -l", _COMPONENT),
    )


def _younger(cluster: Cluster, created: str) -> int:
    """How many pods that a scheduler has given a node were created after that."""
    return sum((pod.metadata.creation_timestamp or "") > created for pod in cluster.pods if not pod.is_mirror)
