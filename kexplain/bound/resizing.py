"""Running pods whose new requests their kubelet has not taken over.

Source: kubelet `allocation/allocation_manager.go`; conditions PodResizePending and PodResizeInProgress of `core/v1`.
"""

from collections.abc import Mapping, Sequence

from kexplain.bound.pod_on_node import KUBELET, of_pod
from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Hold, Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import Event

#: By the condition's type and reason.
_PENDING: Mapping[tuple[str, str], tuple[Kind, str]] = {
    ("PodResizePending", "Deferred"): (
        Kind.RESIZE_DEFERRED,
        "the node has too little left for it at the moment, and the kubelet tries again when pods leave",
    ),
    ("PodResizePending", "Infeasible"): (
        Kind.RESIZE_INFEASIBLE,
        "the node can never give it that much, so the resize is not retried",
    ),
    ("PodResizeInProgress", "Error"): (Kind.RESIZE_FAILED, "the kubelet has begun the resize and fails"),
}


def not_resized(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Hold | None:  # noqa: ARG001 (as all judges)
    """A resize that waits, never comes, or fails."""
    for condition in pod.status.conditions or ():
        found = _PENDING.get((condition.type, condition.reason or ""))
        if found is not None and condition.status == "True":
            kind, words = found
            return of_pod(pod, kind, KUBELET, words, condition.reason, condition.message)
    return None
