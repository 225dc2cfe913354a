"""A node can have only so many disks of a cloud attached: the limits of old. Source: `nodevolumelimits/non_csi.go`.

Volumes of a plugin that is migrated to CSI on the node are left to NodeVolumeLimits.
"""

from collections.abc import Callable

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import ATTACHABLE_VOLUMES_PREFIX
from kexplain.framework.evidence.storage import AttachLimitExceeded
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, error, unschedulable
from kexplain.objects.core import Node, Pod, Volume
from kexplain.objects.csi_migration import AWS_EBS, AZURE_DISK, CINDER, GCE_PD, InTreePlugin
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim, PersistentVolumeSpec
from kexplain.objects.pod_claims import is_for_pod, not_for_pod, pod_claim
from kexplain.objects.storage import CSINode, StorageClass
from kexplain.objects.well_known import INSTANCE_TYPE, OLD_INSTANCE_TYPE
from kexplain.patterns import regex
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.volume_counting import CountingRules
from kexplain.plugins.volume_signing import sign_volumes

EXCEEDED = "node(s) exceed max volume count"
MAX_EBS_VOLUMES, MAX_EBS_NITRO_VOLUMES = 39, 25
MAX_GCE_PD_VOLUMES = 16
MAX_AZURE_DISK_VOLUMES = 16
MAX_CINDER_VOLUMES = 256

_NITRO = regex("^[cmr]5.*|t3|z1d")


def _max_ebs(node: Node) -> int:
    """By the instance type; which of the two labels counts where they differ is left to chance upstream."""
    labels = (INSTANCE_TYPE, OLD_INSTANCE_TYPE)
    instance_type = next((node.labels[label] for label in labels if label in node.labels), "")
    return MAX_EBS_NITRO_VOLUMES if _NITRO.search(instance_type) else MAX_EBS_VOLUMES


def _ebs_id(source: Volume | PersistentVolumeSpec) -> str | None:
    return source.aws_elastic_block_store.volume_id if source.aws_elastic_block_store else None


def _gce_pd_id(source: Volume | PersistentVolumeSpec) -> str | None:
    return source.gce_persistent_disk.pd_name if source.gce_persistent_disk else None


def _azure_disk_id(source: Volume | PersistentVolumeSpec) -> str | None:
    return source.azure_disk.disk_name if source.azure_disk else None


def _cinder_id(source: Volume | PersistentVolumeSpec) -> str | None:
    return source.cinder.volume_id if source.cinder else None


class DiskKind(Struct, frozen=True):
    """The disks that one of the plugins counts: what tells them apart, and how many a node takes.

    `limit_key` is the allocatable resource by which a node can say otherwise.
    """

    in_tree: InTreePlugin
    limit_key: str
    disk_id: Callable[[Volume | PersistentVolumeSpec], str | None]
    limit: Callable[[Node], int]


class NonCSILimits:
    """Turns away nodes that would have more disks of a kind attached than they take.

    Deviation: KUBE_MAX_PD_VOLS, the environment variable that overrides all limits, is `max_volumes` here.
    """

    name: str
    _kind: DiskKind

    def __init__(self, features: Features = DEFAULT_FEATURES, max_volumes: int | None = None) -> None:
        self._max_volumes = max_volumes
        self._skips = features.further_filters_are_skipped
        self._migrated = MigratedPlugins.of(features)
        self._rules = CountingRules.of(features)

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[Cluster] | Skip:
        """SKIP for pods without a volume that could count."""
        return PreFiltered(cluster) if not self._skips or self._has_disks(pod) else SKIP

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        return sign_volumes(pod, cluster)

    def filter(self, pod: Pod, state: Cluster, node_info: NodeInfo) -> Status | None:
        """None if all disks can be attached, or are not counted here."""
        new: set[str] = set()
        failed = self._gather(pod, state, new, is_new=True)
        if failed is not None:
            return failed
        if not new or self._kind.in_tree.name in self._migrated.on(state.listers.get(CSINode, node_info.name)):
            return None
        attached: set[str] = set()
        for pod_info in node_info.pods:
            failed = self._gather(pod_info.pod, state, attached, is_new=False)
            if failed is not None:
                return failed
        requested = len(new - attached)
        limit = node_info.allocatable.scalars.get(self._kind.limit_key)
        if limit is None:
            limit = self._max_volumes or self._kind.limit(node_info.node)
        if len(attached) + requested <= limit:
            return None
        return unschedulable(EXCEEDED, AttachLimitExceeded(self._kind.in_tree.name, requested, len(attached), limit))

    def _has_disks(self, pod: Pod) -> bool:
        return any(
            volume.persistent_volume_claim or volume.ephemeral or self._kind.disk_id(volume) is not None
            for volume in pod.spec.volumes or ()
        )

    def _gather(self, pod: Pod, cluster: Cluster, found: set[str], *, is_new: bool) -> Status | None:
        """Add what tells the pod's disks apart; an answer is what is wrong with one of its claims."""
        for volume in pod.spec.volumes or ():
            disk_id = self._kind.disk_id(volume)
            if disk_id is not None:
                found.add(disk_id)
                continue
            reference = pod_claim(pod, volume)
            if reference is None or (reference.is_ephemeral and not self._rules.counts_ephemeral):
                continue
            if not reference.name:
                return error("PersistentVolumeClaim had no name")
            claim = cluster.listers.get(PersistentVolumeClaim, reference.name, pod.namespace)
            if claim is None:
                failed = self._rules.on_missing(pod, reference.name, is_new=is_new)
                if failed is not None:
                    return failed
                continue
            if reference.is_ephemeral and not is_for_pod(claim, pod):
                return error(not_for_pod(claim, pod))
            disk_id = self._of_claim(claim, cluster)
            if disk_id is not None:
                found.add(disk_id)
        return None

    def _of_claim(self, claim: PersistentVolumeClaim, cluster: Cluster) -> str | None:
        """The disk behind a claim; one without a volume counts by its class, under an id that no disk has."""
        volume = cluster.listers.get(PersistentVolume, claim.volume_name) if claim.volume_name else None
        if volume is not None:
            return self._kind.disk_id(volume.spec)
        storage_class = cluster.listers.get(StorageClass, claim.class_name) if claim.class_name else None
        if storage_class is None or storage_class.provisioner != self._kind.in_tree.name:
            return None
        return f"unbound claim {claim.key}"


class EBSLimits(NonCSILimits):
    """EBS volumes: 39, on instance types of the Nitro kind 25."""

    name = "EBSLimits"
    _kind = DiskKind(AWS_EBS, f"{ATTACHABLE_VOLUMES_PREFIX}aws-ebs", _ebs_id, _max_ebs)


class GCEPDLimits(NonCSILimits):
    """GCE persistent disks: 16."""

    name = "GCEPDLimits"
    _kind = DiskKind(GCE_PD, f"{ATTACHABLE_VOLUMES_PREFIX}gce-pd", _gce_pd_id, lambda _: MAX_GCE_PD_VOLUMES)


class AzureDiskLimits(NonCSILimits):
    """Azure disks: 16."""

    name = "AzureDiskLimits"
    _kind = DiskKind(
        AZURE_DISK, f"{ATTACHABLE_VOLUMES_PREFIX}azure-disk", _azure_disk_id, lambda _: MAX_AZURE_DISK_VOLUMES
    )


class CinderLimits(NonCSILimits):
    """Cinder volumes: 256. It is on only where a configuration names it."""

    name = "CinderLimits"
    _kind = DiskKind(CINDER, f"{ATTACHABLE_VOLUMES_PREFIX}cinder", _cinder_id, lambda _: MAX_CINDER_VOLUMES)
