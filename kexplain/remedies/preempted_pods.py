"""Whom a scheduler would evict, in words."""

from __future__ import annotations

from kexplain.framework.postfilter import Candidate
from kexplain.remedies.trials import Tried
from kexplain.words import joined, plural, some

#: So many nodes are named between which the scheduler draws lots.
_DRAWN = 2


def evicts(tried: Tried) -> str:
    """Who has to go; where the scheduler draws lots, everybody who may, and which budgets that breaks."""
    nodes = {each.node_name for each in tried.chosen_from}
    gone = f"evicts {joined([pod.key for pod in tried.evicted])}"
    if len(nodes) > 1 and len(nodes) == len(tried.chosen_from):
        named = [_on_node(each) for each in tried.chosen_from[:_DRAWN]]
        more = [f"who is in its way on one of {plural(len(nodes), 'node')} in all"] if len(nodes) > _DRAWN else []
        gone = f"evicts {joined([*named, *more], 'or')} (it draws lots)"
    broken = dict.fromkeys(budget for each in tried.chosen_from for budget in each.violated_budgets)
    return f"{gone}, which breaks {'budget' if len(broken) == 1 else 'budgets'} {some([*broken])}" if broken else gone


def _on_node(candidate: Candidate) -> str:
    return f"{joined([pod.key for pod in candidate.victims])} on {candidate.node_name}"
