"""Where nodes are: by pool, by zone, or by name."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.place import NAMED, Ailments, Others, Place, counted
from kexplain.diagnosis.overdue import overdue_since
from kexplain.diagnosis.pool_members import PoolMember, pool_members
from kexplain.diagnosis.reservations import repelling_taints
from kexplain.diagnosis.wishes import Wish
from kexplain.objects.core import Node, Taint
from kexplain.objects.karpenter import NodePool
from kexplain.objects.node_pools import ROLE_PREFIX
from kexplain.objects.node_service import Trouble, saying
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.tables import table


def known_otherwise(name: str, cluster: Cluster) -> Node | None:
    """The node that has this name, an address, or another label's value like that, and another hostname label."""
    for info in cluster.node_infos:
        status, labels = info.node.status, info.labels
        others = {info.name, *(each.address for each in status.addresses or ()), *labels.values()}
        if name in others and labels.get(HOSTNAME) not in (None, name):
            return info.node
    return None


class Places:
    """Where the nodes of one cluster are."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._members = pool_members(cluster)

    def of(self, names: Collection[str], zone: str = "", *, others: bool = False) -> Place:
        """These nodes, at least one; with a zone, those of a pool that are in it; `others` are not the pod's own."""
        pools, count = self.pools(names), len(names)
        named = [pool for pool in pools if self._is_named(pool)]
        are_named = len(named) == len(pools) <= NAMED and len(self._members) > 1
        is_short = count <= NAMED and (count == 1 or not are_named)
        return Place(
            count=count,
            nodes=tuple(names) if is_short else (),
            pools=tuple(named) if are_named else (),
            pool=pools[0] if len(pools) == 1 else "",
            zone=zone,
            whole=count == len(self._members),
            others=others,
        )

    def pool(self, name: str) -> str:
        member = self._members.get(name)
        return member.pool if member else ""

    def pools(self, names: Iterable[str]) -> list[str]:
        """The pools of these nodes, those with most of them first."""
        counts = self._counted(names)
        return sorted(counts, key=lambda pool: -counts[pool])

    def _counted(self, names: Iterable[str]) -> Counter[str]:
        """How many of these nodes are in each pool."""
        pool_by_node = self._cluster.fact((Places, "pools"), self._pools)
        return Counter([pool for pool in map(pool_by_node.get, names) if pool is not None])

    def _pools(self) -> dict[str, str]:
        return {name: member.pool for name, member in self._members.items()}

    def by_pool(self, names: Collection[str]) -> str:
        """How many of these are in each pool: `8 spot, 4 gpu`; empty where pools have no names."""
        counts = self._counted(names)
        return counted(dict(counts.most_common()), "pool ") if counts and all(map(self._is_named, counts)) else ""

    def by_taint(self, names: Iterable[str]) -> str:
        """How many of these have which taint that says what they are for; empty where those are many."""
        infos = self._cluster.node_info_by_name
        # A taint may have several effects.
        taints = (dict.fromkeys(map(_in_short, repelling_taints(infos[name].node))) for name in names)
        counts = Counter(map(" and ".join, taints))
        return counted(dict(counts.most_common())) if len(counts) <= NAMED else ""

    def _is_named(self, pool: str) -> bool:
        return pool in self._cluster.fact(Places, lambda: _named(self._members))

    def zone(self, names: Collection[str]) -> str:
        """The one zone that these nodes are in; empty if they are in several, or if all nodes are in it."""
        infos = self._cluster.node_info_by_name
        found = {infos[name].labels.get(ZONE, "") for name in names}
        return "" if len(found) != 1 or len(self._cluster.names_by_label(ZONE)) == 1 else found.pop()

    def ailments(self, names: Sequence[str]) -> Ailments:
        """What ails these nodes first of all."""
        services = (member.service for name in names if (member := self._members.get(name)))
        counts = Counter(service.troubles[0].value for service in services if service)
        infos = self._cluster.node_info_by_name
        moving = [each for each in (Trouble.STARTING, Trouble.LEAVING, Trouble.MARKED) if counts.keys() == {each}]
        keys = {key for each in moving for name in names for key in saying(infos[name].node, each)}
        by = self._starting_with(keys) if keys else ""
        times = [overdue_since(infos[name].node, self._cluster) for name in names] if keys else [""]
        since = min(times) if all(times) else ""
        return Ailments(dict(counts.most_common()), taints=tuple(sorted(keys)), node_pool=by, since=since)

    def _starting_with(self, keys: Collection[str]) -> str:
        """The NodePool whose nodes start with these taints."""
        given = ((pool.name, pool.spec.template.spec.startup_taints) for pool in self._cluster.listers.every(NodePool))
        return next((name for name, taints in given if {*keys} <= {each.key for each in taints or ()}), "")

    def others(
        self, reserved: Collection[str], elsewhere: Collection[str], narrowed: Wish, out: Sequence[str]
    ) -> Others:
        """The nodes that are no candidates."""
        return Others(
            reserved=len(reserved),
            by_whom=self.by_pool(reserved) or self.by_taint(reserved) if reserved else "",
            elsewhere=len(elsewhere),
            why_elsewhere=_WITHOUT.get(narrowed, "ruled out by what it asks for"),
            out=len(out),
            ailments=self.ailments(out) if out else None,
        )


def _in_short(taint: Taint) -> str:
    key = taint.key.removeprefix(ROLE_PREFIX)
    return f"{key}={taint.value}" if taint.value else key


def _named(member_by_node: Mapping[str, PoolMember]) -> frozenset[str]:
    return frozenset(each.pool for each in member_by_node.values() if each.is_named)


#: Why nodes are ruled out that do not meet the one wish by which they differ.
_WITHOUT = {Wish[name]: text for name, text in table("ruled-out", dict[str, str]).items()}
