"""A node can have only so many volumes of a driver attached. Source: `plugins/nodevolumelimits`."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.resource import ATTACHABLE_VOLUMES_PREFIX
from kexplain.framework.evidence.storage import AttachLimitExceeded, DriverNotInstalled
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip, points_left_out
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, error, unschedulable
from kexplain.objects.core import Pod, Volume
from kexplain.objects.csi_migration import (
    IN_TREE_PLUGIN_BY_NAME,
    MigrationError,
    in_tree_plugin,
    inline_handle,
    persistent_handle,
)
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.storage import CSIDriver, CSINode, StorageClass, VolumeAttachment
from kexplain.plugins.migrated_plugins import MigratedPlugins
from kexplain.plugins.volume_counting import CountingRules
from kexplain.plugins.volume_signing import sign_volumes

#: Drivers by what tells volumes apart: the driver and its handle. A volume that several pods share counts once.
DriverByVolume = dict[str, str]

EXCEEDED = "node(s) exceed max volume count"
RESOURCE_NAME_LENGTH_LIMIT = 63


class Attachments(Struct):
    """What the filter looks up, some of it worked out when it is first asked for.

    `new_by_migration` are the pod's own volumes by the in-tree plugins that count as migrated on a node.
    """

    cluster: Cluster
    new_by_migration: dict[frozenset[str], DriverByVolume | Status] = msgspec.field(default_factory=dict)
    attached_by_node: Mapping[str, DriverByVolume] | None = None


class NodeVolumeLimits:
    """Turns away nodes that would have more volumes of a driver attached than their CSINode allows."""

    name = "NodeVolumeLimits"

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._attachments_count = features.attachments_count
        self._skips = features.further_filters_are_skipped
        self.not_at = points_left_out(preFilter=self._skips)
        self._rules = CountingRules.of(features)
        self._node_allocatable_counts = features.node_allocatable_limits_volumes
        self._migrated = MigratedPlugins.of(features)
        self._drivers_must_be_there = features.volume_limit_scaling
        self._drivers_opt_in = features.missing_drivers_count_if_they_say_so

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[Attachments] | Skip:
        """SKIP for pods without a volume that could count."""
        if not self._skips or any(_may_count(volume) for volume in pod.spec.volumes or ()):
            return PreFiltered(Attachments(cluster))
        return SKIP

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        return sign_volumes(pod, cluster)

    def filter(self, pod: Pod, state: Attachments, node_info: NodeInfo) -> Status | None:
        """None if all volumes can be attached, or the node names no limits."""
        csi_node = state.cluster.listers.get(CSINode, node_info.name)
        migrated = self._migrated.on(csi_node)
        new = _new_volumes(pod, state, self._rules, migrated=migrated)
        if isinstance(new, Status):
            return new
        missing = self._missing_driver(new.values(), csi_node, state.cluster)
        if missing is not None:
            return unschedulable(f"{missing} CSI driver is not installed on the node", DriverNotInstalled(missing))
        limits = csi_node.limit_by_driver if csi_node else {}
        if self._node_allocatable_counts:
            limits = _limits_of_node(new.values(), node_info) | limits
        if not new or not limits:
            return None
        attached = self._attached(state, node_info, migrated=migrated)
        if isinstance(attached, Status):
            return attached
        new = {volume: driver for volume, driver in new.items() if volume not in attached}
        if self._attachments_count:
            attached = _attached_to(state, node_info.name) | attached
        counts = Counter(attached.values())
        exceeded = [
            AttachLimitExceeded(driver, requested, counts[driver], limits[driver])
            for driver, requested in Counter(new.values()).items()
            if driver in limits and counts[driver] + requested > limits[driver]
        ]
        return unschedulable(EXCEEDED, *exceeded) if exceeded else None

    def _attached(
        self, state: Attachments, node_info: NodeInfo, *, migrated: frozenset[str]
    ) -> DriverByVolume | Status:
        """The volumes of the pods on the node."""
        attached: DriverByVolume = {}
        for pod_info in node_info.pods:
            if pod_info.pod.spec.volumes:
                failed = _gather(pod_info.pod, state.cluster, attached, self._rules, is_new=False, migrated=migrated)
                if failed is not None:
                    return failed
        return attached

    def _missing_driver(self, drivers: Iterable[str], csi_node: CSINode | None, cluster: Cluster) -> str | None:
        """The first driver that must be on the node and is not. Source: `checkCSIDriverOnNode`."""
        if not self._drivers_must_be_there:
            return None
        there = {driver.name for driver in (csi_node.spec.drivers if csi_node else None) or ()}
        for driver in drivers:
            known = cluster.listers.get(CSIDriver, driver)
            if known is None or driver in there:
                continue
            if known.spec.prevent_pod_scheduling_if_missing or not self._drivers_opt_in:
                return driver
        return None

    def may_help(self, action: str, pod: PodInfo, gone: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that left had a volume that could count."""
        return any(_may_count(volume) for volume in gone.pod.spec.volumes or ())


