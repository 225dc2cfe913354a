"""One more node of each pool: whether the pod would fit there, what would stop it, and whether the pool adds one."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.newcomers import grown_by
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.explain import karpenter, sizes
from kexplain.explain.autoscaling import PATIENCE, NodeGroup, NodeOnItsWay
from kexplain.explain.karpenter import beyond_limits, pool_objections, zones_of
from kexplain.explain.nodes_on_their_way import on_their_way
from kexplain.explain.objections import detail, facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.pools import Pool, pools
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import (
    FAILED_SCALE_UP,
    NOT_TRIGGER_SCALE_UP,
    TRIGGERED_SCALE_UP,
    Event,
    autoscaler_events_about,
)
from kexplain.objects.karpenter import NODE_POOL, NodePool
from kexplain.objects.node_pools import PoolId, comes_along
from kexplain.objects.node_selectors import node_named_by
from kexplain.objects.requests import EPHEMERAL_STORAGE
from kexplain.objects.well_known import ZONE
from kexplain.patterns import regex
from kexplain.plugins.victims import seconds
from kexplain.remedies.records import NewNode, NewNodeObjection
from kexplain.scheduler.cycle import Scheduler

#: How many pools are tried, and on how many nodes in all: each trial looks at the whole cluster.
MOST_POOLS, NODES_LOOKED_AT = 20, 60_000
#: How many zones and sizes of one pool.
MOST_VARIANTS = 6
_COUNT = regex(r"[:,] (?P<count>\d+) ")


def new_nodes(decision: Decision, scheduler: Scheduler | None, sharing: int = 1) -> tuple[NewNode, ...]:
    """One for each pool that has a name, the largest first; none unless the pod is Unschedulable and may go anywhere.

    `sharing` is among how many pods the time for trials is shared.
    """
    if decision.outcome is not Outcome.UNSCHEDULABLE or node_named_by(decision.pod):
        return ()
    cluster = decision.cluster
    known = {(pool.label, pool.name): pool for pool in pools(cluster) if pool.name}
    node_pools = {(NODE_POOL, pool.name): pool for pool in cluster.listers.every(NodePool)}
    left = NODES_LOOKED_AT // max(len(cluster.node_infos) * sharing, 1)
    outlook = Outlook.of(cluster, [name for _, name in known])
    can_try = scheduler is not None and not scheduler.connected_extenders
    found = []
    for key in [*known, *_by_weight(node_pools, known)][:MOST_POOLS]:
        pool, node_pool = known.get(key), node_pools.get(key)
        new = _of_autoscaler(_told_apart(key, known), pool, node_pool, decision, outlook)
        if pool and scheduler is not None and can_try and left > 0:
            new, spent = Trial(decision, scheduler, pool, node_pool).best(new, left)
            left -= spent
        found.append(new)
    return (*found, *outlook.other_groups())


def hindered(nodes: Sequence[NewNode], pod: Pod, events: Sequence[Event]) -> tuple[NewNode, ...]:
    """The new nodes, with what an autoscaler says of the pod where nothing else tells of theirs.

    Machines of a pool that has waited for one for a quarter of an hour do not join.
    """
    newest = max((seconds(each.last_seen) for each in events), default=-math.inf)
    nodes = [_at(newest, _not_launched(each, events)) for each in nodes]
    said = autoscaler_events_about(pod, events) if nodes else ()
    if not said or said[-1].reason == TRIGGERED_SCALE_UP:
        return tuple(nodes)
    # The cloud's error is more than that a group waits after one.
    text = [said[-1].text, *(each.text for each in said if each.reason == FAILED_SCALE_UP)][-1]
    found = [replace(each, said=text) if _says_nothing(each) else each for each in nodes]
    if reasons := _reasons_for_all(said[-1], nodes):
        told = text if reasons == 1 else ""
        found = [replace(each, passed_over=each.may_come, said=each.said or told) for each in found]
    return tuple(found)


def _reasons_for_all(event: Event, nodes: Sequence[NewNode]) -> int:
    """How many reasons it gives for groups to add no node, by which it counts them, if it counts all; else 0."""
    groups = {group.name for each in nodes for group in each.node_groups}
    counts = [int(each["count"]) for each in _COUNT.finditer(event.text)]
    is_of_all = bool(groups) and event.reason == NOT_TRIGGER_SCALE_UP and sum(counts) >= len(groups)
    return len(counts) if is_of_all else 0


def _not_launched(new: NewNode, events: Sequence[Event]) -> NewNode:
    """With the last node that the cloud has refused, which Karpenter deletes then, to ask for another one."""
    about = [each for each in events if each.is_of_launch and (each.subject.name or "").rpartition("-")[0] == new.pool]
    if not about or new.node_pool is None or new.on_their_way:
        return new
    said = max(about, key=lambda each: each.last_seen)
    name, since = said.subject.name or "", said.first_seen
    return replace(new, on_their_way=(NodeOnItsWay(name, new.pool, since, "Launched", fails=True, message=said.text),))


def _at(now: float, new: NewNode) -> NewNode:
    new = _overdue(new, now) if new.on_their_way else new
    return replace(new, node_groups=tuple(each.silent_at(now) for each in new.node_groups))


def _overdue(new: NewNode, now: float) -> NewNode:
    if not any(PATIENCE <= now - seconds(each.since) < math.inf for each in new.on_their_way):
        return new
    return replace(new, on_their_way=tuple(replace(each, fails=True) for each in new.on_their_way))


def _says_nothing(new: NewNode) -> bool:
    """Whether nothing is known of who would add the node, which would take the pod."""
    return not new.node_groups and new.node_pool is None and new.fits is not False


def _of_autoscaler(
    name: str, pool: Pool | None, node_pool: NodePool | None, decision: Decision, outlook: Outlook
) -> NewNode:
    """What an autoscaler makes of it, before anything is tried."""
    nodes = pool.nodes if pool else ()
    if node_pool is None:
        groups = outlook.groups_of(pool.name) if pool else ()
        machines = outlook.claims_of(pool.name) if pool else ()
        return NewNode(pool=name, nodes=len(nodes), node_groups=groups, on_their_way=machines)
    return NewNode(
        pool=name,
        nodes=len(nodes),
        node_pool=tuple(pool_objections(node_pool, decision.pod, decision.cluster, nodes)),
        weight=node_pool.spec.weight,
        on_their_way=outlook.claims_of(node_pool.name),
    )


def _by_weight(
    node_pools: Mapping[tuple[str, str], NodePool], known: Container[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The pools without a node, the heaviest first."""
    return sorted((key for key in node_pools if key not in known), key=lambda key: -(node_pools[key].spec.weight or 0))


