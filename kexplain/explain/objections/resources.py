"""Objections for want of resources."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from operator import attrgetter

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact
from kexplain.explain.wording import amount
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.status import Status
from kexplain.objects.requests import PODS


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

    def facts(self, evidence: InsufficientResource, node_info: NodeInfo, lookup: Lookup) -> list[ResourceFact]:
        return room(evidence, [evidence.used_on(node_info)])

    def reads(self, evidence: InsufficientResource) -> tuple[()] | None:
        return None if evidence.used is None else ()

    def words(self, fact: ResourceFact) -> str:
        """The request beside what is free, and how that comes about."""
        name = fact.resource
        if name == PODS:
            return f"pods {fact.used} of {fact.allocatable} used"
        requested, free = amount(name, fact.requested, fact.free), amount(name, fact.free, fact.requested)
        whole = f"{amount(name, fact.allocatable)} allocatable − {amount(name, fact.used)} requested"
        return f"{name} {requested} > {free} free ({whole})"

    def key(self, fact: ResourceFact) -> str:
        return fact.resource

    def words_for_all(self, facts_by_node: Mapping[str, ResourceFact]) -> str:
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
        together = f", {amount(name, total, most.free)} on all of them together" if is_enough else ""
        return f"{needs}; at most {largest_piece} free on one node ({node}){together}"


def room(evidence: InsufficientResource, used: Iterable[int]) -> list[ResourceFact]:
    """The facts about nodes of which so much is used."""
    name, asked, has = evidence.resource, evidence.requested, evidence.allocatable
    return [ResourceFact(resource=name, requested=asked, free=has - each, allocatable=has, used=each) for each in used]


def insufficient(status: Status) -> Sequence[InsufficientResource]:
    """What there is too little of, where that is all there is to a status, and each node says itself what is used."""
    found = [each for each in status.evidence if isinstance(each, InsufficientResource) and each.used is None]
    return found if len(found) == len(status.evidence) else ()


def never_fit(facts: Sequence[ResourceFact]) -> bool:
    """Whether the node could not hold the pod even if it were empty."""
    return bool([fact for fact in facts if fact.requested > fact.allocatable])


def share_free(facts: Sequence[ResourceFact]) -> float:
    """How much of what is requested the node could give, of what it has least of."""
    return min(map(_share, facts), default=0.0)


def _share(fact: ResourceFact) -> float:
    """Old releases turn down overcommitted nodes whether anything is requested or not."""
    return fact.free / fact.requested if fact.requested else -math.inf
