"""A node can attach only so many volumes. Source: `plugins/nodevolumelimits`.

Not evaluated yet: only pods without attachable volumes, for which the plugin has nothing to do, are decided.
"""

from __future__ import annotations

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.objects.core import Pod


class NodeVolumeLimits:
    """Keeps its place in the profile."""

    name = "NodeVolumeLimits"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP; `not_evaluated` says when that is not what upstream would do."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""

    def not_evaluated(self, pod: Pod) -> str | None:
        """Which volumes would have to be counted."""
        names = [
            volume.name or ""
            for volume in pod.spec.volumes or ()
            if volume.persistent_volume_claim
            or volume.ephemeral
            or volume.gce_persistent_disk
            or volume.aws_elastic_block_store
        ]
        return f"volumes {', '.join(names)}: attachment limits of nodes" if names else None
