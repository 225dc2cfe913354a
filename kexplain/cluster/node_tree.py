"""The order in which the scheduler holds nodes: zones take turns.

Source: scheduler `backend/cache/node_tree.go`, component-helpers `topology.GetZoneKey`.
"""

from collections.abc import Iterable
from itertools import zip_longest
from typing import TypeVar

from kexplain.grouping import grouped
from kexplain.objects.core import Node
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE

NodeT = TypeVar("NodeT")


def zone_key(node: Node) -> tuple[str, str]:
    """Region and zone; the old label names win over the new ones where a node has both."""
    labels = node.labels
    region, zone = labels.get(OLD_REGION), labels.get(OLD_ZONE)
    return (labels.get(REGION, "") if region is None else region), (labels.get(ZONE, "") if zone is None else zone)


def interleave_zones(nodes: Iterable[tuple[tuple[str, str], NodeT]]) -> list[NodeT]:
    """One node of each zone in turn, zones and the nodes in them in the order of their first appearance."""
    turns = zip_longest(*grouped(nodes).values())
    return [node for turn in turns for node in turn if node is not None]
