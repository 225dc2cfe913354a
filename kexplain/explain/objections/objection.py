"""What there is to know of one kind of objection, from a plugin's evidence to what would help."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from operator import itemgetter
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.explain.changes import AnyStep, PodStep, Step
from kexplain.explain.edits import Edit
from kexplain.explain.output import Fact
from kexplain.framework.evidence import Evidence
from kexplain.objects.core import Pod

EvidenceT = TypeVar("EvidenceT", bound=Evidence)
FactT = TypeVar("FactT", bound=Fact)
Found = TypeVar("Found")


class Proposal(Struct, frozen=True, dict=True):
    """Something that would help; `order` puts what people would rather do first.

    With an `edit` of the pod, it is tried and named with the nodes that it is enough for. Without, `nodes` are those
    that it is enough for. A last resort is named only if no edit of the same objection is enough anywhere.
    """

    action: str
    text: str
    edit: Edit | None = None
    nodes: tuple[str, ...] = ()
    order: int = 2
    is_last_resort: bool = False
    #: What is done to other objects than the pod.
    steps: tuple[Step, ...] = ()
    #: Whether the edit only shows where the pod would fit: nobody would make it.
    is_stand_in: bool = False

    @cached_property
    def steps_to_try(self) -> tuple[AnyStep, ...]:
        """All that is done, to the pod first; empty where there is nothing that could be tried."""
        return (*((PodStep(self.edit),) if self.edit else ()), *self.steps)


class Certainty(IntEnum):
    """How sure it is that a change outside the pod is enough, most certain first."""

    #: The pod then fits on the node.
    FITS = 0
    #: The node needs the change, and perhaps more.
    NEEDED = 1
    #: Every node needs it, and only then will it show which nodes fit.
    NEEDED_ANYWHERE = 2


class Lift(Struct, frozen=True):
    """A change outside the pod that lifts an objection; `effort` compares changes of one kind."""

    action: str
    text: str
    effort: int = 0
    certainty: Certainty = Certainty.FITS


class Lookup:
    """The pod and its cluster, for what a filter had no need to know; each search is made once."""

    def __init__(self, pod: Pod, cluster: Cluster) -> None:
        self.pod = pod
        self.cluster = cluster
        self._found: dict[Hashable, object] = {}

    def once(self, key: Hashable, search: Callable[[], Found]) -> Found:
        """What the search found the first time it was asked for under that key."""
        if key not in self._found:
            self._found[key] = search()
        return cast("Found", self._found[key])


class Objection(ABC, Generic[EvidenceT, FactT]):
    """One kind of objection to a node. It has no state: what it needs is in the evidence, the fact or the lookup.

    Each kind says what would help in one of two ways, or has no remedy: `proposals` change the pod or look at all
    nodes together, `lift` changes something else, node by node.
    """

    evidence: ClassVar[type[Any]]
    fact: ClassVar[type[Any]]
    #: The fields of a pod's spec that can be to blame, the likeliest first; empty if none is.
    fields: ClassVar[tuple[tuple[str, ...], ...]]
    has_remedy: ClassVar[bool] = True
    #: Whether proposals are made once for all causes of this kind, rather than for each.
    spans_causes: ClassVar[bool] = False

    def facts(self, evidence: EvidenceT, node_info: NodeInfo, lookup: Lookup) -> Iterable[FactT]:  # noqa: ARG002
        """What is published of the evidence: one fact with the same fields, unless a kind says otherwise."""
        return (msgspec.convert(evidence, self.fact, from_attributes=True),)

    @property
    def has_lift(self) -> bool:
        """Whether `lift` may say anything at all."""
        return type(self).lift is not Objection.lift

    @abstractmethod
    def words(self, fact: FactT) -> str:
        """The fact about one node, in one line with the numbers that matter."""

    def detail(self, facts: Sequence[FactT]) -> str:
        """All facts of one rejection of one node."""
        return "; ".join(map(self.words, facts))

    def key(self, fact: FactT) -> str:
        """Equal for nodes with the same cause: everything but the numbers of one node."""
        return self.words(fact)

    def together(self, facts_by_node: Mapping[str, FactT]) -> str:
        """The same fact about several nodes, with equal keys; at least one."""
        return self.words(next(iter(facts_by_node.values())))

    def cause(self, facts_by_node: Mapping[str, Sequence[FactT]]) -> str:
        """All facts of one rejection of several nodes, as many on each and with equal keys."""
        count = len(next(iter(facts_by_node.values())))
        columns = (
            dict(zip(facts_by_node, map(itemgetter(i), facts_by_node.values()), strict=True)) for i in range(count)
        )
        return "; ".join(dict.fromkeys(map(self.together, columns)))

    def covers(self, fact: FactT, other: Fact) -> bool:  # noqa: ARG002
        """Whether `other`, about the same node, goes away once `fact` does."""
        return False

    def nearest_first(self, facts_by_node: Mapping[str, Sequence[FactT]]) -> Mapping[str, Sequence[FactT]]:
        """The same nodes, those first where the least is missing; as they come, unless a kind knows better."""
        return facts_by_node

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[FactT]]) -> Iterable[Proposal]:  # noqa: ARG002
        """What would help on nodes to which nothing else objects, `nearest_first`; `pod` is as it was admitted."""
        return ()

    def here(self, node_info: NodeInfo, facts: Sequence[FactT], lookup: Lookup) -> Iterable[Proposal]:  # noqa: ARG002
        """What would help on this one node: steps that change the node, what runs there, or other objects."""
        return ()

    def lift(self, fact: FactT) -> Lift | None:  # noqa: ARG002
        """What would have to change outside the pod; None for kinds with proposals."""
        return None
