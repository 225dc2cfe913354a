"""Pods that have a node and are not started: volumes, sandboxes, images, containers.

Source: kubelet `events/event.go`, `images/types.go`, `container/sync_result.go`; attach/detach controller.
"""

from collections.abc import Iterable, Mapping, Sequence
from re import DOTALL

from kexplain.bound.phrases import kubelet_says
from kexplain.bound.pod_on_node import KUBELET, of_pod, short_reason
from kexplain.cluster import Cluster
from kexplain.cluster.listers import claims_of
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.components import OUT_OF_MEMORY, State, behind_service, last_end
from kexplain.diagnosis.findings.statement import Statement, knows, told
from kexplain.diagnosis.overdue import is_long_ago
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import ContainerStatus, Pod, Service
from kexplain.objects.events import Event
from kexplain.objects.meta import Condition
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.requests import MEMORY, PODS
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.storage import VolumeAttachment, VolumeError
from kexplain.patterns import regex
from kexplain.shell import command
from kexplain.tables import sections
from kexplain.words import joined

_IMAGE = sections("kubelet-reasons")["of images"]
#: What containers wait for while a pod is on its way, which nothing is wrong with.
_ON_ITS_WAY = ("ContainerCreating", "PodInitializing", "")
_ATTACHING = "the attach/detach controller"
#: What network plugins say where none is left.
_NO_ADDRESS = regex(
    r"(?i)failed to assign an IP|no (?:free|available|more) (?:pod )?IP|range is full|"
    r"IP address(?:es)? (?:is |are )?(?:exhausted|available)"
)
_OF_DEVICES = "FailedPrepareDynamicResources"
#: How containers end that a kubelet has stopped: by themselves once they are told to, or for that signal.
_STOPPED = (0, 137, 143)
_PROBE = regex(r"(?P<probe>Liveness|Startup) probe failed: (?P<why>.*)", DOTALL)
_CRASHES, _NOT_CREATED = "CrashLoopBackOff", "CreateContainerConfigError"
_ONE_NODE = frozenset(("ReadWriteOnce", "ReadWriteOncePod"))


