"""A pod with another status: nominated for a node, or made again, and how often that may be."""

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.objects.core import Pod, PodStatus

#: A pod that comes back and has to leave so often is left where it is.
MOST_EVICTIONS = 8

#: What makes a pod again only once the old one is gone, as both have the same name, or the same node.
REPLACED_LATER = ("StatefulSet", "DaemonSet")


def nominated(pod: Pod, node_name: str) -> Pod:
    """The pod with that node nominated for it; with none if the name is empty."""
    return replace(pod, status=replace(pod.status, nominated_node_name=node_name or None))


def anew(pod: Pod) -> Pod:
    """The pod as its controller makes it again: on no node, and with no past. It keeps its name and its claims."""
    status = PodStatus(phase="Pending", resource_claim_statuses=pod.status.resource_claim_statuses)
    metadata = replace(pod.metadata, creation_timestamp=None, deletion_timestamp=None)
    return replace(pod, metadata=metadata, spec=replace(pod.spec, node_name=None), status=status)


def take_turns(victims: Sequence[Pod], evicted: Sequence[Pod]) -> bool:
    """Whether one of the victims, or what came back in its place, was evicted time and again.

    Pods of which each takes what the other needs evict each other for ever; a scheduler's queue would not end.
    """
    keys = [pod.key for pod in evicted] if victims else []
    return any(keys.count(pod.key) >= MOST_EVICTIONS for pod in victims)


def returning(pod: Pod) -> Pod | None:
    """What comes in place of an evicted pod, where nothing is known of controllers but that the pod has one.

    Most controllers have made another one by the time that a pod is being deleted.
    """
    owner = pod.metadata.controller
    has_another = pod.metadata.deletion_timestamp and owner and owner.kind not in REPLACED_LATER
    return anew(pod) if owner is not None and not has_another else None
