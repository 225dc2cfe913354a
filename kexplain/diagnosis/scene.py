"""All that judges look at: the pod, its candidates with what each objects, and words for where they are."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any, TypeVar

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.circles import Circles
from kexplain.diagnosis.findings.place import Place
from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.places import Places
from kexplain.diagnosis.pool_members import PoolMember, pool_members
from kexplain.diagnosis.records import Finding, Kind, Link, Sign, finding
from kexplain.diagnosis.reservations import TaintUse, taint_use
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.fares import grouped
from kexplain.explain.objections import BY_EVIDENCE
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import Fact
from kexplain.framework.evidence import Evidence
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.objects.core import Node, Pod

EvidenceT = TypeVar("EvidenceT", bound=Evidence)


class Scene:
    """A decision whose nodes are sorted."""

    def __init__(self, decision: Decision, circles: Circles) -> None:
        self.decision = decision
        self.pod: Pod = decision.pod
        self.cluster: Cluster = decision.cluster
        self.circles = circles
        self.places = Places(decision.cluster)
        self._matrix = decision.matrix.by_node
        #: The pieces of evidence of one kind among the very statuses, which nodes that fare alike have in common.
        self._found: dict[tuple[int, type[Evidence]], list[Any]] = {}
        #: Nodes in groups, by the very names that were asked about.
        self._alike: dict[int, tuple[Sequence[str], Sequence[Sequence[str]]]] = {}

    @cached_property
    def candidates(self) -> Sequence[NodeInfo]:
        return self.infos(self.circles.candidates)

    @cached_property
    def home(self) -> tuple[str, ...]:
        """The candidates, in service or not."""
        return self.circles.candidates + self.circles.lapsed

    @cached_property
    def zone(self) -> str:
        """The zone that the pod's wishes leave to it; empty if that is not just one."""
        return self.places.zone(self.home) if self.circles.narrowed & (Wish.ZONE | Wish.VOLUME | Wish.NEAR) else ""

    @cached_property
    def place(self) -> Place:
        """Where the pod belongs, in words."""
        return self.place_of(self.home)

    def place_of(self, names: Sequence[str]) -> Place:
        """These nodes in words, with the zone if the pod may be nowhere else."""
        return self.places.of(names, self.zone)

    @property
    def held(self) -> str:
        """What keeps the pod where it is, if its claims do: a volume, or a device."""
        return "device" if self.pod.spec.resource_claims and not self.pod.spec.volumes else "volume"

    def finding(
        self,
        kind: Kind,
        said: Statement,
        plugin: str,
        nodes: Sequence[str],
        place: Place | None = None,
        *,
        evidence: Iterable[Sign] = (),
        chain: Iterable[Link] = (),
        certain: bool = True,
    ) -> Finding:
        """What is wrong with these nodes, of the pool where the pod belongs, or of another `place`."""
        pool = (place or self.place).pool if nodes else ""
        return finding(kind, said, plugin, nodes=nodes, pool=pool, evidence=evidence, chain=chain, certain=certain)

    def infos(self, names: Sequence[str]) -> Sequence[NodeInfo]:
        return self.cluster.nodes_named(names)

    def evidence(self, name: str) -> Iterator[tuple[Status, Evidence]]:
        for status in self._matrix.get(name, ()):
            for each in status.evidence:
                yield status, each

    @property
    def everywhere(self) -> Iterator[tuple[Status, Evidence]]:
        """What is objected to all nodes alike, before anybody looks at them."""
        status = self.decision.statuses.absent
        return ((status, each) for each in status.evidence)

    def found(self, name: str, kind: type[EvidenceT]) -> list[EvidenceT]:
        """The pieces of one kind, not to be changed."""
        statuses = self._matrix.get(name, ())
        key = (id(statuses), kind)
        found = self._found.get(key)
        if found is None:
            found = [each for status in statuses for each in status.evidence if isinstance(each, kind)]
            self._found[key] = found
        return found

    def alike(self, names: Sequence[str]) -> Sequence[Sequence[str]]:
        """The nodes in groups to which the very same is objected; groups, and nodes in each, by who comes first."""
        if id(names) not in self._alike:
            keys = map(id, map(self._matrix.get, names, repeat(())))
            # The names are kept, so that nothing else gets their id.
            self._alike[id(names)] = names, grouped(keys, names)
        return self._alike[id(names)][1]

    def where(self, names: Sequence[str], counts: Callable[[str], object]) -> Sequence[str]:
        """The nodes that count, asked of one of those to which the very same is objected."""
        groups = self.alike(names)
        chosen = [group for group in groups if counts(group[0])]
        if len(chosen) in (0, len(groups)):
            return names if chosen else ()
        return [*filter(frozenset(chain.from_iterable(chosen)).__contains__, names)]

    @cached_property
    def _kinds(self) -> Counter[type[Evidence]]:
        """On how many candidates there is evidence of each kind."""
        counts: Counter[type[Evidence]] = Counter()
        for group in self.alike(self.circles.candidates):
            counts.update(dict.fromkeys({type(each) for _, each in self.evidence(group[0])}, len(group)))
        return counts

    def everywhere_is(self, kind: type[Evidence]) -> bool:
        """Whether there is evidence of that kind against every candidate, and any candidate."""
        return 0 < self._kinds[kind] == len(self.circles.candidates)

    def anywhere_is(self, kind: type[Evidence]) -> bool:
        """Whether there is evidence of that kind against any candidate."""
        return self._kinds[kind] > 0

    @cached_property
    def lookup(self) -> Lookup:
        """What facts are looked up with."""
        return Lookup(self.pod, self.cluster)

    def facts(self, evidence: Evidence, node_info: NodeInfo) -> Sequence[Fact]:
        """What is published of a piece of evidence."""
        return tuple(BY_EVIDENCE[type(evidence)].facts(evidence, node_info, self.lookup))

    @cached_property
    def siblings(self) -> Sequence[tuple[Pod, Node]]:
        """The pods of the same workload on nodes."""
        return placed_siblings(self.pod, self.cluster)

    @cached_property
    def taint_use(self) -> TaintUse:
        return taint_use(self.cluster)

    def member(self, name: str) -> PoolMember:
        """How a node stands for everybody."""
        return pool_members(self.cluster)[name]
