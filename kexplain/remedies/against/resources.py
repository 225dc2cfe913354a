"""What helps against objections because of too little room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.resources import ResourceFact, never_fit, share_free
from kexplain.explain.wording import amount, at_most
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS
from kexplain.remedies.against.against import Against
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.room import room
from kexplain.remedies.smaller_requests import requesting_less

REQUEST_LESS = "request-less"


class AgainstResources(Against[ResourceFact]):
    """The node has too little left of what the pod requests."""

    fact = ResourceFact
    spans_causes = True

    def nearest_first(
        self, facts_by_node: Mapping[str, Sequence[ResourceFact]]
    ) -> Mapping[str, Sequence[ResourceFact]]:
        """Those first that could give the largest share of what is requested."""
        shares = {name: share_free(facts) for name, facts in facts_by_node.items()}
        return {name: facts_by_node[name] for name in sorted(shares, key=shares.__getitem__, reverse=True)}

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[ResourceFact]]) -> Iterator[Proposal]:
        """The smaller request that would fit where most is left, and the least that would have to go for this one."""
        node, facts = next(iter(facts_by_node.items()))
        is_had = share_free(facts) > 0 or all(
            fact.free >= 0 and is_scalar_resource_name(fact.resource) for fact in facts
        )
        if all(fact.resource != PODS for fact in facts):
            wanted = " and ".join(
                f"{f'at most {at_most(fact.resource, fact.free)}' if fact.free > 0 else 'no'} {fact.resource}"
                f" (now {amount(fact.resource, fact.requested, max(fact.free, 0))})"
                for fact in facts
            )
            less = requesting_less(pod, {fact.resource: fact.free for fact in facts})
            # Something that requests nothing fits anywhere, but few can live with it.
            order = 3 if share_free(facts) > 0 else 8
            yield Proposal(REQUEST_LESS, f"request {wanted}", less, (node,), order, is_last_resort=not is_had)
        holding = next((name for name, each in facts_by_node.items() if not never_fit(each)), None)
        if holding is not None:
            text = freeing(facts_by_node[holding], holding)
            yield Proposal("free", text, nodes=(holding,), order=3, is_last_resort=True)
        else:
            needed = " and ".join(f"{amount(fact.resource, fact.requested)} {fact.resource}" for fact in facts)
            text = f"add a node that can hold {needed}; none of these can"
            yield Proposal("add-node", text, order=3, is_last_resort=True)

    def here(self, node_info: NodeInfo, facts: Sequence[ResourceFact], lookup: Lookup) -> Iterator[Proposal]:
        """Who would have to leave the node."""
        if not never_fit(facts):
            missing = {fact.resource: fact.requested - fact.free for fact in facts}
            yield from room(node_info, missing, lookup.pod, lookup.cluster)


def freeing(facts: Sequence[ResourceFact], node: str) -> str:
    """What would have to become free on the node."""
    missing = (
        "a pod slot"
        if fact.resource == PODS
        else f"{amount(fact.resource, fact.requested - fact.free)} {fact.resource}"
        for fact in facts
    )
    return f"free {' and '.join(missing)} on {node}"
