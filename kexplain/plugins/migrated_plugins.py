"""Which in-tree volume plugins count as their CSI drivers.

Source: `nodevolumelimits/utils.go` `isCSIMigrationOn`, volume binder `isPluginMigratedToCSIOnNode`.
"""

from __future__ import annotations

from msgspec import Struct

from kexplain.framework.features import Features
from kexplain.objects.csi_migration import AWS_EBS, AZURE_DISK, CINDER, GCE_PD, PORTWORX, InTreePlugin
from kexplain.objects.storage import CSINode


class MigratedPlugins(Struct, frozen=True):
    """The names of the plugins that may count as migrated, and of those that do on every node with a CSINode.

    The others do where the annotation of the CSINode names them.
    """

    allowed: frozenset[str]
    everywhere: frozenset[str]

    @classmethod
    def of(cls, features: Features) -> MigratedPlugins:
        """Those of a release with its gates."""
        if not features.csi_migration:
            return cls(frozenset(), frozenset())
        plugins = (
            (AWS_EBS, features.aws_migration, features.aws_and_azure_are_migrated_everywhere),
            (AZURE_DISK, features.azure_disk_migration, features.aws_and_azure_are_migrated_everywhere),
            (GCE_PD, features.gce_migration, features.gce_is_migrated_everywhere),
            (CINDER, features.cinder_migration, features.cinder_is_migrated_everywhere),
            (PORTWORX, features.portworx_migration, features.portworx_is_migrated_everywhere),
        )
        return cls(
            allowed=frozenset(plugin.name for plugin, is_allowed, _ in plugins if is_allowed),
            everywhere=frozenset(plugin.name for plugin, _, is_everywhere in plugins if is_everywhere),
        )

    def on(self, csi_node: CSINode | None) -> frozenset[str]:
        """Those whose volumes count as their driver's on the node."""
        if csi_node is None:
            return frozenset()
        if self.everywhere >= self.allowed or not csi_node.migrated_plugins:
            return self.everywhere
        return self.everywhere | (self.allowed & csi_node.migrated_plugins)

    def are_announced(self, plugin: InTreePlugin, csi_node: CSINode | None) -> bool:
        """Whether the node itself says that volumes of the plugin are its driver's."""
        return csi_node is not None and plugin.name in self.allowed and plugin.name in csi_node.migrated_plugins
