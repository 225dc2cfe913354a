"""Objections for want of resources."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact
from kexplain.explain.wording import amount
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.status import Status
from kexplain.grouping import grouped
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

    fields = (("containers",),)
    same = ("resource",)

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

    def words_for_all(self, facts_by_node: Mapping[str, ResourceFact]) -> str:
        """What is needed, and the most that any of these nodes has left."""
        facts = facts_by_node.values()
        free = list(map(attrgetter("free"), facts))
        node, most = next(islice(facts_by_node.items(), free.index(max(free)), None))
        return _at_most(most, node, max(map(attrgetter("allocatable"), facts)), free)

    def cause(self, facts_by_node: Mapping[str, Sequence[ResourceFact]]) -> str:
        if not isinstance(facts_by_node, FactsByNode):
            return super().cause(facts_by_node)
        return "; ".join(dict.fromkeys([_at_most(*each) for each in facts_by_node.left]))


def _at_most(most: ResourceFact, node: str, largest: int, free: Sequence[int]) -> str:
    """What is needed of nodes with so much left, the most of them on that node, of which the largest has so much."""
    name, several = most.resource, len(free) > 1
    if name == PODS:
        return "pods: every slot is taken"
    needs = f"{name}: needs {amount(name, most.requested, most.free)}"
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
    return min((each.free / each.requested if each.requested else -math.inf for each in facts), default=0.0)


class Alike(Struct, frozen=True, eq=False):
    """The facts about one of some nodes; if they are `short`, those about the others differ in what pods take there."""

    facts: tuple[Any, ...] = ()
    short: Sequence[InsufficientResource] = ()


class FactsByNode(Mapping[str, Sequence[Any]]):
    """Facts about nodes, in order, of which some are short: theirs are made when somebody looks at them."""

    def __init__(self, alike_by_node: Mapping[str, Alike], cluster: Cluster) -> None:
        self._alike_by_node = alike_by_node
        self._cluster = cluster

    def __getitem__(self, name: str) -> tuple[Any, ...]:
        alike = self._alike_by_node[name]
        if not alike.short:
            return alike.facts
        info = self._cluster.node_info_by_name[name]
        return tuple([fact for each in alike.short for fact in room(each, [each.used_on(info)])])

    def __iter__(self) -> Iterator[str]:
        return iter(self._alike_by_node)

    def __len__(self) -> int:
        return len(self._alike_by_node)

    def among(self, names: Iterable[str]) -> Mapping[str, Sequence[Any]]:
        """Those about these nodes, in that order."""
        return by_node({name: self._alike_by_node[name] for name in names}, self._cluster)

    @cached_property
    def groups(self) -> Sequence[tuple[Alike, Sequence[str]]]:
        """The nodes whose facts are alike, with these."""
        return [*grouped((alike, name) for name, alike in self._alike_by_node.items()).items()]

    def free(self, evidence: InsufficientResource, names: Iterable[str]) -> list[int]:
        """What is left on these nodes, which are short of it."""
        used = self._cluster.room_by_place(evidence.resource).used
        return [evidence.allocatable - used[place] for place in self._cluster.places(names)]

    @property
    def left(self) -> Iterator[tuple[ResourceFact, str, int, list[int]]]:
        """Resource by resource, which are the same on each node: who has most left, the largest there is, and all."""
        for number in range(len(self.groups[0][0].facts)):
            found = []
            for alike, names in self.groups:
                free = self.free(alike.short[number], names) if alike.short else [alike.facts[number].free] * len(names)
                found.append((alike.facts[number], names, free))
            most = max([max(free) for *_, free in found])
            fact_by_node = {names[free.index(most)]: fact for fact, names, free in found if most in free}
            node = next(iter(fact_by_node) if len(fact_by_node) == 1 else filter(fact_by_node.__contains__, self))
            fact = replace(fact_by_node[node], free=most, used=fact_by_node[node].allocatable - most)
            largest = max([fact.allocatable for fact, *_ in found])
            yield fact, node, largest, [each for *_, free in found for each in free]


def by_node(alike_by_node: Mapping[str, Alike], cluster: Cluster | None) -> Mapping[str, Any]:
    """The facts about nodes of the cluster, which may be missing if none is short."""
    if cluster is not None and any(alike.short for alike in dict.fromkeys(alike_by_node.values())):
        return FactsByNode(alike_by_node, cluster)
    return {name: alike.facts for name, alike in alike_by_node.items()}


def among(facts_by_node: Mapping[str, Sequence[Any]], names: Iterable[str]) -> Mapping[str, Sequence[Any]]:
    """The facts about these nodes, in that order."""
    if isinstance(facts_by_node, FactsByNode):
        return facts_by_node.among(names)
    return {name: facts_by_node[name] for name in names}


def but_for_amounts(facts_by_node: Mapping[str, Sequence[Any]]) -> Iterable[Sequence[Any]]:
    """All facts: those of nodes that differ in amounts alone once."""
    if isinstance(facts_by_node, FactsByNode):
        return [alike.facts for alike, _ in facts_by_node.groups]
    return facts_by_node.values()
