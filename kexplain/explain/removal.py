"""Why autoscalers do not take a node away, beside what keeps its pods from moving.

Source: cluster-autoscaler `simulator/drainability/rules` with the flags that it has by default, and its annotation of
nodes; Karpenter `pkg/controllers/disruption` and `pkg/apis/v1/nodepool.go` (budgets). Times are not looked at: a budget
with a schedule may or may not be active.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from typing import TypeAlias

from kexplain.cluster import Cluster, NodeInfo
from kexplain.explain.output import Output
from kexplain.explain.pools import pools
from kexplain.objects.core import Pod
from kexplain.objects.karpenter import NODE_POOL, DisruptionBudget, NodePool
from kexplain.objects.node_pools import comes_along, pool_id
from kexplain.scheduler.draining import EvictionBudget, EvictionBudgets
from kexplain.words import some

_SYSTEM = "kube-system"
_TRUE, _FALSE = "true", "false"
KARPENTER, CLUSTER_AUTOSCALER = "Karpenter", "cluster-autoscaler"


class Obstacle(StrEnum):
    """What keeps an autoscaler from taking a node away."""

    NOT_SAFE_TO_EVICT = "NotSafeToEvict"
    DO_NOT_DISRUPT = "DoNotDisrupt"
    LOCAL_STORAGE = "LocalStorage"
    NO_CONTROLLER = "NoController"
    SYSTEM_POD = "SystemPod"
    BUDGET = "Budget"
    NODE_SAYS_NO = "NodeSaysNo"
    MINIMUM_SIZE = "MinimumSize"
    NODE_POOL = "NodePool"


class RemovalObstacle(Output, frozen=True):
    """One reason why an autoscaler does not take a node away, and the pods that it is about."""

    node: str
    by: str
    kind: Obstacle
    text: str
    pods: tuple[str, ...] = ()


#: Why a node stays, beside the pods that are the reason.
_Reason: TypeAlias = tuple[Obstacle, str]


def removal_obstacles(cluster: Cluster, names: Iterable[str]) -> tuple[RemovalObstacle, ...]:
    """All of them, for nodes that an autoscaler may have added: those of a pool with a name."""
    budgets = EvictionBudgets(cluster)
    obstacles: list[RemovalObstacle] = []
    for name in names:
        info = cluster.node_info_by_name[name]
        pool = pool_id(info.node)
        if pool is None:
            continue
        by, of_node, of_pod = _KARPENTER if pool.label == NODE_POOL else _CLUSTER_AUTOSCALER
        pods_by_reason: dict[_Reason, list[str]] = {reason: [] for reason in of_node(info, pool.name, cluster)}
        for pod in (each.pod for each in info.pods if not comes_along(each.pod) and not each.pod.is_terminated):
            for reason in of_pod(pod, budgets):
                pods_by_reason.setdefault(reason, []).append(pod.key)
        why = ((kind, text, tuple(pods)) for (kind, text), pods in pods_by_reason.items())
        obstacles += (RemovalObstacle(node=name, by=by, kind=kind, text=text, pods=pods) for kind, text, pods in why)
    return tuple(obstacles)


# ---------------------------------------------------------------------------------------------- cluster-autoscaler


def _node_kept_by_cluster_autoscaler(info: NodeInfo, pool: str, cluster: Cluster) -> Iterator[_Reason]:
    annotations = info.node.metadata.annotations
    if annotations is not None and annotations.scale_down_disabled == _TRUE:
        yield Obstacle.NODE_SAYS_NO, "the node has the annotation cluster-autoscaler.kubernetes.io/scale-down-disabled"
    yield from _at_minimum(info, pool, cluster)


def _pod_kept_by_cluster_autoscaler(pod: Pod, budgets: EvictionBudgets) -> Iterator[_Reason]:
    annotations = pod.metadata.annotations
    safe = annotations.safe_to_evict if annotations is not None else None
    protecting = budgets.protecting(pod)
    if safe != _TRUE:
        if pod.metadata.controller is None:
            yield Obstacle.NO_CONTROLLER, "no controller makes these pods again"
        if pod.namespace == _SYSTEM and not protecting:
            yield Obstacle.SYSTEM_POD, "pods of kube-system without a PodDisruptionBudget"
        if safe == _FALSE:
            yield Obstacle.NOT_SAFE_TO_EVICT, "pods with the annotation safe-to-evict=false"
        if local := _local_volumes(pod):
            yield Obstacle.LOCAL_STORAGE, f"pods with local storage (volume {some(local, 2)})"
    yield from _kept_by_budgets(protecting)


def _local_volumes(pod: Pod) -> list[str]:
    """The volumes on the node's own disk that no annotation gives up."""
    annotations = pod.metadata.annotations
    given_up = ((annotations.safe_local_volumes if annotations is not None else None) or "").split(",")
    return [
        volume.name or ""
        for volume in pod.spec.volumes or ()
        if (volume.host_path is not None or (volume.empty_dir is not None and volume.empty_dir.medium != "Memory"))
        and volume.name not in given_up
    ]


