"""What a node is to every pod: its pool, and whether it is in service."""

from collections import Counter
from collections.abc import Collection, Mapping

from msgspec import Struct

from kexplain.cluster import Cluster
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
    """The other nodes of pools of which these are most."""
    members = pool_members(cluster)
    sizes = cluster.fact(kin, lambda: Counter(each.pool for each in members.values() if each.is_named))
    own = Counter(members[name].pool for name in names if name in members)
    pools = {pool for pool, count in own.items() if count < sizes[pool] < 2 * count}
    found = (name for name, each in members.items() if each.pool in pools) if pools else ()
    return frozenset(found).difference(names)