def _limits_of_node(drivers: Iterable[str], node_info: NodeInfo) -> dict[str, int]:
    """What the node itself says of these drivers, under resource names that were made of theirs."""
    scalars = node_info.allocatable.scalars
    return {driver: scalars[key] for driver in drivers if (key := attach_limit_key(driver)) in scalars}


def attach_limit_key(driver: str) -> str:
    """The resource name for a driver's volumes; long ones are cut. Source: volume util `GetCSIAttachLimitKey`."""
    key = f"{ATTACHABLE_VOLUMES_PREFIX}csi-{driver}"
    if len(key) < RESOURCE_NAME_LENGTH_LIMIT:
        return key
    # Few drivers have so long a name, and hashes take long to import.
    from hashlib import sha1  # noqa: PLC0415

    digest = sha1(driver.encode(), usedforsecurity=False).hexdigest()
    return f"{ATTACHABLE_VOLUMES_PREFIX}csi-{driver[:23]}{digest[:16]}"


def _may_count(volume: Volume) -> bool:
    return bool(volume.persistent_volume_claim or volume.ephemeral or in_tree_plugin(volume))


def _new_volumes(
    pod: Pod, state: Attachments, rules: CountingRules, *, migrated: frozenset[str]
) -> DriverByVolume | Status:
    """The pod's own volumes, worked out once for all nodes of a kind."""
    known = state.new_by_migration.get(migrated)
    if known is None:
        found: DriverByVolume = {}
        known = _gather(pod, state.cluster, found, rules, is_new=True, migrated=migrated) or found
        state.new_by_migration[migrated] = known
    return known


def _gather(
    pod: Pod, cluster: Cluster, found: DriverByVolume, rules: CountingRules, *, is_new: bool, migrated: frozenset[str]
) -> Status | None:
    """Add the volumes of a pod that count; an answer is what is wrong with one of them."""
    for volume in pod.spec.volumes or ():
        claim = rules.claim(pod, volume, cluster, is_new=is_new)
        if claim is None and rules.counts_inline:
            claim = _gather_inline(volume, found, migrated=migrated)
        if isinstance(claim, Status):
            return claim
        driver, handle = _of_claim(claim, cluster, migrated=migrated) if claim else ("", "")
        if driver and handle:
            found[f"{driver}/{handle}"] = driver
    return None


def _gather_inline(volume: Volume, found: DriverByVolume, *, migrated: frozenset[str]) -> Status | None:
    plugin = in_tree_plugin(volume)
    if plugin is None or plugin.name not in migrated:
        return None
    try:
        handle = inline_handle(volume)
    except MigrationError as failed:
        return error(f"converting volume({volume.name or ''}) from inline to csi: {failed}")
    found[f"{plugin.driver}/{handle}"] = plugin.driver
    return None


def _of_claim(claim: PersistentVolumeClaim, cluster: Cluster, *, migrated: frozenset[str]) -> tuple[str, str]:
    """Driver and handle of a claim's volume; both empty if it does not count."""
    volume = cluster.listers.get(PersistentVolume, claim.volume_name) if claim.volume_name else None
    if volume is None:
        return _of_class(claim, cluster, migrated=migrated)
    if volume.spec.csi is not None:
        return volume.spec.csi.driver, volume.spec.csi.volume_handle
    plugin = in_tree_plugin(volume.spec)
    if plugin is None or plugin.name not in migrated:
        return "", ""
    with suppress(MigrationError):
        return plugin.driver, persistent_handle(volume)
    return "", ""


def _of_class(claim: PersistentVolumeClaim, cluster: Cluster, *, migrated: frozenset[str]) -> tuple[str, str]:
    """A claim without a volume counts by its class, under a handle that no volume has."""
    storage_class = cluster.listers.get(StorageClass, claim.class_name) if claim.class_name else None
    if storage_class is None:
        return "", ""
    handle = f"unbound claim {claim.key}"
    plugin = IN_TREE_PLUGIN_BY_NAME.get(storage_class.provisioner)
    if plugin is None:
        return storage_class.provisioner, handle
    return (plugin.driver, handle) if plugin.name in migrated else ("", "")


def _attached_to(state: Attachments, node_name: str) -> DriverByVolume:
    """The volumes that VolumeAttachments attach to the node, whether or not a pod there uses them."""
    if state.attached_by_node is None:
        by_node: dict[str, DriverByVolume] = {}
        listers = state.cluster.listers
        for attachment in listers.every(VolumeAttachment):
            spec = attachment.spec
            name = spec.source.persistent_volume_name
            volume = listers.get(PersistentVolume, name) if name is not None else None
            if spec.attacher and volume is not None and volume.spec.csi is not None:
                key = f"{spec.attacher}/{volume.spec.csi.volume_handle}"
                by_node.setdefault(spec.node_name, {})[key] = spec.attacher
        state.attached_by_node = by_node
    return state.attached_by_node.get(node_name, {})
