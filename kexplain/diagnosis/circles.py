"""The four circles: where every node of the cluster stands for one pod."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain, filterfalse
from operator import or_

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.meant_labels import nodes_meant
from kexplain.diagnosis.pool_members import PoolMember, pool_members
from kexplain.diagnosis.reservations import makers_of, repelling_taints, stray_taints, taint_use
from kexplain.diagnosis.wishes import EXPLICIT, OTHERS, Wish, has_capacity, is_about_machines, wishes_unmet
from kexplain.framework.evidence import Cordoned, UntoleratedTaints
from kexplain.framework.evidence.devices import UnmetRequest
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.objects.core import Taint
from kexplain.objects.node_pools import CONTROL_PLANE_LABELS
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.node_service import trouble_of_taint
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import tolerates


class Circles(Struct, frozen=True):
    """Every node in one circle, in the cluster's order.

    `lapsed` are those out of service that would be candidates. `unmet` are the wishes that no node
    meets which meets those before them: they are the fault. `narrowed` are those that leave some nodes out.
    """

    candidates: tuple[str, ...]
    reserved: tuple[str, ...]
    elsewhere: tuple[str, ...]
    out_of_service: tuple[str, ...]
    lapsed: tuple[str, ...]
    unmet: Wish
    narrowed: Wish
    #: All nodes are tainted, and nothing says that the pod belongs on the candidates but that nobody else does.
    is_guess: bool


#: Where nobody sorted the nodes.
UNSORTED = Circles((), (), (), (), (), unmet=Wish(0), narrowed=Wish(0), is_guess=False)


def circles(decision: Decision) -> Circles:
    """Where the nodes stand for the pod of a decision whose filters have been asked."""
    last = decision.cluster.fact(_Last, _Last)
    if last.decision is not decision or last.circles is None:
        last.decision, last.circles = decision, _Sorting(decision).circles()
    return last.circles


class _Last:
    """What was sorted last: it is asked for again by whoever seeks what would help. No result depends on it."""

    def __init__(self) -> None:
        self.decision: Decision | None = None
        self.circles: Circles | None = None


class _Sorting:
    """What is known of the nodes while they are sorted for one pod."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision
        self._names = [info.name for info in decision.nodes]
        self._matrix = decision.matrix.by_node
        #: The taints that repel the pod, by the very statuses, which many nodes share.
        self._repelling_by_id: dict[int, Sequence[Taint]] = {}
        self._members = pool_members(decision.cluster)
        self._unmet_by_node = wishes_unmet(decision)
        self._any_unmet = reduce(or_, set(self._unmet_by_node.values()), 0)
        self._unmet = Wish(0)
        self._narrowing = Wish(0)
        self._is_guess = False

    def circles(self) -> Circles:
        asked = self._meant(self._or_all(self._narrowed(self._names, EXPLICIT)))
        reserved = self._reserved(asked)
        belongs = self._narrowed(list(filterfalse(reserved.__contains__, asked)), OTHERS)
        wanted, named = frozenset(asked), frozenset(belongs)
        ailing = self._decision.cluster.fact(_ailing, lambda: _ailing(self._members))
        out = frozenset(filter(self._is_out, ailing))
        in_service = list(filterfalse(out.__contains__, self._names))
        others = list(filterfalse(named.__contains__, in_service))
        kept = wanted & reserved
        return Circles(
            candidates=tuple(filter(named.__contains__, in_service)),
            reserved=tuple(filter(kept.__contains__, others)),
            elsewhere=tuple(filterfalse(kept.__contains__, others)),
            out_of_service=tuple(filter(out.__contains__, self._names)),
            lapsed=tuple(filter(out.__contains__, belongs)),
            unmet=self._unmet,
            narrowed=self._narrowing,
            is_guess=self._is_guess,
        )

    def _narrowed(self, names: Sequence[str], wishes: Iterable[Wish]) -> Sequence[str]:
        """The nodes that meet one wish after the other, but for those wishes that none of what is left meets."""
        left = names
        unmet = self._unmet_by_node
        for wish in wishes:
            number = wish.value
            if not number & self._any_unmet:
                continue
            meeting: Sequence[str] = [name for name in left if not unmet.get(name, 0) & number]
            if wish is Wish.LABELS and meeting:
                meeting = self._with_changed(meeting, left)
            if meeting:
                self._narrowing |= wish if len(meeting) < len(left) else Wish(0)
                left = meeting
            elif left:
                self._unmet |= wish
        return left

    def _with_changed(self, meeting: Sequence[str], names: Sequence[str]) -> Sequence[str]:
        """Those that meet a wish, and the pools that did until their labels changed: other pods of it run there."""
        found = placed_siblings(self._decision.pod, self._decision.cluster)
        unmet = [node for pod, node in found if not RequiredNodeAffinity.of(pod).matches(node)]
        changed = {self._members[node.name].pool for node in unmet}
        changed -= {self._members[name].pool for name in meeting}
        if not changed:
            return meeting
        meets = frozenset(meeting)
        return [name for name in names if name in meets or self._members[name].pool in changed]

    def _or_all(self, asked: Sequence[str]) -> Sequence[str]:
        """All nodes where the pod only says which not, or what machines, and is left with those kept for others."""
        required = RequiredNodeAffinity.of(self._decision.pod)
        if not self._narrowing & Wish.LABELS or not (required.only_excludes or is_about_machines(required)):
            return asked
        repelling = {name: taints for name in self._names if (taints := self._repelling(name))}
        kept = self._kept({name: repelling[name] for name in asked if name in repelling})
        # Who is left with one kind of them is there for those, but for control planes.
        kinds = {frozenset(repelling[name]) for name in kept}
        is_for_them = len(kinds) == 1 and not all(each.key in CONTROL_PLANE_LABELS for each in chain(*kinds))
        is_meant = is_for_them and not required.only_excludes
        if len(kept) < len(asked) or is_meant or len(repelling) == len(self._names):
            return asked
        self._unmet |= Wish.LABELS
        self._narrowing &= ~Wish.LABELS
        return self._names

    def _meant(self, asked: Sequence[str]) -> Sequence[str]:
        """Where no node has the labels it asks for, those with what it probably means, or a taint that it tolerates.

        Where no device will do, the nodes with devices.
        """
        if not self._unmet & Wish.LABELS:
            has_none = not self._unmet & Wish.OFFER
            return asked if has_none else list(filter(self._has_devices, asked)) or asked
        with_label = nodes_meant(self._decision.pod, self._decision.cluster)
        if with_label:
            return list(filter(with_label.__contains__, asked)) or asked
        named = [each for each in self._decision.pod.spec.tolerations or () if each.key]
        meant = [
            info.name
            for info in self._decision.cluster.nodes_named(asked if named else ())
            if any(tolerates(each, taint) for taint in repelling_taints(info.node) for each in named)
        ]
        return meant or asked

    def _has_devices(self, name: str) -> bool:
        """Whether there are devices on a node, none of which is what a claim asks for."""
        found = (each for status in self._matrix.get(name, ()) for each in status.evidence)
        return any(type(each) is UnmetRequest and each.offered for each in found)

    # ------------------------------------------------------------------------------------------- kept for others

    def _reserved(self, asked: Sequence[str]) -> frozenset[str]:
        """The nodes that are kept for others; none if the pod asks for just those."""
        cluster, among = self._decision.cluster, frozenset(asked)
        tainted = [name for name in cluster.fact(_tainted, lambda: _tainted(cluster)) if name in among]
        repelling = {name: taints for name in tainted if (taints := self._repelling(name))}
        if not repelling:
            return frozenset()
        kept = self._kept(repelling)
        if len(kept) < len(asked):
            return frozenset(kept)
        return frozenset() if len(asked) < len(self._names) else self._of_all_tainted(kept, repelling)

    def _of_all_tainted(self, kept: Mapping[str, bool], repelling: Mapping[str, Sequence[Taint]]) -> frozenset[str]:
        """The pod belongs where nobody else is known to: where pods were evicted, or on the one pool that is left."""
        if all(taint.key in CONTROL_PLANE_LABELS for taint in chain.from_iterable(repelling.values())):
            # Who has nothing else runs pods there.
            return frozenset()
        open_to_it = [name for name, is_proven in kept.items() if not is_proven]
        emptied = [name for name in open_to_it if any(each.effect == NO_EXECUTE for each in repelling[name])]
        left = emptied or open_to_it
        is_one = bool(emptied) or len({self._members[name].pool for name in left}) == 1
        self._is_guess = is_one and len(left) < len(kept)
        return frozenset(kept.keys() - left) if is_one else frozenset(kept)

    def _repelling(self, name: str) -> Sequence[Taint]:
        """The taints of a node that the pod does not tolerate, those of its health aside."""
        statuses = self._matrix.get(name, ())
        found = self._repelling_by_id.get(id(statuses))
        if found is None:
            found = self._repelling_by_id[id(statuses)] = [
                taint
                for status in statuses
                for evidence in status.evidence
                if type(evidence) is UntoleratedTaints
                for taint in evidence.taints
                if trouble_of_taint(taint.key) is None
            ]
        return found

    def _kept(self, repelling: Mapping[str, Sequence[Taint]]) -> dict[str, bool]:
        """The nodes with a taint that keeps them for others, and whether that is proven."""
        homes = self._homes()
        cluster = self._decision.cluster
        use, strays = taint_use(cluster), stray_taints(cluster)
        kept: dict[str, bool] = {}
        for name, taints in repelling.items():
            member, info = self._members[name], cluster.node_info_by_name[name]
            if makers_of(info):
                kept[name] = True
            if name in kept or member.pool in homes:
                continue
            for taint in taints:
                # It names devices that the node offers, or repeats one of its labels.
                says_what_for = is_for_devices(taint.key, info) or "" != taint.value == info.labels.get(taint.key)
                is_proven = use.is_proven(member.pool, taint) or says_what_for
                is_stray = (member.pool, taint) in strays and not is_proven
                # Who put up with a taint once says little of nodes whose devices it names.
                if is_for_devices(taint.key, info) or (not use.came_later(member.pool, taint) and not is_stray):
                    kept[name] = is_proven
                    break
        return kept

    def _homes(self) -> set[str]:
        """The pools where other pods of the same workload run."""
        found = placed_siblings(self._decision.pod, self._decision.cluster)
        return {member.pool for _, node in found if (member := self._members.get(node.name))}

    # -------------------------------------------------------------------------------------------- out of service

    def _is_out(self, name: str) -> bool:
        service = self._members[name].service
        return service is not None and (service.for_all or _minds(self._matrix.get(name, ())))


def is_for_devices(taint: str, node_info: NodeInfo) -> bool:
    """Whether a taint is called as devices that the machine has, though nobody may report them at the moment."""
    return node_info.allocatable.amount(taint) > 0 or has_capacity(taint, node_info)


def _ailing(member_by_node: Mapping[str, PoolMember]) -> list[str]:
    return [name for name, member in member_by_node.items() if member.service is not None]


def _tainted(cluster: Cluster) -> list[str]:
    return [info.name for info in cluster.node_infos if info.node.spec.taints]


def _minds(statuses: Sequence[Status]) -> bool:
    """Whether the pod is turned down because of what ails the node."""
    for status in statuses:
        for evidence in status.evidence:
            if type(evidence) is Cordoned:
                return True
            if type(evidence) is UntoleratedTaints and any(trouble_of_taint(each.key) for each in evidence.taints):
                return True
    return False
