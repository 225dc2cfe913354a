"""What there is to know of one kind of objection, from a plugin's evidence to what would help."""

from abc import ABC
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar, Generic, TypeVar, cast, get_args

import msgspec

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import Evidence
from kexplain.objects.core import Pod
from kexplain.words import listed

EvidenceT = TypeVar("EvidenceT", bound=Evidence)
FactT = TypeVar("FactT", bound=Evidence)
Found = TypeVar("Found")
#: Reads one thing of a node.
Read = Callable[[NodeInfo], Hashable]


class Lookup:
    """The pod and its cluster, for what a filter had no need to know; each search is made once."""

    def __init__(self, pod: Pod, cluster: Cluster) -> None:
        self.pod = pod
        self.cluster = cluster
        self._found: dict[Hashable, object] = {}

    def found(self, key: Hashable, search: Callable[[], Found]) -> Found:
        """What the search found the first time it was asked for under that key."""
        if key not in self._found:
            self._found[key] = search()
        return cast("Found", self._found[key])


class Objection(ABC, Generic[EvidenceT, FactT]):
    """One kind of objection to a node. It has no state: what it needs is in the evidence, the fact or the lookup."""

    #: What it is about, and what is published of that, often the same: as the base of each kind says.
    evidence: ClassVar[type[Any]]
    fact: ClassVar[type[Any]]
    #: The fields of a pod's spec that can be to blame, the likeliest first; empty if none is.
    fields: ClassVar[tuple[tuple[str, ...], ...]] = ()
    #: The words, with `{0}` for the fact, unless `words` makes them.
    text: ClassVar[str] = ""
    #: The fields of the fact that are equal for nodes with the same cause, unless its words, or a `key`, say so.
    same: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.evidence, cls.fact = get_args(vars(cls)["__orig_bases__"][0])

    def facts(self, evidence: EvidenceT, node_info: NodeInfo, lookup: Lookup) -> Iterable[FactT]:
        """What is published of the evidence: itself, or one fact with the same fields, unless a kind makes others."""
        if self.fact is type(evidence):
            return (cast("FactT", evidence),)
        return (msgspec.convert(evidence, self.fact, from_attributes=True),)

    def reads(self, evidence: EvidenceT) -> tuple[Read, ...] | None:
        """What of the node the facts follow from beside the evidence: nodes that are equal in it share them.

        None if every node has facts of its own; nothing is read by default, unless a kind makes its facts itself.
        """
        return () if type(self).facts is Objection.facts else None

    def words(self, fact: FactT) -> str:
        """The fact about one node, in one line with the numbers that matter."""
        return self.text.format(fact)

    def detail(self, facts: Sequence[FactT]) -> str:
        """All facts of one rejection of one node."""
        return listed([*map(self.words, facts)], "; ")

    def key(self, fact: FactT) -> str:
        """Equal for nodes with the same cause: everything but the numbers of one node."""
        return " ".join(str(getattr(fact, name)) for name in self.same) if self.same else self.words(fact)

    def words_for_all(self, facts_by_node: Mapping[str, FactT]) -> str:
        """The same fact about several nodes, with equal keys; at least one."""
        return self.words(next(iter(facts_by_node.values())))

    def cause(self, facts_by_node: Mapping[str, Sequence[FactT]]) -> str:
        """All facts of one rejection of several nodes, as many on each and with equal keys."""
        count = len(next(iter(facts_by_node.values())))
        every = facts_by_node.values()
        columns = (dict(zip(facts_by_node, map(itemgetter(i), every), strict=True)) for i in range(count))
        return listed([*dict.fromkeys(map(self.words_for_all, columns))], "; ")

    def covers(self, fact: FactT, other: Evidence) -> bool:
        """Whether `other`, about the same node, goes away once `fact` does."""
        return False
