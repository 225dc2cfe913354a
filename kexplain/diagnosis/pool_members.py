"""What a node is to every pod: its pool, and whether it is in service."""

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.grouping import grouped
from kexplain.objects.node_pools import named_pool, pool_names
from kexplain.objects.node_service import Service, out_of_service


class PoolMember(Struct, frozen=True):
    """The node's pool, whether that has a name of its own or only a shape, and what ails the node."""

    pool: str
    is_named: bool
    service: Service | None


def pool_members(cluster: Cluster) -> Mapping[str, PoolMember]:
    """Every node by name, worked out once for the nodes of a cluster."""
    return cluster.fact(pool_members, lambda: _members(cluster))


def _members(cluster: Cluster) -> dict[str, PoolMember]:
    nodes = [info.node for info in cluster.node_infos]
    names = pool_names(nodes)
    return {node.name: PoolMember(names[node.name], bool(named_pool(node)), out_of_service(node)) for node in nodes}


def kin(names: Collection[str], cluster: Cluster) -> frozenset[str]:
    """The other nodes of pools of which these are most, or the oldest: later ones may lack what these were given."""
    members = pool_members(cluster)
    by_pool = cluster.fact(kin, lambda: grouped((each.pool, name) for name, each in members.items() if each.is_named))
    own = grouped((members[name].pool, name) for name in names if name in members)
    found: list[str] = []
    for pool, here in own.items():
        others = [name for name in by_pool.get(pool, ()) if name not in names]
        if len(others) < len(here) or made(others, cluster, min) > made(here, cluster, max):
            found += others
    return frozenset(found)


def made(names: Iterable[str], cluster: Cluster, which: Callable[..., str]) -> str:
    """When the first, or the last, of the nodes was made."""
    nodes = cluster.node_info_by_name
    return which((nodes[name].node.metadata.creation_timestamp or "" for name in names), default="")
