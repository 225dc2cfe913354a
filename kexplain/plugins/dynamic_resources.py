"""Devices are allocated to claims. Source: `plugins/dynamicresources`.

Not evaluated yet: only pods without claims are decided, for which the plugin has nothing to do but to say so
when no node fits, and to score every node 0.
"""

from __future__ import annotations

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import SKIP, Skip
from kexplain.framework.postfilter import PostFiltered, PostFilterHandle
from kexplain.framework.status import unschedulable
from kexplain.objects.core import Pod


class DynamicResources:
    """Keeps its place in the profile."""

    name = "DynamicResources"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> Skip:  # noqa: ARG002
        """Always SKIP; `not_evaluated` says when that is not what upstream would do."""
        return SKIP

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> None:
        """Never reached, since `pre_filter` skips."""

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:  # noqa: ARG002
        """A pod without claims has none to give back."""
        return PostFiltered(unschedulable("no new claims to deallocate"))

    def score(self, pod: Pod, state: None, node_info: NodeInfo) -> int:  # noqa: ARG002
        """0: no claim prefers any node."""
        return 0

    def not_evaluated(self, pod: Pod) -> str | None:
        """Which claims would have to be allocated."""
        names = [claim.name for claim in pod.spec.resource_claims or ()]
        return f"resource claims {', '.join(names)}: devices on nodes" if names else None
