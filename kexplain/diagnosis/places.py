"""Where nodes are, in words: by pool, by zone, or by name."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.diagnosis.pool_members import PoolMember, pool_members
from kexplain.diagnosis.reservations import repelling_taints
from kexplain.diagnosis.wishes import Wish
from kexplain.objects.core import Taint
from kexplain.objects.node_pools import ROLE_PREFIX
from kexplain.objects.node_service import Trouble, saying
from kexplain.objects.well_known import ZONE
from kexplain.words import joined, plural, verb

#: So many pools are named.
_NAMED = 3


class Place(Struct, frozen=True):
    """Some nodes as a phrase: `in pool general`, `pool general`, `the 9 nodes of …`, `all 9 nodes of …`."""

    where: str
    what: str
    nodes: str
    every: str
    pool: str = ""
    #: Whether `what` stands for one thing: a pool, a node.
    is_one: bool = True
    #: Whether `what` names pools.
    is_pool: bool = False

    @property
    def has(self) -> str:
        """What the nodes do that have something."""
        return verb(self.is_one, "has")


class Places:
    """The words for nodes of one cluster."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._members = pool_members(cluster)

    def of(self, names: Collection[str], zone: str = "", *, others: bool = False) -> Place:
        """These nodes, at least one; with a zone, those of a pool that are in it; `others` are not the pod's own."""
        if len(names) == 1:
            return self._one(next(iter(names)), zone)
        pools = self.pools(names)
        count = len(names)
        in_zone = f" in zone {zone}" if zone else ""
        named = [pool for pool in pools if self._is_named(pool)]
        if len(named) == len(pools) <= _NAMED:
            what = f"pool{'' if len(pools) == 1 else 's'} {joined(named)}{in_zone}"
            pool = named[0] if len(pools) == 1 else ""
            of_them = f"nodes of {what}"
            return Place(
                f"in {what}", what, f"the {count} {of_them}", f"{_all(count)} {of_them}", pool, bool(pool), is_pool=True
            )
        pool = pools[0] if len(pools) == 1 else ""
        if count <= _NAMED:
            what = f"nodes {joined(list(names))}"
            return Place(f"on {what}", what, f"the {what}", what, pool, is_one=False)
        whose = in_zone or ("" if count == len(self._members) else " that it may use")
        what = f"{count} other nodes" if others else f"the {count} nodes{whose}"
        return Place(f"on any of {what}", what, what, f"{_all(count)} nodes{whose}", pool, is_one=False)

    def _one(self, name: str, zone: str) -> Place:
        pool = self.pool(name)
        in_pool = f" (pool {pool})" if self._is_named(pool) and len(self._members) > 1 else ""
        what = f"node {name}{in_pool}{f' in zone {zone}' if zone else ''}"
        return Place(f"on {what}", what, what, what, pool)

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
        if not counts or not all(map(self._is_named, counts)):
            return ""
        if len(counts) == 1:
            return f"pool {next(iter(counts))}"
        return ", ".join(f"{count} {pool}" for pool, count in counts.most_common())

    def by_taint(self, names: Iterable[str]) -> str:
        """How many of these have which taint that says what they are for; empty where those are many."""
        infos = self._cluster.node_info_by_name
        # A taint may have several effects.
        taints = (dict.fromkeys(map(_in_short, repelling_taints(infos[name].node))) for name in names)
        counts = Counter(map(" and ".join, taints))
        if len(counts) == 1:
            return next(iter(counts))
        return ", ".join(f"{count} {taint}" for taint, count in counts.most_common()) if len(counts) <= _NAMED else ""

    def _is_named(self, pool: str) -> bool:
        return pool in self._cluster.fact(Places, lambda: _named(self._members))

    def zone(self, names: Collection[str]) -> str:
        """The one zone that these nodes are in; empty if they are in several, or if all nodes are in it."""
        infos = self._cluster.node_info_by_name
        found = {infos[name].labels.get(ZONE, "") for name in names}
        if len(found) != 1 or len(self._cluster.names_by_label(ZONE)) == 1:
            return ""
        return found.pop()

    def troubles(self, names: Iterable[str]) -> Counter[str]:
        """What ails these nodes first of all, and how many of them."""
        services = (member.service for name in names if (member := self._members.get(name)))
        return Counter(service.troubles[0].value for service in services if service)

    def ailing(self, names: Sequence[str]) -> str:
        """What ails them: `cordoned`, or `2 cordoned, 1 unreachable`."""
        counts = self.troubles(names)
        if len(counts) == 1:
            return next(iter(counts))
        return ", ".join(f"{count} {trouble}" for trouble, count in counts.most_common())

    def out(self, names: Sequence[str]) -> str:
        """The same after `are`."""
        ailing = self.ailing(names)
        infos = self._cluster.node_info_by_name
        moving = [each for each in (Trouble.STARTING, Trouble.LEAVING) if each == ailing]
        keys = {key for each in moving for name in names for key in saying(infos[name].node, each)}
        ailing = f"{ailing} (taint {joined(sorted(keys))})" if keys else ailing
        return f"out of service ({ailing})" if "," in ailing else ailing


def _in_short(taint: Taint) -> str:
    key = taint.key.removeprefix(ROLE_PREFIX)
    return f"{key}={taint.value}" if taint.value else key


def _all(count: int) -> str:
    return "both" if count == 2 else f"all {count}"


def _named(member_by_node: Mapping[str, PoolMember]) -> frozenset[str]:
    return frozenset(each.pool for each in member_by_node.values() if each.is_named)


#: Why nodes are ruled out that do not meet the one wish by which they differ.
_WITHOUT = {
    Wish.LABELS: "ruled out by the labels it asks for",
    Wish.OFFER: "without what it asks for",
    Wish.ZONE: "in other zones",
    Wish.VOLUME: "out of reach of its claims",
    Wish.DRIVER: "without the driver of its volumes",
    Wish.DOMAIN: "without a label that its pods spread over",
    Wish.NEAR: "not near the pods it must be near",
    Wish.SIZE: "too small for it",
}


def circle_sentence(
    places: Places, reserved: Collection[str], elsewhere: Collection[str], narrowed: Wish, out: Sequence[str]
) -> str:
    """Where the nodes are that are no candidates: `12 nodes are reserved (8 spot, 4 gpu), 3 are out of service.`"""
    parts: list[str] = []
    if reserved:
        who = places.by_pool(reserved) or places.by_taint(reserved)
        parts.append(f"{_are(len(reserved), first=True)} reserved{_bracketed(who)}")
    if elsewhere:
        why = _WITHOUT.get(narrowed, "ruled out by what it asks for")
        parts.append(f"{_are(len(elsewhere), first=not parts)} {why}")
    if out:
        parts.append(f"{_are(len(out), first=not parts)} out of service{_bracketed(places.ailing(out))}")
    return f"{', '.join(parts)}." if parts else ""


def _are(count: int, *, first: bool) -> str:
    return f"{plural(count, 'node') if first else count} {verb(count, 'is')}"


def _bracketed(text: str) -> str:
    return f" ({text})" if text else ""
