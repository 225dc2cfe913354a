"""Verdicts on nodes as groups that fare alike: of the many that there are, few are ever looked at one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import attrgetter, not_
from typing import Any, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from kexplain import grouping
from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.explain.objections import AnyFact, detail, facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.ports import PortFact
from kexplain.explain.objections.resources import Alike, ResourceFact, by_node
from kexplain.explain.records import NodeVerdict, Rejection, Verdict
from kexplain.framework.status import Status
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS

Facts = tuple[AnyFact, ...]
Item = TypeVar("Item")


def grouped(keys: Iterable[Hashable], items: Iterable[Item]) -> Sequence[Sequence[Item]]:
    """Those together whose keys are equal; groups, and what is in each, by who comes first."""
    return [*grouping.grouped(zip(keys, items, strict=True)).values()]


class Fare(Struct, frozen=True, eq=False):
    """What nodes have in common to which the very same is objected, but for how much pods take there.

    `sample` is the verdict on one of them, `stopped` are the facts about what stopped the pod there first, and `also`
    the statuses behind it whose amounts differ from node to node.
    """

    sample: NodeVerdict
    stopped: Alike
    also: tuple[Status | None, ...] = ()

    @classmethod
    def of(cls, verdict: NodeVerdict) -> Fare:
        """That of one node."""
        return cls(verdict, Alike(verdict.stopped_by.facts if verdict.stopped_by else ()))

    def on(self, name: str, lookup: Lookup | None) -> NodeVerdict:
        """The verdict on one of the nodes."""
        sample = self.sample
        if name == sample.node or lookup is None:
            return sample
        info, stopped_by, also = lookup.cluster.node_info_by_name[name], sample.stopped_by, sample.also
        if stopped_by is not None and self.stopped.short:
            stopped_by = _with_facts(stopped_by, by_node({name: self.stopped}, lookup.cluster)[name])
        if any(self.also):
            both = zip(also, self.also, strict=True)
            also = tuple([_with_facts(said, facts_of(each, info, lookup)) if each else said for said, each in both])
        return verdict_on(info, sample.verdict, stopped_by, also)


class NodeVerdicts(Sequence[NodeVerdict]):
    """Verdicts in order, each made once somebody looks at it; the first `shown` with details in words, None for all.

    Beside them, in the same order: the `names` of the nodes, and the `fares`.
    """

    def __init__(
        self, names: Sequence[str], fares: Sequence[Fare], lookup: Lookup | None = None, shown: int | None = 0
    ) -> None:
        self.names, self.fares = names, fares
        self._lookup = lookup
        self._shown = len(names) if shown is None else shown
        self._made: dict[int, NodeVerdict] = {}

    @classmethod
    def of(cls, verdicts: Sequence[NodeVerdict], lookup: Lookup | None = None) -> NodeVerdicts:
        """Verdicts that were made already, each of which stands for itself."""
        if isinstance(verdicts, cls):
            return verdicts
        return cls([each.node for each in verdicts], list(map(Fare.of, verdicts)), lookup)

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> NodeVerdict: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[NodeVerdict]: ...

    def __getitem__(self, index: int | slice) -> NodeVerdict | Sequence[NodeVerdict]:
        places = range(len(self.names))[index]
        return self._verdict(places) if isinstance(places, int) else tuple(map(self._verdict, places))

    def __iter__(self) -> Iterator[NodeVerdict]:
        return map(self._verdict, range(len(self.names)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _verdict(self, place: int) -> NodeVerdict:
        made = self._made.get(place)
        if made is None:
            made = self.fares[place].on(self.names[place], self._lookup)
            if place < self._shown and self._lookup is not None:
                made = in_words(made, self._lookup.pod, self._lookup.cluster)
            self._made[place] = made
        return made

    @cached_property
    def distinct(self) -> Collection[Fare]:
        """The fares, each once, in the order in which they come first."""
        return dict.fromkeys(self.fares)

    @property
    def facts_by_node(self) -> Mapping[str, Facts]:
        """The facts about what stopped the pod, node by node."""
        return self.facts_on(dict(zip(self.names, self.fares, strict=True)))

    def facts_on(self, fare_by_node: Mapping[str, Fare]) -> Mapping[str, Facts]:
        """The same on some of the nodes."""
        alike = map(attrgetter("stopped"), fare_by_node.values())
        return by_node(dict(zip(fare_by_node, alike, strict=True)), self._lookup.cluster if self._lookup else None)

    def where(self, counts: Callable[[NodeVerdict], bool]) -> NodeVerdicts:
        """Those that count, which must not depend on the node's name, nor on how much is taken of it."""
        counting = {fare for fare in self.distinct if counts(fare.sample)}
        if len(counting) == len(self.distinct):
            return self
        return self._chosen([*map(counting.__contains__, self.fares)] if counting else ())

    def among(self, names: Container[str]) -> NodeVerdicts:
        """Those on these nodes."""
        return self._chosen([*map(names.__contains__, self.names)])

    def begun_with(self, names: Container[str], shown: int | None) -> NodeVerdicts:
        """Those on these nodes before the others."""
        first = [*map(names.__contains__, self.names)]
        return self._chosen(first).and_then(self._chosen([*map(not_, first)]), shown)

    def and_then(self, others: NodeVerdicts, shown: int | None) -> NodeVerdicts:
        """These before others on the same pod."""
        names, fares = [*self.names, *others.names], [*self.fares, *others.fares]
        return NodeVerdicts(names, fares, self._lookup, shown)

    def _chosen(self, chosen: Sequence[bool]) -> NodeVerdicts:
        names, fares = [*compress(self.names, chosen)], [*compress(self.fares, chosen)]
        return NodeVerdicts(names, fares, self._lookup, self._shown)


