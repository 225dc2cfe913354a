"""Volumes are in the zones that their labels name. Source: `plugins/volumezone`."""

from collections.abc import Iterator

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim, VolumeInOtherZone
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip, points_left_out
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, unresolvable
from kexplain.objects.core import Pod
from kexplain.objects.csi_migration import MULTI_ZONE_DELIMITER
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE

TOPOLOGY_LABELS = (OLD_ZONE, OLD_REGION, ZONE, REGION)
_CURRENT_BY_LEGACY_LABEL = {OLD_ZONE: ZONE, OLD_REGION: REGION}


class VolumeZones(Struct, frozen=True):
    """Per volume and label, what a node must be in, as it would stand against a node that is in none of it.

    `fault` is what is wrong with the first volume that cannot be looked up; those after it are left out.
    """

    topologies: tuple[VolumeInOtherZone, ...]
    fault: Status | None = None


class VolumeZone:
    """Turns away nodes outside the zones and regions that the labels of the pod's bound volumes name."""

    name = "VolumeZone"
    filters_by_pods_there = False

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._is_prepared = features.volume_zones_are_prepared
        self.not_at = points_left_out(preFilter=self._is_prepared)
        self._beta_matches_current = features.beta_zones_match_current_labels

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[VolumeZones] | Skip | Status:
        """What the labels of the volumes name."""
        zones = _zones(pod, cluster)
        if not self._is_prepared:
            return PreFiltered(zones)
        if zones.fault is not None:
            return zones.fault
        return PreFiltered(zones) if zones.topologies else SKIP

    def unprepared(self, pod: Pod, cluster: Cluster) -> PreFiltered[VolumeZones]:
        """The same, looked up by the filter."""
        return PreFiltered(_zones(pod, cluster))

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Where the pod's volumes are."""
        return Signature(_zones(pod, cluster))

    def filter(self, pod: Pod, state: VolumeZones, node_info: NodeInfo) -> Status | None:
        """None if the node is where all volumes are, or carries no such label at all (a cluster of one zone).

        Where PreFilter has not looked the volumes up, what is wrong with one of them is held against the node; as
        long as PreFilter never did, only against nodes with such labels, and after the volumes before it.
        """
        labels = node_info.labels
        if state.fault is not None and self._is_prepared:
            return state.fault
        if not any(key in labels for key in TOPOLOGY_LABELS):
            return None
        mismatches = []
        for topology in state.topologies:
            actual = labels.get(topology.key)
            if actual is None and self._beta_matches_current:
                actual = labels.get(_CURRENT_BY_LEGACY_LABEL.get(topology.key, ""))
            if actual is None or actual not in topology.values:
                about = topology.claim, topology.volume, topology.key, topology.values
                mismatches.append(VolumeInOtherZone(*about, actual))
        if not mismatches:
            return state.fault
        reason = "node(s) had no available volume zone"
        return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, (reason,), tuple(mismatches))


def _zones(pod: Pod, cluster: Cluster) -> VolumeZones:
    topologies: list[VolumeInOtherZone] = []
    for volume in pod.spec.volumes or ():
        if volume.claim_name is None:
            continue
        found = _volume(cluster, volume.claim_name, pod.namespace)
        if isinstance(found, Status):
            return VolumeZones(tuple(topologies), found)
        if found is not None:
            topologies += _topologies(*found)
    return VolumeZones(tuple(topologies))


def _volume(cluster: Cluster, name: str, namespace: str) -> tuple[str, PersistentVolume] | Status | None:
    """The claim and its volume; None for claims that are bound when the pod is placed."""
    key = f"{namespace}/{name}"
    if not name:
        return unresolvable("PersistentVolumeClaim had no name")
    claim = cluster.listers.get(PersistentVolumeClaim, name, namespace)
    if claim is None:
        return unresolvable(f'persistentvolumeclaim "{name}" not found', UnusableClaim(key, ClaimProblem.MISSING))
    if not claim.volume_name:
        return _of_unbound(cluster, claim)
    volume = cluster.listers.get(PersistentVolume, claim.volume_name)
    if volume is None:
        evidence = UnusableClaim(key, ClaimProblem.VOLUME_MISSING, volume=claim.volume_name)
        return unresolvable(f'persistentvolume "{claim.volume_name}" not found', evidence)
    return key, volume


def _of_unbound(cluster: Cluster, claim: PersistentVolumeClaim) -> Status | None:
    class_name = claim.class_name
    if not class_name:
        evidence = UnusableClaim(claim.key, ClaimProblem.NO_CLASS)
        return unresolvable("PersistentVolumeClaim had no pv name and storageClass name", evidence)
    storage_class = cluster.listers.get(StorageClass, class_name)
    if storage_class is None:
        evidence = UnusableClaim(claim.key, ClaimProblem.CLASS_MISSING, class_name=class_name)
        return unresolvable(f'storageclass.storage.k8s.io "{class_name}" not found', evidence)
    if storage_class.volume_binding_mode is None:
        return unresolvable(f'VolumeBindingMode not set for StorageClass "{class_name}"')
    if storage_class.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER:
        return None
    evidence = UnusableClaim(claim.key, ClaimProblem.UNBOUND, class_name=class_name)
    return unresolvable("PersistentVolume had no name", evidence)


def _topologies(claim: str, volume: PersistentVolume) -> Iterator[VolumeInOtherZone]:
    for key in TOPOLOGY_LABELS:
        if key in volume.labels:
            values = frozenset(value.strip() for value in volume.labels[key].split(MULTI_ZONE_DELIMITER))
            if "" not in values:
                yield VolumeInOtherZone(claim, volume.name, key, values, None)
