"""Nodes can ask to be spared some controllers' pods. Source: `plugins/nodepreferavoidpods` of 1.22."""

from contextlib import suppress

import msgspec

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import MAX_NODE_SCORE
from kexplain.framework.signing import Signature
from kexplain.objects.core import Pod
from kexplain.objects.meta import OwnerReference, Record

CONTROLLERS = ("ReplicationController", "ReplicaSet")


class PodSignature(Record, frozen=True):
    """Which pods: those of a controller."""

    pod_controller: OwnerReference | None = None


class PreferAvoidPodsEntry(Record, frozen=True):
    """One entry of the annotation."""

    pod_signature: PodSignature = PodSignature()


class AvoidPods(Record, frozen=True):
    """What the annotation of a node holds: the controllers whose pods it would rather not run."""

    prefer_avoid_pods: tuple[PreferAvoidPodsEntry, ...] | None = None


class NodePreferAvoidPods:
    """Ranks nodes that ask to be spared the pod's controller below all others."""

    name = "NodePreferAvoidPods"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        owner = pod.metadata.controller
        return Signature((owner.kind, owner.uid) if owner else None)

    def score(self, pod: Pod, state: None, node_info: NodeInfo) -> int:
        """0 where the node asks to be spared, else 100; an annotation that cannot be read asks for nothing."""
        owner = pod.metadata.controller
        if owner is None or owner.kind not in CONTROLLERS:
            return MAX_NODE_SCORE
        avoided = (entry.pod_signature.pod_controller for entry in _entries(node_info))
        spares = any(each and each.kind == owner.kind and (each.uid or "") == (owner.uid or "") for each in avoided)
        return 0 if spares else MAX_NODE_SCORE


def _entries(node_info: NodeInfo) -> tuple[PreferAvoidPodsEntry, ...]:
    annotations = node_info.node.metadata.annotations
    text = annotations.prefer_avoid_pods if annotations else None
    with suppress(msgspec.DecodeError):
        return (msgspec.json.decode(text, type=AvoidPods).prefer_avoid_pods if text else None) or ()
    return ()