def _told_apart(key: tuple[str, str], known: Iterable[tuple[str, str]]) -> str:
    """The name, with whose it is where another pool has it, too."""
    label, name = key
    return str(PoolId(label, name)) if any(name == other and label != of for of, other in known) else name


class Outlook(Struct, frozen=True):
    """What autoscalers publish beside NodePools: groups of nodes, and nodes that are on their way."""

    groups: tuple[NodeGroup, ...] = ()
    claims: tuple[NodeOnItsWay, ...] = ()
    pools: tuple[str, ...] = ()

    @classmethod
    def of(cls, cluster: Cluster, pools: Sequence[str]) -> Outlook:
        """What was read of them; most clusters have neither."""
        if not any(kind.is_of_queues for kind in cluster.listers.kinds):
            return cls()
        from kexplain.explain.node_groups import node_groups  # noqa: PLC0415 (few dumps tell of autoscalers)

        return cls(node_groups(cluster.listers), on_their_way(cluster), tuple(pools))

    def groups_of(self, pool: str) -> tuple[NodeGroup, ...]:
        """Those that add nodes to a pool."""
        if not self.groups:
            return ()
        from kexplain.explain.node_groups import of_pool  # noqa: PLC0415

        return tuple(of_pool(self.groups, pool, self.pools))

    def claims_of(self, pool: str) -> tuple[NodeOnItsWay, ...]:
        """The nodes on their way of a pool."""
        return tuple(claim for claim in self.claims if claim.pool == pool)

    def other_groups(self) -> list[NewNode]:
        """Groups of no pool that has nodes: those that are empty, and those with names of their own."""
        taken = {group.name for pool in self.pools for group in self.groups_of(pool)}
        others = (group for group in self.groups if group.name not in taken)
        return [NewNode(pool=group.base, nodes=group.ready or 0, node_groups=(group,)) for group in others][:MOST_POOLS]


