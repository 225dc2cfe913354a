"""Claims must be bound, or bindable, where the pod runs. Source: `plugins/volumebinding`.

Not evaluated yet: only pods without claims, for which the plugin has nothing to do, are decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.objects.core import Pod


class VolumeBinding:
    """Keeps its place in the profile."""

    name = "VolumeBinding"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP; `not_evaluated` says when that is not what upstream would do."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Skip:  # noqa: ARG002
        """Always SKIP: scoring by capacity is off in every release by default."""
        return SKIP

    def score(self, pod: Pod, state: None, node_info: NodeInfo) -> int:  # noqa: ARG002
        """Never reached, since `pre_score` skips."""
        return 0

    def not_evaluated(self, pod: Pod) -> str | None:
        """Which claims would have to be bound."""
        names = [
            volume.persistent_volume_claim.claim_name if volume.persistent_volume_claim else volume.name or ""
            for volume in pod.spec.volumes or ()
            if volume.persistent_volume_claim or volume.ephemeral
        ]
        return f"claims {', '.join(names)}: binding and topology" if names else None
