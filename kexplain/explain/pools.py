"""The pools that nodes belong to."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.objects.core import Node
from kexplain.objects.node_pools import PoolId, created, lasting_taints, pool_id
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import plural


class Pool(Struct, frozen=True):
    """Nodes of one name, or, without a name, only of one shape; `newest` was added last, as far as nodes say when.

    `label` is what names it: two pools may have one name.
    """

    name: str
    nodes: tuple[Node, ...]
    newest: Node
    label: str = ""

    def __str__(self) -> str:
        count = plural(len(self.nodes), "node")
        return f"pool {self.name}, {count}" if self.name else count


def pools(cluster: Cluster) -> Sequence[Pool]:
    """The pools of nodes, the largest first."""
    return cluster.fact(pools, lambda: _pools([info.node for info in cluster.node_infos]))


def _pools(nodes: Sequence[Node]) -> Sequence[Pool]:
    by_id: dict[PoolId, list[Node]] = {}
    by_shape: dict[object, list[Node]] = {}
    for node in nodes:
        if found := pool_id(node):
            by_id.setdefault(found, []).append(node)
        else:
            by_shape.setdefault(_shape(node), []).append(node)
    members = [*by_id.items(), *((PoolId("", ""), alike) for alike in by_shape.values())]
    named = (Pool(each.name, tuple(own), max(own, key=created), each.label) for each, own in members)
    return sorted(named, key=lambda pool: -len(pool.nodes))


def _shape(node: Node) -> object:
    labels = {key: value for key, value in node.labels.items() if key != HOSTNAME}
    allocatable = (node.status.allocatable or {}).items()
    taints = {str(taint) for taint in lasting_taints(node)}
    return frozenset(labels.items()), frozenset((k, str(v)) for k, v in allocatable), frozenset(taints)
