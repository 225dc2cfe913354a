"""Some volumes cannot be used twice. Source: `plugins/volumerestrictions`."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.evidence.storage import ClaimInUse, ClaimProblem, DiskInUse, UnusableClaim
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import RBD, Pod, Volume
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.plugins.volume_signing import sign_volumes

READ_WRITE_ONCE_POD = "ReadWriteOncePod"
CLAIM_IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)
CLAIM_IN_USE_OF_OLD = "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"


class ClaimUse(Struct):
    """Which of the pod's ReadWriteOncePod claims are in use; only the count changes in a dry run.

    `pods_by_claim` are the users at the start, as keys of pods and names of nodes.
    """

    claim_names: frozenset[str]
    pods_by_claim: Mapping[str, tuple[tuple[str, str], ...]]
    references: int
    #: Without, PreFilter has not run, and upstream fails where it looks for the use of claims.
    is_known: bool = True


class VolumeRestrictions:
    """Turns away nodes where a disk is mounted already, and all while a ReadWriteOncePod claim is in use."""

    name = "VolumeRestrictions"

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._skips = features.further_filters_are_skipped
        self._read_write_once_pod = features.read_write_once_pod
        self._claim_in_use = CLAIM_IN_USE if features.claim_in_use_is_named_unavailable else CLAIM_IN_USE_OF_OLD

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[ClaimUse] | Skip | Status:
        """The use of the pod's ReadWriteOncePod claims."""
        names = set()
        for volume in pod.spec.volumes or ():
            name = volume.claim_name
            if name is None or not self._read_write_once_pod:
                continue
            claim = cluster.listers.get(PersistentVolumeClaim, name, pod.namespace)
            if claim is None:
                evidence = UnusableClaim(f"{pod.namespace}/{name}", ClaimProblem.MISSING)
                return unresolvable(f'persistentvolumeclaim "{name}" not found', evidence)
            if READ_WRITE_ONCE_POD in (claim.spec.access_modes or ()):
                names.add(name)
        users = _users(cluster, pod.namespace, frozenset(names)) if names else {}
        # One a claim, however many pods use it: there should be no more than one.
        state = ClaimUse(frozenset(names), users, len(users))
        if self._skips and not users and not any(map(_disk, pod.spec.volumes or ())):
            return SKIP
        return PreFiltered(state)

    @property
    def missing_state(self) -> str:
        return 'cannot read "PreFilterVolumeRestrictions" from cycleState' if self._read_write_once_pod else ""

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        return sign_volumes(pod, cluster)

    def unprepared(self, pod: Pod, cluster: Cluster) -> PreFiltered[ClaimUse]:
        """What is left to filter by: the disks."""
        return PreFiltered(ClaimUse(frozenset(), {}, 0, is_known=not self._read_write_once_pod))

    def clone(self, state: ClaimUse) -> ClaimUse:
        """A copy; the names and users never change."""
        return replace(state)

    def count_pod(self, pod: Pod, state: ClaimUse, other: PodInfo, node_info: NodeInfo, change: int) -> None:
        """Like upstream, by the names of its claims, whatever its namespace."""
        if state.claim_names:
            volumes = other.pod.spec.volumes or ()
            state.references += change * sum(each.claim_name in state.claim_names for each in volumes)

    def filter(self, pod: Pod, state: ClaimUse, node_info: NodeInfo) -> Status | None:
        """None if nothing that the pod mounts is in its way."""
        conflicts = tuple(_conflicts(pod, node_info))
        if conflicts:
            return Status(Code.UNSCHEDULABLE, ("node(s) had no available disk",), conflicts)
        if not state.is_known:
            return error(self.missing_state)
        if state.references > 0:
            used = sorted(state.pods_by_claim.items())
            evidence = (ClaimInUse(f"{pod.namespace}/{name}", pods) for name, pods in used)
            return unschedulable(self._claim_in_use, *evidence)
        return None

    def may_help(self, action: str, pod: PodInfo, gone: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that left had a disk or a claim of this one; upstream compares namespaces for both."""
        if gone.pod.namespace != pod.pod.namespace:
            return False
        pairs = [(one, other) for one in pod.pod.spec.volumes or () for other in gone.pod.spec.volumes or ()]
        return any(_clash(one, other) or _is_same_claim(one, other) for one, other in pairs)


def _is_same_claim(volume: Volume, other: Volume) -> bool:
    return volume.claim_name is not None and volume.claim_name == other.claim_name


def _users(cluster: Cluster, namespace: str, names: frozenset[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """The placed pods that use these claims, by claim; claims that none uses are missing."""
    users: dict[str, list[tuple[str, str]]] = {}
    for node_info in cluster.node_infos:
        for pod_info in node_info.pods:
            pod = pod_info.pod
            if pod.spec.volumes and pod.namespace == namespace and pod.uid not in cluster.groups.new_pods:
                for volume in pod.spec.volumes:
                    if (name := volume.claim_name) is not None and name in names:
                        users.setdefault(name, []).append((pod.key, node_info.name))
    return {name: tuple(dict.fromkeys(pods)) for name, pods in users.items()}


class _Disk(NamedTuple):
    """A disk that can clash with another pod's: what it is called, by its kind and its name."""

    kind: str
    name: str
    is_only_read: bool


def _conflicts(pod: Pod, node_info: NodeInfo) -> Iterator[DiskInUse]:
    for volume in pod.spec.volumes or ():
        disk = _disk(volume)
        if disk is None:
            continue
        for pod_info in node_info.pods:
            for existing in pod_info.pod.spec.volumes or ():
                if _clash(volume, existing):
                    yield DiskInUse(volume.name or "", f"{disk.kind} {disk.name}", pod_info.pod.key)
                    break


def _clash(volume: Volume, existing: Volume) -> bool:
    """Whether both are the same disk, of a kind that cannot be mounted twice that way."""
    one, other = _disk(volume), _disk(existing)
    if one is None or other is None or (one.kind, one.name) != (other.kind, other.name):
        return False
    return not (one.is_only_read and other.is_only_read) and _are_in_one_pool(volume.rbd, existing.rbd)


def _are_in_one_pool(one: RBD | None, other: RBD | None) -> bool:
    """Whether images are of one pool of one cluster, which the monitors tell; other disks need not be."""
    if one is None or other is None:
        return True
    return not {*(one.monitors or ())}.isdisjoint(other.monitors or ()) and (one.pool or "") == (other.pool or "")


def _disk(volume: Volume) -> _Disk | None:
    if gce := volume.gce_persistent_disk:
        return _Disk("GCE disk", gce.pd_name, bool(gce.read_only))
    if ebs := volume.aws_elastic_block_store:
        # These clash even where both are read-only.
        return _Disk("EBS volume", ebs.volume_id, is_only_read=False)
    if iscsi := volume.iscsi:
        return _Disk("iSCSI target", iscsi.iqn, bool(iscsi.read_only))
    return _Disk("RBD image", rbd.image, bool(rbd.read_only)) if (rbd := volume.rbd) else None
