"""Where a pod belongs, as far as that ranks what would help it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cached_property

from kexplain.cluster import Cluster
from kexplain.diagnosis.circles import Circles, circles
from kexplain.diagnosis.pool_members import kin, pool_members
from kexplain.diagnosis.reservations import taint_use
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.pools import Pool, pools
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod, Taint
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.node_service import Service
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies.records import Rank
from kexplain.words import joined, some

#: What a pod may want that no label of nodes in its own selectors says.
_BESIDE_LABELS = Wish.VOLUME | Wish.DRIVER | Wish.DOMAIN | Wish.NEAR
#: So many nodes are named one by one.
SHORT = 3


class Home:
    """The pod, its cluster, and the nodes that it belongs on: all of them where nobody sorted them."""

    def __init__(
        self, pod: Pod, cluster: Cluster, circles: Circles | None = None, names: frozenset[str] | None = None
    ) -> None:
        """`names` are those that the circles say, unless they are given."""
        self.pod, self.cluster, self.circles = pod, cluster, circles
        self._kept = frozenset((*circles.reserved, *circles.out_of_service)) if circles else frozenset()
        self._is_odd: dict[tuple[str, Taint], bool] = {}
        self._names = frozenset((*circles.candidates, *circles.lapsed)) if circles and names is None else names

    @classmethod
    def of(cls, decision: Decision) -> Home:
        """That of a decision whose filters have been asked."""
        return cls(decision.pod, decision.cluster, circles(decision))

    def after(self, pod: Pod, cluster: Cluster) -> Home:
        """The same nodes, once the pod and the cluster have changed."""
        return Home(pod, cluster, self.circles, self._names)

    def including(self, name: str) -> Home:
        """The same with one node more, which joins a pool where the pod belongs."""
        return Home(self.pod, self.cluster, self.circles, None if self._names is None else self._names | {name})

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

    def rank(self, names: Iterable[str], rank: Rank = Rank.MENDS) -> Rank:
        """The rank if the pod belongs on all of these nodes: elsewhere it is a last resort."""
        return rank if all(map(self.has, names)) else Rank.LAST_RESORT

    def rank_back(self, name: str) -> Rank:
        """The rank of a node that takes pods again: one in many that is out of service is not what is wrong."""
        found = self.circles
        is_usual = found is not None and 2 * len(found.lapsed) < len(found.candidates)
        return self.rank([name], Rank.ADDS_NODES if is_usual else Rank.MENDS)

    def is_unmet(self, wish: Wish) -> bool:
        """Whether the pod wants something that no node has: then the wish itself is at fault."""
        return self.circles is None or bool(self.circles.unmet & wish)

    def is_narrowed(self, wish: Wish) -> bool:
        """Whether what the pod wants leaves out nodes where it might be otherwise."""
        return self.circles is not None and bool(self.circles.narrowed & wish)

    @property
    def is_nowhere(self) -> bool:
        """Whether every node in service is kept for others."""
        return self.circles is not None and not self._names and bool(self.circles.reserved)

    @property
    def is_contradictory(self) -> bool:
        """Whether what the pod wants besides labels of nodes is nowhere where these lead."""
        return self.circles is not None and bool(self.circles.unmet & _BESIDE_LABELS)

    @property
    def is_out_of_reach(self) -> bool:
        """Whether its volume is where the nodes are not that it asks for."""
        return self.circles is not None and bool(self.circles.unmet & Wish.VOLUME)

    @cached_property
    def is_tied(self) -> bool:
        """Whether it names its node by label, and nothing of it is there that shows why."""
        required, spec = RequiredNodeAffinity.of(self.pod), self.pod.spec
        is_bound = bool(spec.volumes or spec.resource_claims) or comes_along(self.pod)
        terms = (required.labels, *(term.labels for term in required.terms or ()))
        return not is_bound and any(each.key == HOSTNAME and each.operator == "In" for of in terms for each in of)

    @cached_property
    def unlabelled(self) -> Set[str]:
        """Nodes of pools of which the pod belongs on most, but for a label that these have not been given."""
        found = self.circles
        return kin(self.names, self.cluster) if found and found.narrowed & Wish.LABELS else frozenset()

    def may_be(self, name: str) -> bool:
        """Whether the pod belongs on the node, or would if what it wants did not contradict itself."""
        is_open = self.is_contradictory or self.is_tied or name in self.unlabelled
        return self.has(name) or (is_open and not self.is_kept(name))

    def others_of(self, names: Iterable[str]) -> list[str]:
        """Those of the nodes where it may not be."""
        own = self.names
        return [name for name in names if name not in own and not self.may_be(name)]

    def is_kept(self, name: str) -> bool:
        """Whether the node is kept for others, or out of service."""
        return name in self._kept

    def came_later(self, name: str, taint: Taint) -> bool:
        """Whether pods run with the node's taint that do not tolerate it, or nodes like it are without."""
        pool = self.pool(name)
        if not pool:
            return False
        key = (pool, taint)
        if key not in self._is_odd:
            self._is_odd[key] = self._is_part(pool, taint)
        is_guessed = self.circles is not None and self.circles.is_guess and name in self.circles.candidates
        return self._is_odd[key] or is_guessed or taint_use(self.cluster).came_later(pool, taint)

    def _is_part(self, pool: str, taint: Taint) -> bool:
        """Whether the pod belongs on nodes of the pool without the taint, which says nothing of the pool then."""
        return self._names is not None and any(
            self.pool(name) == pool and taint not in (self.cluster.node_info_by_name[name].node.spec.taints or ())
            for name in self._names
            if name in self.cluster.node_info_by_name
        )

    def pool(self, name: str) -> str:
        """The pool of a node by name or shape; empty for a node that is new."""
        members = pool_members(self.cluster).get(name)
        return members.pool if members else ""

    def nodes_in_words(self, names: Sequence[str]) -> str:
        """Nodes of one pool as a sentence names them."""
        if len(names) <= SHORT:
            return joined(names)
        members = pool_members(self.cluster).get(names[0])
        of_pool = f" of pool {members.pool}" if members and members.is_named else ""
        return f"{len(names)} nodes{of_pool} ({some(names)})"

    def service(self, name: str) -> Service | None:
        """What ails a node; None for one in service."""
        members = pool_members(self.cluster).get(name)
        return members.service if members else None
