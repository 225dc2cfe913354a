"""Volumes are in zones. Source: `plugins/volumezone`.

Not evaluated yet: only pods without claims, for which the plugin has nothing to do, are decided.
"""

from __future__ import annotations

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.objects.core import Pod


class VolumeZone:
    """Keeps its place in the profile."""

    name = "VolumeZone"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP; `not_evaluated` says when that is not what upstream would do."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""

    def not_evaluated(self, pod: Pod) -> str | None:
        """Which claims' zones would have to be looked at."""
        names = [
            volume.persistent_volume_claim.claim_name
            for volume in pod.spec.volumes or ()
            if volume.persistent_volume_claim
        ]
        return f"claims {', '.join(names)}: zones of their volumes" if names else None
