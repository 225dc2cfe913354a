"""Some volumes cannot be used twice. Source: `plugins/volumerestrictions`.

Not evaluated yet: only pods without such volumes, for which the plugin has nothing to do, are decided.
"""

from __future__ import annotations

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.objects.core import Pod


class VolumeRestrictions:
    """Keeps its place in the profile."""

    name = "VolumeRestrictions"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP; `not_evaluated` says when that is not what upstream would do."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""

    def not_evaluated(self, pod: Pod) -> str | None:
        """Which volumes would have to be looked at."""
        names = [
            volume.name or ""
            for volume in pod.spec.volumes or ()
            if volume.persistent_volume_claim
            or volume.gce_persistent_disk
            or volume.aws_elastic_block_store
            or volume.iscsi
            or volume.rbd
        ]
        return f"volumes {', '.join(names)}: may be in use elsewhere" if names else None
