"""Pods that name their node themselves, so that no scheduler has looked at them.

Source: kubelet `syncLoop`, which takes whatever names its node; scheduler `volumebinding.PreBind`, which writes
`volume.kubernetes.io/selected-node`; external-provisioner, which waits for that.
"""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.listers import claims_of
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.shell import command
from kexplain.words import ask, near


def on_no_node(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001 (as all judges)
    """It is on a node that does not exist, and has never been started; or the node is gone."""
    waits = _has_not_started(pod) and not pod.status.container_statuses
    if not is_astray(pod, cluster) or (pod.metadata.deletion_timestamp and not waits):
        return None
    name = pod.spec.node_name or ""
    if not waits:
        return _hold(pod, Kind.NODE_MISSING, told("node-gone"), f"Pod {pod.key}", command("kubectl get node", name))
    said = told("node-unknown", name, more=(ask(*near(name, cluster.node_info_by_name)),))
    return _hold(pod, Kind.NODE_MISSING, said, f"Pod {pod.key}", command("kubectl get nodes"))


def is_astray(pod: Pod, cluster: Cluster) -> bool:
    """Whether a pod has a node, and none of this name was read among others."""
    name = pod.spec.node_name
    return bool(name and cluster.node_infos) and not pod.is_terminated and name not in cluster.node_info_by_name


def past_the_scheduler(pod: Pod, events: Sequence[Event], cluster: Cluster) -> Held | None:  # noqa: ARG001
    """A claim of it waits for a scheduler to choose the node, and none will."""
    for claim in claims_of(pod, cluster.listers) if _has_not_started(pod) else ():
        if claim.volume_name or claim.annotations.selected_node:
            continue
        storage_class = cluster.listers.get(StorageClass, claim.class_name)
        if storage_class is not None and storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER:
            text = told("past-the-scheduler", claim=claim.name, storage_class=storage_class.name)
            describing = command("kubectl describe pvc", claim.name, namespace=claim.namespace)
            return _hold(pod, Kind.CLAIM_UNBOUND, text, f"PersistentVolumeClaim {claim.key}", describing)
    return None


def _has_not_started(pod: Pod) -> bool:
    return bool(pod.spec.node_name) and pod.status.phase in ("Pending", None, "")


def _hold(pod: Pod, kind: Kind, said: Statement, about: str, next_step: str) -> Held:
    return held_by("nobody", kind, said, object=about, command=next_step, node=pod.spec.node_name or "")
