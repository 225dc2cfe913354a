"""A pod with another status: nominated for a node, or made again."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.objects.core import Pod, PodStatus


def nominated(pod: Pod, node_name: str) -> Pod:
    """The pod with that node nominated for it; with none if the name is empty."""
    return replace(pod, status=replace(pod.status, nominated_node_name=node_name or None))


def anew(pod: Pod) -> Pod:
    """The pod as its controller makes it again: on no node, and with no past. It keeps its name and its claims."""
    status = PodStatus(phase="Pending", resource_claim_statuses=pod.status.resource_claim_statuses)
    metadata = replace(pod.metadata, deletion_timestamp=None)
    # An API server always fills the scheduler in; a file that somebody wrote may lack it.
    spec = replace(pod.spec, node_name=None, scheduler_name=pod.spec.scheduler_name or DEFAULT_SCHEDULER_NAME)
    return replace(pod, metadata=metadata, spec=spec, status=status)
