"""Pods that use new kubelet features need nodes that declare them. Source: `plugins/nodedeclaredfeatures`.

Not evaluated yet: pods that use none, which is nearly all, are decided.
"""

from __future__ import annotations

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.objects.core import Pod


class NodeDeclaredFeatures:
    """Keeps its place in the profile."""

    name = "NodeDeclaredFeatures"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""
