"""Where the pods of a group may go together. Source: `plugins/topologyaware`."""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.framework.plugin import Placement
from kexplain.framework.status import Status, error, group_not_found
from kexplain.grouping import grouped
from kexplain.objects.core import GroupName
from kexplain.objects.scheduling import PodGroup


class TopologyPlacementGenerator:
    """A placement for each value of the label that the group names, or one of all nodes where it names none.

    Upstream yields them in any order; here they come in that of their first nodes.
    """

    name = "TopologyPlacementGenerator"

    def placements(self, name: GroupName, cluster: Cluster) -> Sequence[Placement] | Status:
        """The placements, of which there may be none; an error where pods of the group stand apart already."""
        group = cluster.listers.get(PodGroup, name.name, name.namespace)
        if group is None:
            return group_not_found(name)
        if not group.topology_key:
            return [Placement("", tuple(info.name for info in cluster.node_infos))]
        found = _domain(name, group.topology_key, cluster)
        if isinstance(found, Status):
            return found
        domains = ((info.labels.get(group.topology_key), info.name) for info in cluster.node_infos)
        names_by_domain = grouped((each, name) for each, name in domains if each is not None and found in (None, each))
        return [Placement(domain, tuple(names)) for domain, names in names_by_domain.items()]


def _domain(name: GroupName, key: str, cluster: Cluster) -> str | Status | None:
    """The domain that pods of the group are in already; None if none of them has a node."""
    found: str | None = None
    for pod_key, node_name in cluster.groups.members(name).placed.values():
        info = cluster.node_info_by_name.get(node_name)
        domain = info.labels.get(key) if info else None
        if info is None:
            return _unclear(f'getting node for pod {pod_key}: nodeinfo not found for node name "{node_name}"')
        if domain is None:
            return _unclear(f"no topology domain found for pod {pod_key}")
        if found not in (None, "", domain):
            return _unclear(f"more than 1 domain found for pod group: {found}, {domain}")
        found = domain
    return found


def _unclear(reason: str) -> Status:
    return error(f"cannot determine domain for already scheduled pods: {reason}")
