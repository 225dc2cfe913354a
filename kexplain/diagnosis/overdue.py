"""Nodes that have been coming up, or were to go, for so long that somebody has stopped half way."""

import math
from datetime import UTC, datetime

from kexplain.cluster import Cluster
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_pools import comes_along, created
from kexplain.objects.node_service import Trouble, out_of_service
from kexplain.plugins.victims import seconds

TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler"
#: So many seconds an autoscaler takes to remove a node, with all that its pods may take to end; a node comes up sooner.
_AT_MOST = 1800
#: A node may take so many seconds to offer all that it has.
SOON = 600


def overdue_since(node: Node, cluster: Cluster) -> str:
    """Since when; empty for a node in service, or where it is not known to be so long.

    An autoscaler writes the second into its taint. A node on which nothing but agents runs has not come up since it was
    made, as far as is known.
    """
    service, since = out_of_service(node), ""
    match service.troubles[0] if service else None:
        case Trouble.LEAVING:
            seen = [each.value or "" for each in node.spec.taints or () if each.key == TO_BE_DELETED]
            marked = (f"{datetime.fromtimestamp(int(one), UTC):%Y-%m-%dT%H:%M:%SZ}" for one in seen if one.isdecimal())
            since = node.metadata.deletion_timestamp or next(marked, "")
        case Trouble.STARTING if all(comes_along(each.pod) for each in cluster.node_info_by_name[node.name].pods):
            since = created(node)
    return since if is_long_ago(since, cluster) else ""


def is_long_ago(time: str, cluster: Cluster) -> bool:
    """Whether what began then, and ought to pass, has not."""
    return _AT_MOST < now(cluster) - seconds(time) < math.inf


def is_new(node: Node, cluster: Cluster) -> bool:
    """Whether it came a few minutes ago, so that its agents may still be starting."""
    return 0 < now(cluster) - seconds(created(node)) < SOON


def now(cluster: Cluster) -> float:
    """The last second of which nodes, and pods that wait, tell."""
    return cluster.fact((now, cluster.listers), lambda: seconds(_newest(cluster)))


def _newest(cluster: Cluster) -> str:
    times = [one.metadata.creation_timestamp or "" for one in cluster.listers.every(Pod)]
    for info in cluster.node_infos:
        states = info.node.status.conditions or ()
        times += [created(info.node), *(one.last_heartbeat_time or one.last_transition_time or "" for one in states)]
    return max(times, default="")
