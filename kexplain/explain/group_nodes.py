"""A group that waits, node by node: which nodes its own pods use up, and why the others take none of them."""

from collections import Counter

from kexplain.explain.causes import causes
from kexplain.explain.group_records import GroupNodes
from kexplain.explain.verdicts import node_verdicts
from kexplain.framework.trace import GroupOutcome


def group_nodes(outcome: GroupOutcome) -> tuple[GroupNodes, ...]:
    """The nodes by what stops the first pod there that fits on none; empty if each was given a node."""
    stopped = next((each for each in outcome.members if not each.node_name), None)
    if stopped is None:
        return ()
    takes = Counter(each.node_name for each in outcome.members if each.node_name)
    open_at_first = {name for each in outcome.members for name in each.decision.feasible} | takes.keys()
    verdicts = [*node_verdicts(stopped.decision, 0)]
    return tuple(
        GroupNodes(
            used_up=used_up,
            plugin=cause.plugin,
            text=cause.text,
            count=cause.count,
            nodes=cause.nodes,
            takes={name: takes[name] for name in cause.nodes if name in takes},
        )
        for used_up in (True, False)
        for cause in causes([each for each in verdicts if (each.node in open_at_first) is used_up])
    )
