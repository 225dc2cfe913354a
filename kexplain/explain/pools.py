"""The pools that nodes belong to."""

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.grouping import grouped
from kexplain.objects.core import Node
from kexplain.objects.node_pools import PoolId, created, lasting_taints, pool_id, variants, zone_of
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import plural


class Pool(Struct, frozen=True, dict=True):
    """Nodes of one name, or, without a name, only of one shape, the newest first, as far as they say when they came.

    `label` is what names it: two pools may have one name.
    """

    name: str
    nodes: tuple[Node, ...]
    label: str = ""

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(node.name for node in self.nodes)

    @cached_property
    def names_by_zone(self) -> Mapping[str, Sequence[str]]:
        """The same by zone, empty for nodes that name none."""
        return grouped((zone_of(node.labels), node.name) for node in self.nodes)

    @cached_property
    def variants(self) -> Sequence[Node]:
        """The newest node of each zone and size, the newest of all first."""
        return variants(self.nodes)

    def __str__(self) -> str:
        count = plural(len(self.nodes), "node")
        return f"pool {self.name}, {count}" if self.name else count


def pools(cluster: Cluster) -> Sequence[Pool]:
    """The pools of nodes, the largest first."""
    return cluster.fact(pools, lambda: _pools([info.node for info in cluster.node_infos]))


def _pools(nodes: Sequence[Node]) -> Sequence[Pool]:
    alike = grouped((pool_id(node) or _shape(node), node) for node in nodes).items()
    named = ((key if isinstance(key, PoolId) else PoolId("", ""), own) for key, own in alike)
    found = (Pool(each.name, tuple(sorted(own, key=created, reverse=True)), each.label) for each, own in named)
    return sorted(found, key=lambda pool: (-len(pool.nodes), not pool.label))


def _shape(node: Node) -> Hashable:
    labels = {key: value for key, value in node.labels.items() if key != HOSTNAME}
    allocatable = (node.status.allocatable or {}).items()
    taints = {str(taint) for taint in lasting_taints(node)}
    return frozenset(labels.items()), frozenset((k, str(v)) for k, v in allocatable), frozenset(taints)