class Trial(Struct, frozen=True):
    """Trials of one more node of a pool, for the pod of a decision."""

    decision: Decision
    scheduler: Scheduler
    pool: Pool
    node_pool: NodePool | None

    def best(self, new: NewNode, most: int) -> tuple[NewNode, int]:
        """The newest that takes the pod, of any zone and size, else what the newest comes to; and how many were tried.

        A size that the limits of the NodePool leave no room for comes only where nothing else does.
        """
        first: NewNode | None = None
        tried = 0
        for model, zone in islice(self._models(), min(most, MOST_VARIANTS)):
            tried += 1
            found = self._tried(new, model, zone)
            if found.fits and not found.caution:
                return found, tried
            first = found if first is None or (found.fits and not first.fits) else first
        return self._in_another_size(first) if first is not None else new, tried

    def _in_another_size(self, new: NewNode) -> NewNode:
        """The same where a NodePool may add another size, which is not known not to be enough."""
        if new.fits:
            return replace(new, fits=None) if new.caution else new
        is_too_small = all(each.plugin == "NodeResourcesFit" for each in new.stopped_by)
        # How much of a disk a node has is said by its node class, not by its size.
        short = {fact.resource for each in new.stopped_by for fact in each.facts if isinstance(fact, ResourceFact)}
        if new.node_pool != () or not is_too_small or EPHEMERAL_STORAGE in short or not self._may_bring(short):
            return new
        return replace(new, fits=None, stopped_by=(), caution=f"one like {new.like} is too small")

    def _may_bring(self, resources: Iterable[str]) -> bool:
        """Whether machines of the NodePool may have what is short; how much of CPU and memory is a matter of size."""
        if self.node_pool is None:
            return True
        offered, cluster = karpenter.offered(self.node_pool), self.decision.cluster
        return all(sizes.may_bring(offered, each, cluster) for each in filter(is_extended_resource_name, resources))

    def _models(self) -> Iterator[tuple[Node, str]]:
        """The nodes to go by, and those in zones where the pool has none."""
        yield from ((node, "") for node in self.pool.variants)
        if self.node_pool is not None:
            known = {node.labels.get(ZONE) for node in self.pool.nodes}
            everywhere = self.decision.cluster.names_by_label(ZONE)
            for zone in zones_of(self.node_pool, [each for each in everywhere if each]):
                if zone not in known:
                    yield self.pool.nodes[0], zone

    def _tried(self, new: NewNode, like: Node, zone: str) -> NewNode:
        """The new node with what all plugins say of it, once it has joined the cluster."""
        decision, model = self.decision, self.decision.cluster.node_info_by_name[like.name]
        name, cluster = grown_by(model, zone, decision.cluster)
        lookup = Lookup(decision.pod, cluster)
        statuses = self.scheduler.objections(decision.pod, cluster, [name]).get(name, {})
        stopped_by = []
        for plugin, status in statuses.items():
            facts = facts_of(status, cluster.node_info_by_name[name], lookup)
            stopped_by.append(NewNodeObjection(plugin=plugin, detail=detail(facts, status.reasons), facts=facts))
        caution = ""
        if self.node_pool is not None:
            caution = beyond_limits(self.node_pool, self.pool.nodes, like)
        return replace(
            new,
            like=model.name,
            fits=not stopped_by,
            stopped_by=tuple(stopped_by),
            companions=tuple(_name(info.pod) for info in model.pods if comes_along(info.pod)),
            zone=zone,
            caution=caution,
        )


def _name(pod: Pod) -> str:
    owner = pod.metadata.controller
    return f"{pod.namespace}/{owner.name}" if owner and owner.kind == "DaemonSet" else pod.key
