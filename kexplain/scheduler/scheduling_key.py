"""What scheduling reads of a pod: pods of which it reads the same fare alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, Listers, NodeInfo, PodInfo
from kexplain.framework.trace import Decision
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.core import Node, Pod, PodSpec, PodStatus, ReplicationController, Service, Volume
from kexplain.objects.meta import Labels, LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import PodClaim, is_for_pod, pod_claim
from kexplain.objects.resource import DeviceClass, ResourceClaim
from kexplain.objects.well_known import DEVICE_CLASS_PREFIX

#: Unlike msgpack, JSON takes whole numbers of any size, which quantities may be.
_encode = msgspec.json.Encoder().encode
_UNREAD = Volume()
#: Plugins whose verdicts never name a claim.
_SILENT_ON_CLAIMS = frozenset(
    (
        "",
        "InterPodAffinity",
        "NodeAffinity",
        "NodeName",
        "NodePorts",
        "NodeResourcesFit",
        "NodeUnschedulable",
        "PodTopologySpread",
        "TaintToleration",
    )
)


class SchedulingKey(Struct, frozen=True):
    """All that is read of a pod but the names of its claims, and these."""

    read: bytes
    claims: tuple[str, ...]

    def fares_like(self, other: SchedulingKey | None, decision: Decision) -> bool:
        """Whether the decision about another pod holds for this one, too, word by word."""
        if other is None or self.read != other.read:
            return False
        return self.claims == other.claims or not _speaks_of_claims(decision)


def _speaks_of_claims(decision: Decision) -> bool:
    statuses = decision.statuses
    return not _SILENT_ON_CLAIMS.issuperset(each.plugin for each in (*statuses.by_node.values(), statuses.absent))


class SchedulingKeys:
    """The keys of pods that are to be placed in one cluster, one after the other."""

    def __init__(self, cluster: Cluster) -> None:
        self._read_by_listers = frozenset(_keys_of_listers(cluster.listers))
        classes = cluster.listers.every(DeviceClass)
        self._claimed_resources = {each.spec.extended_resource_name for each in classes}

    def key(self, pod: Pod, cluster: Cluster) -> SchedulingKey | None:
        """The key of the pod in that cluster; None if it has claims that tell it from every other pod.

        An API server gives every pod a name, times and a volume for its token, controllers give it an index; none of
        that is part of the key, nor is any label that no selector reads.
        """
        if self._may_get_devices(pod, cluster):
            return None
        of_volumes = [(volume, pod_claim(pod, volume)) for volume in pod.spec.volumes or ()]
        volumes = [shape for each in of_volumes if (shape := _shape(*each, pod, cluster)) != b""]
        devices = [_device_claim(pod, name, cluster) for name in _device_claims(pod)]
        if None in volumes or None in devices:
            return None
        owner = pod.metadata.controller
        controller = (owner.api_version, owner.kind, owner.name) if owner else None
        identity = (pod.namespace, self._labels(pod, cluster), controller, pod.metadata.deletion_timestamp)
        spec, status = _read_of_spec(pod.spec), _read_of_status(pod.status)
        names = [claim.name for _, claim in of_volumes if claim]
        read = _encode((identity, spec, status, volumes, devices))
        return SchedulingKey(read, (*names, *_device_claims(pod)))

    def _may_get_devices(self, pod: Pod, cluster: Cluster) -> bool:
        """Whether devices may stand behind a resource that the pod requests: a claim is made for those."""
        amounts = cluster.pod_info(pod).resource.requested.scalars
        return any(
            amount and (name in self._claimed_resources or name.startswith(DEVICE_CLASS_PREFIX))
            for name, amount in amounts.items()
        )

    def _labels(self, pod: Pod, cluster: Cluster) -> Labels:
        """The labels that any selector reads: the pod's own, or one that other pods or objects have."""
        read = self._read_by_listers.union(_keys_of_pod(pod), cluster.tally(_KeysOfPods, lambda: _made(cluster)).keys)
        for infos in cluster.nominated_by_node.values():
            for info in infos:
                read = read.union(_keys_of_pod(info.pod))
        return {key: value for key, value in pod.labels.items() if key in read}


