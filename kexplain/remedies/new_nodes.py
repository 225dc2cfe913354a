"""One more node of each pool: whether the pod would fit there, what would stop it, and whether the pool adds one."""

from __future__ import annotations

from kexplain.cluster import NodeInfo
from kexplain.cluster.newcomers import joined_by, newcomer_like
from kexplain.explain.karpenter import NodePoolObjection, pool_objections
from kexplain.explain.objections import AnyFact, detail, facts_of
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import Output
from kexplain.explain.pools import pools
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.karpenter import NodePool
from kexplain.objects.node_pools import comes_along
from kexplain.remedies.controllers import node_named_by
from kexplain.scheduler.cycle import Scheduler

#: How many pools are tried, and on how many nodes in all: each trial looks at the whole cluster.
MOST_POOLS, NODES_LOOKED_AT = 20, 60_000


class NewNodeObjection(Output, frozen=True):
    """One plugin's objection to the new node."""

    plugin: str
    detail: str
    facts: tuple[AnyFact, ...] = ()


class NewNode(Output, frozen=True):
    """What one more node of a pool would come to.

    It would be like the node `like`, the newest of so many `nodes`. `companions` run on each of them: DaemonSets, and
    pods of the kubelet. `fits` is null where the
    pool has no node to go by, and where there are too many nodes to try. `stoppedBy` is what the node would be turned
    down for. `nodePool` is what keeps Karpenter from adding a node, as far as its NodePool says; null where there is
    none of that name.
    """

    pool: str
    nodes: int
    like: str = ""
    fits: bool | None = None
    stopped_by: tuple[NewNodeObjection, ...] = ()
    companions: tuple[str, ...] = ()
    node_pool: tuple[NodePoolObjection, ...] | None = None


def new_nodes(decision: Decision, scheduler: Scheduler | None, sharing: int = 1) -> tuple[NewNode, ...]:
    """One for each pool that has a name, the largest first; none unless the pod is Unschedulable and may go anywhere.

    `sharing` is among how many pods the time for trials is shared.
    """
    if decision.outcome is not Outcome.UNSCHEDULABLE or node_named_by(decision.pod):
        return ()
    cluster = decision.cluster
    known = {pool.name: pool for pool in pools(cluster) if pool.name}
    node_pools = {pool.name: pool for pool in cluster.listers.every(NodePool)}
    trials = NODES_LOOKED_AT // max(len(cluster.node_infos) * sharing, 1)
    found = []
    for number, name in enumerate([*known, *(name for name in node_pools if name not in known)][:MOST_POOLS]):
        pool, node_pool = known.get(name), node_pools.get(name)
        nodes = pool.nodes if pool else ()
        objections = None if node_pool is None else tuple(pool_objections(node_pool, decision.pod, cluster, nodes))
        new = NewNode(pool=name, nodes=len(nodes), node_pool=objections)
        if pool and number < trials and scheduler is not None and not scheduler.connected_extenders:
            new = _tried(new, cluster.node_info_by_name[pool.newest.name], decision, scheduler)
        found.append(new)
    return tuple(found)


def _tried(new: NewNode, model: NodeInfo, decision: Decision, scheduler: Scheduler) -> NewNode:
    """The new node with what all plugins say of it, once it has joined the cluster."""
    joining = newcomer_like(model, decision.cluster)
    cluster, name = joined_by(decision.cluster, joining), joining.node.name
    lookup = Lookup(decision.pod, cluster)
    statuses = scheduler.objections(decision.pod, cluster, [name]).get(name, {})
    stopped_by = []
    for plugin, status in statuses.items():
        facts = facts_of(status, cluster.node_info_by_name[name], lookup)
        stopped_by.append(NewNodeObjection(plugin=plugin, detail=detail(facts, status.reasons), facts=facts))
    return NewNode(
        pool=new.pool,
        nodes=new.nodes,
        like=model.name,
        fits=not stopped_by,
        stopped_by=tuple(stopped_by),
        companions=tuple(_name(info.pod) for info in model.pods if comes_along(info.pod)),
        node_pool=new.node_pool,
    )


def _name(pod: Pod) -> str:
    owner = pod.metadata.controller
    return f"{pod.namespace}/{owner.name}" if owner and owner.kind == "DaemonSet" else pod.key
