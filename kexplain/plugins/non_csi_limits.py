"""A node can have only so many disks of a cloud attached: the limits of old. Source: `nodevolumelimits/non_csi.go`.

Volumes of a plugin that is migrated to CSI on the node are left to NodeVolumeLimits.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import ATTACHABLE_VOLUMES_PREFIX
from kexplain.framework.evidence.storage import AttachLimitExceeded
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unschedulable
from kexplain.objects.core import Pod, Volume
from kexplain.objects.csi_migration import AWS_EBS, AZURE_DISK, CINDER, GCE_PD, InTreePlugin
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim, PersistentVolumeSpec
from kexplain.objects.storage import CSINode, StorageClass
from kexplain.objects.well_known import INSTANCE_TYPE, OLD_INSTANCE_TYPE
from kexplain.patterns import regex
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.volume_counting import CountingRules
from kexplain.plugins.volume_signing import sign_volumes

EXCEEDED = "node(s) exceed max volume count"
MAX_EBS_NITRO_VOLUMES = 25
_NITRO = regex("^[cmr]5.*|t3|z1d")


class DiskKind(NamedTuple):
    """The disks that one of the plugins counts, the field that tells them apart, and how many a node takes.

    A node can say otherwise by an allocatable resource.
    """

    in_tree: InTreePlugin
    id_field: str
    most: int

    def disk_id(self, source: Volume | PersistentVolumeSpec) -> str | None:
        """What tells the disk of a volume apart; None if it is not of the kind."""
        disk = getattr(source, self.in_tree.field)
        return getattr(disk, self.id_field) if disk else None

    def limit(self, node_info: NodeInfo) -> int:
        """By the instance type; which of the two labels counts where they differ is left to chance upstream."""
        labels = node_info.labels
        instance_type = labels.get(INSTANCE_TYPE, labels.get(OLD_INSTANCE_TYPE, ""))
        return MAX_EBS_NITRO_VOLUMES if self.in_tree is AWS_EBS and _NITRO.search(instance_type) else self.most


#: By plugin. That of Cinder is on only where a configuration names it.
DISK_KINDS: Mapping[str, DiskKind] = {
    "EBSLimits": DiskKind(AWS_EBS, "volume_id", 39), "GCEPDLimits": DiskKind(GCE_PD, "pd_name", 16),
    "AzureDiskLimits": DiskKind(AZURE_DISK, "disk_name", 16), "CinderLimits": DiskKind(CINDER, "volume_id", 256),
}  # fmt: skip


class NonCSILimits:
    """Turns away nodes that would have more disks of a kind attached than they take.

    Deviation: KUBE_MAX_PD_VOLS, the environment variable that overrides all limits, is `max_volumes` here.
    """

    def __init__(self, name: str, features: Features = DEFAULT_FEATURES, max_volumes: int | None = None) -> None:
        self.name, self._kind = name, DISK_KINDS[name]
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
        limit_key = ATTACHABLE_VOLUMES_PREFIX + self._kind.in_tree.name.partition("/")[2]
        limit = node_info.allocatable.scalars.get(limit_key)
        if limit is None:
            limit = self._max_volumes or self._kind.limit(node_info)
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
            if disk_id is None:
                claim = self._rules.claim(pod, volume, cluster, is_new=is_new)
                if isinstance(claim, Status):
                    return claim
                disk_id = self._of_claim(claim, cluster) if claim else None
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
