"""What a node is to every pod: its pool, and whether it is in service."""

from collections.abc import Mapping

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
