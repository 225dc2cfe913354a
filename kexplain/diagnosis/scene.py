"""All that judges look at: the pod, its candidates with what each objects, and words for where they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.circles import UNSORTED, Circles, circles
from kexplain.diagnosis.findings.place import NAMED, Place
from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.lost_offers import LostOffer, lost_offer
from kexplain.diagnosis.meant_labels import outlived
from kexplain.diagnosis.places import Places
from kexplain.diagnosis.pool_members import kin, made, pool_members
from kexplain.diagnosis.records import Beside, Finding, Kind, finding
from kexplain.diagnosis.reservations import TaintUse, stray_taints, taint_use
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.fares import grouped
from kexplain.explain.objections import BY_EVIDENCE
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import Fact
from kexplain.explain.pools import Pool, pools
from kexplain.framework.evidence import Evidence, MissingTopologyLabel
from kexplain.framework.evidence.storage import DriverNotInstalled, VolumeOutOfReach
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.grouping import counted
from kexplain.objects.core import Node, Pod, Taint
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.node_service import Service
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined, some

if TYPE_CHECKING:
    from kexplain.diagnosis.driver_labels import Unregistered


#: What a pod may want that no label of nodes in its own selectors says.
_BESIDE_LABELS = Wish.VOLUME | Wish.DRIVER | Wish.DOMAIN | Wish.NEAR

EvidenceT = TypeVar("EvidenceT", bound=Evidence)
FactsT = TypeVar("FactsT")


class Scene(Lookup):
    """A pod, its cluster, and where the nodes stand for it: all of them are its own where nobody sorted them.

    What was objected to them is known of a `decision` alone, and not once something has changed.
    """

    def __init__(
        self,
        pod: Pod,
        cluster: Cluster,
        circles: Circles = UNSORTED,
        names: frozenset[str] | None = None,
        decision: Decision | None = None,
    ) -> None:
        """`names` are the nodes that it belongs on: those that the circles say, unless they are given."""
        super().__init__(pod, cluster)
        self.circles, self.decision = circles, decision
        self._names = frozenset(self.home) if circles is not UNSORTED and names is None else names
        self._matrix = _objections(decision) if decision else {}
        #: The pieces of evidence of one kind among the very statuses, which nodes that fare alike have in common.
        self._found_of: dict[tuple[int, type[Evidence]], list[Any]] = {}
        #: Nodes in groups, by the very names that were asked about.
        self._alike: dict[int, tuple[Sequence[str], Sequence[Sequence[str]]]] = {}
        self._is_odd: dict[tuple[str, Taint], bool] = {}

    @classmethod
    def of(cls, decision: Decision) -> Scene:
        """That of a decision whose filters have been asked."""
        return cls(decision.pod, decision.cluster, circles(decision), decision=decision)

    def after(self, pod: Pod, cluster: Cluster) -> Scene:
        """The same nodes, once the pod and the cluster have changed."""
        return Scene(pod, cluster, self.circles, self._names)

    def including(self, name: str) -> Scene:
        """The same with one node more, which joins a pool where the pod belongs."""
        return Scene(self.pod, self.cluster, self.circles, None if self._names is None else self._names | {name})

    # ------------------------------------------------------------------------------------------ where the pod belongs

    @cached_property
    def candidates(self) -> Sequence[NodeInfo]:
        return self.infos(self.circles.candidates)

    @cached_property
    def home(self) -> tuple[str, ...]:
        """The candidates, in service or not."""
        return self.circles.candidates + self.circles.lapsed

    @cached_property
    def names(self) -> Set[str]:
        """The nodes that the pod belongs on, in service or not."""
        return self.cluster.node_info_by_name.keys() if self._names is None else self._names

    def has(self, name: str) -> bool:
        """Whether the pod belongs on the node, in service or not."""
        return self._names is None or name in self._names

    @cached_property
    def members(self) -> Sequence[tuple[Pool, int]]:
        """The pools with the number of their nodes that the pod belongs on, those first that have most of these."""
        found = [(pool, len(self.names & pool.names)) for pool in pools(self.cluster)]
        return sorted(found, key=lambda each: -each[1])

    def is_unmet(self, wish: Wish) -> bool:
        """Whether the pod wants something that no node has: then the wish itself is at fault."""
        return self.circles is UNSORTED or bool(self.circles.unmet & wish)

    def is_narrowed(self, wish: Wish) -> bool:
        """Whether what the pod wants leaves out nodes where it might be otherwise."""
        return bool(self.circles.narrowed & wish)

    @property
    def is_nowhere(self) -> bool:
        """Whether every node in service is kept for others."""
        return not self._names and bool(self.circles.reserved)

    @property
    def is_contradictory(self) -> bool:
        """Whether what the pod wants besides labels of nodes is nowhere where these lead."""
        return bool(self.circles.unmet & _BESIDE_LABELS)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether its volume is where the nodes are not that it asks for."""
        return bool(self.circles.unmet & Wish.VOLUME)

    @cached_property
    def is_tied(self) -> bool:
        """Whether it names its node by label, and nothing of it is there that shows why."""
        required, spec = RequiredNodeAffinity.of(self.pod), self.pod.spec
        is_bound = bool(spec.volumes or spec.resource_claims) or comes_along(self.pod)
        terms = (required.labels, *(term.labels for term in required.terms or ()))
        return not is_bound and any(each.key == HOSTNAME and each.operator == "In" for of in terms for each in of)

    @cached_property
    def newest(self) -> str:
        """When the last of the nodes was made on which the pod belongs."""
        return made(self.names, self.cluster, max)

    @cached_property
    def unlabelled(self) -> Set[str]:
        """Nodes that lack labels alone: those of pools of which the pod belongs on most, or labels to be spread by."""
        found = kin(self.names, self.cluster) if self.is_narrowed(Wish.LABELS) else frozenset[str]()
        if not self.is_narrowed(Wish.DOMAIN):
            return found
        return found.union(self.where(self.circles.elsewhere, self._lacks_domain))

    def _lacks_domain(self, name: str) -> bool:
        return all(isinstance(each, MissingTopologyLabel) for _, each in self.evidence(name))

    @cached_property
    def stripped(self) -> Set[str]:
        """Nodes of pools where pods run that ask for labels, as this one does, which their nodes have no longer."""
        stranded = outlived(self.pod, self.cluster) if self.is_narrowed(Wish.LABELS | Wish.ZONE) else ()
        among = {self.places.pool(node.name) for _, node, _ in stranded}
        return frozenset(name for name in self.cluster.node_info_by_name if among and self.places.pool(name) in among)

    @cached_property
    def lost_offer(self) -> LostOffer | None:
        """What nodes of its own have lost that would take the pod otherwise."""
        return lost_offer(self) if self.is_narrowed(Wish.OFFER | Wish.SIZE) else None

    @cached_property
    def without_driver(self) -> dict[str, tuple[VolumeOutOfReach, Unregistered]]:
        """The nodes that lack nothing but labels of the driver of a volume, which does not run there, with these."""
        if not self.is_narrowed(Wish.VOLUME):
            return {}
        of_driver = (VolumeOutOfReach, DriverNotInstalled)
        return self.lacking_driver(
            self.where(
                self.circles.elsewhere, lambda name: all(isinstance(each, of_driver) for _, each in self.evidence(name))
            )
        )

    def lacking_driver(self, names: Sequence[str]) -> dict[str, tuple[VolumeOutOfReach, Unregistered]]:
        """Those of the nodes from which a volume could be reached if its driver ran there."""
        # Few volumes are out of reach.
        from kexplain.diagnosis.driver_labels import unregistered  # noqa: PLC0415

        found = ((info, each) for info in self.infos(names) for each in self.objected(info.name, VolumeOutOfReach))
        drivers = ((info.name, each, unregistered(each.volume, info, self.cluster)) for info, each in found)
        return {name: (each, missing) for name, each, missing in drivers if missing}

    def lost_first(self, facts_by_node: Mapping[str, FactsT]) -> dict[str, FactsT]:
        """The same, those first that have lost something, which does not show on the nearest."""
        lost = self.lost_offer.nodes if self.lost_offer else ()
        return {name: facts_by_node[name] for name in (*lost, *facts_by_node) if name in facts_by_node}

    def has_lost(self, resource: str, name: str) -> bool:
        """Whether the node is one of those that have lost that."""
        lost = self.lost_offer
        return lost is not None and lost.resource == resource and name in lost.nodes

    def may_be(self, name: str) -> bool:
        """Whether the pod belongs on the node, or would if what it wants did not contradict itself."""
        is_open = self.is_contradictory or self.is_tied or name in self.unlabelled or name in self.stripped
        is_open = is_open or (self.lost_offer is not None and name in self.lost_offer.nodes)
        is_open = is_open or name in self.without_driver
        return self.has(name) or (is_open and not self.is_kept(name))

    def others_of(self, names: Iterable[str]) -> list[str]:
        """Those of the nodes where it may not be."""
        own = self.names
        return [name for name in names if name not in own and not self.may_be(name)]

    @cached_property
    def _kept(self) -> Set[str]:
        return frozenset((*self.circles.reserved, *self.circles.out_of_service))

    def is_kept(self, name: str) -> bool:
        """Whether the node is kept for others, or out of service."""
        return name in self._kept

    def came_later(self, name: str, taint: Taint) -> bool:
        """Whether pods run with the node's taint that do not tolerate it, or nodes like it are without."""
        pool = self.places.pool(name)
        if not pool:
            return False
        key = (pool, taint)
        if key not in self._is_odd:
            self._is_odd[key] = self._is_part(pool, taint)
        is_guessed = self.circles.is_guess and name in self.circles.candidates
        is_guessed |= self.has(name) and (pool, taint) in stray_taints(self.cluster)
        return self._is_odd[key] or is_guessed or self.taint_use.came_later(pool, taint)

    def _is_part(self, pool: str, taint: Taint) -> bool:
        """Whether the pod belongs on nodes of the pool without the taint, which says nothing of the pool then."""
        infos = self.cluster.node_info_by_name
        own = [name for name in self._names or () if name in infos and self.places.pool(name) == pool]
        return any(taint not in (infos[name].node.spec.taints or ()) for name in own)

    # -------------------------------------------------------------------------------------------------- words for it

    @cached_property
    def places(self) -> Places:
        return Places(self.cluster)

    @cached_property
    def zone(self) -> str:
        """The zone that the pod's wishes leave to it; empty if that is not just one."""
        return self.places.zone(self.home) if self.is_narrowed(Wish.ZONE | Wish.VOLUME | Wish.NEAR) else ""

    @cached_property
    def place(self) -> Place:
        """Where the pod belongs, in words."""
        return self.place_of(self.home)

    def place_of(self, names: Sequence[str]) -> Place:
        """These nodes in words, with the zone if the pod may be nowhere else."""
        return self.places.of(names, self.zone)

    def nodes_in_words(self, names: Sequence[str]) -> str:
        """Nodes of one pool as a remedy names them."""
        if len(names) <= NAMED:
            return joined(names)
        member = pool_members(self.cluster).get(names[0])
        of_pool = f" of pool {member.pool}" if member and member.is_named else ""
        return f"{len(names)} nodes{of_pool} ({some(names)})"

    @property
    def nominated_node(self) -> str:
        """The node where the scheduler has just made room."""
        return self.decision.nominated_node if self.decision else ""

    @property
    def draws_victims(self) -> bool:
        """Whether the scheduler may evict others than these."""
        return bool(self.decision and self.decision.preemption and self.decision.preemption.is_drawn)

    @property
    def victims(self) -> Sequence[Pod]:
        """The pods that it has evicted for that."""
        return self.decision.victims if self.decision else ()

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
        **beside: Unpack[Beside],
    ) -> Finding:
        """What is wrong with these nodes, of the pool where the pod belongs, or of another `place`."""
        beside["pool"] = (place or self.place).pool if nodes else ""
        return finding(kind, said, plugin, nodes=nodes, **beside)

    def infos(self, names: Sequence[str]) -> Sequence[NodeInfo]:
        return self.cluster.nodes_named(names)

    def evidence(self, name: str) -> Iterator[tuple[Status, Evidence]]:
        for status in self._matrix.get(name, ()):
            yield from ((status, each) for each in status.evidence)

    @property
    def everywhere(self) -> Iterator[tuple[Status, Evidence]]:
        """What is objected to all nodes alike, before anybody looks at them."""
        status = self.decision.statuses.absent if self.decision else None
        return ((status, each) for each in status.evidence) if status else iter(())

    def objected(self, name: str, kind: type[EvidenceT]) -> list[EvidenceT]:
        """The pieces of one kind, not to be changed."""
        statuses = self._matrix.get(name, ())
        key = (id(statuses), kind)
        found = self._found_of.get(key)
        if found is None:
            found = [each for status in statuses for each in status.evidence if isinstance(each, kind)]
            self._found_of[key] = found
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
        groups = self.alike(self.circles.candidates)
        return counted((kind, len(group)) for group in groups for kind in {type(e) for _, e in self.evidence(group[0])})

    def everywhere_is(self, kind: type[Evidence]) -> bool:
        """Whether there is evidence of that kind against every candidate, and any candidate."""
        return 0 < self._kinds[kind] == len(self.circles.candidates)

    def anywhere_is(self, kind: type[Evidence]) -> bool:
        """Whether there is evidence of that kind against any candidate."""
        return self._kinds[kind] > 0

    def facts(self, evidence: Evidence, node_info: NodeInfo) -> Sequence[Fact]:
        """What is published of a piece of evidence."""
        return tuple(BY_EVIDENCE[type(evidence)].facts(evidence, node_info, self))

    @cached_property
    def siblings(self) -> Sequence[tuple[Pod, Node]]:
        """The pods of the same workload on nodes."""
        return placed_siblings(self.pod, self.cluster)

    @cached_property
    def taint_use(self) -> TaintUse:
        return taint_use(self.cluster)

    def service(self, name: str) -> Service | None:
        """What ails a node; None for one in service, or that is new."""
        member = pool_members(self.cluster).get(name)
        return member.service if member else None


def _objections(decision: Decision) -> Mapping[str, Sequence[Status]]:
    """Every objection to every node; where only pods that are nominated are in the way, that of the attempt."""
    found, nominated = decision.matrix.by_node, decision.cluster.nominated_by_node
    told = {name: decision.statuses.by_node.get(name) for name in nominated if not found.get(name)}
    kept = {name: (status,) for name, status in told.items() if status is not None}
    return {**found, **kept} if kept else found
