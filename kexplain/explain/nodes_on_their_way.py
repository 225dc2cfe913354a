"""Nodes that Karpenter, Cluster API or OpenShift has asked the cloud for, and that are not there yet.

Source: Karpenter `pkg/apis/v1/nodeclaim_status.go`; the conditions Launched, Registered and Initialized come in turn.
Of machines, Cluster API `api/core/v1beta1/condition_consts.go`, OpenShift `machine/v1beta1/types_machine.go`.
"""

from collections.abc import Iterator

from kexplain.cluster import Cluster
from kexplain.explain.autoscaling import NodeOnItsWay
from kexplain.explain.hindrances import hindrance
from kexplain.explain.pools import pools
from kexplain.objects.events import made_by
from kexplain.objects.karpenter import NODE_POOL
from kexplain.objects.node_claims import Machine, NodeClaim
from kexplain.words import clauses

_STEPS = ("Launched", "Registered", "Initialized")


def on_their_way(cluster: Cluster) -> tuple[NodeOnItsWay, ...]:
    """All of them, in the order read. A node that has joined is there, whatever it still waits for."""
    if not any(kind in (NodeClaim, Machine) for kind in cluster.listers.kinds):
        return ()
    listers = cluster.listers
    claims = listers.derived(lambda listers: tuple(filter(None, map(_of, listers.every(NodeClaim)))), NodeClaim)
    nodes, every = cluster.node_info_by_name, listers.every(NodeClaim)
    joined = {each.name for each in every if each.status.node_name in nodes} if claims else frozenset[str]()
    claims = tuple(each for each in claims if each.name not in joined)
    return (*claims, *cluster.fact((on_their_way, listers), lambda: tuple(_machines(cluster))))


def _machines(cluster: Cluster) -> Iterator[NodeOnItsWay]:
    """Machines without a node, in the pool of the nodes that others of their set have become."""
    every = cluster.listers.every(Machine)
    pool_by_node = {name: pool.name for pool in pools(cluster) for name in pool.names}
    nodes = ((made_by(each), each.status.node_ref.name or "") for each in every if each.status.node_ref)
    pool_by_set = {own: pool_by_node[node] for own, node in nodes if node in pool_by_node}
    for each in every:
        if each.status.node_ref is None and each.metadata.deletion_timestamp is None and made_by(each) in pool_by_set:
            message = _trouble(each)
            yield NodeOnItsWay(
                name=each.name,
                pool=pool_by_set[made_by(each)],
                since=each.metadata.creation_timestamp or "",
                fails=each.status.phase == "Failed" or hindrance(message) is not None,
                message=message,
                kind="Machine",
            )


def _trouble(machine: Machine) -> str:
    """What is said of a machine that cannot be made."""
    status = machine.status
    said = [each.message or "" for each in status.conditions or () if each.status == "False"]
    return next(filter(None, (status.failure_message, status.error_message, *said)), "")


def _of(claim: NodeClaim) -> NodeOnItsWay | None:
    conditions = {each.type: each for each in claim.status.conditions or ()}
    step = next((each for each in _STEPS if each not in conditions or conditions[each].status != "True"), "")
    if not step or claim.metadata.deletion_timestamp is not None:
        return None
    at = conditions.get(step)
    message = clauses(at.reason or "", at.message or "") if at is not None else ""
    return NodeOnItsWay(
        name=claim.name,
        pool=claim.labels.get(NODE_POOL, ""),
        since=claim.metadata.creation_timestamp or "",
        waits_for=step,
        fails=at is not None and (at.status == "False" or (at.reason or "").endswith("Failed")),
        message=message,
    )
