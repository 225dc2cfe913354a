"""Running pods whose new requests their kubelet has not taken over.

Source: kubelet `allocation/allocation_manager.go`; conditions PodResizePending and PodResizeInProgress of `core/v1`.
"""

from collections.abc import Sequence

from kexplain.bound.pod_on_node import KUBELET, of_pod
from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.tables import table

#: By the condition's type and reason.
_PENDING = table("resizes", dict[str, Kind])


def not_resized(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """A resize that waits, never comes, or fails."""
    for condition in pod.status.conditions or ():
        kind = _PENDING.get(f"{condition.type} {condition.reason}")
        if kind is not None and condition.status == "True":
            return of_pod(pod, kind, KUBELET, told(kind.value), condition.reason, condition.message)
    return None