def verdict_on(
    info: NodeInfo, kind: Verdict, stopped_by: Rejection | None = None, also: tuple[Rejection, ...] = (), **scored: Any
) -> NodeVerdict:
    """The verdict on a node; with rank, scores and so on if it takes the pod."""
    return NodeVerdict(node=info.name, verdict=kind, stopped_by=stopped_by, also=also, **scored)


def _with_facts(said: Rejection, facts: Facts) -> Rejection:
    """The same rejection of another node."""
    return Rejection(plugin=said.plugin, code=said.code, reasons=said.reasons, detail="", facts=facts)


def in_words(verdict: NodeVerdict, pod: Pod, cluster: Cluster) -> NodeVerdict:
    """The verdict on that pod with the details of all objections."""
    if verdict.stopped_by is None and not verdict.also:
        return verdict
    stopped_by = verdict.stopped_by and _in_words(verdict.stopped_by)
    if stopped_by and (keepers := _kept_for(stopped_by, verdict.node, pod, cluster)):
        stopped_by = replace(stopped_by, detail=f"{stopped_by.detail}, keeping room for nominated {keepers}")
    return replace(verdict, stopped_by=stopped_by, also=tuple(map(_in_words, verdict.also)))


def _in_words(rejection: Rejection) -> Rejection:
    return replace(rejection, detail=detail(rejection.facts, rejection.reasons))


def _kept_for(rejection: Rejection, node_name: str, pod: Pod, cluster: Cluster) -> str:
    """The nominated pods that have a share in what the node lacks; empty if it lacks something else."""
    nominees = cluster.nominated_before(pod, node_name)
    return ", ".join(info.pod.key for info in nominees if any(_shares(info, fact) for fact in rejection.facts))


def _shares(nominee: PodInfo, fact: AnyFact) -> bool:
    match fact:
        case ResourceFact():
            return fact.resource == PODS or bool(nominee.resource.requested.amount(fact.resource))
        case PortFact():
            return nominee.pod.key in fact.held_by
        case _:
            return False
