"""How many nodes the scheduler looks at. Source: scheduler `numFeasibleNodesToFind`."""

from collections.abc import Iterable

from kexplain.framework.extender import ExtenderConfig, ExtenderVerb
from kexplain.framework.features import Features
from kexplain.framework.profile import Profile

#: Below this many nodes, all are looked at; and it never stops at fewer than this many feasible ones.
MIN_FEASIBLE_NODES_TO_FIND = 100
MIN_PERCENTAGE = 5


def feasible_nodes_to_find(nodes: int, percentage: int) -> int:
    """After how many feasible nodes the search ends; percentage 0 is worked out from the cluster's size."""
    if nodes < MIN_FEASIBLE_NODES_TO_FIND:
        return nodes
    return max(nodes * (percentage or default_percentage(nodes)) // 100, MIN_FEASIBLE_NODES_TO_FIND)


def default_percentage(nodes: int) -> int:
    """The share of so many nodes that is to be found where no configuration says how many."""
    return max(50 - nodes // 125, MIN_PERCENTAGE)


def nodes_to_find(
    nodes: int, profile: Profile, percentage: int, extenders: Iterable[ExtenderConfig], features: Features
) -> int:
    """The same for a profile, which may have a percentage of its own; one may do where nobody ranks nodes."""
    own = profile.percentage_of_nodes_to_score
    enough = feasible_nodes_to_find(nodes, percentage if own is None else own)
    if profile.score or not features.one_node_is_enough_without_scores:
        return enough
    wants_several = (ExtenderVerb.FILTER, ExtenderVerb.PRIORITIZE)
    return enough if any(verb in config.asked_verbs for config in extenders for verb in wants_several) else 1