def _kept_by_budgets(protecting: Iterable[EvictionBudget]) -> Iterator[_Reason]:
    for each in protecting:
        if each.allowed <= 0:
            yield Obstacle.BUDGET, f"PodDisruptionBudget {each.budget.key} lets none of its pods go at the moment"


def _at_minimum(info: NodeInfo, pool: str, cluster: Cluster) -> Iterator[_Reason]:
    """Its node group has no more nodes than it must have."""
    if not any(kind.is_of_queues for kind in cluster.listers.kinds):
        return
    from kexplain.explain.node_groups import node_groups, of_pool  # noqa: PLC0415 (few dumps tell of autoscalers)

    groups = of_pool(node_groups(cluster.listers), pool, [each.name for each in pools(cluster) if each.name])
    own = [group for group in groups if info.name.startswith(group.base)] or groups
    for group in own[:1]:
        if group.target is not None and group.least is not None and group.target <= group.least:
            yield Obstacle.MINIMUM_SIZE, f"node group {group.base} has its minimum of {group.least} nodes"


_CLUSTER_AUTOSCALER = (CLUSTER_AUTOSCALER, _node_kept_by_cluster_autoscaler, _pod_kept_by_cluster_autoscaler)


# ------------------------------------------------------------------------------------------------------- Karpenter


def _node_kept_by_karpenter(info: NodeInfo, pool: str, cluster: Cluster) -> Iterator[_Reason]:
    annotations = info.node.metadata.annotations
    if annotations is not None and annotations.do_not_disrupt == _TRUE:
        yield Obstacle.NODE_SAYS_NO, "the node has the annotation karpenter.sh/do-not-disrupt"
    node_pool = cluster.listers.get(NodePool, pool)
    if node_pool is not None:
        nodes = sum(1 for each in cluster.node_infos if each.node.labels.get(NODE_POOL) == pool)
        yield from ((Obstacle.NODE_POOL, text) for text in _kept_by_pool(node_pool, nodes))


def _pod_kept_by_karpenter(pod: Pod, budgets: EvictionBudgets) -> Iterator[_Reason]:
    said = pod.metadata.annotations
    if said is not None and said.do_not_disrupt == _TRUE:
        yield Obstacle.DO_NOT_DISRUPT, "pods with the annotation karpenter.sh/do-not-disrupt"
    yield from _kept_by_budgets(budgets.protecting(pod))


_KARPENTER = (KARPENTER, _node_kept_by_karpenter, _pod_kept_by_karpenter)


def _kept_by_pool(pool: NodePool, nodes: int) -> Iterator[str]:
    disruption = pool.spec.disruption
    if disruption.consolidate_after == "Never":
        yield f"NodePool {pool.name} is never consolidated (consolidateAfter: Never)"
    elif disruption.consolidation_policy == "WhenEmpty":
        yield f"NodePool {pool.name} gives up empty nodes only (consolidationPolicy: WhenEmpty)"
    for budget in disruption.budgets or ():
        if _allowed(budget, nodes) <= 0:
            whose = f" for {some(budget.reasons)}" if budget.reasons else ""
            when = f" at the times of its schedule ({budget.schedule})" if budget.schedule else ""
            yield f"a budget of NodePool {pool.name} lets no node go{whose}{when} (nodes: {budget.nodes})"


def _allowed(budget: DisruptionBudget, nodes: int) -> int:
    """How many nodes may go at a time, of so many; a share is rounded up."""
    share, is_share, _ = budget.nodes.partition("%")
    with suppress(ValueError):
        return -(-int(share) * nodes // 100) if is_share else int(share)
    return 0
