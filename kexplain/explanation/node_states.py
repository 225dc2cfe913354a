"""How one node stood when a pod was tried."""

from kexplain.explanation.records import NodeResource, NodeState
from kexplain.framework.trace import Decision
from kexplain.objects.requests import PODS


def node_state(decision: Decision, name: str) -> NodeState | None:
    """The node of that name with what it has; None if there is none."""
    node_info = decision.cluster.node_info_by_name.get(name)
    if node_info is None:
        return None
    allocatable, requested = node_info.allocatable, node_info.requested
    names = dict.fromkeys((*allocatable.amounts(), *requested.amounts()))
    rows = [(resource, allocatable.amount(resource), requested.amount(resource)) for resource in names]
    rows.append((PODS, allocatable.allowed_pods, len(node_info.pods)))
    return NodeState(
        node=name,
        cordoned=bool(node_info.node.spec.unschedulable),
        taints=tuple(str(taint) for taint in node_info.node.spec.taints or ()),
        labels=dict(node_info.node.labels),
        resources=tuple(
            NodeResource(resource=resource, allocatable=has, requested=used, free=has - used)
            for resource, has, used in rows
        ),
        pods=tuple(pod_info.pod.key for pod_info in node_info.pods),
        nominated=tuple(p.pod.key for p in decision.cluster.nominated_by_node.get(name, ())),
    )
