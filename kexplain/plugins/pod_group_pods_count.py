"""Prefers placements that take more pods of a group. Source: `plugins/podgrouppodscount`."""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.framework.plugin import MAX_NODE_SCORE, Placement
from kexplain.framework.status import Status, error
from kexplain.objects.core import GroupName


class PodGroupPodsCount:
    """Scores a placement by how many pods of the group have a node then."""

    name = "PodGroupPodsCount"

    def score_placement(self, name: GroupName, cluster: Cluster, placed: Placement) -> int:
        """Those that have a node already, and those that get one."""
        return len(cluster.groups.members(name).placed) + len(placed.pods)

    def normalize_placements(self, scores: Sequence[int]) -> Sequence[int] | Status:
        """Shares of the highest, cut off; an error if nothing was placed anywhere."""
        highest = max(scores, default=0)
        if highest == 0:
            return error("no pods from pod group are assigned to any of the candidate placements")
        return [score * MAX_NODE_SCORE // highest for score in scores]