# ------------------------------------------------------------------------------------------------- labels read


class _KeysOfPods:
    """The label keys that affinities of placed pods read; a tally."""

    def __init__(self, node_infos: Iterable[NodeInfo]) -> None:
        self.keys: Counter[str] = Counter()
        for node_info in node_infos:
            for info in node_info.pods_with_affinity:
                self.keys.update(_keys_of_pod(info.pod))

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:  # noqa: ARG002 (the contract of tallies)
        """Note a pod that came or went; a key that nobody reads any more may stay, which does no harm."""
        if pod_info.has_affinity and sign > 0:
            self.keys.update(_keys_of_pod(pod_info.pod))


def _made(cluster: Cluster) -> _KeysOfPods:
    return _KeysOfPods(cluster.node_infos)


def _keys_of_pod(pod: Pod) -> Iterator[str]:
    for term in pod.spec.affinity.pod_terms if pod.spec.affinity else ():
        yield from _keys(term.label_selector)
        yield from (*(term.match_label_keys or ()), *(term.mismatch_label_keys or ()))
    for constraint in pod.spec.topology_spread_constraints or ():
        yield from (*_keys(constraint.label_selector), *(constraint.match_label_keys or ()))


def _keys(selector: LabelSelector | None) -> Iterator[str]:
    if selector is not None:
        yield from selector.match_labels or ()
        yield from (each.key for each in selector.match_expressions or ())


def _keys_of_listers(listers: Listers) -> Iterator[str]:
    for service in listers.every(Service):
        yield from service.spec.selector or ()
    for controller in listers.every(ReplicationController):
        yield from controller.spec.selector or ()
    for replica_set in listers.every(ReplicaSet):
        yield from _keys(replica_set.spec.selector)
    for stateful_set in listers.every(StatefulSet):
        yield from _keys(stateful_set.spec.selector)


# ------------------------------------------------------------------------------------------------------ claims


def _shape(volume: Volume, claim: PodClaim | None, pod: Pod, cluster: Cluster) -> bytes | None:
    """What is read of a volume; of a claim that is not bound, what it asks for. None for what only this pod has."""
    if claim is None:
        bare = replace(volume, name=None)
        return b"" if bare == _UNREAD else _encode(bare)
    found = cluster.listers.get(PersistentVolumeClaim, claim.name, pod.namespace)
    if found is None:
        return b"missing"
    if found.spec.volume_name:
        return None if claim.is_ephemeral else _encode(claim.name)
    is_own = is_for_pod(found, pod) if claim.is_ephemeral else None
    # Its labels, owner and times are its own; what is annotated may name a node.
    return _encode((is_own, found.metadata.annotations, found.metadata.deletion_timestamp, found.spec, found.status))


def _device_claims(pod: Pod) -> Iterator[str]:
    made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    for claim in pod.spec.resource_claims or ():
        yield claim.resource_claim_name or made.get(claim.name or "") or ""


def _device_claim(pod: Pod, name: str, cluster: Cluster) -> bytes | None:
    """What a claim on devices asks for that has none yet; None for one that is missing, or has been given some."""
    found = cluster.listers.get(ResourceClaim, name, pod.namespace) if name else None
    if found is None or found.status.allocation is not None or found.status.reserved_for:
        return None
    owners = [(each.kind, each.uid == pod.metadata.uid) for each in found.metadata.owner_references or ()]
    return _encode((owners, found.metadata.deletion_timestamp, found.spec, found.status))


# -------------------------------------------------------------------------------------------------------- rest


def _read_of_spec(spec: PodSpec) -> PodSpec:
    """The spec without volumes, names of claims, and what only creation reads."""
    claims = tuple(replace(claim, resource_claim_name=None) for claim in spec.resource_claims or ())
    return replace(
        spec, volumes=None, resource_claims=claims or None, service_account_name=None, active_deadline_seconds=None
    )


def _read_of_status(status: PodStatus) -> PodStatus:
    """The status without what is said of the pod; that it is being resized bears on its requests."""
    resizing = tuple(each for each in status.conditions or () if each.type == "PodResizePending")
    return replace(status, phase=None, start_time=None, conditions=resizing or None, resource_claim_statuses=None)
