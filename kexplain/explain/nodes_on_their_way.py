"""Nodes that Karpenter has asked the cloud for, and that are not there yet.

Source: Karpenter `pkg/apis/v1/nodeclaim_status.go`; the conditions Launched, Registered and Initialized come in turn.
"""

from kexplain.cluster import Cluster
from kexplain.explain.autoscaling import NodeOnItsWay
from kexplain.objects.karpenter import NODE_POOL
from kexplain.objects.node_claims import NodeClaim
from kexplain.words import clauses

_STEPS = ("Launched", "Registered", "Initialized")


def on_their_way(cluster: Cluster) -> tuple[NodeOnItsWay, ...]:
    """All of them, in the order read."""
    if not any(kind is NodeClaim for kind in cluster.listers.kinds):
        return ()
    return cluster.listers.derived(lambda listers: tuple(filter(None, map(_of, listers.every(NodeClaim)))), NodeClaim)


def _of(claim: NodeClaim) -> NodeOnItsWay | None:
    conditions = {each.type: each for each in claim.status.conditions or ()}
    step = next((each for each in _STEPS if each not in conditions or conditions[each].status != "True"), "")
    if not step or claim.metadata.deletion_timestamp is not None:
        return None
    at = conditions.get(step)
    return NodeOnItsWay(
        name=claim.name,
        pool=claim.labels.get(NODE_POOL, ""),
        since=claim.metadata.creation_timestamp or "",
        waits_for=step,
        fails=at is not None and at.status == "False",
        message=clauses(at.reason or "", at.message or "") if at is not None else "",
    )
