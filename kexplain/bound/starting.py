"""Pods that have a node and are not started: volumes, sandboxes, images, containers.

Source: kubelet `events/event.go`, `images/types.go`, `container/sync_result.go`; attach/detach controller.
"""

from collections.abc import Iterable, Sequence

from kexplain.bound.pod_on_node import KUBELET, of_pod
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.findings.holds import knows, told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.storage import VolumeAttachment, VolumeError
from kexplain.shell import command
from kexplain.tables import sections
from kexplain.words import joined

_IMAGE = sections("kubelet-reasons")["of images"]
#: What containers wait for while a pod is on its way, which nothing is wrong with.
_ON_ITS_WAY = ("ContainerCreating", "PodInitializing", "")
_ATTACHING = "the attach/detach controller"
_ONE_NODE = frozenset(("ReadWriteOnce", "ReadWriteOncePod"))


def not_started(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A container waits with a reason of its own."""
    statuses = (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ()))
    for status in statuses:
        waiting = status.state.waiting if status.state is not None else None
        reason = (waiting.reason or "") if waiting is not None else ""
        if waiting is None or reason in _ON_ITS_WAY:
            continue
        image = reason in _IMAGE
        name = "image" if image else reason if knows(f"container-waits/{reason}") else ""
        said = told(f"container-waits/{name}", reason=reason, container=status.name)
        kind = Kind.IMAGE_NOT_PULLED if image else Kind.CONTAINER_NOT_STARTED
        logs = command("kubectl logs --previous", pod.name, namespace=pod.namespace, flags=("-c", status.name))
        step = logs if reason == "CrashLoopBackOff" else ""
        return of_pod(pod, kind, KUBELET, said, reason, waiting.message, step=step)
    return None


def sandbox_failed(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """The kubelet could not make the pod's sandbox, mostly for its network."""
    event = _first(events, ("FailedCreatePodSandBox", "NetworkNotReady"))
    if event is None:
        return None
    return _said(pod, event, Kind.SANDBOX_FAILED)


def used_elsewhere(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A volume that one node at a time can have is with another pod on another node."""
    found = user_elsewhere(pod, cluster)
    if found is None:
        return None
    claim, other = found
    earlier = "the earlier pod" if are_siblings(pod, other) else "pod"
    node, modes = other.spec.node_name, joined(_modes(claim))
    said = told("used-elsewhere", claim=claim.name, modes=modes, whose=earlier, pod=other.name, node=node)
    return of_pod(pod, Kind.VOLUME_NOT_ATTACHED, _ATTACHING, said, "", "")


def user_elsewhere(pod: Pod, cluster: Cluster) -> tuple[PersistentVolumeClaim, Pod] | None:
    """The claim of a pod that waits on its node, and who has it on another one where no two nodes can; None without."""
    if pod.status.phase != "Pending" or not pod.spec.node_name or pod.metadata.deletion_timestamp:
        return None
    for each in pod_claims(pod):
        claim = cluster.listers.get(PersistentVolumeClaim, each.name, pod.namespace)
        if claim is not None and claim.volume_name and {*_modes(claim)} <= _ONE_NODE:
            around = cluster.placed_pods.matching(EVERYTHING, (pod.namespace,))
            users = (info.pod for info, node in around if node.name != pod.spec.node_name)
            using = [user for user in users if any(used.name == each.name for used in pod_claims(user))]
            if using:
                return claim, min(using, key=lambda user: user.name)
    return None


def _modes(claim: PersistentVolumeClaim) -> Sequence[str]:
    return claim.spec.access_modes or ()


def not_attached(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """A volume is not attached to the node: by the event, or by what the driver says in the VolumeAttachment."""
    event = _first(events, ("FailedAttachVolume",))
    if event is not None:
        return _said(pod, event, Kind.VOLUME_NOT_ATTACHED)
    if pod.status.phase != "Pending":
        return None
    found = (each for each in cluster.listers.every(VolumeAttachment) if each.spec.node_name == pod.spec.node_name)
    claims = _claim_by_volume(pod, cluster)
    waiting = (each for each in found if not each.status.attached and _volume(each) in claims)
    return next((_of_attachment(pod, each, claims[_volume(each)]) for each in waiting), None)


def _claim_by_volume(pod: Pod, cluster: Cluster) -> dict[str, str]:
    found = (cluster.listers.get(PersistentVolumeClaim, each.name, pod.namespace) for each in pod_claims(pod))
    return {claim.volume_name: claim.name for claim in found if claim is not None and claim.volume_name}


def _volume(attachment: VolumeAttachment) -> str:
    return attachment.spec.source.persistent_volume_name or ""


def _of_attachment(pod: Pod, attachment: VolumeAttachment, claim: str) -> Held:
    error = attachment.status.attach_error or VolumeError()
    return held_by(
        attachment.spec.attacher or _ATTACHING,
        Kind.VOLUME_NOT_ATTACHED,
        told("attachment-waits", volume=_volume(attachment), claim=claim),
        object=f"VolumeAttachment {attachment.name}",
        since=error.time or "",
        message=error.message or "",
        command=command("kubectl describe volumeattachment", attachment.name),
        node=pod.spec.node_name or "",
    )


def not_mounted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A volume cannot be mounted."""
    event = _first(events, ("FailedMount", "FailedMapVolume", "FailedPrepareDynamicResources"))
    return _said(pod, event, Kind.VOLUME_NOT_MOUNTED) if event else None


def _first(events: Iterable[Event], reasons: Sequence[str]) -> Event | None:
    """The newest event with one of these reasons; the newest come first."""
    return next((each for each in events if each.reason in reasons), None)


def _said(pod: Pod, event: Event, kind: Kind) -> Held | None:
    """What an event says of a pod that is not started yet."""
    if pod.status.phase != "Pending":
        return None
    return of_pod(
        pod, kind, event.reporter or KUBELET, told(kind.value), event.reason, event.text, since=event.first_seen
    )
