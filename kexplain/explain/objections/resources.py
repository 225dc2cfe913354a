"""Objections for want of resources."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter

from kexplain.cluster import NodeInfo
from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.explain.objections.objection import Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.explain.room import room
from kexplain.explain.smaller_requests import requesting_less
from kexplain.explain.wording import amount, at_most
from kexplain.framework.evidence import InsufficientResource
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS

REQUEST_LESS = "request-less"


class ResourceFact(Fact, frozen=True, tag="InsufficientResource"):
    """Too little of a resource is left; `free` is negative on an overcommitted node."""

    resource: str
    requested: int
    free: int
    allocatable: int
    used: int


class Resources(Objection[InsufficientResource, ResourceFact]):
    """The node has too little left of what the pod requests."""

    evidence = InsufficientResource
    fact = ResourceFact
    fields = (("containers",),)
    spans_causes = True

    def facts(self, evidence: InsufficientResource, node_info: NodeInfo, lookup: Lookup) -> tuple[ResourceFact]:  # noqa: ARG002
        """One with the same fields, made by hand since there may be one for every node."""
        return (
            ResourceFact(
                resource=evidence.resource,
                requested=evidence.requested,
                free=evidence.free,
                allocatable=evidence.allocatable,
                used=evidence.used,
            ),
        )

    def words(self, fact: ResourceFact) -> str:
        """The request beside what is free, and how that comes about."""
        name = fact.resource
        if name == PODS:
            return f"pods {fact.used} of {fact.allocatable} used"
        requested, free = amount(name, fact.requested, fact.free), amount(name, fact.free, fact.requested)
        whole = f"{amount(name, fact.allocatable)} allocatable − {amount(name, fact.used)} requested"
        return f"{name} {requested} > {free} free ({whole})"

    def key(self, fact: ResourceFact) -> str:
        """The resource."""
        return fact.resource

    def together(self, facts_by_node: Mapping[str, ResourceFact]) -> str:
        """What is needed, and the most that any of these nodes has left."""
        facts = facts_by_node.values()
        free = list(map(attrgetter("free"), facts))
        node, most = next(islice(facts_by_node.items(), free.index(max(free)), None))
        name, several = most.resource, len(facts_by_node) > 1
        if name == PODS:
            return "pods: every slot is taken"
        needs = f"{name}: needs {amount(name, most.requested, most.free)}"
        largest = max(map(attrgetter("allocatable"), facts))
        if not largest:
            return f"{needs}, {'these nodes have' if several else 'the node has'} none"
        if largest < most.requested:
            whose = "any node's" if several else "the node's"
            needs += f", more than {whose} capacity ({amount(name, largest, most.requested)})"
        if most.free <= 0:
            return f"{needs}, none free on {'any node' if several else node}"
        largest_piece = amount(name, most.free, most.requested)
        if not several:
            return f"{needs}, {largest_piece} free on {node}"
        total = sum([each for each in free if each > 0])
        is_enough = most.requested <= min(total, largest)
        in_total = f", {amount(name, total, most.free)} in total" if is_enough else ""
        return f"{needs}; at most {largest_piece} free on one node ({node}){in_total}"

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


def never_fit(facts: Sequence[ResourceFact]) -> bool:
    """Whether the node could not hold the pod even if it were empty."""
    return any(fact.requested > fact.allocatable for fact in facts)


def share_free(facts: Sequence[ResourceFact]) -> float:
    """How much of what is requested the node could give, of what it has least of."""
    if len(facts) == 1:
        # Most nodes of most pods lack one thing, and each of them is asked.
        return _share(facts[0])
    return min(map(_share, facts), default=0.0)


def _share(fact: ResourceFact) -> float:
    """Old releases turn down overcommitted nodes whether anything is requested or not."""
    return fact.free / fact.requested if fact.requested else -math.inf
