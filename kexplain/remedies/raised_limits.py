"""What an autoscaler may add at most, raised by some nodes, where that is all that keeps it from adding one."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.explain.autoscaling import GroupTrouble, Refusal
from kexplain.explain.pools import Pool
from kexplain.objects.core import Node
from kexplain.objects.karpenter import NodePool
from kexplain.remedies.records import NewNode
from kexplain.remedies.steps import Step
from kexplain.shell import command
from kexplain.words import joined


def raised_limit(
    new: NewNode, pool: Pool, like: Node, cluster: Cluster, count: int
) -> tuple[str, tuple[Step, ...]] | None:
    """How to raise the limits of the NodePool or the maximum of the node group by so many nodes, in words, and by what.

    What a cloud refuses is to be had of the cloud. None if something else is in the way, or nothing.
    """
    if new.node_pool is not None:
        is_limit = all(each.kind is Refusal.LIMIT for each in new.node_pool)
        if is_limit and (new.node_pool or new.caution):
            return _of_node_pool(pool, like, cluster, count)
    full = [group for group in new.node_groups if group.troubles == (GroupTrouble.AT_MAXIMUM,)]
    if not full or not new.refused:
        return (new.help, ()) if new.help else None
    group = full[0]
    return f"raise the maximum of node group {group.base} to {(group.most or 0) + count} (now {group.most})", ()


def _of_node_pool(pool: Pool, like: Node, cluster: Cluster, count: int) -> tuple[str, tuple[Step, ...]] | None:
    from kexplain.explain.karpenter import raised_limits  # noqa: PLC0415 (few clusters have NodePools)

    node_pool = cluster.listers.get(NodePool, pool.name)
    raised = raised_limits(node_pool, pool.nodes, like, count) if node_pool else {}
    if not raised:
        return None
    wanted = joined([f"{amount} {name}" for name, (amount, _) in raised.items()])
    used = joined([said for _, said in raised.values()])
    limits = {name: amount for name, (amount, _) in raised.items()}
    return f"raise the limit of NodePool {pool.name} to {wanted} ({used})", (_raising(pool.name, limits),)


def _raising(name: str, limits: Mapping[str, str]) -> Step:
    def raised(pool: NodePool) -> NodePool:
        return replace(pool, spec=replace(pool.spec, limits={**(pool.spec.limits or {}), **limits}))

    patch = json.dumps({"spec": {"limits": limits}})
    shell = command("kubectl patch nodepool", name, flags=("--type", "merge", "-p", patch))
    return Step(NodePool, "", name, raised, command=shell)