def not_started(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A container waits with a reason of its own."""
    for status in (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ())):
        waiting = status.state.waiting if status.state is not None else None
        reason = (waiting.reason or "") if waiting is not None else ""
        if waiting is None or reason in _ON_ITS_WAY:
            continue
        kind = Kind.IMAGE_NOT_PULLED if reason in _IMAGE else Kind.CONTAINER_NOT_STARTED
        said = _of_container(pod, status, reason, waiting.message or "", events)
        logs = command("kubectl logs --previous", pod.name, namespace=pod.namespace, flags=("-c", status.name))
        step = logs if reason == _CRASHES else ""
        message = last_end(status).message or _pull_error(waiting.message or "", events)
        return of_pod(pod, kind, KUBELET, said, reason, message, step=step)
    return None


def _of_container(pod: Pod, status: ContainerStatus, reason: str, message: str, events: Sequence[Event]) -> Statement:
    """Why it waits: what it refers to, or else what the kubelet's reason means."""
    about = {"reason": reason, "container": status.name}
    if last_end(status).reason == OUT_OF_MEMORY:
        return _of_memory(pod, about)
    if secrets := pull_secrets(events) if reason in _IMAGE else "":
        return told("pull-secret", **about, secrets=secrets)
    if said := kubelet_says("container", message, **about):
        return said
    if reason == _NOT_CREATED and message:
        return told("container-waits/said", **about, why=short_reason(message))
    code = last_end(status).exit_code
    if reason == _CRASHES and code in _STOPPED and (probe := _failed_probe(events)):
        return told("killed-by-probe", **about, **probe)
    if reason == _CRASHES and code:
        return told("crash-loops", **about, code=code)
    if reason in _IMAGE:
        why = _pull_error(message, events).partition(": ")[2].removeprefix("ErrImagePull: ")
        return told("container-waits/image", **about, why=short_reason(why))
    return told(f"container-waits/{reason if knows(f'container-waits/{reason}') else ''}", **about)


def _pull_error(message: str, events: Iterable[Event]) -> str:
    """What a kubelet says of an image: older ones have the cause in an event alone."""
    found = (each.text for each in events if each.text.startswith("Failed to pull image"))
    return message if ": " in message else next(found, message)


def _of_memory(pod: Pod, about: Mapping[str, str]) -> Statement:
    """That the container was killed for its limit, or for want of memory on its node."""
    of_it = (each.resources for each in pod.spec.containers or () if each.name == about["container"] and each.resources)
    limit = next((each.limits[MEMORY] for each in of_it if each.limits and MEMORY in each.limits), "")
    return told("out-of-memory", **about, limit=str(limit)) if limit else told("out-of-memory-of-node", **about)


def pull_secrets(events: Iterable[Event]) -> str:
    """The Secrets for images that the kubelet could not read; empty where it does not say so."""
    event = _first(events, ("FailedToRetrieveImagePullSecret",))
    return event.text.partition("(")[2].partition(")")[0] if event is not None else ""


def _failed_probe(events: Iterable[Event]) -> dict[str, str]:
    """Which probe failed last of those for which kubelets restart containers, and why; empty without any."""
    said = (_PROBE.match(each.text) for each in events if each.reason == "Unhealthy")
    return next(({"probe": each["probe"].lower(), "why": short_reason(each["why"])} for each in said if each), {})


def sandbox_failed(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """The kubelet could not make the pod's sandbox, mostly for its network."""
    event = _first(events, ("FailedCreatePodSandBox", "NetworkNotReady"))
    if event is None:
        return None
    why = event.text.rpartition(": ")[2].strip()
    said = told("sandbox-failed-for", why=short_reason(why)) if " " in why and why != event.text else None
    info = cluster.node_info_by_name.get(pod.spec.node_name or "")
    if info and _NO_ADDRESS.search(event.text):
        there = (each.pod for each in info.pods if not each.pod.spec.host_network)
        served, most = sum(each.status.phase == "Running" for each in there), info.allocatable.amount(PODS)
        said = told("no-addresses", node=info.name, served=served, most=most)
    unknown = kubelet_says("sandbox", event.text, runtime_class=pod.spec.runtime_class_name)
    return _said(pod, event, Kind.SANDBOX_FAILED, unknown or said)


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
    for claim in claims_of(pod, cluster.listers):
        if claim.volume_name and {*_modes(claim)} <= _ONE_NODE:
            around = cluster.placed_pods.matching(EVERYTHING, (pod.namespace,))
            users = (info.pod for info, node in around if node.name != pod.spec.node_name)
            using = [user for user in users if any(used.name == claim.name for used in pod_claims(user))]
            if using:
                return claim, min(using, key=lambda user: user.name)
    return None


def _modes(claim: PersistentVolumeClaim) -> Sequence[str]:
    return claim.spec.access_modes or ()


def initializing(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """An init container waits that bears the name of a Service where nothing runs, or it has not ended for long."""
    state = next((each for each in pod.status.conditions or () if each.type == "Initialized"), Condition())
    if pod.status.phase != "Pending" or state.status != "False":
        return None
    # As kubelets write it: containers with incomplete status: [a b].
    for container in (state.message or "").partition("[")[2].partition("]")[0].split():
        service, since = awaited(container, pod.namespace, cluster), pod.status.start_time or ""
        if service is not None or is_long_ago(since, cluster):
            logs = command("kubectl logs", pod.name, namespace=pod.namespace, flags=("-c", container))
            said = told("init-not-ended", container=container, since=since)
            where = service.name if service and service.namespace == pod.namespace else service and service.key
            said = told("waits-for-service", container=container, service=where) if service else said
            return of_pod(pod, Kind.CONTAINER_NOT_STARTED, KUBELET, said, state.reason, state.message, step=logs)
    return None


def awaited(container: str, namespace: str, cluster: Cluster) -> Service | None:
    """The Service whose name is part of a container's, if nothing runs that it selects; its namespace's first."""
    named = [each for each in cluster.listers.every(Service) if f"-{each.name}-" in f"-{container}-"]
    for service in sorted(named, key=lambda each: (each.namespace != namespace, -len(each.name))):
        behind = behind_service(service, cluster)
        return service if behind and behind[0].state is not State.RUNS else None
    return None


def not_attached(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:
    """A volume is not attached to the node: by the event, or by what the driver says in the VolumeAttachment."""
    if pod.status.phase != "Pending":
        return None
    event = _first(events, ("FailedAttachVolume",))
    if kept := attached_elsewhere(pod, cluster):
        return _of_attachment(pod, kept, "attached-elsewhere", kept.status.detach_error, cluster)
    if event is not None:
        return _said(pod, event, Kind.VOLUME_NOT_ATTACHED, _refused("volume-refused", pod, event))
    claims, every = _claim_by_volume(pod, cluster), cluster.listers.every(VolumeAttachment)
    found = (each for each in every if each.spec.node_name == pod.spec.node_name and _volume(each) in claims)
    waiting = next((each for each in found if not each.status.attached), None)
    return _of_attachment(pod, waiting, "attachment-waits", waiting.status.attach_error, cluster) if waiting else None


def attached_elsewhere(pod: Pod, cluster: Cluster) -> VolumeAttachment | None:
    """What keeps a volume of a pod that waits on its node at another one, where no two nodes can have it."""
    if pod.status.phase != "Pending" or not pod.spec.node_name:
        return None
    one = {claim.volume_name for claim in claims_of(pod, cluster.listers) if {*_modes(claim)} <= _ONE_NODE} - {""}
    every = [each for each in cluster.listers.every(VolumeAttachment) if each.status.attached and _volume(each) in one]
    here = {_volume(each) for each in every if each.spec.node_name == pod.spec.node_name}
    return next((each for each in every if _volume(each) not in here), None)


def _refused(said: str, pod: Pod, event: Event) -> Statement | None:
    """What the driver says itself, where it does."""
    why = short_reason(event.text).removesuffix(".")
    return told(said, node=pod.spec.node_name, why=why) if "desc = " in event.text or "Output: " in event.text else None


def _claim_by_volume(pod: Pod, cluster: Cluster) -> dict[str, str]:
    return {claim.volume_name: claim.name for claim in claims_of(pod, cluster.listers) if claim.volume_name}


def _volume(attachment: VolumeAttachment) -> str:
    return attachment.spec.source.persistent_volume_name or ""


def _of_attachment(
    pod: Pod, attachment: VolumeAttachment, said: str, failed: VolumeError | None, cluster: Cluster
) -> Held:
    node, volume, error = attachment.spec.node_name, _volume(attachment), failed or VolumeError()
    claim, is_gone = _claim_by_volume(pod, cluster)[volume], node not in cluster.node_info_by_name
    return held_by(
        attachment.spec.attacher or _ATTACHING,
        Kind.VOLUME_NOT_ATTACHED,
        told(said, volume=volume, claim=claim, node=node, is_gone=is_gone),
        object=f"VolumeAttachment {attachment.name}",
        since=error.time or "",
        message=error.message or "",
        command=command("kubectl describe volumeattachment", attachment.name),
        node=pod.spec.node_name or "",
    )


def not_mounted(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A volume cannot be mounted, or a device not be prepared."""
    event = _first(events, ("FailedMount", "FailedMapVolume", _OF_DEVICES))
    if event is None:
        return None
    if event.reason == _OF_DEVICES:
        return _said(pod, event, Kind.DEVICE_NOT_PREPARED)
    said = kubelet_says("mount", event.text, node=pod.spec.node_name)
    return _said(pod, event, Kind.VOLUME_NOT_MOUNTED, said or _refused("mount-refused", pod, event))


def _first(events: Iterable[Event], reasons: Sequence[str]) -> Event | None:
    """The newest event with one of these reasons; the newest come first."""
    return next((each for each in events if each.reason in reasons), None)


def _said(pod: Pod, event: Event, kind: Kind, said: Statement | None = None) -> Held | None:
    """What an event says of a pod that is not started yet."""
    if pod.status.phase != "Pending":
        return None
    by, words = event.reporter or KUBELET, said or told(kind.value)
    return of_pod(pod, kind, by, words, event.reason, event.text, since=event.first_seen)
