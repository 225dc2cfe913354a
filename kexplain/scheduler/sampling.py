"""How many nodes the scheduler looks at. Source: scheduler `numFeasibleNodesToFind`."""

from __future__ import annotations

#: Below this many nodes, all are looked at; and it never stops at fewer than this many feasible ones.
MIN_FEASIBLE_NODES_TO_FIND = 100
MIN_PERCENTAGE = 5


def feasible_nodes_to_find(nodes: int, percentage: int) -> int:
    """After how many feasible nodes the search ends; percentage 0 is worked out from the cluster's size."""
    if nodes < MIN_FEASIBLE_NODES_TO_FIND:
        return nodes
    if percentage == 0:
        percentage = max(50 - nodes // 125, MIN_PERCENTAGE)
    return max(nodes * percentage // 100, MIN_FEASIBLE_NODES_TO_FIND)
